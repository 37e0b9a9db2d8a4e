"""The control channel: what people tell agents and the runners of jobs, obeyed at the next heartbeat."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from opilio.jobs.errors import NoSuchAgent, NoSuchJob, NotInThatState, WrongOrder
from opilio.jobs.models import Agent, Command, Job
from opilio.jobs.states import AGENT_ORDERS, JOB_ORDERS, LIVING, AgentState, JobState, Order
from opilio.jobs.words import storable


@dataclass(frozen=True, kw_only=True)
class Given:
    """A command that waits to be obeyed."""

    id: int
    what: Order
    job: int | None  # None: to the agent itself


def tell_agent(agent_id: int, what: Order, *, by: str, now: datetime) -> int:
    """Tell a living agent to pause, resume or drain; returns the command's identifier."""
    _fitting(what, AGENT_ORDERS)
    state = Agent.objects.filter(pk=agent_id).values_list("state", flat=True).first()
    if state is None:
        raise NoSuchAgent(f"There is no agent {agent_id}", where="agents", remedy="Look it up in the list of agents.")
    if state not in LIVING:
        raise NotInThatState(
            f"Agent {agent_id} is {state} and obeys nothing",
            where=f"agent {agent_id}",
            remedy=AgentState(state).sentence,
        )
    return _give(Command(agent_id=agent_id, what=what, by=storable(by, 200), at=now))


def tell_job(job_id: int, what: Order, *, by: str, now: datetime) -> int:
    """Tell the runner of a running job to stop; returns the command's identifier. A ready one is cancelled instead."""
    _fitting(what, JOB_ORDERS)
    state = Job.objects.filter(pk=job_id).values_list("state", flat=True).first()
    if state is None:
        raise NoSuchJob(f"There is no job {job_id}", where="jobs", remedy="It may have been forgotten since.")
    if state != JobState.RUNNING:
        raise NotInThatState(
            f"Job {job_id} is {state} and has no runner", where=f"job {job_id}", remedy=JobState(state).sentence
        )
    return _give(Command(job_id=job_id, what=what, by=storable(by, 200), at=now))


def waiting(agent_id: int, jobs: Collection[int]) -> list[Given]:
    """What the agent and its running jobs were told and have not obeyed, oldest first."""
    rows = Command.objects.filter(Q(agent_id=agent_id) | Q(job_id__in=sorted(jobs)), done=None).order_by("at", "id")
    return [Given(id=row.pk, what=Order(row.what), job=row.job_id) for row in rows]


def obeyed(command_id: int, *, now: datetime) -> None:
    """The command was carried out."""
    Command.objects.filter(pk=command_id, done=None).update(done=now)


def _fitting(what: Order, allowed: Collection[Order]) -> None:
    if what not in allowed:
        raise WrongOrder(
            f"The order {what} cannot be given here",
            where="commands",
            remedy=f"Choose from {', '.join(sorted(allowed))}.",
        )


def _give(row: Command) -> int:
    row.save()
    return int(row.pk)
