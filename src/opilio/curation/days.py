"""Which day it is: permissions hold by days, and a day begins where their agency is."""

import zoneinfo
from datetime import UTC, date, datetime, time, timedelta

_A_DAY = timedelta(days=1)


def day_in(now: datetime, zone: str) -> date:
    """The day at this moment in a zone."""
    return now.astimezone(_zone(zone)).date()


def start_of(day: date, zone: str) -> datetime:
    """When a day begins in a zone."""
    return datetime.combine(day, time(), tzinfo=_zone(zone)).astimezone(UTC)


def end_of(day: date, zone: str) -> datetime | None:
    """When the next day begins; None for the last day that can be written."""
    return start_of(day + _A_DAY, zone) if day < date.max - _A_DAY else None


def _zone(name: str) -> zoneinfo.ZoneInfo:
    return zoneinfo.ZoneInfo(name or "UTC")
