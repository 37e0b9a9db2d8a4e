"""What a runner is given beside its payload: how to show progress, notice that it should stop, and finish."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from enum import Enum

from opilio.jobs import claims
from opilio.jobs.claims import Claimed
from opilio.kernel.clock import Clock
from opilio.kernel.errors import OpilioError

_BETWEEN_REPORTS = 1.0  # seconds


class Stop(Enum):
    """Why a runner should stop."""

    DRAIN = "the agent ends"
    ORDER = "a person stopped it"
    LOST = "the lease is lost"


class Interrupted(OpilioError):
    """A runner left, as it was told to, at a point where nothing is half done."""


class RunContext:
    """One attempt at one job, as its runner sees it."""

    def __init__(self, claimed: Claimed, *, clock: Clock, lease: timedelta) -> None:
        self.claimed = claimed
        self.clock = clock
        self.finished = False  # nothing is left for the agent to settle
        self.stop_reason: Stop | None = None
        self.before_end: Callable[[], object] = lambda: None  # what must be done before effects are written down
        self._lease = lease
        self._told = threading.Event()
        self._reported: float | None = None

    def should_stop(self) -> bool:
        """Whether the runner should leave as soon as it can; ask often."""
        return self._told.is_set()

    def wait(self, seconds: float) -> bool:
        """Sleep, but not past the moment at which the runner should stop; True if that came."""
        return self._told.wait(seconds)

    def check(self) -> None:
        """Leave the runner here, by Interrupted, if it should stop."""
        if self._told.is_set():
            reason = self.stop_reason.value if self.stop_reason else "it was told to"
            raise Interrupted(f"The runner stopped: {reason}", where=f"job {self.claimed.id}")

    def tell(self, reason: Stop) -> None:
        """Called by the agent; the first reason stays, but a lost lease outweighs the others."""
        if self.stop_reason is None or reason is Stop.LOST:
            self.stop_reason = reason
        self._told.set()

    def heartbeat(self) -> None:
        """Renew the lease now, or raise Fenced; before something dear that must not be done in vain."""
        claims.heartbeat(self.claimed, now=self.clock.now(), lease=self._lease)

    def require_ours(self) -> None:
        """The same, unless the job is over: what is left to do then harms nobody."""
        if not self.finished:
            self.heartbeat()

    def progress(self, percent: int | None, words: str = "") -> None:
        """Say how far the job is; of reports that come faster than one a second, some are left out."""
        moment = self.clock.monotonic()
        if self._reported is None or moment - self._reported >= _BETWEEN_REPORTS:
            self._reported = moment
            claims.report(self.claimed, percent=percent, words=words)

    def put_off(self, until: datetime) -> None:
        """Give the job back for later, without the loss of an attempt; the runner must return then."""
        claims.release(self.claimed, now=until)
        self.finished = True

    @contextmanager
    def finishing(self) -> Iterator[None]:
        """Write the effects of the job in this block: they are committed together with its completion, or not at all.

        Keep it short, and do nothing in it that a rollback cannot take back.
        """
        self.before_end()
        with claims.finishing(self.claimed, now=self.clock.now()):
            yield
        self.finished = True
