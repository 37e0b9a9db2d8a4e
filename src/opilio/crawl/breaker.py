"""The circuit breaker of a host: after errors in a row it rests, then one request tries it, and its fate decides.

Two numbers hold all of it, so that the crawl store keeps it in two columns: errors in a row, and the end of the rest.
"""

from dataclasses import dataclass, replace
from enum import StrEnum


class State(StrEnum):
    """How a host stands."""

    CLOSED = "closed"  # requests flow
    OPEN = "open"  # the host rests
    HALF_OPEN = "half-open"  # the rest is over: one request may try


class Event(StrEnum):
    """What happened."""

    SUCCESS = "success"  # the host answered
    FAILURE = "failure"  # it did not, or asked for peace
    LIMIT = "limit"  # a failure, and the last that is borne
    RESTED = "rested"  # the rest is over


MOVES: dict[tuple[State, Event], State] = {
    (State.CLOSED, Event.SUCCESS): State.CLOSED,
    (State.CLOSED, Event.FAILURE): State.CLOSED,
    (State.CLOSED, Event.LIMIT): State.OPEN,
    (State.OPEN, Event.RESTED): State.HALF_OPEN,
    (State.OPEN, Event.SUCCESS): State.CLOSED,  # an answer to a request from before
    (State.OPEN, Event.FAILURE): State.OPEN,
    (State.HALF_OPEN, Event.SUCCESS): State.CLOSED,
    (State.HALF_OPEN, Event.FAILURE): State.OPEN,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Fuse:
    """When a breaker opens, and for how long."""

    limit: int = 10  # errors in a row
    rest: float = 300.0  # seconds of the first rest; each further one is twice as long
    longest: float = 4 * 3600.0  # seconds


@dataclass(frozen=True, kw_only=True, slots=True)
class Breaker:
    """The breaker of one host."""

    failures: int = 0  # in a row
    broken_until: float = 0.0  # seconds since 1970

    def state(self, fuse: Fuse, now: float) -> State:
        """How the host stands now."""
        if self.failures < fuse.limit:
            return State.CLOSED
        return State.OPEN if now < self.broken_until else MOVES[State.OPEN, Event.RESTED]

    def rests(self, fuse: Fuse) -> int:
        """How many rests in a row it has had; many mean that the host is dead."""
        return max(self.failures - fuse.limit + 1, 0)

    def succeeded(self) -> "Breaker":
        """After an answer."""
        return Breaker()

    def failed(self, fuse: Fuse, now: float) -> "Breaker":
        """After an error. One that comes while the host rests changes nothing."""
        before = self.state(fuse, now)
        if before is State.OPEN:
            return self
        failures = self.failures + 1
        event = Event.LIMIT if before is State.CLOSED and failures >= fuse.limit else Event.FAILURE
        if MOVES[before, event] is State.CLOSED:
            return replace(self, failures=failures)
        doublings = min(failures - fuse.limit, 40)
        return Breaker(failures=failures, broken_until=now + min(fuse.rest * 2**doublings, fuse.longest))
