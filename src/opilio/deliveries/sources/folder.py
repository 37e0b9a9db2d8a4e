"""A folder of this machine, or one that is mounted on it."""

import os
import stat
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from opilio.deliveries.errors import NotAtSource, SourceAway, SourceRefused
from opilio.deliveries.source import Entry, Source
from opilio.deliveries.sources.paths import joined, plain
from opilio.kernel.files import write_atomically

_BLOCK = 1 << 20


class FolderConnection:
    """Reads a folder; links are not followed."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def entries(self, folder: str) -> Iterator[Entry]:
        path = self._path(folder)
        with _mapped(self._source, folder), os.scandir(path) as found:
            for one in found:
                if plain(one.name):
                    yield _entry(one.name, one.stat(follow_symlinks=False))

    def look(self, path: str) -> Entry:
        with _mapped(self._source, path):
            return _entry(path.rpartition("/")[2], self._path(path).lstat())

    def fetch(self, path: str, offset: int, take: Callable[[bytes], None]) -> None:
        with _mapped(self._source, path), self._opened(path) as stream:
            stream.seek(offset)
            while block := stream.read(_BLOCK):
                take(block)

    def put(self, path: str, content: bytes) -> None:
        write_atomically(self._path(path), content)

    def close(self) -> None:
        """Nothing is held."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _path(self, path: str) -> Path:
        return Path(joined(self._source.base, path))

    def _opened(self, path: str):  # type: ignore[no-untyped-def]
        descriptor = os.open(self._path(path), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        return os.fdopen(descriptor, "rb")


def _entry(name: str, found: os.stat_result) -> Entry:
    return Entry(
        name=name, file=stat.S_ISREG(found.st_mode), size=found.st_size,
        modified=datetime.fromtimestamp(found.st_mtime, UTC), tag=f"{found.st_ino}",
    )  # fmt: skip


class _mapped:
    """Errors of the operating system as ours."""

    def __init__(self, source: Source, path: str) -> None:
        self._source, self._path = source, path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        where = f"{self._source.where}, {self._path}"
        if isinstance(error, FileNotFoundError | NotADirectoryError):
            raise NotAtSource("There is no such file or folder at the source", where=where) from error
        if isinstance(error, PermissionError):
            remedy = "Let the user that runs Opilio read it."
            raise SourceRefused("The folder may not be read", where=where, remedy=remedy) from error
        if isinstance(error, OSError):
            raise SourceAway(f"The folder cannot be read: {error.strerror}", where=where) from error
