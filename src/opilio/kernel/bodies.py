"""Bodies of any size: small ones are bytes in memory, large ones lie in a file that has no name and vanishes by itself.

Who reads a body takes slices or pieces of it, never all of it at once.
"""

import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from opilio.kernel.digests import Algorithm, Digest, Hasher, digest_of
from opilio.kernel.files import mapped

IN_MEMORY = 1 << 20  # bytes; what is larger goes to a file
_PIECE = 1 << 18  # bytes


class _File:
    """A file without a name; closed with the last body that lies in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.number = -1
        with mapped(folder), tempfile.TemporaryFile(dir=folder) as opened:
            self.number = os.dup(opened.fileno())

    def append(self, data: bytes) -> None:
        rest = memoryview(data)
        with mapped(self.folder):
            while rest:
                rest = rest[os.write(self.number, rest) :]

    def __del__(self) -> None:
        if self.number >= 0:
            os.close(self.number)


class FileBody:
    """A body in a file. Like bytes it has a length and slices, and can be searched; it never changes."""

    __slots__ = ("_begin", "_file", "_length")

    def __init__(self, file: _File, begin: int, length: int) -> None:
        self._file = file
        self._begin = begin
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, part: slice) -> bytes:
        begin, end, step = part.indices(self._length)
        found = b"".join(self.pieces(begin, end))
        return found if step == 1 else found[::step]

    def pieces(self, begin: int = 0, end: int | None = None) -> Iterator[bytes]:
        """The bytes from `begin` to `end`, a piece at a time."""
        end = self._length if end is None else min(end, self._length)
        while begin < end:
            with mapped(self._file.folder):
                piece = os.pread(self._file.number, min(_PIECE, end - begin), self._begin + begin)
            if not piece:
                return
            yield piece
            begin += len(piece)

    def find(self, wanted: bytes, begin: int, end: int) -> int:
        """Where `wanted` is between two places; -1 where it is not. They should lie close together."""
        at = self[begin:end].find(wanted)
        return at if at < 0 else begin + at

    def since(self, begin: int) -> "FileBody":
        """The rest from a place on."""
        begin = min(begin, self._length)
        return FileBody(self._file, self._begin + begin, self._length - begin)

    def spool(self) -> "Spool":
        """Room for what is made of this body, in the same folder."""
        return Spool(self._file.folder)


#: What came, as it is kept until it is written.
Body = bytes | FileBody


class Spool:
    """Takes a body piece by piece. `NoSpace` and its kin when the folder has no room."""

    __slots__ = ("_file", "_folder", "_parts", "size")

    def __init__(self, folder: Path | None = None) -> None:
        self.size = 0
        self._folder = folder  # None: that of the machine for temporary files
        self._parts: list[bytes] = []
        self._file: _File | None = None

    def write(self, piece: bytes) -> None:
        """Add a piece."""
        self.size += len(piece)
        if self._file is not None:
            self._file.append(piece)
            return
        self._parts.append(piece)
        if self.size > IN_MEMORY:
            self._file = _File(self._folder or Path(tempfile.gettempdir()))
            self._file.append(b"".join(self._parts))
            self._parts.clear()

    def body(self) -> Body:
        """All that came. Nothing may be written any more."""
        return b"".join(self._parts) if self._file is None else FileBody(self._file, 0, self.size)


def pieces_of(body: Body, begin: int = 0, end: int | None = None) -> Iterator[bytes]:
    """A body, or a part of it, in pieces that fit into memory."""
    if isinstance(body, FileBody):
        return body.pieces(begin, end)
    if begin == 0 and (end is None or end >= len(body)) and len(body) <= _PIECE:
        return iter((body,) if body else ())
    stop = len(body) if end is None else min(end, len(body))
    return (body[at : min(at + _PIECE, stop)] for at in range(begin, stop, _PIECE))


def feed(hasher: "hashlib._Hash", body: Body) -> None:
    """Let a digest in the making see a body."""
    if isinstance(body, bytes):
        hasher.update(body)
        return
    for piece in body.pieces():
        hasher.update(piece)


def digest_of_body(body: Body, algorithm: Algorithm) -> Digest:
    """The digest of a body of any size."""
    if isinstance(body, bytes):
        return digest_of(body, algorithm)
    hasher = Hasher(algorithm)
    for piece in body.pieces():
        hasher.update(piece)
    return hasher.digest()
