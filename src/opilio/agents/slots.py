"""The jobs that an agent runs at the moment, each in a thread of its own, and how each is settled when it ends."""

import random
import threading
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial

from django.db import connections

from opilio.agents import runners
from opilio.agents.context import RunContext, Stop
from opilio.agents.runners import Runners
from opilio.agents.shield import caught, persistently
from opilio.agents.verdict import Verdict, spoken, verdict
from opilio.jobs import claims
from opilio.jobs.claims import Claimed
from opilio.jobs.errors import Fenced
from opilio.kernel.clock import Clock
from opilio.kernel.logs import bound, logger
from opilio.kernel.traces import span

_log = logger(__name__)


class Slots:
    """At most `count` running jobs, beside those of kinds that have `room` of their own."""

    def __init__(
        self,
        count: int,
        *,
        runners: Runners,
        clock: Clock,
        lease: timedelta,
        freed: Callable[[], None],
        ended: threading.Event,
        room: Mapping[str, int] | None = None,
    ) -> None:
        self._count = count
        self._room = dict(room or {})
        self._runners = runners
        self._clock = clock
        self._lease = lease
        self._freed = freed
        self._ended = ended  # the agent gives up waiting for the database
        self._running: dict[tuple[int, int], RunContext] = {}
        self._change = threading.Condition()
        self._random = random.Random()  # noqa: S311 - spreads retries, guards nothing

    def free(self, kind: str = "") -> int:
        """How many more jobs can be started, of a kind with room of its own or of all others."""
        with self._change:
            kinds = [context.claimed.kind for context in self._running.values()]
        if kind in self._room:
            return self._room[kind] - kinds.count(kind)
        return self._count - sum(one not in self._room for one in kinds)

    def held(self) -> list[Claimed]:
        """The jobs whose leases are to be renewed."""
        with self._change:
            return [context.claimed for context in self._running.values()]

    def start(self, claimed: Claimed) -> None:
        """Run the job in a thread; a thread that never ends dies with the process."""
        context = RunContext(claimed, clock=self._clock, lease=self._lease)
        with self._change:
            self._running[claimed.epoch, claimed.id] = context
        name = f"job {claimed.id} ({claimed.kind})"
        threading.Thread(target=self._work, args=(context,), name=name, daemon=True).start()

    def tell(self, job_id: int, reason: Stop) -> None:
        """Tell the runner of one job to stop."""
        with self._change:
            contexts = [context for context in self._running.values() if context.claimed.id == job_id]
        for context in contexts:
            context.tell(reason)

    def tell_all(self, reason: Stop) -> None:
        """Tell every runner to stop."""
        for claimed in self.held():
            self.tell(claimed.id, reason)

    def empty(self) -> bool:
        """Whether nothing runs."""
        with self._change:
            return not self._running

    def _work(self, context: RunContext) -> None:
        claimed = context.claimed
        try:
            with bound(job=claimed.id, kind=claimed.kind, attempt=claimed.attempt, correlation=claimed.correlation):
                with span("job", job=claimed.id, kind=claimed.kind, attempt=claimed.attempt):
                    error = caught(partial(runners.run, self._runners, context))
                connections.close_all()  # whatever the runner left open, also a broken transaction
                self._settle(context, error)
        finally:
            connections.close_all()
            with self._change:
                del self._running[claimed.epoch, claimed.id]
            self._freed()

    def _settle(self, context: RunContext, error: Exception | None) -> None:
        decided = verdict(error, finished=context.finished, stop=context.stop_reason)
        if decided in (Verdict.RETRY, Verdict.BURY) or (context.finished and error is not None):
            _log.error("job_failed", verdict=decided.value, exc_info=error)
        try:
            settled = persistently(partial(self._carry_out, decided, context.claimed, error), wait=self._ended.wait)
        except Fenced as fenced:
            _log.warning("job_fenced", reason=fenced.what)
        else:
            _log.info("job_ended", verdict=decided.value, recorded=settled)

    def _carry_out(self, decided: Verdict, claimed: Claimed, error: Exception | None) -> None:
        now = self._clock.now()
        if decided is Verdict.COMPLETE:
            claims.complete(claimed, now=now)
        elif decided is Verdict.RELEASE:
            claims.release(claimed, now=now)
        elif decided is Verdict.ABANDON:
            claims.abandon(claimed, "Stopped by order", now=now)
        elif error is not None and decided in (Verdict.RETRY, Verdict.BURY):
            jitter, final = self._random.random(), decided is Verdict.BURY
            claims.fail(claimed, spoken(error), now=now, jitter=jitter, final=final)
