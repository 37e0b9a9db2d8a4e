"""Centres: list, show, make, change, delete."""

import datetime
from typing import Annotated, Any

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Line, Named, Version
from opilio.api.versions import base_version, matched_version, tag
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.tracker.actions import centres as actions
from opilio.tracker.kinds import CENTRE
from opilio.tracker.queries import deliveries as queries

router = Router(tags=["deliveries"])
_ORDER = Order(name="centres", column="short_name")
_MANAGE = Privilege.MANAGE_SOURCES
Code = Annotated[str, Field(min_length=1, max_length=32, examples=["J"], description="As in names of deliveries.")]
Name = Annotated[str, Field(min_length=1, max_length=128, examples=["Centre J"])]
Email = Annotated[str, Field(min_length=3, max_length=128, examples=["data@centre.example"])]
Short = Annotated[str, Field(max_length=32)]


class CentreAnswer(Answer):
    """A partner that delivers."""

    id: Id
    code: str = Field(alias="short_name")
    name: str = Field(alias="full_name")
    agency: Named = Field(description="Whose users see what it delivers.")
    registry: str = Field(alias="imits_name", description="Its code in the mutant registry.")
    profile: str = Field(description="Profile by which it delivers.")
    email: str
    phone: str
    address: str
    active: bool = Field(description="Whether its sources are visited.")
    report_mail: bool
    report_back: bool
    sources: int = Field(alias="source_count", description="How many sources it has.")
    last_delivery: datetime.datetime | None = Field(alias="last", description="When something last came whole.")
    created: datetime.datetime
    updated: datetime.datetime
    version: int


class CentreFilters(Schema):
    """Which centres are listed."""

    q: Line = Field("", description="Part of the code or the name.")
    active: bool | None = None


class CentreNew(Body):
    """A centre to be made."""

    agency: Identifier
    code: Code
    name: Name
    email: Email
    profile: Short = "impc"
    registry: Short = ""
    phone: str = Field("", max_length=14)
    address: str = Field("", max_length=256)
    active: Flag = True
    report_mail: Flag = False
    report_back: Flag = False


class CentreChange(Body):
    """Fields to change."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    code: Code | None = None
    name: Name | None = None
    email: Email | None = None
    profile: Short | None = None
    registry: Short | None = None
    phone: Annotated[str, Field(max_length=14)] | None = None
    address: Annotated[str, Field(max_length=256)] | None = None
    active: Flag | None = None
    report_mail: Flag | None = None
    report_back: Flag | None = None


_COLUMNS = {"code": "short_name", "name": "full_name", "registry": "imits_name"}


@router.get("", response=Page[CentreAnswer])
def list_centres(request: ApiRequest, filters: Query[CentreFilters], paging: Query[Paging]) -> Page[CentreAnswer]:
    """List the centres of the agencies whose deliveries you may see, by code.

    Needs VIEW_DELIVERIES, MANAGE_DELIVERIES, MANAGE_SOURCES or RUN_SESSION.
    """
    see(request.auth)
    rows = queries.centres(request.auth)
    if filters.q:
        rows = rows.filter(short_name__icontains=filters.q) | rows.filter(full_name__icontains=filters.q)
    if filters.active is not None:
        rows = rows.filter(active=filters.active)
    return page(rows, _ORDER, paging, CentreAnswer)


@router.post("", response={201: CentreAnswer})
def create_centre(request: ApiRequest, response: HttpResponse, body: CentreNew) -> CentreAnswer:
    """Make a centre in an agency.

    Needs MANAGE_SOURCES over the agency.
    """
    need(request.auth, "make centres", _MANAGE)
    made = actions.create_centre(request.auth, agency_id=body.agency, **_columns(body.model_dump(exclude={"agency"})))
    return _shown(request.auth, made.pk, response)


@router.get("/{centre_id}", response=CentreAnswer)
def show_centre(request: ApiRequest, response: HttpResponse, centre_id: Identifier) -> CentreAnswer:
    """Show a centre.

    Needs a privilege about deliveries over its agency.
    """
    return _shown(request.auth, centre_id, response)


@router.patch("/{centre_id}", response=CentreAnswer)
def change_centre(
    request: ApiRequest, response: HttpResponse, centre_id: Identifier, body: CentreChange
) -> CentreAnswer:
    """Change a centre; an inactive one keeps all that came from it.

    Needs MANAGE_SOURCES over its agency.
    """
    need(request.auth, "change centres", _MANAGE)
    queries.centre(request.auth, centre_id)
    version = base_version(request, body.version)
    actions.update_centre(request.auth, centre_id=centre_id, version=version, **_columns(body.changes()))
    return _shown(request.auth, centre_id, response)


@router.delete("/{centre_id}", response={204: None})
def delete_centre(request: ApiRequest, centre_id: Identifier) -> None:
    """Delete a centre so that it can be restored; what it delivered stays. Better make it inactive.

    Needs MANAGE_SOURCES over its agency.
    """
    delete(request.auth, CENTRE, centre_id, matched_version(request))


def see(actor: Actor) -> None:
    """Go on only if the asker may see deliveries of anybody at all."""
    need(actor, "see deliveries", *sorted(queries.READERS))


def _columns(given: dict[str, Any]) -> dict[str, Any]:
    return {_COLUMNS.get(name, name): value for name, value in given.items()}


def _shown(actor: Actor, centre_id: int, response: HttpResponse) -> CentreAnswer:
    see(actor)
    row = queries.centre(actor, centre_id)
    tag(response, row.version)
    return CentreAnswer.from_orm(row)
