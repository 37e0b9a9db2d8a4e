"""Unpacks ordinary gzip members, each in one go. What is unusual (large, damaged, not packed) ends it: such a place is
read again, piece by piece, by `source.Packed`.
"""

from collections.abc import Iterator
from typing import BinaryIO

from isal import isal_zlib

_GZIP = 31
_BROKEN: type[Exception] = isal_zlib.error  # type: ignore[assignment]  # its stub says instance for class
_START = b"\x1f\x8b\x08"
_SMALLEST = 18  # bytes of a member: header and trailer
_CHUNK = 1 << 17  # bytes that are read at a time
_LARGEST = 1 << 20  # bytes of an unpacked member; what is larger goes the other way

Member = tuple[int, int, bytes]  # where it begins and ends in the file, and what it holds


def quick_members(stream: BinaryIO, start: int) -> Iterator[Member]:
    """Members from a place on, until something unusual comes, or the file ends."""
    stream.seek(start)
    held, at = stream.read(_CHUNK), 0
    unpack, view = isal_zlib.decompress, memoryview(held)
    while True:
        end = held.find(
            _START, at + _SMALLEST
        )  # where the next one seems to begin: with its size, unpacking is quicker
        size = int.from_bytes(held[end - 4 : end], "little")
        data: bytes | None = None
        if end > 0 and size <= _LARGEST and held.startswith(_START, at):
            try:
                data = unpack(view[at:end], _GZIP, size + 1)
            except _BROKEN:
                data = None  # that was in the middle of it, or it is damaged
        if data is None or len(data) != size:
            more, data = _slowly(held[at:], stream)
            if data is None:
                return
            held = more
            end, at, begun = 0, 0, start
            start = stream.tell() - len(held)
            view = memoryview(held)
            yield begun, start, data
            continue
        yield start, start + end - at, data
        start += end - at
        at = end


def _slowly(held: bytes, stream: BinaryIO) -> tuple[bytes, bytes | None]:
    """A member that ends where its packed data does: what follows it, and what it holds; None when it is unusual."""
    held = held or stream.read(_CHUNK)
    machine, pieces, left = isal_zlib.decompressobj(wbits=_GZIP), [], _LARGEST
    if not held.startswith(_START):
        return b"", None
    try:
        while held and left > 0:
            pieces.append(machine.decompress(held, left))
            left -= len(pieces[-1])
            if machine.eof:
                rest: bytes = machine.unused_data
                return rest + stream.read(_CHUNK - len(rest)), b"".join(pieces)
            held = stream.read(_CHUNK)
    except _BROKEN:
        pass  # told by whoever reads it piece by piece
    return b"", None
