"""What a report is: its words, its parameters, its columns, and where its rows come from."""

import datetime
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from opilio.kernel.errors import InvalidInput, Missing
from opilio.people.actor import Actor

Cells = tuple[Any, ...]
MOST_DAYS = 36_600  # of a span


class NoSuchReport(Missing):
    """There is no report of this name."""


class BadSpan(InvalidInput):
    """A span of time that ends before it begins, or is longer than a century."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The parameters of one report; those that it does not have are ignored."""

    since: datetime.datetime
    until: datetime.datetime  # exclusive
    agency: int | None = None
    user: str = ""
    kind: str = ""  # target or group; empty: both

    @property
    def span(self) -> datetime.timedelta:
        """How long the time is."""
        return self.until - self.since


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column of a report."""

    name: str
    label: str
    numeric: bool = False


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One bar of a report's picture."""

    label: str
    value: float


@dataclass(frozen=True, kw_only=True)
class Declared:
    """One report."""

    name: str
    label: str
    sentence: str
    parameters: tuple[str, ...]  # of since, until, agency, user, kind
    columns: tuple[Column, ...]
    rows: Callable[[Actor, Asked, int | None], Iterator[Cells]]  # the number limits how many are read
    bars: Callable[[Actor, Asked], Sequence[Bar]] | None = None
    measure: str = ""  # what the bars count


def span(
    since: datetime.date | None, until: datetime.date | None, *, today: datetime.date, zone: datetime.tzinfo
) -> tuple[datetime.datetime, datetime.datetime]:
    """Whole days in the asker's zone; the last 30 days unless told otherwise."""
    last = until or max(today, since or today)
    first = since or last - datetime.timedelta(days=29)
    if first > last or (last - first).days > MOST_DAYS or last.year > 9000:
        remedy = "Write the earlier day first, and no more than a century."
        raise BadSpan(f"the time from {first} to {last} cannot be reported on", where="since, until", remedy=remedy)
    return _start(first, zone), _start(last + datetime.timedelta(days=1), zone)


def _start(day: datetime.date, zone: datetime.tzinfo) -> datetime.datetime:
    moment = datetime.datetime.combine(day, datetime.time.min, tzinfo=zone)
    return moment.astimezone(datetime.UTC) if day.year > 1 else moment.replace(tzinfo=datetime.UTC)
