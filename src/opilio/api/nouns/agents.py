"""Agents: list, show, tell them something; rules for what they take."""

import datetime
from typing import TYPE_CHECKING, Annotated, Any

from ninja import Router
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Named, Paragraph, Version
from opilio.api.versions import matched_version
from opilio.curation.actions.agents import command_agent, set_agent_rule
from opilio.curation.kinds import AGENT_RULE
from opilio.curation.queries import agent_status as query
from opilio.curation.queries.agents import agent_rules
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege

if TYPE_CHECKING:
    from opilio.curation.models import AgentRule

router = Router(tags=["agents"])


class AgentRuleAnswer(Answer):
    """What agents of a name take."""

    id: Id
    name: str
    accepting: bool
    agencies: list[Named] = Field(description="Whose harvests; none: everybody's.")
    note: str
    version: int


class AgentRunAnswer(Answer):
    """One run of an agent."""

    id: Id
    name: str
    machine: str
    pid: int
    version: str
    state: query.AgentState
    slots: int = Field(description="Jobs at a time.")
    harvest_slots: int = Field(description="Harvests at a time.")
    health: dict[str, Any] = Field(description="As told by its last heartbeat; memory in MB, disk in percent.")
    started: datetime.datetime
    heartbeat_at: datetime.datetime
    ended: datetime.datetime | None
    harvests: list[Named] = Field(description="That it runs and you may see.")
    other_jobs: int
    told: list[str] = Field(description="Commands that wait for its next heartbeat.")
    rule: AgentRuleAnswer | None


class AgentsAnswer(Answer):
    """Living agents by name, then those that ended within a day."""

    items: list[AgentRunAnswer]


class AgentRulesAnswer(Answer):
    """All rules."""

    items: list[AgentRuleAnswer]


class AgentRuleBody(Body):
    """What agents of a name are to take."""

    name: Annotated[str, Field(min_length=1, max_length=64)]
    accepting: Flag = True
    agencies: list[Identifier] = Field([], max_length=1_000)
    note: Paragraph = ""
    version: Version | None = Field(None, description="Version that you changed, where there is a rule already.")


@router.get("", response=AgentsAnswer)
def list_agents(request: ApiRequest) -> AgentsAnswer:
    """List agents with what they run, and how their machines are.

    Needs MANAGE_WEB_HARVESTER.
    """
    _need(request.auth)
    return AgentsAnswer(items=[_told(one) for one in query.agents(request.auth)])


@router.get("/rules", response=AgentRulesAnswer)
def list_agent_rules(request: ApiRequest) -> AgentRulesAnswer:
    """List the rules for what agents take.

    Needs MANAGE_WEB_HARVESTER.
    """
    _need(request.auth)
    return AgentRulesAnswer(items=[_rule(row) for row in agent_rules(request.auth)])


@router.put("/rules", response=AgentRuleAnswer)
def set_rule_of_agent(request: ApiRequest, body: AgentRuleBody) -> AgentRuleAnswer:
    """Say which harvests agents of a name take; it counts from the next job that they look for.

    Needs MANAGE_WEB_HARVESTER over everything.
    """
    _need(request.auth)
    made = set_agent_rule(
        request.auth, name=body.name, accepting=body.accepting, agencies=body.agencies, note=body.note,
        version=body.version,
    )  # fmt: skip
    return _rule(made)


@router.delete("/rules/{rule_id}", response={204: None})
def delete_agent_rule(request: ApiRequest, rule_id: Identifier) -> None:
    """Delete a rule, so that agents of its name take everything.

    Needs MANAGE_WEB_HARVESTER over everything.
    """
    delete(request.auth, AGENT_RULE, rule_id, matched_version(request))


@router.get("/{agent_id}", response=AgentRunAnswer)
def show_agent(request: ApiRequest, agent_id: Identifier) -> AgentRunAnswer:
    """Show an agent.

    Needs MANAGE_WEB_HARVESTER.
    """
    _need(request.auth)
    return _told(query.agent(request.auth, agent_id))


@router.post("/{agent_id}/pause", response=AgentRunAnswer)
def pause_agent(request: ApiRequest, agent_id: Identifier) -> AgentRunAnswer:
    """Tell an agent to take nothing new; it obeys at its next heartbeat.

    Needs MANAGE_WEB_HARVESTER over everything.
    """
    return _commanded(request.auth, agent_id, "pause")


@router.post("/{agent_id}/resume", response=AgentRunAnswer)
def resume_agent(request: ApiRequest, agent_id: Identifier) -> AgentRunAnswer:
    """Tell an agent to take work again.

    Needs MANAGE_WEB_HARVESTER over everything.
    """
    return _commanded(request.auth, agent_id, "resume")


@router.post("/{agent_id}/drain", response=AgentRunAnswer)
def drain_agent(request: ApiRequest, agent_id: Identifier) -> AgentRunAnswer:
    """Tell an agent to give back what it runs, and to end.

    Needs MANAGE_WEB_HARVESTER over everything.
    """
    return _commanded(request.auth, agent_id, "drain")


def _need(actor: Actor) -> None:
    need(actor, "manage agents", Privilege.MANAGE_WEB_HARVESTER)


def _commanded(actor: Actor, agent_id: int, what: str) -> AgentRunAnswer:
    _need(actor)
    query.agent(actor, agent_id)
    command_agent(actor, agent_id=agent_id, what=what)
    return _told(query.agent(actor, agent_id))


def _told(one: query.AgentStatus) -> AgentRunAnswer:
    look = one.look
    return AgentRunAnswer(
        id=str(look.id), name=look.name, machine=look.machine, pid=look.pid, version=look.version, state=look.state,
        slots=look.slots, harvest_slots=one.room, health=dict(look.health), started=look.started,
        heartbeat_at=look.heartbeat_at, ended=look.ended, other_jobs=one.others, told=list(look.told),
        harvests=[Named(id=str(number), name=name) for number, name in one.harvests],
        rule=_rule(one.rule) if one.rule is not None else None,
    )  # fmt: skip


def _rule(row: "AgentRule") -> AgentRuleAnswer:
    agencies = [Named(id=str(one.agency_id), name=one.agency.name) for one in row.agencies.all()]
    return AgentRuleAnswer(
        id=str(row.pk), name=row.name, accepting=row.accepting, agencies=agencies, note=row.note, version=row.version
    )
