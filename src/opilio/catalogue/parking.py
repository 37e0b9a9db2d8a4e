"""Connections that one thread gives up and another takes over: processes that run long open none for each job.

Only processes that call `keep` park any: what ends soon, or must be alone with the database, closes them for good.
"""

import contextlib
import os
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

MOST = 32  # connections that wait in one process
LONGEST = 60.0  # seconds that one waits before it is closed


@dataclass(frozen=True, kw_only=True)
class Parked:
    """A connection that nobody uses."""

    key: Hashable  # to what it leads
    connection: Any
    since: float  # on the clock that never goes back


@dataclass
class Lot:
    """Where connections wait; the one that came last goes first, so that the others grow old and are closed."""

    room: int = 0
    clock: Callable[[], float] = time.monotonic
    _waiting: list[Parked] = field(default_factory=list)
    _door: threading.Lock = field(default_factory=threading.Lock)

    def keep(self, room: int = MOST) -> None:
        """From now on, this process parks so many."""
        self.room = room

    def park(self, key: Hashable, connection: Any) -> bool:
        """Take a connection in; False: there is no room, and it must be closed."""
        with self._door:
            if len(self._waiting) >= self.room:
                return False
            self._waiting.append(Parked(key=key, connection=connection, since=self.clock()))
        self._clear()
        return True

    def take(self, key: Hashable) -> Parked | None:
        """The one that came last and leads there; None: open another."""
        self._clear()
        with self._door:
            found = next((one for one in reversed(self._waiting) if one.key == key), None)
            if found is not None:
                self._waiting.remove(found)
            return found

    def forget(self) -> None:
        """Let all go without a word: a forked child must not speak on its parent's connections."""
        self._waiting, self._door = [], threading.Lock()

    def _clear(self) -> None:
        """Close those that have waited too long."""
        oldest = self.clock() - LONGEST
        with self._door:
            old = [one for one in self._waiting if one.since < oldest]
            self._waiting = [one for one in self._waiting if one.since >= oldest]
        for one in old:
            with contextlib.suppress(Exception):  # it may be dead already, whatever its driver says then
                one.connection.close()


LOT = Lot()
os.register_at_fork(after_in_child=LOT.forget)
