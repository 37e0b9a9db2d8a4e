"""The loop of one agent: register, take due jobs, run them, and on the way out finish or give back what runs.

The loop only takes and starts; jobs run in threads (`slots`), leases are renewed in another (`heart`).
"""

import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum
from functools import partial
from queue import Empty, SimpleQueue

from django.db import DatabaseError, connections

from opilio.agents.context import Stop
from opilio.agents.heart import Heart
from opilio.agents.offers import Offer, take_everything
from opilio.agents.periodic import Periodic, Rhythm
from opilio.agents.runners import Runners, kinds_of
from opilio.agents.shield import DATABASE_LOST, database_lost, persistently
from opilio.agents.slots import Slots
from opilio.curation.harvest_jobs import HELP_KIND, RUN_KIND
from opilio.jobs import claims, roster
from opilio.jobs.claims import Claimed
from opilio.jobs.errors import Fenced
from opilio.jobs.roster import Registered
from opilio.jobs.states import AgentState, Order
from opilio.kernel.clock import Clock
from opilio.kernel.errors import OpilioError
from opilio.kernel.logs import logger
from opilio.kernel.settings import Settings

_log = logger(__name__)

_LOOKS_PER_LEASE = 3  # at the tables, whether an upgrade changed them


class _Word(Enum):
    WAKE = "wake"
    LEAVE = "leave"


@dataclass(frozen=True, kw_only=True)
class Identity:
    """Who the agent is."""

    name: str
    machine: str
    pid: int
    version: str


@dataclass(kw_only=True)
class Agent:
    """Takes jobs and runs them until it is told to leave."""

    identity: Identity
    settings: Settings
    runners: Runners
    periodics: tuple[Periodic, ...]
    clock: Clock
    offers: Callable[[Registered], Offer | None] = take_everything  # which harvests it takes now; None: none
    health: Callable[[], Mapping[str, float | str]] = dict  # of its machine, told by each heartbeat
    misfit: Callable[[], OpilioError | None] = lambda: None  # why this version cannot work with the tables, if so
    drain_seconds: float = 30.0  # how long a job may take to end after it was told to
    state: AgentState = AgentState.WORKING
    outdated: OpilioError | None = None  # why it ended by itself
    _inbox: SimpleQueue[_Word] = field(default_factory=SimpleQueue)
    _ended: threading.Event = field(default_factory=threading.Event)

    def leave(self) -> None:
        """Drain and end; said twice, give everything back at once. May be called from a signal handler."""
        self._inbox.put(_Word.LEAVE)  # the one primitive that is safe there

    def run(self) -> None:
        """Work until told to leave."""
        me = self._register()
        if me is None:
            return
        slots = self._slots()
        heart = self._heart(me, slots)
        threads = self._threads(me, heart)
        _log.info("agent_started", agent=me.owner, slots=self.settings.agent_slots)
        try:
            self._work(me, slots, heart)
            self._drain(slots)
        finally:
            self._ended.set()
            for thread in threads:
                thread.join(self.drain_seconds)
            self._sign_off(me, slots.held())
            connections.close_all()

    @property
    def _lease(self) -> timedelta:
        return timedelta(seconds=self.settings.agent_lease_seconds)

    def _slots(self) -> Slots:
        return Slots(
            self.settings.agent_slots,
            runners=self.runners,
            clock=self.clock,
            lease=self._lease,
            freed=partial(self._inbox.put, _Word.WAKE),
            ended=self._ended,
            room=self._room,
        )

    @property
    def _room(self) -> dict[str, int]:
        """Kinds of job with slots of their own, so that harvests that run for days hold up nothing else."""
        return {RUN_KIND: self.settings.harvest_slots, HELP_KIND: self.settings.harvest_slots}

    def _register(self) -> Registered | None:
        found: list[Registered] = []
        who = self.identity

        def enter() -> None:
            found.append(
                roster.register(
                    name=who.name,
                    machine=who.machine,
                    pid=who.pid,
                    version=who.version,
                    now=self.clock.now(),
                    slots=self.settings.agent_slots,
                    kinds=kinds_of(self.runners),
                    room=self._room,
                )
            )

        persistently(enter, wait=self._told_to_leave)
        return found[0] if found else None

    def _heart(self, me: Registered, slots: Slots) -> Heart:
        return Heart(
            me,
            slots=slots,
            clock=self.clock,
            lease=self._lease,
            state=lambda: self.state,
            obey=self._obey,
            ended=self._ended,
            health=self.health,
        )

    def _threads(self, me: Registered, heart: Heart) -> list[threading.Thread]:
        threads = [threading.Thread(target=heart.run, name="heart", daemon=True)]
        for periodic in self.periodics:
            rhythm = Rhythm(periodic, owner=me.owner, settings=self.settings, clock=self.clock, ended=self._ended)
            threads.append(threading.Thread(target=rhythm.run, name=periodic.name, daemon=True))
        for thread in threads:
            thread.start()
        return threads

    def _work(self, me: Registered, slots: Slots, heart: Heart) -> None:
        failures, pause, looked = 0, 0.0, self.clock.monotonic()
        while not self._told_to_leave(pause):
            try:
                if self.clock.monotonic() - looked > self.settings.agent_lease_seconds / _LOOKS_PER_LEASE:
                    looked = self.clock.monotonic()
                    if self._is_outdated():
                        return
                self._take(me, slots, heart)
                failures, pause = 0, self.settings.agent_poll_seconds
            except DATABASE_LOST as error:
                failures += 1
                pause = database_lost(error, failures)
            except DatabaseError:
                if not self._is_outdated():
                    raise
                return

    def _is_outdated(self) -> bool:
        """Whether an upgrade took away what this version stands on; the agent then ends, and says why."""
        self.outdated = self.misfit()
        if self.outdated is not None:
            _log.error("agent_outdated", error=self.outdated.what, remedy=self.outdated.remedy)
        return self.outdated is not None

    def _take(self, me: Registered, slots: Slots, heart: Heart) -> None:
        """Start what is due and fits."""
        if self.state is not AgentState.WORKING:
            return
        kinds = kinds_of(self.runners)
        self._take_some(me, slots, heart, kinds - set(self._room), slots.free())
        for kind in sorted(kinds & set(self._room)):
            if (offer := self.offers(me)) is not None:
                self._take_some(me, slots, heart, {kind}, slots.free(kind), offer.tags)

    def _take_some(
        self, me: Registered, slots: Slots, heart: Heart, kinds: Collection[str], free: int,
        tags: Collection[str] | None = None,
    ) -> None:  # fmt: skip
        if free < 1 or not kinds:
            return
        heart.renew_if_late()
        now = self.clock.now()
        for claimed in claims.claim(
            owner=me.owner, limit=free, now=now, lease=self._lease, kinds=kinds, tags=tags, agent=self.identity.name
        ):
            slots.start(claimed)

    def _told_to_leave(self, seconds: float) -> bool:
        """Wait until something happens, at most so long."""
        try:
            return self._inbox.get(timeout=seconds) is _Word.LEAVE
        except Empty:
            return False

    def _obey(self, order: Order) -> None:
        if order is Order.DRAIN:
            self.leave()
        elif self.state in (AgentState.WORKING, AgentState.PAUSED):
            self.state = AgentState.PAUSED if order is Order.PAUSE else AgentState.WORKING
            self._inbox.put(_Word.WAKE)

    def _drain(self, slots: Slots) -> None:
        self.state = AgentState.DRAINING
        _log.info("agent_draining", running=len(slots.held()))
        slots.tell_all(Stop.DRAIN)
        end = self.clock.monotonic() + self.drain_seconds
        while not slots.empty() and (left := end - self.clock.monotonic()) > 0:
            if self._told_to_leave(left):
                return

    def _sign_off(self, me: Registered, held: list[Claimed]) -> None:
        """Give back what still runs, so that others need not wait for its lease to end; its threads are fenced."""
        try:
            for claimed in held:
                self._give_back(claimed)
            roster.sign_off(me.id, now=self.clock.now())
        except DatabaseError as error:  # lost, or not the tables any more that this version knows
            _log.warning("agent_not_signed_off", agent=me.owner, error=str(error).strip())
        else:
            _log.info("agent_stopped", agent=me.owner)

    def _give_back(self, claimed: Claimed) -> None:
        try:
            claims.release(claimed, now=self.clock.now())
        except Fenced as fenced:
            _log.info("job_not_given_back", job=claimed.id, reason=fenced.what)
