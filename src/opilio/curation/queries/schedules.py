"""Schedules, schedule patterns and planned harvests, as the asker may see them."""

from dataclasses import dataclass
from datetime import datetime, tzinfo

from django.db.models import Count, QuerySet

from opilio.curation.cron.patterns import SHIPPED
from opilio.curation.models import Harvest, HarvestState, Schedule, SchedulePattern
from opilio.curation.sight import seen
from opilio.people.actor import Actor
from opilio.people.queries.visible import one

WAITING = (HarvestState.SCHEDULED, HarvestState.QUEUED)


@dataclass(frozen=True, kw_only=True)
class Offered:
    """A pattern that can be chosen."""

    number: int
    name: str
    cron: str


def schedules(actor: Actor) -> QuerySet[Schedule]:
    """Schedules of targets and groups that the asker may see."""
    rows: QuerySet[Schedule] = Schedule.objects.filter(abstract_target__deleted=False)
    found = rows.select_related("abstract_target__agency", "owner", "updated_by")
    return seen(found, actor, agency_path="abstract_target__agency_id")


def schedule(actor: Actor, identifier: int) -> Schedule:
    """One schedule, or `NotFound`."""
    return one(schedules(actor), "schedule", identifier)


def schedules_of(actor: Actor, holder_id: int) -> list[Schedule]:
    """The schedules of one target or group."""
    return list(schedules(actor).filter(abstract_target_id=holder_id).order_by("start", "id"))


def patterns(actor: Actor) -> QuerySet[SchedulePattern]:
    """The schedule patterns of the installation; everybody may see them."""
    rows: QuerySet[SchedulePattern] = SchedulePattern.objects.select_related("updated_by")
    return rows


def pattern(actor: Actor, identifier: int) -> SchedulePattern:
    """One schedule pattern, or `NotFound`."""
    return one(patterns(actor), "schedule pattern", identifier)


def offered_patterns() -> list[Offered]:
    """The patterns that can be chosen: those of the installation, and those that every installation starts with."""
    rows = [Offered(number=row.number, name=row.name, cron=row.cron) for row in SchedulePattern.objects.all()]
    known = {row.number for row in rows}
    shipped = [Offered(number=number, name=name, cron=cron) for number, (name, cron) in SHIPPED.items()]
    return sorted([*rows, *(one for one in shipped if one.number not in known)], key=lambda found: found.name)


def planned(actor: Actor) -> QuerySet[Harvest]:
    """Harvests that wait, of targets and groups that the asker may see."""
    rows: QuerySet[Harvest] = Harvest.objects.filter(state__in=WAITING)
    return seen(rows.select_related("abstract_target", "schedule", "owner", "agency", "updated_by"), actor)


def planned_harvest(actor: Actor, identifier: int) -> Harvest:
    """One harvest that waits, or `NotFound`."""
    return one(planned(actor), "planned harvest", identifier)


def load_by_day(rows: QuerySet[Harvest], first: datetime, last: datetime, zone: tzinfo) -> dict[str, int]:
    """How many of these harvests are planned for each day between two moments, by the days of a zone.

    Schedules let many harvests begin at one moment: the database counts those, and days are made of the sums. SQLite
    would call into Python for each harvest to know its day.
    """
    there = rows.filter(scheduled_at__gte=first, scheduled_at__lt=last).order_by()
    days: dict[str, int] = {}
    for at, number in there.values_list("scheduled_at").annotate(number=Count("pk")):
        day = at.astimezone(zone).date().isoformat()
        days[day] = days.get(day, 0) + number
    return days
