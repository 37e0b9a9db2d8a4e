"""How long a sign-in must wait after failures: a few are free, then each wait doubles, up to a limit.

Failures are counted by user name and by address, each for itself, in the database: a restart forgives nobody.
"""

import datetime
from dataclasses import dataclass

from opilio.people.models import SignInThrottle

_FORGET_AFTER = datetime.timedelta(days=1)


@dataclass(frozen=True, kw_only=True)
class Rules:
    """After how many failures waiting begins, and how long it grows."""

    free_failures: int
    first_delay: float  # seconds
    max_delay: float  # seconds


def delay(failures: int, rules: Rules) -> float:
    """Seconds to wait after so many failures in a row."""
    beyond = failures - rules.free_failures
    return 0.0 if beyond < 0 else min(rules.max_delay, rules.first_delay * 2.0 ** min(beyond, 32))


def wait_left(keys: dict[str, str], now: datetime.datetime) -> float:
    """Seconds until a sign-in with these keys (kind → value) may be tried again."""
    rows = [
        row
        for kind, value in keys.items()
        for row in SignInThrottle.objects.filter(kind=kind, value=_key(value), wait_until__gt=now)
    ]
    return max(((row.wait_until - now).total_seconds() for row in rows), default=0.0)


def count_failure(keys: dict[str, str], now: datetime.datetime, rules: Rules) -> float:
    """Note a failure; the seconds until the next try."""
    return max((_count(kind, _key(value), now, rules) for kind, value in keys.items()), default=0.0)


def forgive(kind: str, value: str) -> None:
    """Forget the failures of a user name after a success (those of an address run out by themselves)."""
    SignInThrottle.objects.filter(kind=kind, value=_key(value)).delete()


def forget_old(now: datetime.datetime) -> int:
    """Drop rows whose last failure is long past."""
    return SignInThrottle.objects.filter(last_failure__lt=now - _FORGET_AFTER, wait_until__lt=now).delete()[0]


def _count(kind: str, value: str, now: datetime.datetime, rules: Rules) -> float:
    row, _ = SignInThrottle.objects.select_for_update().get_or_create(
        kind=kind, value=value, defaults={"wait_until": now, "last_failure": now}
    )
    fresh = now - row.last_failure > _FORGET_AFTER
    row.failures = 1 if fresh else row.failures + 1
    seconds = delay(row.failures, rules)
    row.wait_until, row.last_failure = now + datetime.timedelta(seconds=seconds), now
    row.save(update_fields=["failures", "wait_until", "last_failure"])
    return seconds


def _key(value: str) -> str:
    return value.lower()[:255]
