"""Readings of kept files, and how it stands with them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Q, QuerySet, Sum
from django.db.models.functions import TruncDate

from opilio.curation import fixity
from opilio.curation.models import FixityCheck, Harvest, HarvestState
from opilio.curation.sight import seen
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege, Subject
from opilio.people.queries.visible import one
from opilio.works.fixity import Copies

_DAYS = 60  # of the plot


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How it stands with what is kept."""

    kept: int  # harvests
    read: int  # within the period
    never: int
    damaged: int  # harvests with damage that is left
    days: int  # of the period; 0: nothing is read by itself


@dataclass(frozen=True, kw_only=True)
class DayRead:
    """What was read on one day."""

    day: date
    bytes: int
    damaged: int


def checks(actor: Actor) -> QuerySet[FixityCheck]:
    """Readings of harvests of the agencies in which the asker works."""
    rows: QuerySet[FixityCheck] = FixityCheck.objects.select_related(
        "harvest", "harvest__abstract_target", "harvest__agency"
    )
    return seen(rows, actor, agency_path="harvest__agency_id")


def check(actor: Actor, identifier: int) -> FixityCheck:
    """One reading, or `NotFound`."""
    found: FixityCheck = one(checks(actor), "fixity check", identifier)
    return found


def standing(actor: Actor) -> Standing:
    """The numbers above the list."""
    rows = seen(fixity.kept(), actor)
    span = fixity.period()
    recent = Q(read_at__gt=actor.clock.now() - span) if span is not None else Q(read_at__isnull=False)
    return Standing(
        kept=rows.count(), read=rows.filter(recent).count(), never=rows.filter(read_at=None).count(),
        damaged=len(damaged_harvests(actor)), days=span.days if span is not None else 0,
    )  # fmt: skip


def damaged_harvests(actor: Actor) -> set[int]:
    """The harvests whose newest reading of some place left damage."""
    found = checks(actor).filter(damaged__gt=0).values_list("harvest_id", flat=True).distinct()
    return {harvest for harvest in found if damage(harvest)}


def damage(harvest_id: int) -> Sequence[str]:
    """The damaged files of a harvest, as its newest readings found them; for its pages."""
    newest: dict[str, FixityCheck] = {}
    for row in FixityCheck.objects.filter(harvest_id=harvest_id, failure="").order_by("id"):
        newest[row.place] = row
    return [
        f"{each['name']}: {each['what']}"
        for row in newest.values()
        for each in row.details
        if row.damaged > row.repaired and not each.get("repaired")
    ]


def days(actor: Actor) -> Sequence[DayRead]:
    """What was read on each of the last days, for the plot."""
    since = actor.clock.now() - timedelta(days=_DAYS)
    rows = checks(actor).filter(ended_at__gte=since).order_by().annotate(day=TruncDate("ended_at")).values("day")
    sums = rows.annotate(size=Sum("bytes"), wrong=Sum("damaged")).order_by("day")
    return [DayRead(day=row["day"], bytes=row["size"], damaged=row["wrong"]) for row in sums]


def copies_to_read(harvest_id: int) -> Copies | None:
    """Where the copies of a harvest are; None when nothing of it is kept. For agents."""
    row = Harvest.objects.filter(pk=harvest_id, state__in=fixity.KEPT).first()
    if row is None or (row.purged and row.state != HarvestState.ARCHIVED):
        return None
    return fixity.copies_of(row)


def may(actor: Actor, row: Harvest) -> bool:
    """Whether the asker may have a harvest read."""
    return actor.may(Privilege.ARCHIVE_HARVEST, Subject(agency=row.agency_id, owner=row.owner_id))
