"""Holds a generation in place while somebody serves, copies or reads it.

A pin is a shared lock on its folder, which the kernel lets go of when the process ends, however it ends; whoever
removes a generation needs the folder for itself.
"""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from opilio.kernel.errors import NotWritable
from opilio.kernel.files import mapped
from opilio.search.generations.errors import GenerationInUse, NoGeneration


class Pin:
    """A pin that is held until it is let go of."""

    def __init__(self, folder: Path) -> None:
        self._descriptor = _open(folder)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_SH)
            _require_in_place(self._descriptor, folder)
        except BaseException:
            os.close(self._descriptor)
            raise

    def release(self) -> None:
        """Let go; harmless the second time."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


@contextlib.contextmanager
def pinned(folder: Path) -> Iterator[Path]:
    """Nobody removes the folder during the block; `NoGeneration` when it is gone already."""
    pin = Pin(folder)
    try:
        yield folder
    finally:
        pin.release()


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Nobody pins the folder during the block; `GenerationInUse` when somebody does."""
    descriptor = _open(folder)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            remedy = "It can be removed once another one is served, or the copy is done."
            raise GenerationInUse("the generation is in use", where=str(folder), remedy=remedy) from None
        _require_in_place(descriptor, folder)
        yield
    finally:
        os.close(descriptor)


def _open(folder: Path) -> int:
    try:
        with mapped(folder):
            return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except NotWritable:
        if folder.is_dir():
            raise
        raise _gone(folder) from None


def _require_in_place(descriptor: int, folder: Path) -> None:
    """It may have been moved away between opening and locking."""
    mine = os.fstat(descriptor)
    try:
        there = folder.stat()
    except FileNotFoundError:
        raise _gone(folder) from None
    if (mine.st_dev, mine.st_ino) != (there.st_dev, there.st_ino):
        raise _gone(folder)


def _gone(folder: Path) -> NoGeneration:
    return NoGeneration("there is no such generation", where=str(folder), remedy="List those that are kept.")
