"""Whether an expression makes sense as a schedule: it fires, not too often, and in months that have its days."""

import calendar
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from opilio.curation.cron import times
from opilio.curation.cron.errors import FiresTooOften, NeverFires
from opilio.curation.cron.expression import Cron
from opilio.curation.cron.words import MONTHS, WEEKDAYS, joined, ordinal

#: The least distance between two moments of a schedule, unless the caller knows better.
LEAST = timedelta(hours=1)
_DAY = 86_400
_CYCLE = 28  # years after which, but for 2100, the weekdays of dates come again
_LONGEST = {month: 29 if month == 2 else calendar.monthrange(2001, month)[1] for month in range(1, 13)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """A schedule that can be used."""

    first: datetime  # the next moment, in UTC
    warnings: tuple[str, ...]


def check(
    cron: Cron,
    zone: ZoneInfo,
    *,
    now: datetime,
    start: datetime | None = None,
    end: datetime | None = None,
    least: timedelta = LEAST,
) -> Checked:
    """`FiresTooOften` or `NeverFires`, or the first moment and what its author should know."""
    too_often(cron, least)
    after = max(now, start - timedelta(microseconds=1)) if start else now
    first = times.following(cron, zone, after)
    if first is None:
        raise NeverFires("this never happens", where=cron.text[:80], remedy=_remedy(cron, after.year))
    if end is not None and first > end:
        what = f"the first time would be {first:%Y-%m-%d}, after the schedule ends"
        raise NeverFires(what, where=cron.text[:80], remedy="Choose a later end, or none.")
    return Checked(first=first, warnings=warnings(cron))


def too_often(cron: Cron, least: timedelta = LEAST) -> None:
    """`FiresTooOften` if two moments lie closer together; turned clocks are not counted."""
    day = cron.day_times
    gap = min((after - before for before, after in pairwise(day)), default=_DAY)
    over_night = _DAY - day[-1] + day[0]
    if over_night < min(gap, least.total_seconds()) and _neighbours(cron):
        gap = over_night
    if gap < least.total_seconds():
        what = f"it would happen every {_spoken(gap)} or so, and {_spoken(int(least.total_seconds()))} is the least"
        remedy = "Give one second and one minute, and hours that lie further apart."
        raise FiresTooOften(what, where=cron.text[:80], remedy=remedy)


def warnings(cron: Cron) -> tuple[str, ...]:
    """Which months lack the days that are asked for."""
    found = []
    asked = sorted(cron.days.of_month.numbers | cron.days.of_month.nearest)
    for day in [] if cron.days.of_month.star else [day for day in asked if day > 28]:
        lacking = [month for month in cron.months if _LONGEST[month] < day]
        rare = ["February but for leap years"] if day == 29 and 2 in cron.months else []
        if named := [*(MONTHS[month - 1] for month in lacking), *rare]:
            found.append(f"There is no {ordinal(day)} in {joined(named)}: nothing happens there. L means the last day.")
    for weekday, place in sorted(cron.days.of_week.nth):
        if place == 5:
            found.append(f"Many months have no fifth {WEEKDAYS[weekday]}: nothing happens there.")
    return tuple(found)


def _neighbours(cron: Cron) -> bool:
    """Whether two days in a row may fit."""
    first = cron.years[0] if cron.years else 2001
    days = [
        date(year, month, day).toordinal()
        for year in range(first, first + _CYCLE)
        if cron.years is None or year in cron.years
        for month in cron.months
        for day in cron.days.fit(year, month)
    ]
    return any(after - before == 1 for before, after in pairwise(days))


def _remedy(cron: Cron, year: int) -> str:
    if cron.years is not None and cron.years[-1] < year:
        return f"Its years end with {cron.years[-1]}: name a coming year, or write * (field 7, year)."
    if cron.years is not None:
        return "Name further years, or write * (field 7, year)."
    return "Its months have no such day: choose other days or months (day of month and month)."


def _spoken(seconds: int) -> str:
    for size, name in ((3600, "hour"), (60, "minute"), (1, "second")):
        if seconds % size == 0:
            count = seconds // size
            return name if count == 1 else f"{count} {name}s"
    return f"{seconds} seconds"
