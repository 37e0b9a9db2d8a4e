"""What archives ask of a place to keep files in. What was put is never overwritten, except by `replace`."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Protocol

from opilio.kernel.digests import Digest

Source = bytes | Path | BinaryIO


@dataclass(frozen=True, kw_only=True, slots=True)
class Stored:
    """An object as a listing knows it."""

    key: str
    size: int  # bytes
    modified: datetime  # aware, UTC


class Store(Protocol):
    """Objects by key. Objects appear whole and durable, or not at all; memory use does not grow with their size."""

    @property
    def address(self) -> str:
        """Where it is, without secrets: `s3://bucket/prefix` or a path."""
        ...

    def put(self, key: str, source: Source, *, expected: Digest | None = None) -> bool:
        """Keep a new object. True when it was written, False when the same content was there already.

        `KeyTaken` when the key has another content; `DamagedObject`, and no object, when the source has not the
        expected digest, or when the store does not give back what it was given. Of several writers one wins.
        """
        ...

    def replace(self, key: str, data: bytes, *, instead_of: bytes) -> None:
        """Change a small object if it still has the content `instead_of`; otherwise `ChangedMeanwhile`."""
        ...

    def open(self, key: str) -> BinaryIO:
        """The content as a stream that can be read and sought; `NoSuchKey` when there is none."""
        ...

    def read(self, key: str, start: int, length: int) -> bytes:
        """A part of the content; shorter only where the content ends."""
        ...

    def head(self, key: str) -> Stored | None:
        """What is known of an object without reading it; None when there is none."""
        ...

    def list(self, folder: str = "") -> Iterator[Stored]:
        """All objects below a folder, a portion at a time, in no promised order."""
        ...

    def delete(self, key: str) -> None:
        """Remove an object; one that is not there is no error."""
        ...

    def clean(self, before: datetime) -> int:
        """Remove what uploads begun before a time left unfinished; how many."""
        ...
