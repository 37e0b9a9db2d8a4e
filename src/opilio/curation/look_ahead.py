"""Which times of a schedule are planned now: a window of days ahead, and always at least the next one. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from opilio.curation.cron import times
from opilio.curation.cron.parsing import parse
from opilio.curation.cron.zones import zone

WINDOW = timedelta(days=90)
_JUST_BEFORE = timedelta(microseconds=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Dates:
    """What of a schedule decides its times."""

    cron: str
    time_zone: str
    start: datetime
    end: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Outlook:
    """Times to plan, in UTC, and the first one after them."""

    ticks: tuple[datetime, ...]
    following: datetime | None
    until: datetime | None  # the last time that is planned


def outlook(dates: Dates, now: datetime, *, after: datetime | None = None, window: timedelta = WINDOW) -> Outlook:
    """The times after now within the window, and at least the next; up to `after` all is planned already.

    The next time is planned however far away it is: a schedule is never without its next harvest.
    """
    begin = max(now, dates.start - _JUST_BEFORE, after or now)
    horizon = now + window
    last = min(horizon, dates.end) if dates.end else horizon
    ticks = times.between(parse(dates.cron), zone(dates.time_zone), begin, last)
    following = next_time(dates, ticks[-1] if ticks else begin)
    if not ticks and following is not None and (after is None or after <= now):
        ticks, following = [following], next_time(dates, following)
    return Outlook(ticks=tuple(ticks), following=following, until=ticks[-1] if ticks else after)


def next_time(dates: Dates, after: datetime) -> datetime | None:
    """The first time of a schedule after a moment, within its dates."""
    begin = max(after, dates.start - _JUST_BEFORE)
    found = times.following(parse(dates.cron), zone(dates.time_zone), begin)
    return None if found is None or (dates.end and found > dates.end) else found


def next_times(dates: Dates, after: datetime, most: int) -> list[datetime]:
    """The first times of a schedule after a moment, within its dates."""
    begin = max(after, dates.start - _JUST_BEFORE)
    found = times.coming(parse(dates.cron), zone(dates.time_zone), begin, most)
    return [moment for moment in found if dates.end is None or moment <= dates.end]
