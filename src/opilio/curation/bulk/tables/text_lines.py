"""The lines of a file that should be text: its charset found by its first bytes, each line bounded."""

import codecs
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from opilio.curation.bulk.errors import BadTable
from opilio.curation.bulk.tables.raw import LONGEST_ROW

_SAVE = "Save the table as CSV in UTF-8 and try again."
_MAGIC = {
    b"PK\x03\x04": "a zip archive or a spreadsheet",
    b"\x1f\x8b": "a gzip archive",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"%PDF": "a PDF file",
    b"\xd0\xcf\x11\xe0": "an old spreadsheet",
}
_HEAD = 4_096  # bytes
_BUFFER = 65_536  # bytes


@dataclass(frozen=True, kw_only=True)
class TextLine:
    """A line with its end, or the beginning of one that is too long."""

    number: int
    text: str
    too_long: bool = False


class _Lent(io.RawIOBase):
    """A stream that stays open when its reader is done: whoever opened it closes it."""

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__()
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        part = self._stream.read(len(buffer))
        buffer[: len(part)] = part
        return len(part)


def opened(stream: BinaryIO, where: str) -> io.TextIOWrapper:
    """The stream as text; bytes that are no text stay visible as lone surrogates, or as U+FFFD in UTF-16."""
    head = stream.read(_HEAD)
    stream.seek(0)
    for magic, what in _MAGIC.items():
        if head.startswith(magic):
            raise BadTable(f"The file is {what}, whatever its name says", where=where, remedy=_SAVE)
    lent = io.BufferedReader(_Lent(stream), _BUFFER)
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return io.TextIOWrapper(lent, encoding="utf-16", errors="replace", newline="")
    if head.count(b"\x00") > len(head) // 10:
        raise BadTable("The file is no text: it is full of NUL bytes", where=where, remedy=_SAVE)
    return io.TextIOWrapper(lent, encoding="utf-8-sig", errors="surrogateescape", newline="")


def lines(text: io.TextIOWrapper) -> Iterator[TextLine]:
    """Line by line; of one that is longer than any row may be, the beginning, and the rest is passed over."""
    number = 0
    while line := text.readline(LONGEST_ROW):
        number += 1
        too_long = len(line) >= LONGEST_ROW and not line.endswith(("\n", "\r"))
        if too_long:
            _pass_over(text)
        yield TextLine(number=number, text=line, too_long=too_long)


def fault_of(text: str) -> str:
    """Why a text cannot be kept; empty: it can."""
    if "\x00" in text:
        return "it holds a NUL character; save the table as plain text"
    if "\N{REPLACEMENT CHARACTER}" in text:
        return "it holds bytes that are no text in this charset; save the table as UTF-8"
    for letter in text:
        if "\udc80" <= letter <= "\udcff":
            byte = ord(letter) - 0xDC00
            return f"byte {byte:#04x} is not UTF-8, perhaps Latin-1; save the table as UTF-8"
    return ""


def _pass_over(text: io.TextIOWrapper) -> None:
    while (rest := text.readline(LONGEST_ROW)) and not rest.endswith(("\n", "\r")):
        pass
