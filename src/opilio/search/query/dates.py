"""Dates in a query: a year, a month or a day (UTC), and the seconds at which they begin and end."""

import datetime
import re
from typing import Final

_DATE: Final = re.compile(r"(\d{4})(?:[-/.]?(\d{1,2}))?(?:[-/.]?(\d{1,2}))?", re.ASCII)
_DAY: Final = datetime.timedelta(days=1)
_EPOCH: Final = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


def as_date(text: str) -> str:
    """The date in its one form (`2026`, `2026-11`, `2026-11-16`); empty when it is none."""
    found = _DATE.fullmatch(text.strip())
    if found is None:
        return ""
    parts = [int(part) for part in found.groups() if part is not None]
    try:
        datetime.date(*[*parts, 1, 1][:3])
    except ValueError:
        return ""
    return "-".join([f"{parts[0]:04d}", *(f"{part:02d}" for part in parts[1:])])


def begins(date: str) -> int:
    """Seconds since 1970 at which a date of `as_date` begins."""
    parts = [int(part) for part in date.split("-")]
    year, month, day = [*parts, 1, 1][:3]
    return int((datetime.datetime(year, month, day, tzinfo=datetime.UTC) - _EPOCH).total_seconds())


def ends(date: str) -> int:
    """Seconds since 1970 at which the year, month or day is over."""
    parts = [int(part) for part in date.split("-")]
    if len(parts) == 3:
        return begins(date) + int(_DAY.total_seconds())
    year, month = (parts[0], parts[1] + 1) if len(parts) == 2 and parts[1] < 12 else (parts[0] + 1, 1)
    if year > datetime.MAXYEAR:
        return begins(f"{datetime.MAXYEAR}-12-31") + int(_DAY.total_seconds())
    return begins(f"{year:04d}-{month:02d}")
