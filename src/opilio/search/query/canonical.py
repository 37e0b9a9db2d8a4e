"""The one way to write a query, for permalinks: reading it gives the same tree again."""

import re
from typing import Final

from opilio.search.query.nodes import (
    Both,
    Either,
    Everything,
    Filter,
    Fuzzy,
    Node,
    Not,
    Nothing,
    Phrase,
    Required,
    Sequence,
    Text,
    Wildcard,
    Word,
)
from opilio.search.query.tokens import FIELDS, OPERATORS

_SPECIAL: Final = re.compile(r"""[\s()"\\~*?]""")
_IN_PATTERN: Final = re.compile(r"""[\s()"~]""")
_NAMED: Final = re.compile(rf"(?:{'|'.join(FIELDS)}|https?)(?=:)", re.IGNORECASE)


def canonical(node: Node) -> str:
    """The text of a query; empty when nothing is asked."""
    match node:
        case Sequence() | Either() | Both():
            return _joined(node)
        case Not() | Required():
            sign = "-" if isinstance(node, Not) else "+"
            return sign + _inside(node.part, Sequence, Either, Both, Not)
        case Everything() | Nothing():
            return "*" if isinstance(node, Everything) else ""
        case Filter():
            return f"{node.name}:{_value(node.value)}"
        case _:
            return _text(node)


def _joined(node: Sequence | Either | Both) -> str:
    """Brackets stand only where the order of binding needs them."""
    match node:
        case Sequence():
            return " ".join(_inside(part, Sequence) for part in node.parts)
        case Either():
            return " OR ".join(_inside(part, Sequence, Either) for part in node.parts)
        case Both():
            return " AND ".join(_inside(part, Sequence, Either, Both) for part in node.parts)


def _inside(node: Node, *bracketed: type[Node]) -> str:
    text = canonical(node)
    return f"({text})" if isinstance(node, bracketed) else text


def _text(node: Text) -> str:
    field = f"{node.field}:" if node.field else ""
    match node:
        case Phrase():
            slop = f"~{node.slop}" if node.slop else ""
            return f"{field}{_quoted(node.text)}{slop}"
        case Fuzzy():
            return f"{field}{_word(node.text, named=not field)}~{node.distance}"
        case Wildcard():
            return f"{field}{_begun(_IN_PATTERN.sub(_escape, node.pattern), named=not field)}"
        case Word():
            return f"{field}{_word(node.text, named=not field)}"


def _value(value: str) -> str:
    return _quoted(value) if re.search(r"[\s()\"]", value) else _SPECIAL.sub(_escape, value)


def _quoted(text: str) -> str:
    return '"' + re.sub(r'["\\]', _escape, text) + '"'


def _word(text: str, *, named: bool) -> str:
    return _begun(_SPECIAL.sub(_escape, text), named=named)


def _begun(text: str, *, named: bool) -> str:
    """The beginning of a word must not be read as a sign, an operator or a field."""
    if text in OPERATORS or (named and text[:1] in ("+", "-")):
        return "\\" + text
    found = _NAMED.match(text) if named else None
    return f"{found[0]}\\{text[found.end() :]}" if found else text


def _escape(found: re.Match[str]) -> str:
    return "\\" + found[0]
