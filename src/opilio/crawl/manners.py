"""How long a host is left in peace between two requests, and why. Pure: state and time in, new state out.

Times are seconds since 1970, as the crawl store keeps them. `ledger` asks these functions; `breaker` and `bandwidth`
are its neighbours. docs/explanation/politeness.md tells the whole in words.
"""

import math
import re
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum

from opilio.crawl import plan
from opilio.crawl.breaker import Breaker, Fuse, State
from opilio.crawl.plan import Preset

_SECONDS = re.compile(r"[0-9]+")
#: Statuses by which a server says that it is asked too often.
TOO_MANY = frozenset({429, 503})


@dataclass(frozen=True, kw_only=True, slots=True)
class Pace:
    """The terms on which hosts are asked."""

    delay: float = 3.0  # seconds between requests, at least
    max_delay: float = 30.0  # seconds that `factor` may ask for
    factor: float = 5.0  # pause = factor × response time
    crawl_delay_cap: float = 30.0  # seconds of Crawl-delay that are obeyed
    retry_after_cap: float = 24 * 3600.0  # seconds of Retry-After that are obeyed
    backoff: float = 30.0  # seconds after the first 429 or 503; doubled by each that follows
    backoff_cap: float = 3600.0  # seconds
    parallel: int = 1  # requests to a host at the same time
    host_bandwidth: int | None = None  # bytes per second
    fuse: Fuse = field(default_factory=Fuse)


PRESETS: dict[Preset, Pace] = {
    Preset.GENTLE: Pace(factor=10, delay=9, max_delay=90, crawl_delay_cap=180, host_bandwidth=400_000),
    Preset.NORMAL: Pace(factor=5, delay=3, max_delay=30, crawl_delay_cap=30, host_bandwidth=800_000),
    Preset.BRISK: Pace(factor=1, delay=1, max_delay=10, crawl_delay_cap=2, host_bandwidth=2_000_000),
    Preset.OWN_SITE: Pace(factor=0, delay=0, max_delay=0, crawl_delay_cap=0, backoff=1),
}


def pace_of(manners: plan.Manners, *, parallel: int = 1) -> Pace:
    """The terms of a plan: its preset, changed where the plan says so."""
    given = {
        name: getattr(manners, name)
        for name in ("delay", "max_delay", "factor", "crawl_delay_cap", "host_bandwidth")
        if getattr(manners, name) is not None
    }
    if "host_bandwidth" in given:
        given["host_bandwidth"] = plan.limit(manners.host_bandwidth)
    preset = PRESETS[manners.preset]
    return replace(preset, parallel=parallel, fuse=replace(preset.fuse, limit=manners.breaker), **given)


class Why(StrEnum):
    """What a host is waited for."""

    DELAY = "the delay between requests"
    BUSY = "an earlier request is not done"
    BLOCKED = "the server asked to wait"
    BROKEN = "the host rests after errors"


@dataclass(frozen=True, kw_only=True, slots=True)
class Wait:
    """Not yet."""

    seconds: float  # infinite: until an earlier request is done
    why: Why


@dataclass(frozen=True, kw_only=True, slots=True)
class Delay:
    """Seconds between requests, and what asked for them."""

    seconds: float
    because: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """How a request ended."""

    seconds: float  # from the first byte sent to the last received
    status: int | None  # None: no answer at all
    retry_after: float | None = None  # seconds, as `parse_retry_after` read them

    @property
    def failed(self) -> bool:
        """Whether it speaks against the host: no answer, an error of the server, or too many requests."""
        return self.status is None or self.status >= 500 or self.status in TOO_MANY


@dataclass(frozen=True, kw_only=True, slots=True)
class HostManners:
    """What must be remembered of a host. The first five fields are columns of the crawl store."""

    next_due: float = 0.0
    delay: float = 0.0  # seconds, as last worked out
    block_until: float = 0.0  # by Retry-After or back-off
    failures: int = 0  # errors in a row
    broken_until: float = 0.0
    crawl_delay: float | None = None  # seconds, from robots.txt
    granted: float = -math.inf  # when the last request was allowed
    in_flight: int = 0  # requests that were allowed and are not done
    response: float = 0.0  # seconds that the last answer took

    @property
    def breaker(self) -> Breaker:
        """Its circuit breaker."""
        return Breaker(failures=self.failures, broken_until=self.broken_until)


_SOUND = Breaker().succeeded()


def delay_for(pace: Pace, *, response: float | None, crawl_delay: float | None) -> Delay:
    """The longest of: the configured delay, factor × response time up to a limit, Crawl-delay up to its cap."""
    found = [Delay(seconds=pace.delay, because="the configured delay")]
    if response is not None:
        adapted = min(pace.factor * max(response, 0.0), pace.max_delay)
        found.append(Delay(seconds=adapted, because=f"{pace.factor:g} × the response time"))
    if crawl_delay is not None:
        obeyed = min(crawl_delay, pace.crawl_delay_cap)
        cut = f", cut from {crawl_delay:g} s" if obeyed < crawl_delay else ""
        found.append(Delay(seconds=obeyed, because=f"Crawl-delay{cut}"))
    return max(found, key=lambda delay: delay.seconds)


def wait(state: HostManners, pace: Pace, now: float) -> Wait | None:
    """What stands against a request now, the longest if there are several; None when nothing does."""
    due = max(state.next_due, state.granted + _gap(state, pace))
    if state.in_flight == 0 and now >= due and now >= state.block_until and now >= state.broken_until:
        return None
    breaker = state.breaker.state(pace.fuse, now)
    busy = state.in_flight >= (1 if breaker is State.HALF_OPEN else pace.parallel)
    found = (
        Wait(seconds=math.inf if busy else 0.0, why=Why.BUSY),
        Wait(seconds=state.block_until - now, why=Why.BLOCKED),
        Wait(seconds=state.broken_until - now if breaker is State.OPEN else 0.0, why=Why.BROKEN),
        Wait(seconds=due - now, why=Why.DELAY),
    )
    longest = max(found, key=lambda one: one.seconds)
    return longest if longest.seconds > 0 else None


def granted(state: HostManners, pace: Pace, now: float) -> HostManners:
    """After a request was allowed."""
    return HostManners(  # what `replace` would give, in half the time: made for every request
        next_due=max(state.next_due, now + _gap(state, pace)),
        delay=state.delay,
        block_until=state.block_until,
        failures=state.failures,
        broken_until=state.broken_until,
        crawl_delay=state.crawl_delay,
        granted=now,
        in_flight=state.in_flight + 1,
        response=state.response,
    )


def answered(state: HostManners, pace: Pace, answer: Answer, now: float) -> HostManners:
    """After a request was done. With one request at a time the delay counts from its end."""
    failed = answer.failed
    breaker = state.breaker.failed(pace.fuse, now) if failed else _SOUND
    delay = _seconds(pace, answer.seconds, state.crawl_delay)
    start = now if pace.parallel == 1 else state.granted
    block = _block(pace, answer, breaker.failures, now) if failed else 0.0
    return HostManners(
        next_due=max(state.next_due, start + delay),
        delay=delay,
        block_until=max(state.block_until, block),
        failures=breaker.failures,
        broken_until=breaker.broken_until,
        crawl_delay=state.crawl_delay,
        granted=state.granted,
        in_flight=max(state.in_flight - 1, 0),
        response=max(answer.seconds, 0.0),
    )


def told(state: HostManners, pace: Pace, crawl_delay: float | None, now: float) -> HostManners:
    """After robots.txt said so, or no longer does: it counts from its own answer on."""
    changed = replace(state, crawl_delay=crawl_delay)
    if crawl_delay is None or state.granted == -math.inf:
        return changed
    return replace(changed, next_due=max(state.next_due, now + _gap(changed, pace)))


def repaced(state: HostManners, pace: Pace) -> HostManners:
    """On other terms: a wait that has begun becomes as long as if they had held when it began."""
    if state.granted == -math.inf:
        return state
    changed = replace(state, delay=_seconds(pace, state.response, state.crawl_delay))
    if state.in_flight or pace.parallel > 1:
        return replace(changed, next_due=state.granted + _gap(changed, pace))
    return replace(changed, next_due=state.next_due - state.delay + changed.delay)


def restored(state: HostManners, pace: Pace, now: float, *, certain: bool = False) -> HostManners:
    """A state from the store.

    Waits longer than any that we impose come from a clock that went back: they are cut. Unless it is `certain` that
    nothing was asked after the state was stored, a request may just have been: then a whole delay is waited.
    """
    gap = _seconds(pace, 0.0, state.crawl_delay)
    return replace(
        state,
        next_due=max(min(state.next_due, now + max(state.delay, gap)), now + (0.0 if certain else gap)),
        block_until=min(state.block_until, now + max(pace.retry_after_cap, pace.backoff_cap)),
        broken_until=min(state.broken_until, now + pace.fuse.longest),
        granted=-math.inf if certain else now,
        in_flight=0,
    )


def shifted(state: HostManners, seconds: float) -> HostManners:
    """The same waits on a clock that shows `seconds` more."""
    return replace(
        state,
        next_due=state.next_due + seconds,
        block_until=state.block_until + seconds if state.block_until else 0.0,
        broken_until=state.broken_until + seconds if state.broken_until else 0.0,
        granted=state.granted + seconds,
    )


def parse_retry_after(value: str | None, now: datetime) -> float | None:
    """Seconds that a Retry-After header asks for; None when it says nothing that can be understood (RFC 9110 §10.2.3).

    `now` is the server's Date where it sent one, so that its clock may be wrong.
    """
    text = (value or "").strip()
    if _SECONDS.fullmatch(text):
        return float(text[:12])
    try:
        at = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    aware = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
    return max((aware - now).total_seconds(), 0.0)


def _gap(state: HostManners, pace: Pace) -> float:
    """Seconds from one grant to the next. With one request at a time, its end will say more."""
    least = _seconds(pace, 0.0, state.crawl_delay)
    return least if pace.parallel == 1 else max(least, state.delay)


def _seconds(pace: Pace, response: float, crawl_delay: float | None) -> float:
    """What `delay_for` says, without its words."""
    adapted = pace.factor * response if response > 0.0 else 0.0
    longest = pace.max_delay if adapted > pace.max_delay else adapted
    if crawl_delay:
        longest = max(longest, min(crawl_delay, pace.crawl_delay_cap))
    return pace.delay if pace.delay > longest else longest


def _block(pace: Pace, answer: Answer, failures: int, now: float) -> float:
    """Until when the server wants peace: what it asked for, and at least the growing back-off."""
    asked = min(answer.retry_after, pace.retry_after_cap) if answer.retry_after is not None else 0.0
    if answer.status not in TOO_MANY:
        return now + asked if answer.failed and asked else 0.0
    backoff = min(pace.backoff * 2.0 ** min(max(failures - 1, 0), 40), pace.backoff_cap)
    return now + max(asked, backoff)
