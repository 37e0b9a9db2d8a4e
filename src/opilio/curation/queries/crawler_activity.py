"""Harvests for the report on what crawlers did: those that began, and whose run lies in a time."""

import datetime

from django.db.models import Count, F, Q, QuerySet, Sum
from django.db.models.functions import TruncDay, TruncMonth

from opilio.curation.models import Harvest
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.people.queries.visible import visible

_MONTHS_FROM = datetime.timedelta(days=92)


def runs(
    actor: Actor, *, since: datetime.datetime, until: datetime.datetime, agency: int | None = None, user: str = ""
) -> QuerySet[Harvest]:
    """Harvests past the queue whose run overlaps the time; one that runs still has no end yet."""
    overlap = Q(started_at__lt=until) & (Q(ended_at__isnull=True) | Q(ended_at__gte=since))
    rows: QuerySet[Harvest] = visible(
        Harvest.objects.filter(overlap), actor, Privilege.SYSTEM_REPORT_LEVEL_1, agency_path="agency_id"
    )
    rows = rows.filter(agency_id=agency) if agency is not None else rows
    rows = rows.filter(owner__username__iexact=user) if user else rows
    rows = rows.select_related("abstract_target", "agency", "owner", "figures")
    return rows.order_by("started_at", "id")


def bytes_by_day(rows: QuerySet[Harvest], span: datetime.timedelta) -> list[tuple[str, int, int]]:
    """For each day, or month of a long time, on which harvests began: how many, and the bytes that they brought."""
    long = span > _MONTHS_FROM
    place = (TruncMonth if long else TruncDay)("started_at", tzinfo=datetime.UTC)
    found = (
        rows.order_by().annotate(day=place).values("day").annotate(n=Count("pk"), size=Sum(F("figures__data_amount")))
    )
    return [(f"{row['day']:%Y-%m}" if long else f"{row['day']:%Y-%m-%d}", row["n"], row["size"] or 0)
            for row in found.order_by("day")]  # fmt: skip
