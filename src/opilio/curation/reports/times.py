"""The time that a report is on: days, or moments to the second, in the zone of whoever asks."""

import datetime
import re

from opilio.kernel.errors import InvalidInput

Given = datetime.date | datetime.datetime
MOST_DAYS = 36_600  # of a span
_SECOND = datetime.timedelta(seconds=1)
_FORM = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?", re.ASCII)


class BadSpan(InvalidInput):
    """A span of time that ends before it begins, or is longer than a century."""


def given(text: str, where: str) -> Given | None:
    """What somebody wrote: a day, or a moment; None for nothing."""
    clean = text.strip()
    if not clean:
        return None
    try:
        if not _FORM.fullmatch(clean):
            raise ValueError(clean)
        return datetime.datetime.fromisoformat(clean) if len(clean) > 10 else datetime.date.fromisoformat(clean)
    except ValueError:
        remedy = "Write it as 2026-01-31, or to the second as 2026-01-31T14:05:09."
        raise BadSpan(f"{text[:40]!r} is neither a day nor a moment", where=where, remedy=remedy) from None


def span(
    since: Given | None, until: Given | None, *, today: datetime.date, zone: datetime.tzinfo
) -> tuple[datetime.datetime, datetime.datetime]:
    """From the beginning to the end, which is no part of it; whole days, or seconds. 30 days unless told otherwise."""
    last = until or max(today, _day(since) if since else today)
    first = since or _day(last) - datetime.timedelta(days=29)
    if not _usable(_day(first), _day(last)):
        raise _bad(first, last)
    begin, end = _begin(first, zone), _end(last, zone)
    if begin >= end:
        raise _bad(first, last)
    return begin, end


def _usable(first: datetime.date, last: datetime.date) -> bool:
    return first <= last and (last - first).days <= MOST_DAYS and last.year <= 9000


def _bad(first: Given, last: Given) -> BadSpan:
    remedy = "Write the earlier one first, and no more than a century."
    return BadSpan(f"the time from {first} to {last} cannot be reported on", where="since, until", remedy=remedy)


def _day(value: Given) -> datetime.date:
    return value.date() if isinstance(value, datetime.datetime) else value


def _begin(value: Given, zone: datetime.tzinfo) -> datetime.datetime:
    if isinstance(value, datetime.datetime):
        return _utc(value, zone)
    return _utc(datetime.datetime.combine(value, datetime.time.min), zone)


def _end(value: Given, zone: datetime.tzinfo) -> datetime.datetime:
    """Behind the last second of the day, or behind the second that was named."""
    if isinstance(value, datetime.datetime):
        return _utc(value, zone) + _SECOND
    return _begin(value + datetime.timedelta(days=1), zone)


def _utc(moment: datetime.datetime, zone: datetime.tzinfo) -> datetime.datetime:
    if moment.year <= 1:
        return moment.replace(tzinfo=datetime.UTC)
    placed = moment if moment.tzinfo else moment.replace(tzinfo=zone)
    return placed.astimezone(datetime.UTC)
