"""Files and folders that appear whole under a new name, or not at all. Nothing that is there is ever replaced."""

import contextlib
import errno
import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from opilio.kernel.errors import Conflict, Damaged
from opilio.kernel.files import mapped, sync_folder

_PIECE = 1 << 20  # bytes
_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS})


@contextlib.contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """A file that gets its name when the block ends well; `Conflict` when something has it already.

    What a process left that was killed is taken over by the next one for the same name.
    """
    refuse_if_there(path)
    aside = _aside(path)
    with mapped(path), _claimed(aside, os.O_RDWR | os.O_CREAT) as descriptor:
        try:
            with os.fdopen(os.dup(descriptor), "r+b") as stream:
                stream.truncate(0)
                yield stream
                stream.flush()
                os.fsync(descriptor)
            _name(aside, path)
            sync_folder(path.parent)
        finally:
            aside.unlink(missing_ok=True)


@contextlib.contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """The same for a folder; an empty folder may have the name before."""
    refuse_if_there(path, empty=True)
    with scratch_folder(_aside(path)) as aside, mapped(path):
        yield aside
        sync_tree(aside)
        _take(aside, path)
        sync_folder(path.parent)


@contextlib.contextmanager
def scratch_folder(path: Path) -> Iterator[Path]:
    """An empty folder of one's own for the length of a block; nothing is left of it."""
    with mapped(path):
        path.mkdir(exist_ok=True)
        with _claimed(path, os.O_RDONLY | os.O_DIRECTORY):
            _empty(path)
            try:
                yield path
            finally:
                shutil.rmtree(path, ignore_errors=True)


def refuse_if_there(path: Path, *, empty: bool = False) -> None:
    """`Conflict` when the name is taken; with `empty`, an empty folder does not count."""
    with mapped(path):
        taken = path.is_symlink() or path.exists()
        if taken and not (empty and path.is_dir() and not any(path.iterdir())):
            remedy = "Choose another name, or remove what is there first; nothing is replaced."
            raise Conflict("something is there already", where=str(path), remedy=remedy)


def sync_tree(folder: Path) -> None:
    """Make a new folder durable with all that is in it."""
    for place, _, files in os.walk(folder):
        for name in files:
            descriptor = os.open(Path(place) / name, os.O_RDONLY | os.O_CLOEXEC)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        sync_folder(Path(place))


def copy_or_link(source: Path, target: Path, *, link: bool) -> bool:
    """Put a file somewhere else, as a hard link where wanted and possible; whether it is one."""
    with mapped(target):
        if link:
            try:
                target.hardlink_to(source)
            except OSError as error:
                if error.errno not in (*_NO_LINKS, errno.EXDEV):
                    raise
            else:
                return True
        with source.open("rb") as incoming, target.open("xb") as outgoing:
            shutil.copyfileobj(incoming, outgoing, _PIECE)
    return False


def file_pieces(path: Path, size: int) -> Iterator[bytes]:
    """The first `size` bytes of a file, a piece at a time."""
    with mapped(path), path.open("rb") as stream:
        while size and (piece := stream.read(min(_PIECE, size))):
            size -= len(piece)
            yield piece


def file_part(path: Path, offset: int, length: int) -> Iterator[bytes]:
    """Bytes out of the middle of a file, a piece at a time; `Damaged` when it ends before."""
    with mapped(path), path.open("rb") as stream:
        stream.seek(offset)
        while length:
            piece = stream.read(min(_PIECE, length))
            if not piece:
                raise Damaged("a record breaks off", where=f"{path} at {offset}", remedy="Restore it from a copy.")
            length -= len(piece)
            yield piece


def _aside(path: Path) -> Path:
    return path.with_name(f".{path.name[:200]}.unfinished")


@contextlib.contextmanager
def _claimed(path: Path, flags: int) -> Iterator[int]:
    """Hold a lock on a file or folder; `Conflict` when somebody else does, or when it is gone by now."""
    descriptor = os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not path.exists() or not os.path.samestat(path.stat(), os.fstat(descriptor)):
            raise _taken(path)
        yield descriptor
    except BlockingIOError:
        raise _taken(path) from None
    finally:
        os.close(descriptor)


def _taken(path: Path) -> Conflict:
    remedy = "Wait until it ends, or choose another name."
    return Conflict("another process makes the same thing", where=str(path), remedy=remedy)


def _empty(folder: Path) -> None:
    """Remove what is in a folder."""
    for each in folder.iterdir():
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each)
        else:
            each.unlink()


def _name(aside: Path, path: Path) -> None:
    """Give a file its name without replacing another, also where there are no hard links."""
    try:
        path.hardlink_to(aside)
    except FileExistsError:
        refuse_if_there(path)
        raise
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        refuse_if_there(path)
        aside.rename(path)


def _take(aside: Path, path: Path) -> None:
    try:
        aside.rename(path)  # over an empty folder at most: the kernel refuses any other
    except OSError as error:
        if error.errno in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
            refuse_if_there(path)
        raise
