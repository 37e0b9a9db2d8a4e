"""The background work of a patch: its payload, and how it is handed to the agents."""

from dataclasses import dataclass
from datetime import datetime

from opilio.curation.models import Result
from opilio.jobs import queue
from opilio.jobs.payload import job

FOLDER = "patches"  # in the folder of a harvest; below it one for each result
IMPORTS = "imports"  # in the folder of a harvest; below it one for each upload


@job(kind="curation.patch_result", max_attempts=20)
@dataclass(frozen=True, kw_only=True)
class PatchResult:
    """Fetch what a result lacks, or go on with it."""

    result: int  # that is to have it


def patch_soon(result: Result, now: datetime) -> int:
    """Let the next free agent take it; the identifier of the job. There is never more than one."""
    made = queue.enqueue(PatchResult(result=result.pk), now=now, dedup_key=str(result.pk))
    Result.objects.filter(pk=result.pk).update(job=made.id)
    return made.id
