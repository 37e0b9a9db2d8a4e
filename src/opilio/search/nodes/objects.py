"""What a node in object storage asks of its store. `opilio.archive.store` has stores that do it."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Protocol

from opilio.kernel.digests import Digest


class Listed(Protocol):
    """An object as a listing knows it."""

    @property
    def key(self) -> str: ...

    @property
    def size(self) -> int: ...

    @property
    def modified(self) -> datetime: ...


class Objects(Protocol):
    """Objects by key, whole and durable. What was put is never overwritten, except by `replace`."""

    @property
    def address(self) -> str:
        """Where it is, without secrets."""
        ...

    def put(self, key: str, source: bytes | Path | BinaryIO, *, expected: Digest | None = None) -> bool:
        """Keep a new object, read back and compared with the digest; False when the same was there already."""
        ...

    def replace(self, key: str, data: bytes, *, instead_of: bytes) -> None:
        """Change a small object if it still has the content `instead_of`; otherwise a `Conflict`."""
        ...

    def open(self, key: str) -> BinaryIO:
        """The content as a stream; `Missing` when there is none."""
        ...

    def head(self, key: str) -> Listed | None:
        """What is known of an object without reading it; None when there is none."""
        ...

    def list(self, folder: str = "") -> "Iterator[Listed]":
        """All objects below a folder."""
        ...

    def delete(self, key: str) -> None:
        """Remove an object; one that is not there is no error."""
        ...
