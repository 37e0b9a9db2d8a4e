"""Which agents there are: each run of an agent process registers, says that it lives, and signs off or is lost."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from opilio.jobs.errors import NoSuchAgent
from opilio.jobs.models import Agent, Job
from opilio.jobs.states import LIVING, AgentState, JobState
from opilio.jobs.words import storable


@dataclass(frozen=True, kw_only=True)
class Registered:
    """An agent that is on the roster."""

    id: int
    owner: str  # how its leases are signed: name#id, another for each run


def register(
    *,
    name: str,
    machine: str,
    pid: int,
    slots: int,
    version: str,
    kinds: Collection[str],
    now: datetime,
    room: Mapping[str, int] | None = None,
) -> Registered:
    """Enter a run of an agent that can run jobs of these kinds; `room` names those that have slots of their own."""
    row = Agent(
        name=storable(name, 64),
        machine=storable(machine, 255),
        pid=pid,
        slots=slots,
        version=storable(version, 40),
        capabilities=sorted(kinds),
        room=dict(room or {}),
        started=now,
        heartbeat_at=now,
    )
    row.save()
    return Registered(id=row.pk, owner=f"{row.name}#{row.pk}")


def beat(agent_id: int, *, state: AgentState, now: datetime, health: Mapping[str, float | str] | None = None) -> None:
    """The agent lives and is in this state; one that was held for lost is found again."""
    told = {} if health is None else {"health": dict(health)}
    _change(agent_id, state=state, heartbeat_at=now, ended=None, **told)


def sign_off(agent_id: int, *, now: datetime) -> None:
    """The agent ended in good order."""
    _change(agent_id, state=AgentState.STOPPED, heartbeat_at=now, ended=now)


def mark_lost(*, now: datetime, silence: timedelta) -> int:
    """Mark the agents from which nothing was heard for so long; returns how many."""
    silent = Agent.objects.filter(state__in=LIVING, heartbeat_at__lt=now - silence)
    return silent.update(state=AgentState.LOST, ended=now)


def silent(*, now: datetime, silence: timedelta) -> list[str]:
    """The names of the agents that `mark_lost` would mark."""
    rows = Agent.objects.filter(state__in=LIVING, heartbeat_at__lt=now - silence).order_by("name", "id")
    return list(dict.fromkeys(rows.values_list("name", flat=True)))


def of_other_versions(version: str, *, since: datetime) -> list[str]:
    """The living agents heard of since then that are of another version, as «name (version)».

    Asks for few columns, so that it works with the tables of other versions too.
    """
    rows = Agent.objects.filter(state__in=LIVING, heartbeat_at__gte=since).exclude(version=version)
    return [f"{name} ({other})" for name, other in rows.order_by("name", "id").values_list("name", "version")]


def unwell() -> dict[str, str]:
    """The living agents whose machines take no more work, by name, each with the reason of its last heartbeat."""
    rows = Agent.objects.filter(state__in=LIVING).order_by("name", "id").values_list("name", "health")
    return {name: str(health["unwell"]) for name, health in rows if health.get("unwell")}


def forget(*, before: datetime) -> int:
    """Delete the runs that ended before then; returns how many."""
    old = Agent.objects.filter(state__in=(AgentState.STOPPED, AgentState.LOST), ended__lt=before)
    return old.delete()[1].get(Agent._meta.label, 0)


def _change(agent_id: int, **changes: Any) -> None:
    if not Agent.objects.filter(pk=agent_id).update(**changes):
        raise NoSuchAgent(
            f"Agent {agent_id} is not on the roster", where="agents", remedy="Start it again, so that it registers."
        )


def free_slots(kind: str) -> int:
    """How many more jobs of a kind the agents could run now, as far as the roster and the queue tell."""
    able = [row for row in Agent.objects.filter(state=AgentState.WORKING) if kind in row.capabilities]
    running = Job.objects.filter(kind=kind, state__in=(JobState.RUNNING, JobState.READY)).count()
    return max(0, sum(int(row.room.get(kind, row.slots)) for row in able) - running)
