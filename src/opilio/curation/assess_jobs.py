"""The background work that measures a result and recommends what to do with it; agents do it."""

from dataclasses import dataclass
from datetime import datetime

from opilio.jobs import queue
from opilio.jobs.payload import job
from opilio.jobs.states import Priority


@job(kind="curation.assess_result", max_attempts=5)
@dataclass(frozen=True, kw_only=True)
class AssessResult:
    """Measure a result that is ready for review."""

    result: int


def assess_soon(result_id: int, now: datetime) -> None:
    """Have a result assessed, where its files lie; one that waits for it already is assessed once."""
    queue.enqueue(AssessResult(result=result_id), now=now, priority=Priority.LOW, dedup_key=str(result_id))
