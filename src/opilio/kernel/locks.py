"""A lock between processes of one machine that says who holds it.

The kernel lets go of it when its holder ends, however it ends; the file stays, so that nobody locks a removed one.
"""

import contextlib
import fcntl
import json
import os
import socket
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import Conflict
from opilio.kernel.files import mapped

_LONGEST = 2_000  # bytes of a lock file that are believed


@dataclass(frozen=True, kw_only=True, slots=True)
class Holder:
    """Who holds a lock."""

    pid: int
    host: str
    since: str  # ISO 8601, UTC
    purpose: str

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host} since {self.since}, for {self.purpose}"


@contextlib.contextmanager
def locked(path: Path, *, purpose: str, clock: Clock = SYSTEM) -> Iterator[Holder]:
    """Hold the lock at `path` for the block; `Conflict`, naming the holder, when somebody else has it.

    Never waits. A child made by fork shares the lock until both let go.
    """
    with mapped(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        _take(descriptor, path)
        me = Holder(pid=os.getpid(), host=socket.gethostname(), since=clock.now().isoformat(), purpose=purpose)
        _sign(descriptor, path, json.dumps(asdict(me)).encode())
        try:
            yield me
        finally:
            _sign(descriptor, path, b"")
    finally:
        os.close(descriptor)


def holder(path: Path) -> Holder | None:
    """Who wrote itself into the lock file last; None when nobody did or the file is not one of ours."""
    try:
        with path.open("rb") as stream:
            return _parsed(stream.read(_LONGEST))
    except FileNotFoundError:
        return None


def held_by(path: Path) -> Holder | None:
    """Who holds the lock now. One who was killed left its name in the file, but not the lock."""
    found = holder(path)
    if found is None:
        return None
    with path.open("rb") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return found
    return None


def _take(descriptor: int, path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        who = _parsed(os.pread(descriptor, _LONGEST, 0)) or "another process"
        remedy = "Wait until it ends, or stop it first."
        raise Conflict(f"the lock is held by {who}", where=str(path), remedy=remedy) from None


def _sign(descriptor: int, path: Path, text: bytes) -> None:
    with mapped(path):
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, text, 0)


def _parsed(text: bytes) -> Holder | None:
    try:
        found = json.loads(text)
        return Holder(
            pid=int(found["pid"]),
            host=str(found["host"])[:80],
            since=str(found["since"])[:40],
            purpose=str(found["purpose"])[:200],
        )
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
