"""Times between people and the catalogue: stored in UTC, shown and asked for in the reader's zone."""

import datetime
import functools
import zoneinfo

from django.utils import dateformat, translation
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import pgettext

from opilio.people.actor import Actor

UTC = datetime.UTC


def zone_of(actor: Actor | None) -> datetime.tzinfo:
    """The zone in which somebody reads times."""
    try:
        return zoneinfo.ZoneInfo(actor.time_zone) if actor else UTC
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return UTC  # a zone that the system's tables no longer know


def name_of(zone: datetime.tzinfo, now: datetime.datetime) -> str:
    """A zone as people read it beside times: Europe/Paris (UTC+01:00)."""
    name, offset = str(zone), now.astimezone(zone).isoformat()[-6:]
    return name if name == "UTC" else f"{name} (UTC{offset})"


def shown(moment: datetime.datetime, zone: datetime.tzinfo) -> str:
    """A moment as people read it: 2 Jan 2026, 14:05; in German: 2. Jan. 2026, 14:05."""
    return _shown(moment, zone, translation.get_language())


def drawn(moment: datetime.datetime, zone: datetime.tzinfo, *, mark: str = "") -> SafeString:
    """The same on a page, with a mark behind it; pointing at it shows the UTC."""
    told = shown(moment, zone) + mark
    return format_html('<time datetime="{}" title="{}">{}</time>', machine(moment), exact(moment), told)


def date(day: datetime.date) -> str:
    """A day of the calendar as people read it: 2 Jan 2026; in German: 2. Jan. 2026."""
    return dateformat.format(day, pgettext("date", "j M Y"))


def drawn_date(day: datetime.date) -> SafeString:
    """The same on a page."""
    return format_html('<time datetime="{}">{}</time>', day.isoformat(), date(day))


def day(moment: datetime.datetime, zone: datetime.tzinfo) -> str:
    """The day of a moment, where there is little room: 02 Jan."""
    return dateformat.format(moment.astimezone(zone), pgettext("day", "d M"))


def exact(moment: datetime.datetime) -> str:
    """The same in UTC, to the second."""
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def machine(moment: datetime.datetime) -> str:
    """The same for programs."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


@functools.lru_cache(maxsize=5_000)  # rows of lists are shown again and again
def _shown(moment: datetime.datetime, zone: datetime.tzinfo, language: str) -> str:
    """The language is the one in force; it is an argument because the words depend on it."""
    return dateformat.format(moment.astimezone(zone), pgettext("moment", "j M Y, H:i"))


def start_of(day: datetime.date, zone: datetime.tzinfo) -> datetime.datetime:
    """When a day begins in a zone."""
    return datetime.datetime.combine(day, datetime.time.min, tzinfo=zone).astimezone(UTC)
