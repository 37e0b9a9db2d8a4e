"""The coloured flags of agencies."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from opilio.curation.actions.flags import create_flag, update_flag
from opilio.curation.queries import review as query
from opilio.people.actions.rows import delete_row
from opilio.people.privileges import Privilege
from opilio.people.queries.homes import agencies_where
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.results import EditFlagForm, FlagForm
from opilio.web.forms.stale import Version
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Link, Moment, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New
from opilio.web.lists.filters import Words
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import Flag

PATH = "/admin/flags"
_COLUMNS: "tuple[Column[Flag], ...]" = (
    Column(name="name", label="Flag", cell=lambda row: Link(text=row.name, url=f"{PATH}/{row.id}"), sort="name"),
    Column(name="colour", label="Colour", cell=lambda row: Text(text=row.colour, code=True), sort="colour"),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency.name), sort="agency__name"),
    Column(name="updated", label="Changed", cell=lambda row: Moment(at=row.updated), sort="updated"),
)
FLAGS: "ListPage[Flag]" = ListPage(
    name="flags", path=PATH, title="Flags", words=("flag", "flags"), rows=query.flags, columns=_COLUMNS,
    order=("name", "id"), intro="Coloured marks that the people of an agency put on harvests.",
    filters=(Words(columns=("name",)),),
    new=New(label="New flag", path=f"{PATH}/new", privilege=Privilege.MANAGE_FLAGS),
    bulk=(
        Bulk(name="delete", label="Delete", icon="trash-2", done="deleted", danger=True,
             privilege=Privilege.MANAGE_FLAGS, warning="Harvests show them no more. They can be restored.",
             run=lambda actor, row: delete_row(actor, kind_name="flag", row_id=row.id)),
    ),
    empty=Empty(title="No flag yet", text="Make one, such as “Ask the publisher” in orange, and put it on harvests.",
                icon="flag"),
)  # fmt: skip


@section("flags")
def flags(request: PageRequest) -> HttpResponseBase:
    """The flags of the agencies in which the asker works."""
    return show(request, FLAGS)


@section("flags")
def new_flag(request: PageRequest) -> HttpResponse:
    """Make a flag."""

    def save(data: dict[str, Any]) -> str:
        made = create_flag(request.actor, agency_id=data.pop("agency"), **data)
        messages.success(request, f"“{made.name}” can be put on harvests now.")
        return PATH

    agencies = agencies_where(request.actor, Privilege.MANAGE_FLAGS)
    form = FlagForm(request, agencies=agencies, initial={"agency": request.actor.agency, "colour": "#e65100"})
    return answer(request, form, FormPage(title="New flag", back=PATH, button="Make flag"), save=save)


@section("flags")
def flag(request: PageRequest, flag_id: int) -> HttpResponse:
    """One flag."""
    row = query.flag(request.actor, flag_id)

    def save(data: dict[str, Any]) -> str:
        update_flag(request.actor, flag_id=row.id, **data)
        messages.success(request, "Saved.")
        return PATH

    values = {"name": row.name, "colour": row.colour}
    form = EditFlagForm(request, initial={**values, "version": row.version})
    page = FormPage(title=row.name, back=PATH, context={"row": row, "kind": "flag"})
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))
