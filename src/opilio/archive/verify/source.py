"""A file of records as runs of unpacked bytes: one run for each gzip member, one for each stretch that is not packed.

A run is read from front to back through a buffer that does not grow with it.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import BinaryIO

from isal import isal_zlib

from opilio.archive.verify.faults import Code
from opilio.archive.verify.member import Careful, Problem

PIECE = 1 << 20  # bytes that are unpacked at a time
_CHUNK = 1 << 16  # bytes that are read from a packed file at a time
_LEAST = 1 << 14  # so many should be at hand when a member is begun
_GZIP = 31
_BROKEN: type[Exception] = isal_zlib.error  # type: ignore[assignment]  # its stub says instance for class
MAGIC = b"\x1f\x8b"


class Source:
    """The bytes of the file, with the place where the next run begins."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.size = os.fstat(stream.fileno()).st_size
        self.at = 0  # of the first byte of `held` in the file
        self.held = b""
        self.read = 0  # bytes so far, those that were read again included

    def seek(self, offset: int) -> None:
        """Go to a place; what is held from there on stays."""
        ahead = offset - self.at
        self.held = self.held[ahead:] if 0 <= ahead <= len(self.held) else b""
        self.at = offset
        self._stream.seek(offset + len(self.held))

    def pass_to(self, offset: int) -> None:
        """Somebody else has read up to here; before the next byte is taken, `seek`."""
        self.at, self.held = offset, b""

    def peek(self, size: int) -> bytes:
        """So many bytes from here, fewer at the end of the file."""
        while len(self.held) < size:
            piece = self._next(max(size - len(self.held), _CHUNK))
            if not piece:
                break
            self.held += piece
        return self.held[:size]

    def take(self, least: int = 1, chunk: int = _CHUNK) -> bytes:
        """All that is held, once it is at least so much; nothing at the end of the file."""
        data, self.held = self.held, b""
        if len(data) < least:
            data += self._next(chunk)
        self.at += len(data)
        return data

    def give_back(self, unused: bytes) -> None:
        """Take back the end of what was taken last."""
        self.held = unused + self.held
        self.at -= len(unused)

    def look_at(self, offset: int, size: int) -> bytes:
        """Bytes at another place, without going there."""
        if self.at <= offset and offset + size <= self.at + len(self.held):
            return self.held[offset - self.at : offset - self.at + size]
        self.read += size
        return os.pread(self._stream.fileno(), size, offset) if offset < self.size else b""

    @property
    def tired(self) -> bool:
        """Whether so much was read again that hostile data must be behind it."""
        return self.read > 8 * self.size + (64 << 20)

    def _next(self, size: int) -> bytes:
        data = self._stream.read(size)
        self.read += len(data)
        return data


class Run(ABC):
    """Unpacked bytes. `data[at:]` is at hand; `more` gets the next piece."""

    packed = False

    def __init__(self, source: Source) -> None:
        self.source = source
        self.offset = source.at  # where it begins in the file
        self.data = b""
        self.at = 0
        self.before = 0  # bytes of the run that are no longer in `data`
        self.unended = 0  # up to here no header ends: see `scanning`

    @property
    def position(self) -> int:
        """Bytes from the beginning of the run."""
        return self.before + self.at

    @property
    def broken(self) -> bool:
        """Whether it ends because its packing is damaged."""
        return False

    @abstractmethod
    def more(self) -> bool:
        """Get the next piece; False when there is none."""

    def fill(self, size: int) -> bool:
        """Have so many bytes at hand, if the run has them."""
        while len(self.data) - self.at < size:
            if not self.more():
                return False
        return True

    def feed(self, size: int, sink: Callable[[memoryview], None] | None) -> int:
        """Go on by so many bytes, and give them to the sink; how many there were."""
        left = size
        while left:
            if self.at >= len(self.data) and not self.more():
                break
            step = min(left, len(self.data) - self.at)
            if sink is not None:
                sink(memoryview(self.data)[self.at : self.at + step])
            self.at += step
            left -= step
        return size - left

    def jump(self, size: int) -> int:
        """Go on by so many bytes that nobody wants; how many there were."""
        return self.feed(size, None)

    def _add(self, piece: bytes) -> None:
        if self.at >= len(self.data):
            self.before += len(self.data)
            self.data, self.at = piece, self.at - len(self.data)
        else:
            self.before += self.at
            self.data, self.at = self.data[self.at :] + piece, 0


class Plain(Run):
    """Bytes that are not packed. It has the rest of the file; whoever reads it ends it where packed data begins."""

    def more(self) -> bool:
        piece = self.source.take(chunk=PIECE)
        if not piece:
            return False
        self._add(piece)
        return True

    def jump(self, size: int) -> int:
        """Skip without reading."""
        ahead = len(self.data) - self.at
        if size <= ahead:
            self.at += size
            return size
        target = min(self.offset + self.position + size, self.source.size)
        gone = target - (self.offset + self.position)
        self.before, self.data, self.at = target - self.offset, b"", 0
        self.source.seek(target)
        return gone

    def leave(self) -> None:
        """End it here."""
        self.source.seek(self.offset + self.position)


class Packed(Run):
    """A gzip member."""

    packed = True

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._member = isal_zlib.decompressobj(wbits=_GZIP)
        self._tail = b""  # packed bytes that wait for room
        self._careful: Careful | None = None
        self._pieces: Iterator[bytes] = iter(())
        self.ended = False
        self.problem: Problem | None = None

    @property
    def broken(self) -> bool:
        return self.problem is not None

    def more(self) -> bool:
        while not self.ended:
            piece = self._unpacked() if self._careful is None else self._carefully()
            if piece:
                self._add(piece)
                return True
        return False

    def _unpacked(self) -> bytes:
        data = self._tail or self.source.take(least=_LEAST)
        if not data:
            self.ended = True
            self.problem = Problem(Code.MEMBER_TRUNCATED, "the file ends inside a gzip member", self.source.size)
            return b""
        try:
            piece: bytes = self._member.decompress(data, PIECE)
        except _BROKEN:
            return self._begin_again()
        if self._member.eof:
            self.ended = True
            self.source.give_back(self._member.unused_data)
        else:
            self._tail = self._member.unconsumed_tail
        return piece

    def _begin_again(self) -> bytes:
        """Read a damaged member anew, slowly, to learn how far it can be read and what is wrong with it."""
        self._careful = Careful(self.source.look_at, self.offset)
        self._pieces = self._careful.pieces(skip=self.before + len(self.data))
        return b""

    def _carefully(self) -> bytes:
        piece = next(self._pieces, b"")
        if not piece and self._careful is not None:
            self.ended = True
            self.problem = self._careful.problem
            self.source.seek(self._careful.end)
        return piece
