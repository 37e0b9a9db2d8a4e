"""The archive manifest: which files the home folder holds beside the catalogue, and whether they are still there."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from opilio.server.backups.engine import Advance
from opilio.server.backups.manifest import FileEntry

FOLDERS = ("harvests", "archive", "index")
_CHUNK = 1 << 20  # bytes


def listed(home: Path, *, digests: bool, advance: Advance) -> tuple[FileEntry, ...]:
    """Every file below the archive's folders; one that is still being written counts as long as it was seen."""
    paths = [path for name in FOLDERS for path in sorted((home / name).rglob("*")) if path.is_file()]
    found = []
    for number, path in enumerate(paths):
        advance(number, len(paths))
        found.append(file_entry(path, home, digests=digests))
    return tuple(found)


def file_entry(path: Path, base: Path, *, digests: bool = True) -> FileEntry:
    """Size and digest of a file, named by its path below `base`."""
    size = path.stat().st_size
    digest = sha256(path, size) if digests else ""
    return FileEntry(path=path.relative_to(base).as_posix(), size=size, sha256=digest)


def sha256(path: Path, size: int) -> str:
    """The digest of the first `size` bytes."""
    digest, left = hashlib.sha256(), size
    with path.open("rb") as stream:
        while left > 0 and (chunk := stream.read(min(_CHUNK, left))):
            digest.update(chunk)
            left -= len(chunk)
    return digest.hexdigest()


def faults(base: Path, entries: Iterable[FileEntry], *, digests: bool = True) -> Iterator[str]:
    """In words, which files are missing or differ."""
    for entry in entries:
        path = base / entry.path
        if not path.is_file():
            yield f"{entry.path} is missing"
        elif path.stat().st_size < entry.size:
            yield f"{entry.path} has {path.stat().st_size} bytes instead of {entry.size}"
        elif digests and entry.sha256 and sha256(path, entry.size) != entry.sha256:
            yield f"{entry.path} has other contents"
