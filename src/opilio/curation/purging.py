"""When the data of a harvest may be removed, and why not yet: fourteen days after it was archived or rejected, seven
after it was aborted; archived ones only with a receipt that was read and checked; never what later harvests need.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from opilio.curation.harvest_folders import folder_of
from opilio.curation.models import Deposit, DepositState, Harvest, HarvestState, Result
from opilio.jobs import queue
from opilio.jobs.payload import job
from opilio.jobs.states import Priority
from opilio.people.parameters import value

#: The states after which data may be removed at all.
OVER = (HarvestState.ARCHIVED, HarvestState.REJECTED, HarvestState.ABORTED)


@job(kind="curation.purge_harvest", max_attempts=5)
@dataclass(frozen=True, kw_only=True)
class PurgeHarvest:
    """Remove the data of a harvest, where it lies."""

    harvest: int
    by: str = ""  # who wanted it; empty: the daily chore


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """Whether the data of a harvest may go."""

    due: datetime | None  # when it may; None: never as it is
    why_not: str = ""  # empty: now

    @property
    def allowed(self) -> bool:
        """Whether it may go now."""
        return not self.why_not


def days_of(state: str) -> int:
    """So many days the data stays after a harvest came into a state."""
    return int(value("purge_aborted_days" if state == HarvestState.ABORTED else "purge_archived_days"))


def judged(harvest: Harvest, now: datetime) -> Judgement:
    """The judgement that the catalogue alone can give; what lies on disk is looked at before anything is removed."""
    if harvest.purged:
        return Judgement(due=None, why_not="It was purged already.")
    if harvest.state not in OVER:
        label = HarvestState(harvest.state).label.lower()
        return Judgement(due=None, why_not=f"It is {label}; only archived, rejected and aborted harvests are purged.")
    if harvest.state == HarvestState.ARCHIVED and not received(harvest):
        return Judgement(due=None, why_not="No depository has given a receipt that was checked.")
    due = ended(harvest) + timedelta(days=days_of(harvest.state))
    if due > now:
        return Judgement(due=due, why_not=f"Its data is kept until {due:%Y-%m-%d}.")
    waiting = follower(harvest)
    if waiting is not None:
        return Judgement(due=due, why_not=f"Harvest {waiting} goes by it and is not over.")
    return Judgement(due=due)


def ended(harvest: Harvest) -> datetime:
    """From when on the days are counted."""
    if harvest.state != HarvestState.ABORTED and harvest.archived_at is not None:
        return harvest.archived_at
    return harvest.state_since


def received(harvest: Harvest) -> bool:
    """Whether a depository has the harvest, and what it has was read again."""
    done = Deposit.objects.filter(harvest_id=harvest.pk, state=DepositState.DONE)
    return any(row.archive_id and row.receipt.get("check") for row in done)


def follower(harvest: Harvest) -> int | None:
    """A harvest that is under way and asks only for what changed since this one."""
    under_way = (HarvestState.QUEUED, HarvestState.RUNNING, HarvestState.PAUSED, HarvestState.STOPPING)
    found = Harvest.objects.filter(since_id=harvest.pk, state__in=(*under_way, HarvestState.PATCHING))
    return found.values_list("pk", flat=True).first()


def standing_on(harvest_id: int) -> Iterator[Path]:
    """The folders of later harvests that may refer to this one: those that went by it, and by those in turn.

    One in between that was purged may be gone by, too: what it referred to, its followers refer to.
    """
    edge, known = {harvest_id}, {harvest_id}
    while edge:
        rows = Harvest.everything.filter(since_id__in=sorted(edge)).exclude(pk__in=sorted(known))
        with_data = dict(rows.values_list("pk", "purged"))
        edge = set(with_data)
        known |= edge
        kept = [each for each in sorted(edge) if not with_data[each]]
        captured = set(Result.everything.filter(harvest_id__in=kept).values_list("harvest_id", flat=True))
        yield from (folder_of(each).path for each in kept if each in captured)


def purge_soon(harvest_id: int, now: datetime, *, by: str = "") -> int:
    """Have the data removed by an agent that has it; the identifier of the job."""
    made = queue.enqueue(PurgeHarvest(harvest=harvest_id, by=by), now=now, priority=Priority.LOW,
                         dedup_key=str(harvest_id))  # fmt: skip
    return made.id


def due_now(now: datetime, *, archived: bool, most: int = 500) -> list[int]:
    """Harvests whose days are over, the longest first."""
    states = OVER if archived else OVER[1:]
    rows = Harvest.objects.filter(state__in=states, purged=False).order_by("state_since", "pk")
    found = (row.pk for row in rows.iterator() if judged(row, now).allowed)
    return [each for _, each in zip(range(most), found, strict=False)]
