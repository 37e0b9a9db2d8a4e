"""Lines of a document around places where something is wrong, read in one pass and in constant memory.

Lines and columns count from 1, columns in characters, as findings have them. Of a long line only the part around the
column is given, so that a document without line breaks can be shown as well.
"""

import codecs
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

_BLOCK = 1 << 18  # bytes
_MOST_READ = 1 << 29  # bytes of a document that are looked through
_AROUND = 120  # characters before and behind a column
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"), (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"), (codecs.BOM_UTF8, "utf-8"),
)  # fmt: skip

Spot = tuple[int, int]  # line and column; column 0: none is known


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownLine:
    """A line, or the part of it that matters; `at` is where in the text the place is, None: not in this line."""

    number: int
    text: str
    start: int = 1  # column of the first character shown
    more: bool = False  # the line goes on behind it
    at: int | None = None


def excerpts(path: Path, spots: Iterable[Spot], *, around: int = 2) -> Mapping[Spot, Sequence[ShownLine]]:
    """The lines around each place; a place that the document does not have is left out."""
    wanted = sorted({spot for spot in spots if spot[0] >= 1})
    pieces = {
        _Piece(number, _first(column) if number == line else 1): [""]
        for line, column in wanted
        for number in range(max(1, line - around), line + around + 1)
    }
    ends = _gathered(path, pieces)
    return {spot: shown for spot in wanted if (shown := _shown(spot, around, pieces, ends))}


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a line that is to be gathered."""

    line: int
    start: int

    @property
    def end(self) -> int:
        """The column behind its last character."""
        return self.start + 2 * _AROUND + 1


def _first(column: int) -> int:
    return max(1, column - _AROUND)


def _gathered(path: Path, pieces: dict[_Piece, list[str]]) -> dict[int, int]:
    """Fill the pieces; the lengths of the lines that were seen to their end."""
    by_line: dict[int, list[_Piece]] = {}
    for piece in pieces:
        by_line.setdefault(piece.line, []).append(piece)
    last, ends = max(by_line, default=0), {}
    number, column = 1, 1
    with path.open("rb") as stream:
        for text in _texts(stream):
            breaks = text.count("\n")
            if any(number <= line <= number + breaks for line in by_line):
                for part in text.splitlines(keepends=True) if breaks else [text]:
                    ended = part.endswith("\n")
                    plain = part.removesuffix("\n")
                    _fill(pieces, by_line.get(number, ()), plain, column)
                    column += len(plain)
                    if ended:
                        ends[number] = column
                        number, column = number + 1, 1
            elif breaks:
                number, column = number + breaks, len(text) - text.rfind("\n")
            else:
                column += len(text)
            if number > last:
                return ends
    ends[number] = column
    return ends


def _fill(pieces: dict[_Piece, list[str]], wanted: Iterable[_Piece], text: str, column: int) -> None:
    for piece in wanted:
        begin, end = max(piece.start - column, 0), piece.end - column
        if end > 0 and begin < len(text):
            pieces[piece].append(text[begin:end])


def _texts(stream: BinaryIO) -> Iterator[str]:
    """The text of a document in blocks; a break is a line feed, whatever other characters split lines elsewhere."""
    head = stream.read(4)
    mark, encoding = next(((mark, name) for mark, name in _MARKS if head.startswith(mark)), (b"", "utf-8"))
    stream.seek(len(mark))
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    read = 0
    while (block := stream.read(_BLOCK)) and read < _MOST_READ:
        read += len(block)
        yield _plain(decoder.decode(block))
    yield _plain(decoder.decode(b"", final=True))


_ODD_BREAKS = {ord(one): " " for one in "\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"}


def _plain(text: str) -> str:
    return text.translate(_ODD_BREAKS)


def _shown(spot: Spot, around: int, pieces: Mapping[_Piece, Sequence[str]], ends: Mapping[int, int]) -> list[ShownLine]:
    line, column = spot
    found = []
    for number in range(max(1, line - around), line + around + 1):
        piece = _Piece(number, _first(column) if number == line else 1)
        text = "".join(pieces[piece])
        known = number in ends or bool(text)
        if number == line and not known:
            return []
        if known:
            at = column - piece.start if number == line and 0 < column <= piece.start + len(text) else None
            more = ends.get(number, piece.end + 1) > piece.start + len(text)
            found.append(ShownLine(number=number, text=text, start=piece.start, more=more, at=at))
    return found
