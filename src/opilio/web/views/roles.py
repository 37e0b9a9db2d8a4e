"""Roles: the list, and the matrix of privileges and scopes."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from opilio.people.actions.roles import create_role, update_role
from opilio.people.actions.rows import delete_row
from opilio.people.kinds import ROLE
from opilio.people.privileges import Privilege
from opilio.people.queries import people
from opilio.web.choices import agencies_for, agency_filter
from opilio.web.forms.base import PageForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.roles import NewRoleForm, RoleForm, matrix
from opilio.web.forms.stale import Version
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Link, Moment, Number, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New
from opilio.web.lists.filters import Choice, Words
from opilio.web.lists.show import show
from opilio.web.notes import panel
from opilio.web.requests import PageRequest
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.people.models import Role

PATH = "/admin/roles"
_COLUMNS: "tuple[Column[Role], ...]" = (
    Column(
        name="name", label="Role", sort="name",
        cell=lambda row: Link(text=row.name, url=f"{PATH}/{row.id}", note=row.description),
    ),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency.name), sort="agency__name"),
    Column(name="privileges", label="Privileges", cell=lambda row: Number(number=row.privilege_count), numeric=True),  # type: ignore[attr-defined]  # counted by the query
    Column(name="holders", label="Held by", cell=lambda row: Number(number=row.holder_count), numeric=True),  # type: ignore[attr-defined]  # as above
    Column(name="updated", label="Changed", cell=lambda row: Moment(at=row.updated), sort="updated"),
)  # fmt: skip
ROLES: "ListPage[Role]" = ListPage(
    name="roles", path=PATH, title="Roles", words=("role", "roles"), rows=people.roles,
    intro="A role belongs to an agency and gives privileges, each with a scope. Users may hold several.",
    columns=_COLUMNS, order=("agency__name", "name", "id"),
    filters=(
        Words(columns=("name", "description")),
        Choice(name="agency", label="Agency", column="agency_id", offered=agency_filter),
    ),
    new=New(label="New role", path=f"{PATH}/new", privilege=Privilege.MANAGE_ROLES),
    bulk=(
        Bulk(
            name="delete", label="Delete", icon="trash-2", done="deleted", danger=True,
            privilege=Privilege.MANAGE_ROLES,
            warning="Their holders lose at once what the roles gave them. Deleted roles can be restored.",
            run=lambda actor, row: delete_row(actor, kind_name="role", row_id=row.id),
        ),
    ),
    empty=Empty(title="No role yet", text="A new agency starts with ready roles; or make one.", icon="shield-check"),
)  # fmt: skip


@section("roles")
def roles(request: PageRequest) -> HttpResponseBase:
    """The roles that the asker manages or may give."""
    return show(request, ROLES)


@section("roles")
def new_role(request: PageRequest) -> HttpResponse:
    """Make a role."""

    def save(data: dict[str, Any]) -> str:
        role = create_role(request.actor, agency_id=data.pop("agency"), **data)
        messages.success(request, f"The role {role.name} is made.")
        return f"{PATH}/{role.id}"

    form = NewRoleForm(request, agencies=agencies_for(request.actor, Privilege.MANAGE_ROLES))
    page = _page(form, title="New role", button="Make role", stored={}, context={})
    return answer(request, form, page, save=save)


@section("roles")
def role(request: PageRequest, role_id: int) -> HttpResponse:
    """One role: its words and its matrix."""
    row = people.role(request.actor, role_id)
    stored = people.privileges_of(row.id)

    def save(data: dict[str, Any]) -> str:
        update_role(request.actor, role_id=row.id, **data)
        messages.success(request, "Saved. Holders of the role have it from their next request on.")
        return f"{PATH}/{row.id}"

    values = {"name": row.name, "description": row.description, "privileges": stored}
    form = RoleForm(request, initial={**values, "version": row.version})
    context = {"row": row, "kind": "role", "notes": panel(request.actor, ROLE, row)}
    page = _page(form, title=row.name, button="Save", stored=stored, context=context)
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))


def _page(
    form: PageForm, *, title: str, button: str, stored: Mapping[str, int], context: Mapping[str, Any]
) -> FormPage:
    chosen = form["privileges"].value() or {}
    return FormPage(
        title=title, back=PATH, button=button, template="web/roles/role.html",
        context={**context, "matrix": matrix(chosen, stored)},
    )  # fmt: skip
