"""The mark by which the archive knows a result that must stay; a job writes or removes it where the files lie."""

from dataclasses import dataclass
from datetime import datetime

from opilio.curation.models import HarvestState, Result, ResultState
from opilio.jobs import queue
from opilio.jobs.payload import job


@job(kind="curation.mark_result", max_attempts=20)
@dataclass(frozen=True, kw_only=True)
class MarkResult:
    """Let the mark of a result follow its state; what the state is, the job reads itself."""

    result: int


@dataclass(frozen=True, kw_only=True)
class Marks:
    """Which marks a result has to have."""

    harvest: int
    number: int
    endorsed: bool
    archived: bool
    note: str


def mark_soon(row: Result, now: datetime) -> None:
    """Have the mark follow what was decided just now."""
    # The version is part of the key, so that a job that runs already does not swallow a later decision.
    queue.enqueue(MarkResult(result=row.pk), now=now, dedup_key=f"{row.pk} {row.version}")


def wanted_marks(result_id: int) -> Marks | None:
    """What the archive has to know; None for a result without files here, or one that is gone."""
    row = Result.objects.filter(pk=result_id, imported=False).select_related("harvest", "decided_by").first()
    if row is None or row.harvest.purged:
        return None
    endorsed = row.state == ResultState.ENDORSED
    by = f" by {row.decided_by.username}" if row.decided_by else ""
    at = f" at {row.decided_at:%Y-%m-%dT%H:%M:%SZ}" if row.decided_at else ""
    return Marks(
        harvest=row.harvest_id, number=row.number, endorsed=endorsed,
        archived=endorsed and row.harvest.state == HarvestState.ARCHIVED, note=f"endorsed{by}{at}",
    )  # fmt: skip
