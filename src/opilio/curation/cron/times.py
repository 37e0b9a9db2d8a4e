"""The moments of a cron expression in a time zone, by whole months: it jumps, it never steps from second to second.

The rule for clocks that are turned: a time that is skipped counts at the first moment after the gap, one that
comes twice counts the first time, and no moment counts twice.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

from opilio.curation.cron.expression import Cron
from opilio.curation.cron.fields import FIRST_YEAR, LAST_YEAR
from opilio.curation.cron.zones import offsets

_DAY = 86_400
_EPOCH = date(1970, 1, 1).toordinal()
_SLACK = timedelta(days=2)
_FIRST = datetime(FIRST_YEAR, 1, 4, tzinfo=UTC)
_LAST = datetime(LAST_YEAR, 12, 31, tzinfo=UTC)


def between(cron: Cron, zone: ZoneInfo, after: datetime, until: datetime) -> list[datetime]:
    """All moments after `after` up to and with `until`, in order, in UTC."""
    low, high = after.timestamp(), until.timestamp()
    found: list[int] = []
    for year, month in _months(cron, zone, after, until):
        found += _of_month(cron, zone, year, month)
    return [datetime.fromtimestamp(moment, UTC) for moment in dict.fromkeys(found) if low < moment <= high]


def coming(cron: Cron, zone: ZoneInfo, after: datetime, most: int) -> list[datetime]:
    """The first `most` moments after `after`."""
    return list(islice(_moments(cron, zone, after), most))


def following(cron: Cron, zone: ZoneInfo, after: datetime) -> datetime | None:
    """The first moment after `after`; None if there is none up to the last year that can be named."""
    return next(_moments(cron, zone, after), None)


def _moments(cron: Cron, zone: ZoneInfo, after: datetime) -> Iterator[datetime]:
    low = last = after.timestamp()
    for year, month in _months(cron, zone, after, None):
        for moment in _of_month(cron, zone, year, month):
            if moment > low and moment != last:
                last = moment
                yield datetime.fromtimestamp(moment, UTC)


def _months(cron: Cron, zone: ZoneInfo, after: datetime, until: datetime | None) -> Iterator[tuple[int, int]]:
    """The months of the expression whose times may lie between; slack for clocks turned at their edges."""
    first = max(after, _FIRST).astimezone(zone) - _SLACK
    last = min(until or _LAST, _LAST).astimezone(zone) + _SLACK
    for year in range(first.year, min(last.year, LAST_YEAR) + 1):
        if cron.years is not None and year not in cron.years:
            continue
        for month in cron.months:
            early = (year, month) < (first.year, first.month)
            late = (year, month) > (last.year, last.month)
            if not early and not late:
                yield year, month


def _of_month(cron: Cron, zone: ZoneInfo, year: int, month: int) -> list[int]:
    """The moments of a local month, in order; where clocks are turned, one may stand twice."""
    days, times = cron.days.fit(year, month), cron.day_times
    if not days:
        return []
    midnight = (date(year, month, 1).toordinal() - _EPOCH - 1) * _DAY
    clock = offsets(zone, year)
    even = clock.even(midnight + days[0] * _DAY, midnight + (days[-1] + 1) * _DAY)
    if even is not None:
        base = midnight - even
        return [base + day * _DAY + time for day in days for time in times]
    return [clock.utc(midnight + day * _DAY + time) for day in days for time in times]
