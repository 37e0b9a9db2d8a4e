"""Results that agents make; for agents, which see everything."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from opilio.curation.models import Result, ResultState
from opilio.jobs import queue

_MOST = 1_000  # in one look


@dataclass(frozen=True, kw_only=True)
class ToMake:
    """A result that is to be made, as its row says."""

    harvest: int
    number: int
    parent: int
    change: dict[str, Any]
    note: str
    by: str


def to_make(result_id: int) -> ToMake | None:
    """A result that is being made; None when it is ready, failed or gone."""
    row = (
        Result.objects.filter(pk=result_id, state__in=(ResultState.MODIFYING, ResultState.INDEXING), number__gt=1)
        .select_related("made_by").first()
    )  # fmt: skip
    if row is None or row.derived_from is None:
        return None
    return ToMake(
        harvest=row.harvest_id, number=row.number, parent=row.derived_from, change=row.change,
        note=row.provenance_note, by=row.made_by.username if row.made_by else "system",
    )  # fmt: skip


def place_of(result_id: int) -> tuple[int, int] | None:
    """Harvest and number of a result that has files; None when there is none."""
    rows = Result.objects.filter(pk=result_id, imported=False, harvest__purged=False)
    found: tuple[int, int] | None = rows.values_list("harvest_id", "number").first()
    return found


def orphans() -> Iterator[int]:
    """Results that a job should make, and whose job is finished or gone."""
    rows = Result.objects.filter(state=ResultState.MODIFYING).order_by("id").values_list("id", "job")[:_MOST]
    page = list(rows)
    alive = queue.unfinished_among([job for _, job in page if job is not None])
    yield from (identifier for identifier, job in page if job not in alive)
