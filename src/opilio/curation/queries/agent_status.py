"""Agents with what they run, the rules of their names and how their machines are, for whoever manages agents."""

import datetime
from collections.abc import Iterable
from dataclasses import dataclass

from opilio.curation.harvest_jobs import RUN_KIND
from opilio.curation.models import AgentRule, Harvest
from opilio.curation.queries.agents import agent_rules
from opilio.curation.sight import seen
from opilio.jobs import overview
from opilio.jobs.overview import AgentLook
from opilio.jobs.states import LIVING, AgentState, Order
from opilio.people.actor import Actor
from opilio.people.errors import NotFound
from opilio.people.privileges import SYSTEM_WIDE, Privilege
from opilio.people.queries.homes import agency_names

__all__ = [
    "AgentState",
    "AgentStatus",
    "Order",
    "agencies",
    "agent",
    "agents",
    "living_names",
    "may_manage",
    "named",
    "rule",
    "ruled_only",
]  # fmt: skip
_SHOWN = datetime.timedelta(days=1)  # ended agents stay in the list so long


@dataclass(frozen=True, kw_only=True)
class AgentStatus:
    """An agent as its manager sees it."""

    look: AgentLook
    rule: AgentRule | None
    harvests: tuple[tuple[int, str], ...]  # that it runs and the asker may see: identifier, what is harvested
    others: int  # further jobs that it runs

    @property
    def orders(self) -> tuple[Order, ...]:
        """What it can be told in its state."""
        return {
            AgentState.WORKING: (Order.PAUSE, Order.DRAIN),
            AgentState.PAUSED: (Order.RESUME, Order.DRAIN),
        }.get(self.look.state, ())

    @property
    def agencies(self) -> tuple[str, ...]:
        """Whose harvests it takes; none: everybody's."""
        return tuple(one.agency.name for one in self.rule.agencies.all()) if self.rule is not None else ()

    @property
    def room(self) -> int:
        """How many harvests it runs at a time."""
        return int(self.look.room.get(RUN_KIND, self.look.slots))


def agents(actor: Actor) -> list[AgentStatus]:
    """Living agents by name, then those that ended within a day; none for whoever does not manage agents."""
    if not actor.holds(Privilege.MANAGE_WEB_HARVESTER):
        return []
    looks = overview.agents(ended_since=actor.clock.now() - _SHOWN)
    rules = {rule.name: rule for rule in agent_rules(actor)}
    names = _harvested(actor, looks)
    return [_status(look, rules.get(look.name), names) for look in looks]


def agent(actor: Actor, identifier: int) -> AgentStatus:
    """One of them, or `NotFound`."""
    found = next((one for one in agents(actor) if one.look.id == identifier), None)
    if found is None:
        raise NotFound(f"There is no agent {identifier} that you may see", remedy="It may have ended a day ago.")
    return found


def named(actor: Actor, name: str) -> list[AgentStatus]:
    """The living agents of a name; `NotFound` when there is none."""
    found = [one for one in agents(actor) if one.look.name == name and one.look.state in LIVING]
    if not found:
        raise NotFound(f"No agent called {name[:64]!r} is alive", remedy="`opilio agents list` names those that are.")
    return found


def ruled_only(actor: Actor, found: Iterable[AgentStatus]) -> list[AgentRule]:
    """Rules for names under which none of these agents is alive."""
    alive = {one.look.name for one in found if one.look.living}
    return list(agent_rules(actor).prefetch_related(None).exclude(name__in=sorted(alive)).order_by("name"))


def rule(actor: Actor, name: str) -> AgentRule | None:
    """The rule for a name, if there is one."""
    return agent_rules(actor).filter(name=name).first()


def living_names() -> list[str]:
    """The names of living agents, for whoever chooses one."""
    return sorted({look.name for look in overview.agents()})


def agencies() -> list[tuple[int, str]]:
    """All agencies, for rules."""
    return agency_names()


def may_manage(actor: Actor) -> bool:
    """Whether the asker may tell agents what to do: they belong to the whole installation."""
    return actor.may(Privilege.MANAGE_WEB_HARVESTER, SYSTEM_WIDE)


def _status(look: AgentLook, rule: AgentRule | None, names: dict[int, str]) -> AgentStatus:
    running = [_harvest(job.payload) for job in look.jobs if job.kind == RUN_KIND]
    shown = tuple((number, names[number]) for number in running if number in names)
    return AgentStatus(look=look, rule=rule, harvests=shown, others=len(look.jobs) - len(shown))


def _harvested(actor: Actor, looks: Iterable[AgentLook]) -> dict[int, str]:
    numbers = {_harvest(job.payload) for look in looks for job in look.jobs if job.kind == RUN_KIND}
    rows = seen(Harvest.objects.filter(pk__in=numbers), actor)
    return dict(rows.values_list("pk", "abstract_target__name"))


def _harvest(payload: object) -> int:
    found = payload.get("harvest", 0) if isinstance(payload, dict) else 0
    return int(found)
