"""Reads a damaged gzip member slowly: as many bytes as it still gives, what is wrong with it, and where (RFC 1952)."""

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from opilio.archive.verify.faults import Code

_STEP = 4096  # packed bytes at a time
_MOST = 1 << 20  # unpacked bytes at a time
_HEADER = 10
_TRAILER = 8
_LONGEST_NAME = 1 << 16
_CRC, _EXTRA, _NAME, _COMMENT = 2, 4, 8, 16
_ALL_FLAGS = 31
_DEFLATE = 8

#: Gives bytes of the file: offset, size.
Look = Callable[[int, int], bytes]


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a member."""

    code: Code
    sentence: str
    at: int  # byte of the file where it was noticed


class Careful:
    """One member, from its first byte."""

    def __init__(self, look: Look, offset: int) -> None:
        self._look = look
        self._offset = offset
        self.end = offset  # where it ends, or as far as it can be read
        self.problem: Problem | None = None
        self._sum = 0
        self._size = 0

    def pieces(self, *, skip: int = 0) -> Iterator[bytes]:
        """The unpacked bytes without the first `skip` ones; then `end` and `problem` are known."""
        start = self._after_header()
        if start is None:
            self.end = self._offset + 1
            return
        for piece in self._inflated(start):
            self._sum = zlib.crc32(piece, self._sum)
            self._size += len(piece)
            if piece and self._size > skip:
                yield piece[max(0, skip - (self._size - len(piece))) :]

    def _after_header(self) -> int | None:
        """Where the packed data begins; None when the header cannot be read."""
        head = self._look(self._offset, _HEADER)
        flags, at = head[3:4], self._offset + _HEADER
        if len(head) < _HEADER:
            self._failed(Code.MEMBER_TRUNCATED, "the file ends inside the header of a gzip member", len(head))
        elif head[2] != _DEFLATE:
            self._failed(Code.MEMBER_HEADER, f"the gzip member is packed with method {head[2]}", 2)
        elif flags[0] > _ALL_FLAGS:
            self._failed(Code.MEMBER_HEADER, "the gzip member has flags that do not exist", 3)
        else:
            return self._after_options(flags[0], at)
        return None

    def _after_options(self, flags: int, at: int) -> int | None:
        if flags & _EXTRA:
            at += 2 + int.from_bytes(self._look(at, 2), "little")
        for flag in (_NAME, _COMMENT):
            if flags & flag:
                end = self._look(at, _LONGEST_NAME).find(b"\0")
                if end < 0:
                    self._failed(Code.MEMBER_HEADER, "a name in the gzip header has no end", at - self._offset)
                    return None
                at += end + 1
        return at + 2 if flags & _CRC else at

    def _inflated(self, at: int) -> Iterator[bytes]:
        machine = zlib.decompressobj(wbits=-15)
        while not machine.eof:
            data = self._look(at, _STEP)
            if not data:
                self._failed(Code.MEMBER_TRUNCATED, "the file ends inside a gzip member", at - self._offset)
                self.end = at
                return
            trial = machine.copy()
            try:
                yield from _drained(trial, data)
            except zlib.error:
                yield from self._to_the_damage(machine, data, at)
                return
            machine = trial
            at += len(data)
        self._check_trailer(at - len(machine.unused_data))

    def _to_the_damage(self, machine: "zlib._Decompress", data: bytes, at: int) -> Iterator[bytes]:
        """Once more, byte by byte, to get all that comes before."""
        for place in range(len(data)):
            try:
                yield from _drained(machine, data[place : place + 1])
            except zlib.error:
                self.end = at + place
                self._failed(Code.MEMBER_BROKEN, "the packed data is damaged", self.end - self._offset)
                return

    def _check_trailer(self, at: int) -> None:
        trailer = self._look(at, _TRAILER)
        self.end = at + len(trailer)
        if len(trailer) < _TRAILER:
            self._failed(Code.MEMBER_TRUNCATED, "the file ends inside the trailer of a gzip member", at - self._offset)
        elif int.from_bytes(trailer[:4], "little") != self._sum:
            self._failed(Code.MEMBER_CHECKSUM, "the checksum of the gzip member is wrong", at - self._offset)
        elif int.from_bytes(trailer[4:], "little") != self._size & 0xFFFFFFFF:
            said = int.from_bytes(trailer[4:], "little")
            words = f"the gzip member holds {self._size:,} bytes where its trailer says {said:,}"
            self._failed(Code.MEMBER_SIZE, words, at + 4 - self._offset)

    def _failed(self, code: Code, sentence: str, distance: int) -> None:
        self.problem = Problem(code, sentence, self._offset + distance)


def _drained(machine: "zlib._Decompress", data: bytes) -> list[bytes]:
    pieces = []
    while data:
        pieces.append(machine.decompress(data, _MOST))
        data = machine.unconsumed_tail
    return pieces
