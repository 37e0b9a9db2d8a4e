"""What is put into a store, read a piece at a time and digested on the way."""

import contextlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from opilio.archive.store.errors import BadObjectKey, DamagedObject, KeyTaken
from opilio.archive.store.store import Source
from opilio.kernel.digests import Algorithm, Digest, Hasher
from opilio.kernel.files import reading

_PIECE = 1 << 20  # bytes


@contextlib.contextmanager
def opened(source: Source) -> Iterator[BinaryIO]:
    """The source as a stream; one that was given as a stream stays open."""
    if isinstance(source, bytes):
        yield io.BytesIO(source)
    elif isinstance(source, Path):
        with reading(source), source.open("rb") as stream:
            yield stream
    else:
        yield source


def pieces(stream: BinaryIO, hasher: Hasher, *, size: int = _PIECE) -> Iterator[bytes]:
    """What is left of a stream, digested as it passes."""
    while piece := stream.read(size):
        hasher.update(piece)
        yield piece


def algorithm_of(expected: Digest | None) -> Algorithm:
    """With what a source is digested."""
    return expected.algorithm if expected is not None else Algorithm.SHA256


def require(found: Digest, expected: Digest | None, *, where: str) -> None:
    """`DamagedObject` unless a source is what its owner said."""
    if expected is not None and not found.matches(expected):
        remedy = "The file changed since its digest was made, or was damaged: check it before it is stored."
        raise DamagedObject(f"the source has {found}, where {expected} was expected", where=where, remedy=remedy)


def taken(key: str, where: str) -> KeyTaken:
    """The error for a key with another content."""
    return KeyTaken(f"{key} holds another content already", where=where, remedy="Store it under another key.")


def checked_range(start: int, length: int) -> None:
    """`BadObjectKey` for parts that cannot be."""
    if start < 0 or length < 0:
        raise BadObjectKey(f"there is no part of {length} bytes at {start}", remedy="Give numbers from 0.")
