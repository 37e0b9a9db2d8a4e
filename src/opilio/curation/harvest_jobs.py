"""The background work of harvests: payload classes, and how a harvest is handed to the agents."""

from dataclasses import dataclass
from datetime import datetime

from opilio.curation.models import Harvest, Priority
from opilio.jobs import queue
from opilio.jobs.models import Job
from opilio.jobs.payload import job
from opilio.jobs.states import JobState
from opilio.jobs.states import Priority as JobPriority

RUN_KIND = "curation.run_harvest"
HELP_KIND = "curation.help_harvest"
_MOST_ATTEMPTS = 50  # an agent that is killed uses one up; the crawl goes on where it was
_FIRST = 10  # of a launch, before all planned ones


@job(kind=RUN_KIND, max_attempts=_MOST_ATTEMPTS)
@dataclass(frozen=True, kw_only=True)
class RunHarvest:
    """Crawl what was frozen, or go on with it."""

    harvest: int


@job(kind=HELP_KIND, max_attempts=_MOST_ATTEMPTS)
@dataclass(frozen=True, kw_only=True)
class HelpHarvest:
    """Take part in a harvest that another agent leads, until it ends."""

    harvest: int
    seat: int  # from 2


@job(kind="curation.index_harvest", max_attempts=10)
@dataclass(frozen=True, kw_only=True)
class IndexHarvest:
    """Let reviewers find the pages of a harvest that ended."""

    harvest: int


def index_soon(harvest: int, now: datetime) -> None:
    """Have a sealed harvest put into the working index."""
    queue.enqueue(IndexHarvest(harvest=harvest), now=now, priority=JobPriority.LOW, dedup_key=str(harvest))


def hand_over(harvest: Harvest, now: datetime) -> int:
    """Let the next free agent take a harvest; the identifier of the job. There is never more than one."""
    made = queue.enqueue(
        RunHarvest(harvest=harvest.pk), now=now, priority=_priority(harvest), dedup_key=str(harvest.pk),
        tag=tag_of(harvest.agency_id), for_agent=harvest.wanted_agent,
    )  # fmt: skip
    return made.id


def ask_for_help(harvest: Harvest, agents: int, now: datetime) -> None:
    """Let further agents take part in a harvest, as many as its profile wants; whoever is free comes."""
    for seat in range(2, agents + 1):
        queue.enqueue(
            HelpHarvest(harvest=harvest.pk, seat=seat), now=now, priority=_priority(harvest),
            dedup_key=f"{harvest.pk}/{seat}", tag=tag_of(harvest.agency_id),
        )  # fmt: skip


def helpers_at(harvest: int, now: datetime) -> int:
    """How many agents take part in a harvest beside the one that leads it."""
    kind = {"kind": HELP_KIND, "payload__harvest": harvest}
    return int(Job.objects.filter(**kind, state=JobState.RUNNING, lease_until__gt=now).count())


def tag_of(agency: int) -> str:
    """How jobs tell whose harvest they run."""
    return f"agency {agency}"


def _priority(harvest: Harvest) -> int:
    """Of harvests: launched ones first, then as their priority says; beside other jobs they are ordinary."""
    if harvest.launched:
        return JobPriority.NORMAL - _FIRST
    return {Priority.HIGH: JobPriority.NORMAL - 5, Priority.LOW: JobPriority.NORMAL + 5}.get(
        Priority(harvest.priority), int(JobPriority.NORMAL)
    )
