"""Coloured flags: list, show, make, change, delete."""

import datetime
from typing import Annotated

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Line, Named, Version
from opilio.api.versions import base_version, matched_version, tag
from opilio.curation.actions import flags as actions
from opilio.curation.kinds import FLAG
from opilio.curation.queries import review as query
from opilio.curation.sight import READERS
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege

router = Router(tags=["flags"])
_ORDER = Order(name="flags", column="name")
_Colour = Annotated[str, Field(max_length=7, pattern=r"^#[0-9A-Fa-f]{6}$", examples=["#e65100"])]


class FlagAnswer(Answer):
    """A coloured flag."""

    id: Id
    agency: Named
    name: str
    colour: str
    created: datetime.datetime
    updated: datetime.datetime
    version: int


class FlagFilters(Schema):
    """Which flags are listed."""

    q: Line = Field("", description="Part of the name.")
    agency: Identifier | None = None


class FlagNew(Body):
    """A flag to be made."""

    agency: Identifier
    name: str = Field(min_length=1, max_length=64, examples=["Ask the publisher"])
    colour: _Colour


class FlagChange(Body):
    """Fields to change."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    name: Annotated[str, Field(max_length=64)] | None = None
    colour: _Colour | None = None


@router.get("", response=Page[FlagAnswer])
def list_flags(request: ApiRequest, filters: Query[FlagFilters], paging: Query[Paging]) -> Page[FlagAnswer]:
    """List the flags of the agencies in which you work.

    Needs MANAGE_FLAGS, or a privilege to work with what an agency collects.
    """
    _see(request.auth)
    rows = query.flags(request.auth)
    if filters.q:
        rows = rows.filter(name__icontains=filters.q)
    if filters.agency is not None:
        rows = rows.filter(agency_id=filters.agency)
    return page(rows, _ORDER, paging, FlagAnswer)


@router.post("", response={201: FlagAnswer})
def create_coloured_flag(request: ApiRequest, response: HttpResponse, body: FlagNew) -> FlagAnswer:
    """Make a flag.

    Needs MANAGE_FLAGS in the agency.
    """
    made = actions.create_flag(request.auth, agency_id=body.agency, name=body.name, colour=body.colour)
    return _shown(request.auth, made.id, response)


@router.get("/{flag_id}", response=FlagAnswer)
def show_flag(request: ApiRequest, response: HttpResponse, flag_id: Identifier) -> FlagAnswer:
    """Show a flag.

    Needs MANAGE_FLAGS, or a privilege to work with what its agency collects.
    """
    return _shown(request.auth, flag_id, response)


@router.patch("/{flag_id}", response=FlagAnswer)
def change_flag(request: ApiRequest, response: HttpResponse, flag_id: Identifier, body: FlagChange) -> FlagAnswer:
    """Change a flag; harvests show it as it is now.

    Needs MANAGE_FLAGS in its agency.
    """
    _see(request.auth)
    query.flag(request.auth, flag_id)
    version = base_version(request, body.version)
    actions.update_flag(request.auth, flag_id=flag_id, version=version, name=body.name, colour=body.colour)
    return _shown(request.auth, flag_id, response)


@router.delete("/{flag_id}", response={204: None})
def delete_flag(request: ApiRequest, flag_id: Identifier) -> None:
    """Delete a flag so that it can be restored.

    Needs MANAGE_FLAGS in its agency.
    """
    delete(request.auth, FLAG, flag_id, matched_version(request))


def _see(actor: Actor) -> None:
    need(actor, "see flags", Privilege.MANAGE_FLAGS, *sorted(READERS))


def _shown(actor: Actor, flag_id: int, response: HttpResponse) -> FlagAnswer:
    _see(actor)
    row = query.flag(actor, flag_id)
    tag(response, row.version)
    return FlagAnswer.from_orm(row)
