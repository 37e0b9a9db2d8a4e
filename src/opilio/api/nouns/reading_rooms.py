"""Reading rooms: list, show, make, change, delete."""

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
from opilio.curation.actions import reading_rooms as actions
from opilio.curation.kinds import READING_ROOM
from opilio.curation.queries import reading_rooms as query
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege

router = Router(tags=["reading-rooms"])
_ORDER = Order(name="reading-rooms", column="name")
Networks = Annotated[str, Field(max_length=8_000, description="Addresses and networks, one per line.")]


class RoomAnswer(Answer):
    """A reading room."""

    id: Id
    agency: Named
    name: str
    networks: list[str] = Field(description="Addresses from which readers are on site.")
    active: bool
    created: datetime.datetime
    updated: datetime.datetime
    version: int

    @staticmethod
    def resolve_networks(row: Any) -> list[str]:
        """One for each line."""
        return list(row.networks.splitlines())


class RoomFilters(Schema):
    """Which rooms are listed."""

    q: Line = Field("", description="Part of the name.")
    agency: Identifier | None = None


class RoomNew(Body):
    """A reading room to be made."""

    agency: Identifier
    name: str = Field(min_length=1, max_length=128, examples=["Main reading room"])
    networks: Networks
    active: Flag = True


class RoomChange(Body):
    """Fields to change."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    name: Annotated[str, Field(max_length=128)] | None = None
    networks: Networks | None = None
    active: Flag | None = None


@router.get("", response=Page[RoomAnswer])
def list_reading_rooms(request: ApiRequest, filters: Query[RoomFilters], paging: Query[Paging]) -> Page[RoomAnswer]:
    """List the reading rooms that you manage.

    Needs MANAGE_AGENCIES.
    """
    _see(request.auth)
    rows = query.rooms(request.auth)
    if filters.q:
        rows = rows.filter(name__icontains=filters.q)
    if filters.agency is not None:
        rows = rows.filter(agency_id=filters.agency)
    return page(rows, _ORDER, paging, RoomAnswer)


@router.post("", response={201: RoomAnswer})
def create_reading_room(request: ApiRequest, response: HttpResponse, body: RoomNew) -> RoomAnswer:
    """Make a reading room; readers from its networks are on site within seconds.

    Needs MANAGE_AGENCIES on the agency.
    """
    made = actions.create_room(
        request.auth, agency_id=body.agency, name=body.name, networks=body.networks, active=body.active
    )  # fmt: skip
    return _shown(request.auth, made.pk, response)


@router.get("/{room_id}", response=RoomAnswer)
def show_reading_room(request: ApiRequest, response: HttpResponse, room_id: Identifier) -> RoomAnswer:
    """Show a reading room.

    Needs MANAGE_AGENCIES on its agency.
    """
    return _shown(request.auth, room_id, response)


@router.patch("/{room_id}", response=RoomAnswer)
def change_reading_room(
    request: ApiRequest, response: HttpResponse, room_id: Identifier, body: RoomChange
) -> RoomAnswer:
    """Change a reading room.

    Needs MANAGE_AGENCIES on its agency.
    """
    _see(request.auth)
    query.room(request.auth, room_id)
    changes: dict[str, Any] = body.changes()
    actions.update_room(request.auth, room_id=room_id, version=base_version(request, body.version), **changes)
    return _shown(request.auth, room_id, response)


@router.delete("/{room_id}", response={204: None})
def delete_reading_room(request: ApiRequest, room_id: Identifier) -> None:
    """Delete a reading room so that it can be restored; readers there are not on site any more.

    Needs MANAGE_AGENCIES on its agency.
    """
    delete(request.auth, READING_ROOM, room_id, matched_version(request))


def _see(actor: Actor) -> None:
    need(actor, "see reading rooms", Privilege.MANAGE_AGENCIES)


def _shown(actor: Actor, room_id: int, response: HttpResponse) -> RoomAnswer:
    _see(actor)
    row = query.room(actor, room_id)
    tag(response, row.version)
    return RoomAnswer.from_orm(row)
