"""Constrained lists: the values that fields may take."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from opilio.people.actions.lists import create_list_entry, update_list_entry
from opilio.people.actions.rows import delete_row
from opilio.people.list_names import BY_NAME, LISTS
from opilio.people.privileges import Privilege
from opilio.people.queries.records import list_entries
from opilio.people.queries.visible import one
from opilio.web.forms.installation import EntryForm, NewEntryForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.stale import Version
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Badge, Cell, Link, Moment, Number, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New
from opilio.web.lists.filters import Choice, States, Words
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.people.models import ListEntry

PATH = "/admin/lists"


def _list(row: "ListEntry") -> Cell:
    found = BY_NAME.get(row.list_name)
    return Text(text=found.label if found else row.list_name)


def _state(row: "ListEntry") -> Cell:
    return Badge(text="offered", tone="good") if row.active else Badge(text="retired", tone="quiet")


_COLUMNS: "tuple[Column[ListEntry], ...]" = (
    Column(name="label", label="Label", sort="label",
           cell=lambda row: Link(text=row.label, url=f"{PATH}/{row.id}")),
    Column(name="value", label="Stored as", cell=lambda row: Text(text=row.value, code=True), sort="value"),
    Column(name="list", label="List", cell=_list, sort="list_name"),
    Column(name="position", label="Place", cell=lambda row: Number(number=row.position), sort="position",
           numeric=True),
    Column(name="state", label="State", cell=_state),
    Column(name="updated", label="Changed", cell=lambda row: Moment(at=row.updated), sort="updated"),
)  # fmt: skip
ENTRIES: "ListPage[ListEntry]" = ListPage(
    name="lists", path=PATH, title="Lists", words=("value", "values"), rows=list_entries, columns=_COLUMNS,
    intro="The values that constrained fields offer. A retired value is no longer offered; rows that have it keep it.",
    order=("list_name", "position", "label", "id"),
    filters=(
        Words(columns=("label", "value")),
        Choice(name="list", label="List", column="list_name",
               offered=lambda actor: [(found.name, found.label) for found in LISTS]),
        States(name="state", label="State",
               states={"active": ("Offered", Q(active=True)), "retired": ("Retired", Q(active=False))}),
    ),
    new=New(label="New value", path=f"{PATH}/new", privilege=Privilege.CONFIGURE_PARAMETERS),
    bulk=(
        Bulk(
            name="delete", label="Delete", icon="trash-2", done="deleted", danger=True,
            warning="They are no longer offered; rows that have them keep them. They can be restored.",
            run=lambda actor, row: delete_row(actor, kind_name="list-entry", row_id=row.id),
        ),
    ),
    empty=Empty(title="No value yet", text="Add the values that people may choose.", icon="list"),
)  # fmt: skip


@section("lists")
def entries(request: PageRequest) -> HttpResponseBase:
    """All values of all lists."""
    return show(request, ENTRIES)


@section("lists")
def new_entry(request: PageRequest) -> HttpResponse:
    """Add a value."""

    def save(data: dict[str, Any]) -> str:
        entry = create_list_entry(request.actor, **data)
        messages.success(request, f"“{entry.label}” can be chosen from now on.")
        return PATH

    form = NewEntryForm(request, initial={"list_name": request.GET.get("list", "")[:64], "position": 0})
    return answer(request, form, FormPage(title="New value", back=PATH, button="Add value"), save=save)


@section("lists")
def entry(request: PageRequest, entry_id: int) -> HttpResponse:
    """Reword, move or retire a value."""
    row = one(list_entries(request.actor), "value", entry_id)

    def save(data: dict[str, Any]) -> str:
        update_list_entry(request.actor, entry_id=row.id, **data)
        messages.success(request, "Saved.")
        return PATH

    values = {"label": row.label, "position": row.position, "active": row.active}
    form = EntryForm(request, initial={**values, "version": row.version})
    page = FormPage(title=row.label, back=PATH, context={"row": row, "kind": "list-entry"})
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))
