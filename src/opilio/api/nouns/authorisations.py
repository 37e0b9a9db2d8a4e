"""Authorisations: list, show, make, change, enable, disable, delete; their patterns and authorising agents."""

import datetime
from typing import TYPE_CHECKING, Annotated

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Line, Named, Version
from opilio.api.versions import base_version, matched_version, tag
from opilio.curation.actions import authorisations as actions
from opilio.curation.kinds import AUTHORISATION
from opilio.curation.queries import rights
from opilio.curation.sight import READERS
from opilio.people.actor import Actor

if TYPE_CHECKING:
    from opilio.curation.models import Authorisation

router = Router(tags=["authorisations"])
_ORDER = Order(name="authorisations", column="title")
COLLECTORS = tuple(sorted(READERS))
Text = Annotated[str, Field(max_length=4_000)]
Pattern = Annotated[str, Field(max_length=2_048)]


class AuthorisationAnswer(Answer):
    """An authorisation in a list."""

    id: Id
    title: str
    agency: Named
    description: str
    order_number: str
    notes: str
    published: bool
    active: bool = Field(description="Whether new seeds are linked with its permissions.")
    pattern_count: int
    permission_count: int
    created: datetime.datetime
    updated: datetime.datetime
    version: int


class PatternAnswer(Answer):
    """A URL pattern of an authorisation."""

    id: Id
    pattern: str = Field(examples=["http://*.example.org/*"])


class AuthorisationInFull(AuthorisationAnswer):
    """An authorisation with what it covers and who is asked."""

    patterns: list[PatternAnswer]
    agents: list[Named]


class AuthorisationFilters(Schema):
    """Which authorisations are listed."""

    q: Line = Field("", description="Part of the title.")
    agency: Identifier | None = None
    active: bool | None = None


class AuthorisationFields(Body):
    """Details; those left out stay as they are, or empty."""

    description: Text | None = None
    order_number: Line | None = None
    notes: Text | None = None
    published: Flag | None = None


class AuthorisationNew(AuthorisationFields):
    """An authorisation to be made."""

    agency: Identifier
    title: str = Field(min_length=1, max_length=255, examples=["Example site"])
    patterns: list[Pattern] = Field([], max_length=actions.MOST_PATTERNS, examples=[["http://*.example.org/*"]])
    agents: list[Identifier] = Field([], max_length=1_000, description="Authorising agents.")


class AuthorisationChange(AuthorisationFields):
    """Fields to change."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    title: Line | None = None


class PatternList(Body):
    """All patterns of an authorisation."""

    patterns: list[Pattern] = Field(max_length=actions.MOST_PATTERNS)


class AgentList(Body):
    """All authorising agents of an authorisation."""

    agents: list[Identifier] = Field(max_length=1_000)


@router.get("", response=Page[AuthorisationAnswer])
def list_authorisations(
    request: ApiRequest, filters: Query[AuthorisationFilters], paging: Query[Paging]
) -> Page[AuthorisationAnswer]:
    """List the authorisations of the agencies that you work for, by title.

    Needs a privilege of collecting.
    """
    need(request.auth, "see authorisations", *COLLECTORS)
    rows = rights.authorisations(request.auth)
    if filters.q:
        rows = rows.filter(title__icontains=filters.q)
    if filters.agency is not None:
        rows = rows.filter(agency_id=filters.agency)
    if filters.active is not None:
        rows = rows.filter(active=filters.active)
    return page(rows, _ORDER, paging, AuthorisationAnswer)


@router.post("", response={201: AuthorisationInFull})
def create_authorisation(request: ApiRequest, response: HttpResponse, body: AuthorisationNew) -> AuthorisationInFull:
    """Make an authorisation.

    Needs CREATE_SITE in its agency.
    """
    row = actions.create_authorisation(
        request.auth, agency_id=body.agency, title=body.title, patterns=body.patterns, agents=body.agents,
        **body.changes("agency", "title", "patterns", "agents"),
    )  # fmt: skip
    return _shown(request.auth, row.id, response)


@router.get("/{authorisation_id}", response=AuthorisationInFull)
def show_authorisation(
    request: ApiRequest, response: HttpResponse, authorisation_id: Identifier
) -> AuthorisationInFull:
    """Show an authorisation with its patterns and authorising agents.

    Needs a privilege of collecting in its agency.
    """
    return _shown(request.auth, authorisation_id, response)


@router.patch("/{authorisation_id}", response=AuthorisationInFull)
def change_authorisation(
    request: ApiRequest, response: HttpResponse, authorisation_id: Identifier, body: AuthorisationChange
) -> AuthorisationInFull:
    """Change details of an authorisation.

    Needs MODIFY_SITE in its agency.
    """
    _seen(request.auth, authorisation_id)
    actions.update_authorisation(
        request.auth, authorisation_id=authorisation_id, version=base_version(request, body.version), **body.changes()
    )
    return _shown(request.auth, authorisation_id, response)


@router.put("/{authorisation_id}/patterns", response=AuthorisationInFull)
def put_authorisation_patterns(
    request: ApiRequest, response: HttpResponse, authorisation_id: Identifier, body: PatternList
) -> AuthorisationInFull:
    """Set all URL patterns of an authorisation; one that a permission covers cannot be left out.

    Needs MODIFY_SITE in its agency.
    """
    _seen(request.auth, authorisation_id)
    actions.set_patterns(request.auth, authorisation_id=authorisation_id, patterns=body.patterns)
    return _shown(request.auth, authorisation_id, response)


@router.put("/{authorisation_id}/agents", response=AuthorisationInFull)
def put_authorisation_agents(
    request: ApiRequest, response: HttpResponse, authorisation_id: Identifier, body: AgentList
) -> AuthorisationInFull:
    """Set who is asked for an authorisation.

    Needs MODIFY_SITE in its agency.
    """
    _seen(request.auth, authorisation_id)
    actions.set_agents(request.auth, authorisation_id=authorisation_id, agents=body.agents)
    return _shown(request.auth, authorisation_id, response)


@router.post("/{authorisation_id}/enable", response=AuthorisationInFull)
def enable_authorisation(
    request: ApiRequest, response: HttpResponse, authorisation_id: Identifier
) -> AuthorisationInFull:
    """Let new seeds be linked with its permissions again.

    Needs ENABLE_DISABLE_SITE in its agency.
    """
    return _switched(request, response, authorisation_id, active=True)


@router.post("/{authorisation_id}/disable", response=AuthorisationInFull)
def disable_authorisation(
    request: ApiRequest, response: HttpResponse, authorisation_id: Identifier
) -> AuthorisationInFull:
    """Let no new seeds be linked with its permissions; links that are there stay.

    Needs ENABLE_DISABLE_SITE in its agency.
    """
    return _switched(request, response, authorisation_id, active=False)


@router.delete("/{authorisation_id}", response={204: None})
def delete_authorisation(request: ApiRequest, authorisation_id: Identifier) -> None:
    """Delete an authorisation so that it can be restored; no seed may rely on it.

    Needs MODIFY_SITE in its agency.
    """
    delete(request.auth, AUTHORISATION, authorisation_id, matched_version(request))


def _switched(
    request: ApiRequest, response: HttpResponse, authorisation_id: int, *, active: bool
) -> AuthorisationInFull:
    _seen(request.auth, authorisation_id)
    actions.switch_authorisation(request.auth, authorisation_id=authorisation_id, active=active)
    return _shown(request.auth, authorisation_id, response)


def _seen(actor: Actor, authorisation_id: int) -> "Authorisation":
    need(actor, "see authorisations", *COLLECTORS)
    return rights.authorisation(actor, authorisation_id)


def _shown(actor: Actor, authorisation_id: int, response: HttpResponse) -> AuthorisationInFull:
    row = _seen(actor, authorisation_id)
    tag(response, row.version)
    plain = AuthorisationAnswer.from_orm(row)
    return AuthorisationInFull(
        **plain.model_dump(),
        patterns=[PatternAnswer.from_orm(each) for each in row.patterns.all()],
        agents=[Named.from_orm(link.agent) for link in row.agent_links.all()],
    )
