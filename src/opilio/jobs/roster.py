"""Which agents there are: each run of an agent process registers, says that it lives, and signs off or is lost."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from opilio.jobs.errors import NoSuchAgent
from opilio.jobs.models import Agent
from opilio.jobs.states import LIVING, AgentState
from opilio.jobs.words import storable


@dataclass(frozen=True, kw_only=True)
class Registered:
    """An agent that is on the roster."""

    id: int
    owner: str  # how its leases are signed: name#id, another for each run


def register(
    *, name: str, machine: str, pid: int, slots: int, version: str, kinds: Collection[str], now: datetime
) -> Registered:
    """Enter a run of an agent that can run jobs of these kinds."""
    row = Agent(
        name=storable(name, 64),
        machine=storable(machine, 255),
        pid=pid,
        slots=slots,
        version=storable(version, 40),
        capabilities=sorted(kinds),
        started=now,
        heartbeat_at=now,
    )
    row.save()
    return Registered(id=row.pk, owner=f"{row.name}#{row.pk}")


def beat(agent_id: int, *, state: AgentState, now: datetime) -> None:
    """The agent lives and is in this state; one that was held for lost is found again."""
    _change(agent_id, state=state, heartbeat_at=now, ended=None)


def sign_off(agent_id: int, *, now: datetime) -> None:
    """The agent ended in good order."""
    _change(agent_id, state=AgentState.STOPPED, heartbeat_at=now, ended=now)


def mark_lost(*, now: datetime, silence: timedelta) -> int:
    """Mark the agents from which nothing was heard for so long; returns how many."""
    silent = Agent.objects.filter(state__in=LIVING, heartbeat_at__lt=now - silence)
    return silent.update(state=AgentState.LOST, ended=now)


def forget(*, before: datetime) -> int:
    """Delete the runs that ended before then; returns how many."""
    old = Agent.objects.filter(state__in=(AgentState.STOPPED, AgentState.LOST), ended__lt=before)
    return old.delete()[1].get(Agent._meta.label, 0)


def _change(agent_id: int, *, state: AgentState, heartbeat_at: datetime, ended: datetime | None) -> None:
    if not Agent.objects.filter(pk=agent_id).update(state=state, heartbeat_at=heartbeat_at, ended=ended):
        raise NoSuchAgent(
            f"Agent {agent_id} is not on the roster", where="agents", remedy="Start it again, so that it registers."
        )
