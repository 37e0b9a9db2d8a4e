"""Divides the line between running harvests: restrictions by weekday and time, shares given by hand, the rest evenly.

Pure. Without any restriction there is no limit; once one exists, a time outside all of them has a limit of 0.
"""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum


class Weekday(IntEnum):
    """Days as Python counts them."""

    MONDAY = 0
    TUESDAY = 1
    WEDNESDAY = 2
    THURSDAY = 3
    FRIDAY = 4
    SATURDAY = 5
    SUNDAY = 6


@dataclass(frozen=True, kw_only=True)
class Restriction:
    """How many kB/s all harvests together may receive on a weekday between two times of the day."""

    weekday: Weekday
    start: datetime.time  # the first moment
    end: datetime.time  # the first moment after it; midnight means the end of the day
    limit: int  # kB/s

    def holds(self, local: datetime.datetime) -> bool:
        """Whether it is in force at this local time."""
        moment = local.time()
        return local.weekday() == self.weekday and self.start <= moment and (moment < self.end or _midnight(self.end))

    def overlaps(self, other: "Restriction") -> bool:
        """Whether there is a moment at which both would be in force."""
        mine, theirs = _span(self), _span(other)
        return self.weekday == other.weekday and mine[0] < theirs[1] and theirs[0] < mine[1]


@dataclass(frozen=True, kw_only=True)
class Share:
    """A running or paused harvest, with the percentage that somebody gave it."""

    harvest: int
    percent: int | None = None  # None: an equal part of what the others leave


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What an installation sets."""

    most_by_hand: int = 80  # percent of the line that shares by hand may take together beside others
    least: int = 10  # kB/s below which a harvest is not worth starting


DEFAULT = Rules()


def limit_at(restrictions: Iterable[Restriction], local: datetime.datetime) -> int | None:
    """kB/s in force at a local time; None means without limit."""
    rows = list(restrictions)
    if not rows:
        return None
    return max((row.limit for row in rows if row.holds(local)), default=0)


def allocate(limit: int | None, shares: Sequence[Share], rules: Rules = DEFAULT) -> Mapping[int, int | None]:
    """kB/s of each harvest; None means without limit."""
    if limit is None:
        return {share.harvest: None for share in shares}
    by_hand = {share.harvest: share.percent for share in shares if share.percent is not None}
    rest = [share.harvest for share in shares if share.percent is None]
    given = _by_hand(limit, by_hand, rules, alone=not rest)
    left = limit - sum(given.values())
    return {**given, **{harvest: max(0, left) // len(rest) for harvest in rest}}


def _by_hand(limit: int, percents: Mapping[int, int], rules: Rules, *, alone: bool) -> dict[int, int]:
    """One alone gets its percentage, or all where nobody else runs; several share a part in proportion."""
    total = sum(percents.values())
    if not total:
        return dict.fromkeys(percents, 0)
    if len(percents) == 1:
        return {harvest: limit if alone else limit * percent // 100 for harvest, percent in percents.items()}
    part = limit if alone else limit * rules.most_by_hand // 100
    return {harvest: part * percent // total for harvest, percent in percents.items()}


def refusal(limit: int | None, running: Sequence[Share], newcomer: Share, rules: Rules = DEFAULT) -> str:
    """Why a newcomer must wait; empty: it may begin. Nobody without a share by hand may fall below the least."""
    if limit is None:
        return ""
    if limit < rules.least:
        return f"the limit of the line is {limit} kB/s, and a harvest needs {rules.least}"
    given = allocate(limit, [*running, newcomer], rules)
    standard = [share.harvest for share in (*running, newcomer) if share.percent is None]
    poor = [harvest for harvest in standard if (given[harvest] or 0) < rules.least]
    return f"{len(poor)} harvests would have less than {rules.least} kB/s each" if poor else ""


def _midnight(moment: datetime.time) -> bool:
    return moment == datetime.time()


def _span(row: Restriction) -> tuple[int, int]:
    """First and last second of the day, exclusive."""
    seconds = [moment.hour * 3_600 + moment.minute * 60 + moment.second for moment in (row.start, row.end)]
    return seconds[0], seconds[1] or 86_400
