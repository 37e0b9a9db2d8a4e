"""The pieces of a query as it was typed: brackets, signs, fields, phrases, words. A backslash takes a meaning away."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from opilio.search.query.nodes import EXACT_FIELDS, TEXT_FIELDS

OPERATORS: Final = frozenset({"AND", "OR", "NOT"})
FIELDS: Final = TEXT_FIELDS + EXACT_FIELDS
_WORD: Final = r'(?:\\.|[^\s()"])+'
_REST: Final = rf"""
    (?P<blank>\s+)
    | (?P<open>\()
    | (?P<close>\))
    | (?P<phrase>"(?P<text>(?:\\.|[^"\\]|\\$)*)(?P<end>"?)(?:~(?P<slop>[0-9]*))?)
    | (?P<word>{_WORD})
    """
_NAMED: Final = rf"(?P<web>https?://{_WORD}) | (?P<field>{'|'.join(FIELDS)}):(?=[^\s)]) |"
_FLAGS: Final = re.VERBOSE | re.DOTALL | re.IGNORECASE
_AFTER_FIELD: Final = re.compile(_REST, _FLAGS)
_AFTER_SIGN: Final = re.compile(_NAMED + _REST, _FLAGS)
_ANYWHERE: Final = re.compile(rf"(?P<sign>[+-])(?=[^\s)]) | {_NAMED} {_REST}", _FLAGS)
_META: Final = re.compile(r'(?P<name>[^\s()"=\\]+)="(?P<text>(?:\\.|[^"\\]|\\$)*)(?P<end>"?)', re.DOTALL)
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)


class Piece(NamedTuple):
    """One piece of a query."""

    kind: str  # open, close, sign, operator, field, web, phrase, word
    text: str  # with its backslashes
    slop: str = ""  # digits after the ~ of a phrase
    closed: bool = True  # a phrase whose quotation mark is there


def pieces(query: str) -> Iterator[Piece]:
    """The pieces in order; every character but blanks belongs to one."""
    place, pattern = 0, _ANYWHERE
    while found := pattern.match(query, place):
        place, kind = found.end(), found.lastgroup
        pattern = _ANYWHERE
        if kind == "blank":
            continue
        piece = _piece(found)
        yield piece
        if piece.kind == "sign":
            pattern = _AFTER_SIGN
        elif piece.kind == "field":
            pattern = _AFTER_FIELD
            if piece.text == "meta" and (named := _META.match(query, place)):
                yield Piece("phrase", f"{named['name']}={named['text']}", closed=bool(named["end"]))
                place, pattern = named.end(), _ANYWHERE


def unescaped(text: str) -> str:
    """The text without the backslashes that took a meaning away."""
    return _ESCAPED.sub(r"\1", text)


def _piece(found: re.Match[str]) -> Piece:
    groups = found.groupdict()
    if groups["phrase"] is not None:
        return Piece("phrase", groups["text"], groups["slop"] or "", bool(groups["end"]))
    kind = next(name for name in ("open", "close", "word", "web", "field", "sign") if groups.get(name))
    text = groups[kind]
    if kind == "word" and text in OPERATORS:
        return Piece("operator", text)
    return Piece(kind, text.lower() if kind == "field" else text)
