"""The heartbeat of an agent: renews the leases of its jobs and brings it the commands of people."""

import threading
from collections.abc import Callable, Mapping
from datetime import timedelta

from django.db import connections

from opilio.agents.context import Stop
from opilio.agents.shield import DATABASE_LOST, caught, database_lost
from opilio.agents.slots import Slots
from opilio.jobs import claims, commands, roster
from opilio.jobs.commands import Given
from opilio.jobs.roster import Registered
from opilio.jobs.states import AgentState, Order
from opilio.kernel.clock import Clock
from opilio.kernel.logs import logger

_BEATS_PER_LEASE = 3  # two may be lost before the lease is

_log = logger(__name__)


class Heart:
    """Beats in a thread of its own until `ended` is set."""

    def __init__(
        self,
        me: Registered,
        *,
        slots: Slots,
        clock: Clock,
        lease: timedelta,
        state: Callable[[], AgentState],
        obey: Callable[[Order], None],
        ended: threading.Event,
        health: Callable[[], Mapping[str, float | str]] = dict,
    ) -> None:
        self._me = me
        self._health = health
        self._slots = slots
        self._clock = clock
        self._lease = lease
        self._state = state
        self._obey = obey
        self._ended = ended
        self._renewed_at, self._renewed = clock.now(), clock.monotonic()

    def run(self) -> None:
        """Beat until the agent has ended; a lost database is waited for."""
        pause, failures = 0.0, 0
        interval = self._lease.total_seconds() / _BEATS_PER_LEASE
        while not self._ended.wait(pause):
            error = caught(self.beat)
            failures = 0 if error is None else failures + 1
            pause = interval if error is None else min(self._missed(error, failures), interval)
        connections.close_all()

    def beat(self) -> None:
        """Say that the agent lives, renew its leases, and obey what waits."""
        roster.beat(self._me.id, state=self._state(), now=self._clock.now(), health=self._health())
        self.renew()
        for given in commands.waiting(self._me.id, [claimed.id for claimed in self._slots.held()]):
            self._carry_out(given)

    def renew(self) -> None:
        """Renew the leases of all running jobs, and tell the runners of those that are lost."""
        now = self._clock.now()
        for lost in claims.heartbeat_all(self._slots.held(), now=now, lease=self._lease):
            _log.warning("job_lease_lost", job=lost.id, kind=lost.kind, epoch=lost.epoch)
            self._slots.tell(lost.id, Stop.LOST)
        self._renewed_at, self._renewed = now, self._clock.monotonic()

    def renew_if_late(self) -> None:
        """After a machine slept: renew before a claim takes this agent's own jobs from it."""
        if self._clock.now() - self._renewed_at > self._lease / 2:
            self.renew()

    def _carry_out(self, given: Given) -> None:
        _log.info("command", what=given.what.value, job=given.job)
        if given.job is None:
            self._obey(given.what)
        else:
            self._slots.tell(given.job, Stop.ORDER)
        commands.obeyed(given.id, now=self._clock.now())

    def _missed(self, error: Exception, failures: int) -> float:
        if not isinstance(error, DATABASE_LOST):
            _log.error("heartbeat_failed", exc_info=error)
        self._give_up_stale_leases()
        return database_lost(error, failures)

    def _give_up_stale_leases(self) -> None:
        """Without the database for a whole lease, the jobs may be others' by now: their runners should stop."""
        if self._clock.monotonic() - self._renewed > self._lease.total_seconds():
            self._slots.tell_all(Stop.LOST)
