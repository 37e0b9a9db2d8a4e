"""The background work of deposits: the payload class, and how a deposit is handed to the agents."""

from dataclasses import dataclass
from datetime import datetime

from opilio.curation.harvest_jobs import tag_of
from opilio.curation.models import Deposit
from opilio.jobs import queue
from opilio.jobs.payload import job

KIND = "curation.deposit_result"
MOST_ATTEMPTS = 8  # of a depository that does not answer, and of agents that fall


@job(kind=KIND, max_attempts=MOST_ATTEMPTS)
@dataclass(frozen=True, kw_only=True)
class DepositResult:
    """Pack an endorsed result, hand it to its depository, and read again what went there."""

    deposit: int


def deposit_soon(deposit: Deposit, now: datetime) -> int:
    """Let an agent do it; the identifier of the job. There is never more than one."""
    made = queue.enqueue(
        DepositResult(deposit=deposit.pk), now=now, dedup_key=str(deposit.pk), tag=tag_of(deposit.harvest.agency_id)
    )
    return made.id
