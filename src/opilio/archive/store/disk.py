"""A store in a folder of a disk: files are written aside, synced and linked to their names.

Names never leave the folder.
"""

import contextlib
import fcntl
import os
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from opilio.archive.store.errors import ChangedMeanwhile, NoSuchKey
from opilio.archive.store.keys import UPLOADS, checked_folder, checked_key, joined
from opilio.archive.store.sources import algorithm_of, checked_range, opened, pieces, require, taken
from opilio.archive.store.store import Source, Stored
from opilio.kernel.digests import Digest, Hasher, digest_of_stream
from opilio.kernel.files import mapped, reading, sync_folder, write_atomically
from opilio.kernel.names import inside

_TRIES = 10  # another process may remove an empty folder while we use it


class DiskStore:
    """Objects as files below a folder; see `Store` for the promises."""

    def __init__(self, root: Path) -> None:
        self._root = root.absolute()

    @property
    def address(self) -> str:
        return str(self._root)

    def put(self, key: str, source: Source, *, expected: Digest | None = None) -> bool:
        path = self._path(key, make=True)
        hasher = Hasher(algorithm_of(expected))
        if expected is not None and path.is_file():
            return self._same(key, path, expected)
        with opened(source) as stream, self._aside(path) as (aside, temporary):
            for piece in pieces(stream, hasher):
                with mapped(path):
                    aside.write(piece)
            found = hasher.digest()
            require(found, expected, where=key)
            with mapped(path):
                aside.flush()
                os.fsync(aside.fileno())
                linked = self._linked(temporary, path)
        return linked or self._same(key, path, found)

    def replace(self, key: str, data: bytes, *, instead_of: bytes) -> None:
        path = self._path(key)
        with self._finding(key, path), _locked(path.parent):
            if path.read_bytes() != instead_of:
                remedy = "Read it again, and decide anew."
                raise ChangedMeanwhile("somebody else changed the object", where=self._where(key), remedy=remedy)
            write_atomically(path, data)

    def open(self, key: str) -> BinaryIO:
        path = self._path(key)
        with self._finding(key, path):
            return path.open("rb")

    def read(self, key: str, start: int, length: int) -> bytes:
        checked_range(start, length)
        with self.open(key) as stream:
            stream.seek(start)
            return stream.read(length)

    def head(self, key: str) -> Stored | None:
        path = self._path(key)
        return _stored(key, path.stat()) if path.is_file() else None

    def list(self, folder: str = "") -> Iterator[Stored]:
        checked_folder(folder)
        yield from self._below(self._path(folder) if folder else self._root, folder)

    def delete(self, key: str) -> None:
        path = self._path(key)
        with mapped(path):
            path.unlink(missing_ok=True)
            self._prune(path.parent)

    def clean(self, before: datetime) -> int:
        count = 0
        folder = self._root / UPLOADS
        for path in list(folder.iterdir()) if folder.is_dir() else []:
            with mapped(path), contextlib.suppress(FileNotFoundError):
                if path.stat().st_mtime < before.timestamp():
                    path.unlink()
                    count += 1
        self._prune(folder)
        return count

    def _path(self, key: str, *, make: bool = False) -> Path:
        """The file of a key; a link that leads out of the folder is refused."""
        checked_key(key)
        if make:
            with mapped(self._root):
                self._root.mkdir(parents=True, exist_ok=True)
        return inside(self._root, key) if self._root.is_dir() else self._root / key

    def _where(self, key: str) -> str:
        return str(self._root / key)

    def _same(self, key: str, path: Path, wanted: Digest) -> bool:
        """False, for nothing was written; `KeyTaken` when the file is another one."""
        with reading(path), path.open("rb") as stream:
            if not digest_of_stream(stream, wanted.algorithm).matches(wanted):
                raise taken(key, str(self._root))
        return False

    @contextlib.contextmanager
    def _finding(self, key: str, path: Path) -> Iterator[None]:
        if not path.is_file():
            remedy = "Check the key; a listing shows what is there."
            raise NoSuchKey("there is no such object", where=self._where(key), remedy=remedy)
        with reading(path):
            yield

    @contextlib.contextmanager
    def _aside(self, path: Path) -> Iterator[tuple[BinaryIO, Path]]:
        """A file that has no name in the store yet; what is left of it at the end is removed."""
        folder = self._root / UPLOADS
        temporary = folder / f"{secrets.token_hex(8)}.tmp"
        with mapped(path):
            stream = _made(temporary)
        try:
            with stream:
                yield stream, temporary
        finally:
            temporary.unlink(missing_ok=True)
            with contextlib.suppress(OSError):  # others upload too
                folder.rmdir()

    def _linked(self, temporary: Path, path: Path) -> bool:
        """Give the file its name; False when something has it."""
        for _ in range(_TRIES):
            kept = next(folder for folder in path.parents if folder.is_dir())
            if not _ensured(path.parent):
                continue
            try:
                path.hardlink_to(temporary)
            except FileExistsError:
                return False
            except FileNotFoundError:
                continue
            _sync(path.parent, kept)
            return True
        raise FileNotFoundError(2, "the folder is removed again and again", str(path.parent))

    def _below(self, folder: Path, key: str) -> Iterator[Stored]:
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except (FileNotFoundError, NotADirectoryError):
            return
        for entry in entries:
            name = joined(key, os.fsencode(entry.name).decode("utf-8", "backslashreplace"))
            if entry.is_dir(follow_symlinks=False):
                if name != UPLOADS:
                    yield from self._below(Path(entry.path), name)
            else:
                with contextlib.suppress(FileNotFoundError):  # removed since
                    yield _stored(name, entry.stat(follow_symlinks=False))

    def _prune(self, folder: Path) -> None:
        """Remove folders that became empty."""
        while folder != self._root and folder.is_relative_to(self._root):
            try:
                folder.rmdir()
            except OSError:  # not empty, or gone already
                break
            folder = folder.parent


def _stored(key: str, found: os.stat_result) -> Stored:
    return Stored(key=key, size=found.st_size, modified=datetime.fromtimestamp(found.st_mtime, UTC))


def _made(path: Path) -> BinaryIO:
    """A new file, in a folder that others may remove when they find it empty."""
    for _ in range(_TRIES):
        if _ensured(path.parent):
            with contextlib.suppress(FileNotFoundError):
                return path.open("xb")
    return path.open("xb")


def _ensured(folder: Path) -> bool:
    """Make a folder; False when others removed it, or one above it, at the same moment."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileNotFoundError:
        return False
    except FileExistsError:  # a file is there, or a folder was
        if folder.exists():
            raise
        return False
    return True


def _sync(folder: Path, last: Path) -> None:
    """Make names durable, up to the folder that was there before."""
    while True:
        sync_folder(folder)
        if folder == last:
            return
        folder = folder.parent


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Alone among those who replace something in a folder; waits for the others."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
