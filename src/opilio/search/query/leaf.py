"""The smallest parts of a query: a word, a form of words, a phrase, the value of a field. Says what it left out."""

import re
from typing import Final

from opilio.search.query.dates import as_date
from opilio.search.query.nodes import EVERYTHING, NOTHING, TEXT_FIELDS, Filter, Fuzzy, Node, Phrase, Wildcard, Word
from opilio.search.query.tokens import Piece, unescaped

LONGEST_WORD: Final = 200  # characters
LONGEST_PHRASE: Final = 2_000  # characters
MOST_SLOP: Final = 50
MOST_DISTANCE: Final = 2
_FUZZY: Final = re.compile(r"(?<!\\)((?:\\\\)*)~([0-9]*)$", re.ASCII)
_OPEN: Final = re.compile(r"(?<!\\)(?:\\\\)*[*?]")
_PAIR: Final = re.compile(r"\\(.?)", re.DOTALL)
_HOST: Final = re.compile(r"^(?:[a-z]+://)?(?:\*\.)?([^/?#]*)", re.IGNORECASE)
_LIKE_FIELD: Final = re.compile(r"([A-Za-z]\w*):(?!//)", re.ASCII)
_BLANKS: Final = re.compile(r"\s+")


class Leaves:
    """Makes the leaves of one query and collects what must be said about them."""

    def __init__(self) -> None:
        self.notes: dict[str, None] = {}

    def note(self, sentence: str) -> None:
        """Say something once."""
        self.notes[sentence] = None

    def leaf(self, piece: Piece, field: str) -> Node:
        """The node of a word or phrase, inside a field or (empty) anywhere."""
        if piece.kind == "phrase" and not piece.closed:
            self.note("A quotation mark was not closed; the phrase was taken to the end.")
        if field and field not in TEXT_FIELDS:
            return self._filter(field, unescaped(piece.text))
        if piece.kind == "phrase":
            return self._phrase(piece, field)
        return self._word(piece.text, field)

    def _phrase(self, piece: Piece, field: str) -> Node:
        text = _BLANKS.sub(" ", self._cut(unescaped(piece.text), LONGEST_PHRASE)).strip()
        slop = min(int(piece.slop[:6] or 0), MOST_SLOP)
        if piece.slop[:6] and int(piece.slop[:6]) > MOST_SLOP:
            self.note(f"The words of a phrase may move by at most {MOST_SLOP} places.")
        return Phrase(text=text, slop=slop, field=field) if text else NOTHING

    def _word(self, text: str, field: str) -> Node:
        fuzzy = _FUZZY.search(text)
        if fuzzy and fuzzy.start(2) > 1:
            return self._fuzzy(text[: fuzzy.start(2) - 1], fuzzy[2], field)
        if text.endswith("?") and len(_OPEN.findall(text)) == 1:
            text = text[:-1]  # the end of a question, no form of words
        if _OPEN.search(text):
            return self._wildcard(text, field)
        named = _LIKE_FIELD.match(text)
        if named and not field:
            self.note(f"There is no field “{named[1][:40]}”; its words were looked for in the text.")
        return self._plain(text, field)

    def _plain(self, text: str, field: str) -> Node:
        word = self._cut(unescaped(text), LONGEST_WORD)
        return Word(text=word, field=field) if word.strip() else NOTHING

    def _fuzzy(self, text: str, digits: str, field: str) -> Node:
        word = self._cut(unescaped(text), LONGEST_WORD)
        wanted = int(digits[:6]) if digits else 1
        if wanted > MOST_DISTANCE:
            self.note(f"Similar words may differ in at most {MOST_DISTANCE} letters.")
        if not word.strip():
            return NOTHING
        if not wanted:
            return Word(text=word, field=field)
        return Fuzzy(text=word, distance=min(wanted, MOST_DISTANCE), field=field)

    def _wildcard(self, text: str, field: str) -> Node:
        pattern = self._cut(_PAIR.sub(_kept, text), LONGEST_WORD)
        if (len(pattern) - len(pattern.rstrip("\\"))) % 2:
            pattern = pattern[:-1]  # cut between a backslash and its letter
        if set(pattern) <= {"*"} and not field:
            return EVERYTHING
        if not re.sub(r"[*?\\\W_]", "", pattern):
            self.note("A form of words such as wor* needs at least one letter; it was left out.")
            return NOTHING
        return Wildcard(pattern=pattern, field=field)

    def _filter(self, name: str, text: str) -> Node:
        value = _BLANKS.sub(" ", self._cut(text, LONGEST_WORD)).strip()
        if name in ("since", "until"):
            if not (date := as_date(value)):
                self.note(f"“{value[:40]}” is no date; write a year, a month or a day, such as {name}:2026-11-16.")
            value = date
        elif name in ("site", "host"):
            found = _HOST.match(value)
            value = found[1].lower().rstrip(".") if found else ""
        elif name in ("type", "lang", "meta"):
            value = value.lower()
        return Filter(name=name, value=value) if value else NOTHING

    def _cut(self, text: str, most: int) -> str:
        if len(text) > most:
            self.note(f"“{text[:20]}…” is too long; its first {most:,} characters were looked for.")
        return text[:most]


def _kept(found: re.Match[str]) -> str:
    """Backslashes stay in a form of words where they are needed."""
    letter = found[1] or "\\"
    return f"\\{letter}" if letter in "*?\\" else letter
