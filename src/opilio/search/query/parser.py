"""Reads what a person typed. Never refuses: what makes no sense is left out, and the notes say how it was read.

NOT, + and - bind closest, then AND, then OR; words side by side come last.
"""

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from opilio.search.query.leaf import Leaves
from opilio.search.query.nodes import NOTHING, Node, both, either, negated, required, sequence
from opilio.search.query.tokens import Piece, pieces

MOST_WORDS: Final = 512
MOST_PIECES: Final = 5_000
DEEPEST: Final = 20  # brackets inside brackets
_END: Final = Piece("end", "")


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """How a query was read."""

    node: Node
    notes: tuple[str, ...] = ()  # sentences for the person


def parse(query: str) -> Reading:
    """Read a query; never raises."""
    return _Parser(query).reading()


class _Parser:
    def __init__(self, query: str) -> None:
        self._leaves = Leaves()
        self._pieces = self._shallow(self._limited(pieces(query)))
        self._place = 0

    def reading(self) -> Reading:
        parts = []
        while self._piece.kind != "end":
            parts.append(self._sequence(""))
            if self._piece.kind == "close":
                self._place += 1
                self._note("A closing bracket had no opening one; it was left out.")
        node = sequence(parts) if len(parts) > 1 else (parts or [NOTHING])[0]
        return Reading(node=node, notes=tuple(self._leaves.notes))

    def _limited(self, found: Iterable[Piece]) -> list[Piece]:
        kept: list[Piece] = []
        words = 0
        for piece in itertools.islice(found, MOST_PIECES + 1):
            words += piece.kind in ("word", "phrase", "web")
            if words > MOST_WORDS or len(kept) == MOST_PIECES:
                self._note(f"The query is too long; its first {MOST_WORDS} words were looked for.")
                break
            kept.append(piece)
        return kept

    def _shallow(self, found: Iterable[Piece]) -> list[Piece]:
        """The pieces without the brackets that lie too deep."""
        kept: list[Piece] = []
        depth = 0
        for piece in found:
            depth += piece.kind == "open"
            if piece.kind not in ("open", "close") or depth <= DEEPEST:
                kept.append(piece)
            else:
                self._note(f"Brackets are read up to {DEEPEST} deep; the inner ones were left out.")
            depth -= piece.kind == "close" and depth > 0
        return kept

    @property
    def _piece(self) -> Piece:
        return self._pieces[self._place] if self._place < len(self._pieces) else _END

    def _note(self, sentence: str) -> None:
        self._leaves.note(sentence)

    def _sequence(self, field: str) -> Node:
        parts = []
        while self._piece.kind not in ("end", "close"):
            parts.append(self._either(field))
        return sequence(parts)

    def _either(self, field: str) -> Node:
        return self._chain("OR", self._both, either, field)

    def _both(self, field: str) -> Node:
        return self._chain("AND", self._unary, both, field)

    def _chain(
        self, operator: str, part: Callable[[str], Node], join: Callable[[Iterable[Node]], Node], field: str
    ) -> Node:
        parts = [part(field)]
        while self._piece == Piece("operator", operator):
            self._place += 1
            if parts[-1] == NOTHING or self._piece.kind in ("end", "close") or self._follows("AND", "OR"):
                self._note(f"{operator} needs words on both sides; it was left out.")
            parts.append(part(field))
        return join(parts) if len(parts) > 1 else parts[0]

    def _follows(self, *operators: str) -> bool:
        return self._piece.kind == "operator" and self._piece.text in operators

    def _unary(self, field: str) -> Node:
        negations = 0
        while self._piece == Piece("operator", "NOT"):
            self._place += 1
            negations += 1
        sign = self._piece.text if self._piece.kind == "sign" else ""
        self._place += bool(sign)
        part = self._primary(field)
        if part == NOTHING:
            if negations:
                self._note("NOT needs a word after it; it was left out.")
            return part
        part = required(part) if sign == "+" else negated(part) if sign == "-" else part
        return negated(part) if negations % 2 else part

    def _primary(self, field: str) -> Node:
        while self._piece.kind == "field":
            field = self._piece.text
            self._place += 1
        piece = self._piece
        if piece.kind in ("end", "close", "operator"):
            return NOTHING
        self._place += 1
        match piece.kind:
            case "open":
                return self._group(field)
            case "web":
                return self._leaves.leaf(Piece("phrase", piece.text), "url")
            case "sign":
                return NOTHING
            case _:
                return self._leaves.leaf(piece, field)

    def _group(self, field: str) -> Node:
        node = self._sequence(field)
        if self._piece.kind == "close":
            self._place += 1
        else:
            self._note("A bracket was not closed; it was taken to the end.")
        return node
