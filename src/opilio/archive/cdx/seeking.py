"""Reads a file of lines in byte order in place, from anywhere, both ways: by halving, then block by block.

Nothing is mapped or kept open between questions: a file that somebody cuts or replaces meanwhile cannot hurt.
"""

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from opilio.kernel.errors import Damaged
from opilio.kernel.files import reading

LONGEST = 1 << 20  # bytes of a line
_PROBE = 1 << 10  # bytes read to find out where a line begins
_NEAR = 1 << 13  # bytes that are read rather than halved once more
_FIRST = 1 << 14  # bytes of the first block: most questions have few answers
_BLOCK = 1 << 17
_BOM = b"\xef\xbb\xbf"
_NEXT_LINE = re.compile(rb"\n[\r\n]*(?=[^\r\n])")


class Line(NamedTuple):
    """A line without its end, and where it stands."""

    text: bytes
    file: str
    offset: int

    @property
    def where(self) -> str:
        """The place for messages."""
        return f"{self.file} at {self.offset}"


@contextlib.contextmanager
def opened(path: Path) -> "Iterator[SortedLines]":
    """The lines of a file."""
    with reading(path), path.open("rb", buffering=0) as stream:
        size = os.fstat(stream.fileno()).st_size
        yield SortedLines(descriptor=stream.fileno(), name=str(path), size=size)


@dataclass(frozen=True, kw_only=True, slots=True)
class SortedLines:
    """An open file. Empty lines are passed over, line ends may be of either kind, a byte order mark is no text."""

    descriptor: int
    name: str
    size: int

    def seek(self, key: bytes) -> int:
        """Where the first line begins that is not before `key`; the size of the file if there is none."""
        low, high = 0, self.size  # a line begins at low, and it is the first or before key
        while high - low > _NEAR:
            middle = (low + high) // 2
            found = self._after(middle, len(key))
            if found is None or found[1] >= key:
                high = middle
            else:
                low = found[0]
        return next((line.offset for line in self.forward(low) if line.text >= key), self.size)

    def forward(self, offset: int) -> Iterator[Line]:
        """All lines from the one that begins at `offset`."""
        rest, begin, at, size = b"", offset, offset, _FIRST
        while block := os.pread(self.descriptor, size, at):
            at, size = at + len(block), min(2 * size, _BLOCK)
            lines = (rest + block).split(b"\n")
            rest = lines.pop()
            for line in lines:
                if found := self._line(line, begin):
                    yield found
                begin += len(line) + 1
            self._check(rest, begin)
        if found := self._line(rest, begin):
            yield found

    def backward(self, offset: int) -> Iterator[Line]:
        """All lines before the one that begins at `offset`, the last one first."""
        rest, at, size = b"", offset, _FIRST
        while at > 0:
            begin = max(0, at - size)
            text = self._read(begin, at - begin) + rest
            size = min(2 * size, _BLOCK)
            lines = text.split(b"\n")
            rest = lines.pop(0) if begin else b""
            end = begin + len(text)
            for line in reversed(lines):
                if found := self._line(line, end - len(line)):
                    yield found
                end -= len(line) + 1
            self._check(rest, begin)
            at = begin

    def first_after(self, offset: int) -> Line | None:
        """The first line that begins behind the line in which `offset` lies."""
        found = self._after(offset, 1)
        return next(self.forward(found[0]), None) if found else None

    def head(self, length: int) -> bytes:
        """The first bytes."""
        return self._read(0, min(length, self.size)).removeprefix(_BOM)

    def _after(self, offset: int, length: int) -> tuple[int, bytes] | None:
        """Where the next line begins behind the one at `offset`, and its first bytes."""
        size = _PROBE + length
        while True:
            block = os.pread(self.descriptor, size, offset)
            found = _NEXT_LINE.search(block)
            ended = len(block) < size
            if found and (ended or len(block) - found.end() >= length):
                return offset + found.end(), block[found.end() : found.end() + length].partition(b"\n")[0]
            if ended:
                return None
            if size > 2 * LONGEST:
                raise self._too_long(offset)
            size *= 4

    def _line(self, line: bytes, offset: int) -> Line | None:
        text = line.removesuffix(b"\r")
        if offset == 0:
            text = text.removeprefix(_BOM)
        self._check(text, offset)
        return Line(text, self.name, offset) if text else None

    def _read(self, offset: int, length: int) -> bytes:
        data = os.pread(self.descriptor, length, offset)
        if len(data) < length:
            raise Damaged("the index became shorter", where=f"{self.name} at {offset}", remedy="Ask again.")
        return data

    def _check(self, rest: bytes, offset: int) -> None:
        if len(rest) > LONGEST:
            raise self._too_long(offset)

    def _too_long(self, offset: int) -> Damaged:
        where = f"{self.name} at {offset}"
        return Damaged(f"a line is too long, more than {LONGEST} bytes", where=where, remedy="Make the index again.")
