"""The background work of takedowns that destroy, and which harvests it is done to."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from opilio.curation.models import Harvest, HarvestState, Takedown
from opilio.curation.takedown_rules import where_of
from opilio.jobs import queue
from opilio.jobs.payload import job
from opilio.works.redact_reach import RedactionOrder

KIND = "curation.destroy_captures"
_NEVER_BEGUN = (HarvestState.SCHEDULED, HarvestState.QUEUED)


@job(kind=KIND, max_attempts=20)
@dataclass(frozen=True, kw_only=True)
class DestroyCaptures:
    """Destroy what a takedown reaches in one harvest, where it lies."""

    takedown: int
    harvest: int


def harvests_of(row: Takedown) -> QuerySet[Harvest]:
    """The harvests that a takedown may reach: one, those of a target, or all of its agency."""
    rows: QuerySet[Harvest] = Harvest.objects.filter(agency_id=row.agency_id).exclude(state__in=_NEVER_BEGUN)
    if row.harvest_id is not None:
        rows = rows.filter(pk=row.harvest_id)
    if row.target_id is not None:
        rows = rows.filter(abstract_target_id=row.target_id)
    return rows.order_by("-pk")


def order_of(row: Takedown) -> RedactionOrder:
    """The takedown as the engines understand it."""
    return RedactionOrder(
        name=f"takedown {row.pk}", where=where_of(row.reach, row.value), captured_from=row.captured_from,
        captured_to=row.captured_to,
    )  # fmt: skip


def destroy_soon(row: Takedown, now: datetime) -> int:
    """Have it done to every harvest that it may reach; how many."""
    numbers = list(harvests_of(row).values_list("pk", flat=True))
    for number in numbers:
        payload = DestroyCaptures(takedown=row.pk, harvest=number)
        queue.enqueue(payload, now=now, dedup_key=f"{row.pk}:{number}", tag=tag_of(row.pk))
    return len(numbers)


def tag_of(takedown: int) -> str:
    """How the jobs of a takedown are found."""
    return f"takedown {takedown}"


def under_way(takedown: int) -> int:
    """How many harvests still wait for it."""
    return queue.unfinished_tagged(KIND, tag_of(takedown))
