"""How often pages change, and how often a target should therefore be harvested. Pure.

Changes are taken as a Poisson process. A check only tells whether there was a change since the one before, so that the
plain share underrates what changes often; the estimator of Cho and Garcia-Molina (2003, §4) puts that right, and half a
check that found nothing keeps it finite. For checks at unequal times the same is found by the largest likelihood.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

LEAST_CHECKS = 4  # of a page
LEAST_COMPARISONS = 3  # of harvests of a target
TOLERATED = 0.2  # share of pages that may have changed before the next harvest
_Z = 1.96  # of 95 per cent
_HIGHEST = 1_000.0  # changes per day; more cannot be told apart
#: Days between harvests → how people call it.
FREQUENCIES: tuple[tuple[int, str], ...] = (
    (1, "daily"), (2, "every second day"), (3, "every third day"), (7, "weekly"), (14, "every two weeks"),
    (30, "monthly"), (61, "every two months"), (91, "quarterly"), (182, "half-yearly"), (365, "yearly"),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What one harvest found changed since the one before."""

    days: float
    checked: int  # pages that were there both times
    changed: int


@dataclass(frozen=True, kw_only=True)
class Rate:
    """Changes per day and page, with the interval in which it lies with a probability of 95 per cent."""

    per_day: float
    low: float
    high: float | None  # None: it cannot be said how high
    checks: int
    changes: int


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """How often to harvest."""

    days: int
    name: str
    exact: float  # days after which the tolerated share has changed
    least: float  # the same for the highest and the lowest rate of the interval
    most: float


def page_rate(*, checks: int, changes: int, days: float) -> Rate | None:
    """The rate of one page that was checked so often over so many days; None: not enough evidence."""
    if checks < LEAST_CHECKS or days <= 0:
        return None
    interval = days / checks
    low, high = _wilson(changes, checks)
    return Rate(
        per_day=math.log((checks + 0.5) / (checks - changes + 0.5)) / interval,
        low=-math.log1p(-low) / interval if low else 0.0, high=-math.log1p(-high) / interval if high < 1 else None,
        checks=checks, changes=changes,
    )  # fmt: skip


def target_rate(comparisons: Sequence[Comparison]) -> Rate | None:
    """The rate of the pages of a target; None: not enough evidence.

    Pages that change together, as with a new design, are no evidence of their own: the interval comes from leaving
    out one harvest after the other (jackknife).
    """
    told = [one for one in comparisons if one.days > 0 and one.checked > 0]
    if len(told) < LEAST_COMPARISONS:
        return None
    rate, number = _likeliest(told), len(told)
    without = [_likeliest([*told[:place], *told[place + 1 :]]) for place in range(number)]
    middle = sum(without) / number
    error = math.sqrt((number - 1) / number * sum((one - middle) ** 2 for one in without))
    return Rate(
        per_day=rate, low=max(0.0, rate - _Z * error), high=rate + _Z * error,
        checks=sum(one.checked for one in told), changes=sum(one.changed for one in told),
    )  # fmt: skip


def suggestion(rate: Rate) -> Suggestion:
    """The rarest frequency at which no more than the tolerated share of pages has changed; at most daily."""
    exact = _until(rate.per_day)
    days, name = max((one for one in FREQUENCIES if one[0] <= exact), default=FREQUENCIES[0])
    return Suggestion(
        days=days, name=name, exact=exact, least=_until(rate.high) if rate.high is not None else 0.0,
        most=_until(rate.low),
    )  # fmt: skip


def share_after(rate: Rate, days: float) -> float:
    """The share of pages that is expected to have changed after so many days."""
    return 1 - math.exp(-rate.per_day * days)


def _until(per_day: float) -> float:
    return -math.log(1 - TOLERATED) / per_day if per_day > 0 else math.inf


def _likeliest(told: Sequence[Comparison]) -> float:
    checks = sum(one.checked for one in told)
    mean = sum(one.days * one.checked for one in told) / checks
    unchanged = sum((one.checked - one.changed) * one.days for one in told) + 0.5 * mean
    if not any(one.changed for one in told):
        return 0.0
    low, high = 0.0, _HIGHEST
    for _ in range(80):
        middle = (low + high) / 2
        expected = sum(one.changed * _weight(middle, one.days) for one in told)
        low, high = (middle, high) if expected > unchanged else (low, middle)
    return (low + high) / 2


def _weight(rate: float, days: float) -> float:
    power = rate * days
    return days / math.expm1(power) if power < 700 else 0.0


def _wilson(found: int, of: int) -> tuple[float, float]:
    """The interval of a share."""
    share, square = found / of, _Z * _Z
    middle = (share + square / (2 * of)) / (1 + square / of)
    width = _Z / (1 + square / of) * math.sqrt(share * (1 - share) / of + square / (4 * of * of))
    return max(0.0, middle - width) if found else 0.0, min(1.0, middle + width) if found < of else 1.0
