"""Files that appear whole, reach the disk before we say so, and fail with a remedy.

Errors of the operating system become `NoSpace` (disk full, quota), `NotWritable` (rights, read-only, not a folder) or
`Unavailable` (everything else) here, at the edge.
"""

import contextlib
import errno
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from opilio.kernel.errors import InvalidInput, Missing, NoSpace, NotWritable, OpilioError, Unavailable

#: Mode of files that hold secrets: for their owner only.
SECRET = 0o600
#: Mode of folders that hold secrets.
SECRET_FOLDER = 0o700

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_NOT_OURS = frozenset(
    {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EISDIR, errno.ENOENT, errno.EEXIST, errno.ELOOP}
)


@contextlib.contextmanager
def writing(path: Path, *, mode: int | None = None) -> Iterator[BinaryIO]:
    """A file that replaces `path` when the block ends well, and leaves no trace when it fails.

    Written beside the target, fsynced, renamed, and the folder fsynced: after a power cut there is the old file or the
    new one, whole. `mode` is set exactly; without it, the umask decides.
    """
    with mapped(path), _beside(path, mode) as (stream, temporary):
        yield stream
        _settle(stream)
        temporary.replace(path)
        sync_folder(path.parent)


def write_atomically(path: Path, data: bytes, *, mode: int | None = None, replace: bool = True) -> bool:
    """Write a whole file so that readers see the old content or the new, never a part.

    With `replace=False` a file that is there stays: of several writers the first wins, and the others are told False.
    """
    if replace:
        with writing(path, mode=mode) as stream:
            stream.write(data)
        return True
    with mapped(path), _beside(path, mode) as (stream, temporary):
        stream.write(data)
        _settle(stream)
        try:
            path.hardlink_to(temporary)
        except FileExistsError:
            return False
        sync_folder(path.parent)
        return True


def append_synced(path: Path, data: bytes, *, mode: int | None = None) -> int:
    """Add bytes at the end, durable on return; the new length. When it fails, the file is as long as before."""
    with mapped(path), _opened_to_append(path, mode) as descriptor:
        before = os.fstat(descriptor).st_size
        try:
            _write_all(descriptor, data)
            os.fsync(descriptor)
        except OSError:
            with contextlib.suppress(OSError):  # the first error is the one to tell
                os.ftruncate(descriptor, before)
            raise
        if before == 0:
            sync_folder(path.parent)
        return before + len(data)


def ensure_folder(path: Path, *, mode: int | None = None) -> Path:
    """Make a folder with its parents if it is not there, and prove that a file can be made in it.

    `mode` is set on a folder made here; one that is there keeps its own.
    """
    with mapped(path):
        made = not path.is_dir()
        path.mkdir(parents=True, exist_ok=True)
        if made and mode is not None:
            path.chmod(mode)
        probe = path / f".opilio-{secrets.token_hex(8)}.tmp"
        probe.touch(exist_ok=False)
        probe.unlink()
    return path


def free_space(path: Path) -> int:
    """Bytes that we may still write on the disk of `path` (or of its nearest folder that is there)."""
    with mapped(path):
        place = next(folder for folder in (path, *path.absolute().parents) if folder.exists())
        found = os.statvfs(place)
        return found.f_bavail * found.f_frsize


def require_space(path: Path, needed: int) -> None:
    """`NoSpace` unless the disk of `path` has room for `needed` bytes."""
    free = free_space(path)
    if free < needed:
        what = f"{_megabytes(needed)} are needed and {_megabytes(free)} are free"
        raise NoSpace(what, where=str(path), remedy="Free some space, or choose a folder on another disk.")


def sync_folder(path: Path) -> None:
    """Make new names in a folder durable."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def mapped(path: Path) -> Iterator[None]:
    """Turn errors of the operating system into ours, naming `path`; those about other files pass as they are."""
    try:
        yield
    except OSError as error:
        if not _concerns(error, path):
            raise
        raise _ours(error, path) from error


@contextlib.contextmanager
def reading(path: Path) -> Iterator[None]:
    """The same for a file that is read: `Missing`, or `InvalidInput` for what cannot be read as a file."""
    try:
        yield
    except OSError as error:
        if not _concerns(error, path):
            raise
        if error.errno == errno.ENOENT:
            raise Missing("there is no such file", where=str(path), remedy="Check the name.") from error
        reason = os.strerror(error.errno) if error.errno else str(error)
        if error.errno in _NOT_OURS:
            remedy = "Name a file that the user who runs Opilio may read."
            raise InvalidInput(f"cannot read: {reason}", where=str(path), remedy=remedy) from error
        remedy = "Check the disk, then try again."
        raise Unavailable(f"cannot read: {reason}", where=str(path), remedy=remedy) from error


@contextlib.contextmanager
def _beside(path: Path, mode: int | None) -> Iterator[tuple[BinaryIO, Path]]:
    """A new temporary file in the folder of `path`; whatever is left of it at the end is removed."""
    temporary = path.with_name(f".opilio-{secrets.token_hex(8)}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode or 0o666)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            if mode is not None:
                os.fchmod(descriptor, mode)
            yield stream, temporary
    finally:
        temporary.unlink(missing_ok=True)


def _settle(stream: BinaryIO) -> None:
    stream.flush()
    os.fsync(stream.fileno())


def _concerns(error: OSError, path: Path) -> bool:
    if error.filename is None:
        return True
    named = Path(os.fsdecode(error.filename))
    return named == path or named in path.parents or path in named.parents or named.parent == path.parent


def _ours(error: OSError, path: Path) -> OpilioError:
    reason = os.strerror(error.errno) if error.errno else str(error)
    if error.errno in _FULL:
        return NoSpace("the disk is full", where=str(path), remedy="Free some space, then try again.")
    if error.errno in _NOT_OURS:
        remedy = "Make the folder, or let the user that runs Opilio write to it."
        return NotWritable(f"cannot write: {reason}", where=str(path), remedy=remedy)
    return Unavailable(
        f"cannot write: {reason}", where=str(path), remedy="Check the disk and the path, then try again."
    )


@contextlib.contextmanager
def _opened_to_append(path: Path, mode: int | None) -> Iterator[int]:
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, mode or 0o666)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB"
