"""Reading rooms: the addresses from which readers are on site."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from opilio.curation.actions.reading_rooms import create_room, update_room
from opilio.curation.queries import reading_rooms as query
from opilio.people.actions.rows import delete_row
from opilio.people.privileges import Privilege
from opilio.people.queries.homes import agencies_where
from opilio.web.forms.access import EditRoomForm, RoomForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.stale import Version
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Badge, Cell, Link, Moment, Tags, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New
from opilio.web.lists.filters import States, Words
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import ReadingRoom

PATH = "/admin/reading-rooms"
_MANAGE = Privilege.MANAGE_AGENCIES
_SHOWN = 6  # networks in the list
_SOON = "It counts for readers within ten seconds."
_STATES = {"on": ("In use", Q(active=True)), "off": ("Not in use", Q(active=False))}


def _state(row: "ReadingRoom") -> Cell:
    return Badge(text="in use" if row.active else "not in use", tone="good" if row.active else "quiet")


def _networks(row: "ReadingRoom") -> Cell:
    lines = row.networks.splitlines()
    more = (f"and {len(lines) - _SHOWN} more",) if len(lines) > _SHOWN else ()
    return Tags(texts=(*lines[:_SHOWN], *more))


_COLUMNS: "tuple[Column[ReadingRoom], ...]" = (
    Column(name="name", label="Reading room", cell=lambda row: Link(text=row.name, url=f"{PATH}/{row.pk}"),
           sort="name"),
    Column(name="state", label="State", cell=_state, sort="active"),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency.name), sort="agency__name"),
    Column(name="networks", label="Networks", cell=_networks),
    Column(name="updated", label="Changed", cell=lambda row: Moment(at=row.updated), sort="updated"),
)  # fmt: skip
ROOMS: "ListPage[ReadingRoom]" = ListPage(
    name="reading-rooms", path=PATH, title="Reading rooms", words=("reading room", "reading rooms"), rows=query.rooms,
    intro="Addresses from which readers are on site. What an agency shows on site only is shown in its own rooms.",
    columns=_COLUMNS, order=("name", "id"),
    filters=(Words(columns=("name", "networks")), States(name="state", label="State", states=_STATES)),
    new=New(label="New reading room", path=f"{PATH}/new", privilege=_MANAGE),
    bulk=(
        Bulk(name="delete", label="Delete", icon="trash-2", done="deleted", danger=True, privilege=_MANAGE,
             warning="Readers there are not on site any more. Deleted rooms can be restored.",
             run=lambda actor, row: delete_row(actor, kind_name="reading-room", row_id=row.pk)),
    ),
    empty=Empty(title="No reading room yet", icon="armchair",
                text="Without one, nobody sees what is for readers on site. Make the first: its addresses are enough."),
)  # fmt: skip


@section("reading-rooms")
def rooms(request: PageRequest) -> HttpResponseBase:
    """The rooms of the agencies that the asker manages."""
    return show(request, ROOMS)


@section("reading-rooms")
def new_room(request: PageRequest) -> HttpResponse:
    """Make a reading room."""

    def save(data: dict[str, Any]) -> str:
        made = create_room(request.actor, agency_id=data.pop("agency"), **data)
        messages.success(request, f"“{made.name}” is made. {_SOON}")
        return PATH

    start = {"agency": request.actor.agency, "active": True}
    form = RoomForm(request, agencies=agencies_where(request.actor, _MANAGE), initial=start)
    page = FormPage(title="New reading room", back=PATH, button="Make reading room")
    return answer(request, form, page, save=save)


@section("reading-rooms")
def room(request: PageRequest, room_id: int) -> HttpResponse:
    """One reading room."""
    row = query.room(request.actor, room_id)

    def save(data: dict[str, Any]) -> str:
        update_room(request.actor, room_id=row.pk, **data)
        messages.success(request, f"Saved. {_SOON}")
        return PATH

    values = {"name": row.name, "networks": row.networks, "active": row.active}
    form = EditRoomForm(request, initial={**values, "version": row.version})
    page = FormPage(title=row.name, back=PATH, context={"row": row, "kind": "reading-room"})
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))
