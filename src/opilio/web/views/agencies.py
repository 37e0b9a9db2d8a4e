"""Agencies: the list, one agency, a new one."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from opilio.people.actions.agencies import FIELDS, create_agency, update_agency
from opilio.people.actions.rows import delete_row
from opilio.people.kinds import AGENCY
from opilio.people.privileges import Privilege
from opilio.people.queries import people
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.people import AgencyForm, NewAgencyForm
from opilio.web.forms.stale import Version
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Link, Moment, Number, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New
from opilio.web.lists.filters import Words
from opilio.web.lists.show import show
from opilio.web.notes import panel
from opilio.web.requests import PageRequest
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.people.models import Agency

PATH = "/admin/agencies"
_COLUMNS: "tuple[Column[Agency], ...]" = (
    Column(name="name", label="Agency", cell=lambda row: Link(text=row.name, url=f"{PATH}/{row.id}"), sort="name"),
    Column(name="users", label="Users", cell=lambda row: Number(number=row.user_count), numeric=True),  # type: ignore[attr-defined]  # counted by the query
    Column(name="roles", label="Roles", cell=lambda row: Number(number=row.role_count), numeric=True),  # type: ignore[attr-defined]  # as above
    Column(name="email", label="E-mail", cell=lambda row: Text(text=row.email), sort="email"),
    Column(name="url", label="Web address", cell=lambda row: Text(text=row.url)),
    Column(name="time_zone", label="Time zone", cell=lambda row: Text(text=row.time_zone, quiet=True)),
    Column(name="phone", label="Telephone", cell=lambda row: Text(text=row.phone), shown=False),
    Column(name="fax", label="Fax", cell=lambda row: Text(text=row.fax), shown=False),
    Column(name="address", label="Address", cell=lambda row: Text(text=row.address), shown=False),
    Column(name="updated", label="Changed", cell=lambda row: Moment(at=row.updated), sort="updated"),
)
AGENCIES: "ListPage[Agency]" = ListPage(
    name="agencies", path=PATH, title="Agencies", words=("agency", "agencies"), rows=people.agencies,
    intro="Institutions, or parts of one, that collect on their own account. Users, roles and rights belong to one.",
    columns=_COLUMNS, order=("name", "id"), filters=(Words(columns=("name", "email", "address")),),
    new=New(label="New agency", path=f"{PATH}/new", privilege=Privilege.MANAGE_AGENCIES),
    bulk=(
        Bulk(
            name="delete", label="Delete", icon="trash-2", done="deleted", danger=True,
            privilege=Privilege.MANAGE_AGENCIES,
            warning="Deleted agencies can be restored. An agency that still has users is left as it is.",
            run=lambda actor, row: delete_row(actor, kind_name="agency", row_id=row.id),
        ),
    ),
    empty=Empty(title="No agency yet", text="Make one; users and roles follow.", icon="building-2"),
)  # fmt: skip


@section("agencies")
def agencies(request: PageRequest) -> HttpResponseBase:
    """The agencies that the asker manages."""
    return show(request, AGENCIES)


@section("agencies")
def new_agency(request: PageRequest) -> HttpResponse:
    """Make an agency."""

    def save(data: dict[str, Any]) -> str:
        agency = create_agency(request.actor, **data)
        messages.success(request, f"The agency {agency.name} is made.")
        return f"{PATH}/{agency.id}"

    form = NewAgencyForm(request, initial={"time_zone": request.actor.time_zone, "with_roles": True})
    return answer(request, form, FormPage(title="New agency", back=PATH, button="Make agency"), save=save)


@section("agencies")
def agency(request: PageRequest, agency_id: int) -> HttpResponse:
    """One agency, with the notes pinned to it."""
    row = people.agency(request.actor, agency_id)

    def save(data: dict[str, Any]) -> str:
        update_agency(request.actor, agency_id=row.id, **data)
        messages.success(request, "Saved.")
        return f"{PATH}/{row.id}"

    values = {name: getattr(row, name) for name in FIELDS}
    page = FormPage(
        title=row.name, back=PATH, template="web/agencies/agency.html",
        context={"row": row, "kind": "agency", "notes": panel(request.actor, AGENCY, row)},
    )  # fmt: skip
    form = AgencyForm(request, initial={**values, "version": row.version})
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))
