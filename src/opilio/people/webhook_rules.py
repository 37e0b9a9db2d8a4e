"""When a message to a webhook is tried again, given up, and when a webhook is switched off: pure decisions.

A message is tried at most eight times within about a day. After a failure the whole webhook rests for a while, so that
one address that does not answer keeps agents from nothing else.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

#: After the first, second … failed try of a message; 23 h 42 min in all.
WAITS = tuple(
    timedelta(seconds=seconds) for seconds in (30, 120, 600, 1_800, 7_200, 21_600, 54_000)
)  # 30 s, 2 min, 10 min, 30 min, 2 h, 6 h, 15 h
MOST_TRIES = len(WAITS) + 1
LONGEST = timedelta(hours=24)  # that a message waits in all
LONGEST_REST = timedelta(hours=1)  # of a webhook
MOST_FAILURES = 25  # tries of one webhook that fail in a row; then it is switched off
GONE = 410  # HTTP: the address says that it is no more


@dataclass(frozen=True, kw_only=True)
class AfterFailure:
    """What follows when a try failed."""

    next_at: datetime | None  # of the message; None: it is given up
    resting_until: datetime  # of the webhook
    stop: bool  # whether the webhook is switched off


def after_failure(*, tries: int, failures: int, asked_at: datetime, now: datetime, status: int | None) -> AfterFailure:
    """Decide; `tries` of the message and `failures` in a row of the webhook count the one that just failed."""
    rest = min(WAITS[min(failures, len(WAITS)) - 1], LONGEST_REST)
    again = now + WAITS[tries - 1] if tries < MOST_TRIES else None
    if again is not None and again > asked_at + LONGEST:
        again = None
    gone = status == GONE
    return AfterFailure(
        next_at=None if gone else again,
        resting_until=now + rest,
        stop=gone or failures >= MOST_FAILURES,
    )


def too_old(asked_at: datetime, now: datetime) -> bool:
    """Whether a message waited so long, behind others, that it is given up untried."""
    return now > asked_at + LONGEST
