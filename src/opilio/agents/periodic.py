"""Work that one agent of all does every so many seconds, under a named lease.

Whoever holds the lease keeps it from turn to turn; when it falls silent, another agent takes over.
"""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import timedelta

from django.db import connections

from opilio.agents.shield import caught
from opilio.jobs import leases
from opilio.jobs.errors import Fenced
from opilio.jobs.leases import Held
from opilio.kernel.clock import Clock
from opilio.kernel.logs import logger
from opilio.kernel.settings import Settings

_TURNS_PER_LEASE = 3

_log = logger(__name__)


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What the work is given each time."""

    held: Held
    clock: Clock
    settings: Settings
    should_stop: Callable[[], bool]
    rest: Callable[[float], object] = lambda _: None  # seconds in which others get their turn; ends with the agent

    def writing(self) -> AbstractContextManager[None]:
        """One transaction whose writes count only if the lease is still held."""
        return leases.writing(self.held)


@dataclass(frozen=True, kw_only=True)
class Periodic:
    """A piece of work and how often it is done."""

    name: str
    every: Callable[[Settings], float]  # seconds, from the settings in force
    work: Callable[[Turn], None]


class Rhythm:
    """Does one periodic in a thread of its own until `ended` is set."""

    def __init__(
        self, periodic: Periodic, *, owner: str, settings: Settings, clock: Clock, ended: threading.Event
    ) -> None:
        self._periodic = periodic
        self._owner = owner
        self._settings = settings
        self._clock = clock
        self._ended = ended
        self._interval = periodic.every(settings)
        longest = max(settings.agent_lease_seconds, self._interval * _TURNS_PER_LEASE)
        self._lease = timedelta(seconds=longest)
        self._held: Held | None = None

    def run(self) -> None:
        """Take turns until the agent has ended, then give the lease back."""
        while True:
            self._logged(self.turn)
            if self._ended.wait(self._interval):
                break
        self._logged(self.give_back)
        connections.close_all()

    def turn(self) -> None:
        """Do the work once, if the lease is or becomes ours."""
        self._held = self._hold()
        if self._held is not None:
            turn = Turn(
                held=self._held, clock=self._clock, settings=self._settings, should_stop=self._ended.is_set,
                rest=self._ended.wait,
            )  # fmt: skip
            self._periodic.work(turn)

    def give_back(self) -> None:
        """Let another agent take over at once."""
        if self._held is not None:
            leases.release(self._held, now=self._clock.now())
            self._held = None

    def _hold(self) -> Held | None:
        now = self._clock.now()
        if self._held is not None:
            try:
                return leases.renew(self._held, now=now, lease=self._lease)
            except Fenced as fenced:
                _log.warning("periodic_lease_lost", lease=self._held.name, reason=fenced.what)
        return leases.acquire(f"periodic:{self._periodic.name}", owner=self._owner, now=now, lease=self._lease)

    def _logged(self, step: Callable[[], None]) -> None:
        error = caught(step)
        if error is not None:
            _log.error("periodic_failed", periodic=self._periodic.name, exc_info=error)
            connections.close_all()
