"""Turns of processes of one machine at a file: waited for, and given back by the kernel however a process ends."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from opilio.kernel.files import ensure_folder, mapped


@contextlib.contextmanager
def turn_at(path: Path) -> Iterator[None]:
    """Hold it alone for the block; waits for others."""
    descriptor = _opened(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


class InUse:
    """A mark that something is used, held together with others until `end`."""

    def __init__(self, path: Path) -> None:
        self._descriptor = _opened(path)
        fcntl.flock(self._descriptor, fcntl.LOCK_SH)

    def end(self) -> None:
        """Let go."""
        os.close(self._descriptor)


@contextlib.contextmanager
def if_unused(path: Path) -> Iterator[bool]:
    """Whether nobody uses it; for the block nobody can begin to."""
    descriptor = _opened(path)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True
    finally:
        os.close(descriptor)


def _opened(path: Path) -> int:
    ensure_folder(path.parent)
    with mapped(path):
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
