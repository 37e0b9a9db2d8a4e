"""The files in the folder of a generation: listed, digested, cloned and made durable.

Empty lock files, which tantivy makes also to read, belong to nobody and are overlooked.
"""

import errno
import hashlib
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from opilio.kernel.errors import Unavailable
from opilio.kernel.files import mapped, sync_folder
from opilio.search.generations.errors import DamagedGeneration
from opilio.search.generations.manifest import MANIFEST, FileEntry, good_name

Immutable = Callable[[str], bool]

_LOCKS = frozenset({".tantivy-meta.lock", ".tantivy-writer.lock"})
_SEGMENT = re.compile(r"(?:.*/)?[0-9a-f]{32}(\.[0-9]+)?\.(idx|pos|term|store|fast|fieldnorm|del)")
_NO_LINKS = frozenset({errno.EXDEV, errno.EPERM, errno.EMLINK, errno.EOPNOTSUPP, errno.ENOSYS})
_PIECE = 1 << 20  # bytes
_SEALED = 0o444  # nobody changes a file of a generation by mistake, nor the copies that share its bytes


def is_segment(name: str) -> bool:
    """Whether a file is part of a tantivy segment: written once, never changed, so that clones may share it."""
    return _SEGMENT.fullmatch(name) is not None


def files_of(folder: Path) -> dict[str, Path]:
    """Name → path of every file but the manifest; `DamagedGeneration` for what is neither file nor folder."""
    with mapped(folder):
        found = dict(sorted(_walk(folder, "")))
    found.pop(MANIFEST, None)
    for name in found:
        if not good_name(name):
            raise _odd(folder, name, "cannot be the name of a file of a generation")
    return found


def drop_locks(folder: Path) -> None:
    """Remove the lock files that writers leave."""
    for name in _LOCKS:
        for path in folder.rglob(name):
            path.unlink(missing_ok=True)


def digested(path: Path, name: str) -> FileEntry:
    """A file as the manifest lists it."""
    digest, size = hashlib.sha256(), 0
    try:
        with path.open("rb", buffering=0) as stream:
            while piece := stream.read(_PIECE):
                digest.update(piece)
                size += len(piece)
    except OSError as error:
        remedy = "Check the disk, then try again."
        raise Unavailable(f"cannot read: {error.strerror}", where=str(path), remedy=remedy) from error
    return FileEntry(name=name, size=size, sha256=digest.hexdigest())


def clone(previous: Path, into: Path, immutable: Immutable = is_segment) -> None:
    """The files of one generation in the folder of another: what never changes is linked, the rest is copied."""
    for name, path in files_of(previous).items():
        target = into / name
        with mapped(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            if not immutable(name) or not _linked(path, target):
                shutil.copyfile(path, target)


def _linked(path: Path, target: Path) -> bool:
    """Link a file; False where the disk cannot."""
    try:
        target.hardlink_to(path)
    except OSError as error:
        if error.errno in _NO_LINKS:
            return False
        raise
    return True


def settle(folder: Path) -> None:
    """Make every file and folder durable and unwritable."""
    for path in (folder / MANIFEST, *files_of(folder).values()):
        with mapped(path):
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            try:
                os.fchmod(descriptor, _SEALED)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
    for each in sorted((folder, *_folders(folder)), reverse=True):
        with mapped(each):
            sync_folder(each)


def _walk(folder: Path, below: str) -> Iterator[tuple[str, Path]]:
    with os.scandir(folder) as entries:
        listed = list(entries)
    for entry in listed:
        name = f"{below}{entry.name}"
        status = entry.stat(follow_symlinks=False)
        if stat.S_ISDIR(status.st_mode):
            yield from _walk(Path(entry.path), f"{name}/")
        elif not stat.S_ISREG(status.st_mode):
            raise _odd(folder, entry.name, "is no ordinary file")
        elif entry.name not in _LOCKS or status.st_size:
            yield name, Path(entry.path)


def _folders(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_dir())


def _odd(folder: Path, name: str, why: str) -> DamagedGeneration:
    remedy = "Remove it, or build the generation again."
    return DamagedGeneration(f"{name[:80]!r} {why}", where=str(folder), remedy=remedy)
