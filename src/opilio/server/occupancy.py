"""Who works with an installation on this machine: servers and agents share it, a restore must have it alone.

The operating system lets go of the lock when a process ends, however it ends.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from opilio.kernel.files import ensure_folder, mapped
from opilio.server.errors import InOperation

FILE = ".in-operation"


@contextmanager
def shared(home: Path) -> Iterator[None]:
    """Work with the installation, beside others; refused while a restore is under way."""
    with _locked(home, fcntl.LOCK_SH, "A restore is under way", "Wait until it ends."):
        yield


@contextmanager
def alone(home: Path) -> Iterator[None]:
    """Have the installation to oneself; refused while a server or an agent runs."""
    with _locked(home, fcntl.LOCK_EX, "Servers or agents work with this installation", "Stop them first."):
        yield


@contextmanager
def _locked(home: Path, kind: int, what: str, remedy: str) -> Iterator[None]:
    path = ensure_folder(home) / FILE
    with mapped(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InOperation(what, where=str(home), remedy=remedy) from None
        yield
    finally:
        os.close(descriptor)
