"""A schedule for people: its sentence, its warnings, its next times."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from opilio.curation.cron.checks import warnings
from opilio.curation.cron.parsing import parse
from opilio.curation.cron.words import explain
from opilio.curation.look_ahead import Dates, next_times

if TYPE_CHECKING:
    from opilio.curation.models import Schedule

SHOWN = 5  # next times


@dataclass(frozen=True, kw_only=True)
class Told:
    """What a schedule means."""

    sentence: str
    warnings: tuple[str, ...]
    times: tuple[datetime, ...]  # in UTC; empty unless a moment was given


def told_of(row: "Schedule", after: datetime | None = None) -> Told:
    """The words of a schedule, and its next times after a moment."""
    cron = parse(row.cron)
    dates = Dates(cron=row.cron, time_zone=row.time_zone, start=row.start, end=row.end)
    times = next_times(dates, after, SHOWN) if after is not None else []
    return Told(sentence=explain(cron), warnings=warnings(cron), times=tuple(times))


def explained(cron: str) -> tuple[str, tuple[str, ...]]:
    """An expression in words, and what its author should know."""
    found = parse(cron)
    return explain(found), warnings(found)
