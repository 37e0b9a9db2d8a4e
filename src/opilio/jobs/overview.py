"""Agents and what they run, as people look at them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from opilio.jobs.models import Agent, Command, Job
from opilio.jobs.states import LIVING, AgentState, JobState


@dataclass(frozen=True, kw_only=True)
class RunningJob:
    """A job that an agent works on."""

    id: int
    kind: str
    payload: Mapping[str, Any]
    progress: str
    started: datetime | None


@dataclass(frozen=True, kw_only=True)
class AgentLook:
    """One run of an agent."""

    id: int
    name: str
    machine: str
    pid: int
    slots: int
    room: Mapping[str, int]  # kinds with slots of their own
    version: str
    state: AgentState
    health: Mapping[str, Any]
    started: datetime
    heartbeat_at: datetime
    ended: datetime | None
    jobs: tuple[RunningJob, ...]
    told: tuple[str, ...]  # commands that wait to be obeyed

    @property
    def living(self) -> bool:
        """Whether it still obeys."""
        return self.state in LIVING


def agents(*, ended_since: datetime | None = None) -> list[AgentLook]:
    """The living agents by name, then those that ended since, newest first."""
    rows = list(Agent.objects.filter(state__in=LIVING).order_by("name", "id"))
    if ended_since is not None:
        rows += Agent.objects.exclude(state__in=LIVING).filter(ended__gte=ended_since).order_by("-ended", "-id")
    owners = {f"{row.name}#{row.pk}": row.pk for row in rows}
    jobs = _running(owners)
    told = _told([row.pk for row in rows])
    return [_look(row, jobs.get(row.pk, ()), told.get(row.pk, ())) for row in rows]


def _running(owners: Mapping[str, int]) -> dict[int, tuple[RunningJob, ...]]:
    found: dict[int, tuple[RunningJob, ...]] = {}
    for row in Job.objects.filter(state=JobState.RUNNING, owner__in=sorted(owners)).order_by("id"):
        one = RunningJob(id=row.pk, kind=row.kind, payload=row.payload, progress=row.progress, started=row.started)
        found[owners[row.owner]] = (*found.get(owners[row.owner], ()), one)
    return found


def _told(numbers: list[int]) -> dict[int, tuple[str, ...]]:
    found: dict[int, tuple[str, ...]] = {}
    for row in Command.objects.filter(agent_id__in=numbers, done=None).order_by("at", "id"):
        if row.agent_id is not None:
            found[row.agent_id] = (*found.get(row.agent_id, ()), row.what)
    return found


def _look(row: Agent, jobs: tuple[RunningJob, ...], told: tuple[str, ...]) -> AgentLook:
    return AgentLook(
        id=row.pk, name=row.name, machine=row.machine, pid=row.pid, slots=row.slots, room=row.room,
        version=row.version, state=AgentState(row.state), health=row.health, started=row.started,
        heartbeat_at=row.heartbeat_at, ended=row.ended, jobs=jobs, told=told,
    )  # fmt: skip
