"""Reads bytes again where they went, and compares them with what was handed over."""

import hashlib
from collections.abc import Iterator
from typing import BinaryIO

from opilio.works.depositories.errors import Untrue
from opilio.works.depositories.values import Part, Told

_PIECE = 1 << 20


class Reader:
    """Compares parts one after the other, and counts them."""

    def __init__(self, total: int, told: Told) -> None:
        self.files = 0
        self.bytes = 0
        self._total = total
        self._told = told

    def compare(self, part: Part, pieces: Iterator[bytes], where: str) -> None:
        """`Untrue` unless the pieces are the part."""
        digest, size = hashlib.sha512(usedforsecurity=False), 0
        for piece in pieces:
            digest.update(piece)
            size += len(piece)
            self._told("reading again", self.bytes + size, self._total)
        if (size, digest.hexdigest()) != (part.size, part.sha512):
            what = f"{part.path} is not there as it was handed over: {size} bytes, where {part.size} were sent"
            raise Untrue(what, where=where, remedy="Remove what lies there, look after the disk, then archive again.")
        self.files += 1
        self.bytes += size


def pieces_of(stream: BinaryIO) -> Iterator[bytes]:
    """A stream, a piece at a time."""
    while piece := stream.read(_PIECE):
        yield piece
