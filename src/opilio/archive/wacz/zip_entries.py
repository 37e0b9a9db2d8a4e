"""Writes the entries of a ZIP file one after the other, in bounded memory, each digested on its way.

Nothing is compressed, so that readers can take a range out of the middle; times are those of 1980, so that the same
input gives the same bytes.
"""

import contextlib
import hashlib
import zipfile
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from opilio.archive.packing.aside import file_pieces
from opilio.archive.wacz.layout import Entry
from opilio.kernel.errors import Conflict

_LONG_AGO = (1980, 1, 1, 0, 0, 0)
_PLAIN_FILE = 0o100644 << 16


class ZipEntries:
    """A ZIP file in the making."""

    def __init__(self, stream: BinaryIO) -> None:
        self._zip = zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED, allowZip64=True)
        self.written: list[Entry] = []

    def __enter__(self) -> "ZipEntries":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._zip.close()
            return
        with contextlib.suppress(OSError, ValueError):  # the first error is the one to tell; the file is given up
            self._zip.close()

    def add(self, name: str, pieces: Iterable[bytes], *, size: int | None = None) -> Entry:
        """Add a file; `size` where it is known, otherwise it may grow to any."""
        info = zipfile.ZipInfo(name, _LONG_AGO)
        info.external_attr = _PLAIN_FILE
        info.create_system = 3  # as elsewhere, wherever it is packed
        if size is not None:
            info.file_size = size
        digest, length = hashlib.sha256(usedforsecurity=False), 0
        with self._zip.open(info, "w", force_zip64=size is None) as entry:
            for piece in pieces:
                entry.write(piece)
                digest.update(piece)
                length += len(piece)
        made = Entry(path=name, bytes=length, sha256=digest.hexdigest())
        self.written.append(made)
        return made

    def add_file(self, name: str, path: Path) -> Entry:
        """Add a file from the disk; `Conflict` when it changes meanwhile."""
        size = path.stat().st_size
        entry = self.add(name, file_pieces(path, size), size=size)
        if entry.bytes != size:
            remedy = "Wait until nobody writes to it, then pack again."
            raise Conflict("the file changed while it was packed", where=str(path), remedy=remedy)
        return entry
