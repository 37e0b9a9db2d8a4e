"""Authorising agents: list, show, make, change, delete."""

import datetime
from typing import Annotated

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.nouns.authorisations import COLLECTORS
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Line, Named, Version
from opilio.api.versions import base_version, matched_version, tag
from opilio.curation.actions import authorising_agents as actions
from opilio.curation.kinds import AUTHORISING_AGENT
from opilio.curation.queries import rights
from opilio.people.actor import Actor

router = Router(tags=["authorising-agents"])
_ORDER = Order(name="authorising-agents", column="name")


class AgentAnswer(Answer):
    """An authorising agent."""

    id: Id
    name: str
    agency: Named
    description: str
    contact: str
    address: str
    email: str
    phone: str
    permission_count: int
    created: datetime.datetime
    updated: datetime.datetime
    version: int


class AgentFilters(Schema):
    """Which authorising agents are listed."""

    q: Line = Field("", description="Part of the name.")
    agency: Identifier | None = None


class AgentFields(Body):
    """Details; those left out stay as they are, or empty."""

    description: Annotated[str, Field(max_length=4_000)] | None = None
    contact: Line | None = None
    address: Annotated[str, Field(max_length=2_048)] | None = None
    email: Line | None = None
    phone: Annotated[str, Field(max_length=64)] | None = None


class AgentNew(AgentFields):
    """An authorising agent to be made."""

    agency: Identifier
    name: str = Field(min_length=1, max_length=255, examples=["Example Publishers"])


class AgentChange(AgentFields):
    """Fields to change."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    name: Line | None = None


@router.get("", response=Page[AgentAnswer])
def list_authorising_agents(
    request: ApiRequest, filters: Query[AgentFilters], paging: Query[Paging]
) -> Page[AgentAnswer]:
    """List the authorising agents of the agencies that you work for, by name.

    Needs a privilege of collecting.
    """
    need(request.auth, "see authorising agents", *COLLECTORS)
    rows = rights.agents(request.auth)
    if filters.q:
        rows = rows.filter(name__icontains=filters.q)
    if filters.agency is not None:
        rows = rows.filter(agency_id=filters.agency)
    return page(rows, _ORDER, paging, AgentAnswer)


@router.post("", response={201: AgentAnswer})
def create_authorising_agent(request: ApiRequest, response: HttpResponse, body: AgentNew) -> AgentAnswer:
    """Make an authorising agent.

    Needs MODIFY_SITE in its agency.
    """
    row = actions.create_agent(request.auth, agency_id=body.agency, name=body.name, **body.changes("agency", "name"))
    return _shown(request.auth, row.id, response)


@router.get("/{agent_id}", response=AgentAnswer)
def show_authorising_agent(request: ApiRequest, response: HttpResponse, agent_id: Identifier) -> AgentAnswer:
    """Show an authorising agent.

    Needs a privilege of collecting in its agency.
    """
    return _shown(request.auth, agent_id, response)


@router.patch("/{agent_id}", response=AgentAnswer)
def change_authorising_agent(
    request: ApiRequest, response: HttpResponse, agent_id: Identifier, body: AgentChange
) -> AgentAnswer:
    """Change an authorising agent.

    Needs MODIFY_SITE in its agency.
    """
    need(request.auth, "see authorising agents", *COLLECTORS)
    rights.agent(request.auth, agent_id)
    actions.update_agent(request.auth, agent_id=agent_id, version=base_version(request, body.version), **body.changes())
    return _shown(request.auth, agent_id, response)


@router.delete("/{agent_id}", response={204: None})
def delete_authorising_agent(request: ApiRequest, agent_id: Identifier) -> None:
    """Delete an authorising agent so that it can be restored; it must have given no permission.

    Needs MODIFY_SITE in its agency.
    """
    delete(request.auth, AUTHORISING_AGENT, agent_id, matched_version(request))


def _shown(actor: Actor, agent_id: int, response: HttpResponse) -> AgentAnswer:
    need(actor, "see authorising agents", *COLLECTORS)
    row = rights.agent(actor, agent_id)
    tag(response, row.version)
    return AgentAnswer.from_orm(row)
