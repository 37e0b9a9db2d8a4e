"""The end of one WARC file: bytes go behind it whole or not at all, and reach the disk when asked.

After a failed write the file is cut to its last whole record, at once or, if that fails too, before the next write.
"""

import fcntl
import os
from collections.abc import Iterable
from pathlib import Path

from opilio.archive.warc.names import OPEN
from opilio.kernel.errors import Conflict, Unavailable
from opilio.kernel.files import mapped, sync_folder


class Tail:
    """An open file that grows. `length` counts whole records only."""

    def __init__(self, path: Path, *, fresh: bool) -> None:
        self.path = path
        self.name = path.name.removesuffix(OPEN)
        flags = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | (os.O_CREAT | os.O_EXCL if fresh else 0)
        with mapped(path):
            self._descriptor = os.open(path, flags, 0o666)
            self._lock()
            self.length = os.fstat(self._descriptor).st_size
        self._torn = False  # whether bytes of a failed write lie beyond `length`
        self._unsynced = fresh
        self._new_name = fresh
        self._lost = False  # whether a sync failed

    def write(self, *parts: bytes) -> int:
        """Add the parts in one go; the offset of the first. When it fails, nothing was added."""
        return self.write_pieces((b"".join(parts),))

    def write_pieces(self, pieces: Iterable[bytes]) -> int:
        """The same with pieces that are made while they are written. Whatever fails, nothing was added."""
        self._check()
        offset = end = self.length
        self._torn = True
        try:
            with mapped(self.path):
                for piece in pieces:
                    _write_all(self._descriptor, piece)
                    end += len(piece)
            self.length, self._torn = end, False
        finally:
            if self._torn:
                self._mend()
        self._unsynced = True
        return offset

    def sync(self) -> None:
        """Make all of it durable; cheap when nothing is new. After a failure only cutting back helps."""
        self._check()
        if not self._unsynced:
            return
        with mapped(self.path):
            try:
                os.fdatasync(self._descriptor)
                if self._new_name:
                    sync_folder(self.path.parent)
            except OSError:
                self._lost = True  # the kernel may have dropped what it could not write: nobody knows what is there
                raise
        self._unsynced = self._new_name = False

    def finish(self) -> None:
        """Sync, give the file its final name and let go of it."""
        self.sync()
        with mapped(self.path):
            self.path.rename(self.path.with_name(self.name))
            sync_folder(self.path.parent)
        self.release()

    def discard(self) -> None:
        """Remove a file that holds nothing yet."""
        with mapped(self.path):
            self.path.unlink()
        self.release()

    def release(self) -> None:
        """Let go of the file as it is."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _lock(self) -> None:
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._descriptor)
            raise _in_use(self.path) from None

    def _check(self) -> None:
        if self._lost:
            remedy = "Cut the sink back to the last committed offsets, then go on."
            raise Unavailable("what was written last may not be on the disk", where=str(self.path), remedy=remedy)
        if self._torn:
            self._mend()
        if self._torn:
            remedy = "Check the disk, then cut the sink back to the last committed offsets."
            raise Unavailable("a half-written record could not be removed", where=str(self.path), remedy=remedy)

    def _mend(self) -> None:
        try:
            os.ftruncate(self._descriptor, self.length)
        except OSError:
            return  # `_check` tries again and tells
        self._torn = False


def refuse_if_locked(path: Path) -> None:
    """`Conflict` when somebody has the file open for writing."""
    with mapped(path):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise _in_use(path) from None
    finally:
        os.close(descriptor)


def _in_use(path: Path) -> Conflict:
    remedy = "Wait until it ends, or give this worker another name."
    return Conflict("another process writes this WARC file", where=str(path), remedy=remedy)


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
