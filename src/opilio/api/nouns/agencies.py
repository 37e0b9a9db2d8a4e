"""Agencies: list, show, make, change, delete."""

import datetime

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Line, Paragraph, Version
from opilio.api.versions import base_version, matched_version, tag
from opilio.people.actions import agencies as actions
from opilio.people.actor import Actor
from opilio.people.kinds import AGENCY
from opilio.people.privileges import Privilege
from opilio.people.queries import people

router = Router(tags=["agencies"])
_ORDER = Order(name="agencies", column="name")
_READERS = (Privilege.MANAGE_AGENCIES, Privilege.MANAGE_USERS, Privilege.MANAGE_ROLES)


class AgencyAnswer(Answer):
    """An agency."""

    id: Id
    name: str
    address: str
    logo_url: str
    url: str
    email: str
    fax: str
    phone: str
    time_zone: str
    user_count: int = Field(description="How many users have it as home agency.")
    role_count: int
    created: datetime.datetime
    updated: datetime.datetime
    version: int


class AgencyFilters(Schema):
    """Which agencies are listed."""

    q: Line = Field("", description="Part of the name.")


class AgencyFields(Body):
    """Details; those left out stay as they are, or empty."""

    address: Paragraph | None = None
    logo_url: str | None = Field(None, max_length=1024)
    url: str | None = Field(None, max_length=1024)
    email: Line | None = None
    fax: Line | None = None
    phone: Line | None = None
    time_zone: Line | None = Field(None, examples=["Europe/Paris"])


class AgencyNew(AgencyFields):
    """An agency to be made."""

    name: str = Field(min_length=1, max_length=255, examples=["Library"])
    with_roles: Flag = Field(True, description="Whether it starts with the ready roles.")


class AgencyChange(AgencyFields):
    """Fields to change."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    name: Line | None = None


@router.get("", response=Page[AgencyAnswer])
def list_agencies(request: ApiRequest, filters: Query[AgencyFilters], paging: Query[Paging]) -> Page[AgencyAnswer]:
    """List the agencies that you manage, or manage users or roles of, by name.

    Needs MANAGE_AGENCIES, MANAGE_USERS or MANAGE_ROLES.
    """
    need(request.auth, "see agencies", *_READERS)
    rows = people.agencies(request.auth)
    if filters.q:
        rows = rows.filter(name__icontains=filters.q)
    return page(rows, _ORDER, paging, AgencyAnswer)


@router.post("", response={201: AgencyAnswer})
def create_agency(request: ApiRequest, response: HttpResponse, body: AgencyNew) -> AgencyAnswer:
    """Make an agency.

    Needs MANAGE_AGENCIES over everything.
    """
    agency = actions.create_agency(
        request.auth, name=body.name, with_roles=body.with_roles, **body.changes("name", "with_roles")
    )
    return _shown(request.auth, agency.id, response)


@router.get("/{agency_id}", response=AgencyAnswer)
def show_agency(request: ApiRequest, response: HttpResponse, agency_id: Identifier) -> AgencyAnswer:
    """Show an agency.

    Needs MANAGE_AGENCIES, MANAGE_USERS or MANAGE_ROLES in it.
    """
    return _shown(request.auth, agency_id, response)


@router.patch("/{agency_id}", response=AgencyAnswer)
def change_agency(
    request: ApiRequest, response: HttpResponse, agency_id: Identifier, body: AgencyChange
) -> AgencyAnswer:
    """Change details of an agency.

    Needs MANAGE_AGENCIES in it.
    """
    need(request.auth, "change agencies", Privilege.MANAGE_AGENCIES)
    people.agency(request.auth, agency_id)
    actions.update_agency(
        request.auth, agency_id=agency_id, version=base_version(request, body.version), **body.changes()
    )
    return _shown(request.auth, agency_id, response)


@router.delete("/{agency_id}", response={204: None})
def delete_agency(request: ApiRequest, agency_id: Identifier) -> None:
    """Delete an agency so that it can be restored; it must have no users.

    Needs MANAGE_AGENCIES in it.
    """
    delete(request.auth, AGENCY, agency_id, matched_version(request))


def _shown(actor: Actor, agency_id: int, response: HttpResponse) -> AgencyAnswer:
    need(actor, "see agencies", *_READERS)
    row = people.agency(actor, agency_id)
    tag(response, row.version)
    return AgencyAnswer.from_orm(row)
