"""Texts of permission requests: the list, one of them, a new one."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from opilio.curation.actions.permission_templates import FIELDS, create_template, update_template
from opilio.curation.queries import rights
from opilio.people.actions.rows import delete_row
from opilio.people.privileges import Privilege
from opilio.people.queries.homes import agencies_where
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.rights import NewTemplateForm, TemplateForm
from opilio.web.forms.stale import Version
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Link, Moment, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New
from opilio.web.lists.filters import Choice, Words
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.rights_choices import agency_filter
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import PermissionTemplate

PATH = "/admin/templates"
_MANAGE = Privilege.PERMISSION_REQUEST_TEMPLATE
_COLUMNS: "tuple[Column[PermissionTemplate], ...]" = (
    Column(name="name", label="Template", sort="name",
           cell=lambda row: Link(text=row.name, url=f"{PATH}/{row.id}", note=row.description)),
    Column(name="kind", label="Kind", cell=lambda row: Text(text=row.get_kind_display()), sort="kind"),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency.name), sort="agency__name"),
    Column(name="subject", label="Subject", cell=lambda row: Text(text=row.subject)),
    Column(name="updated", label="Changed", cell=lambda row: Moment(at=row.updated), sort="updated"),
)  # fmt: skip
TEMPLATES: "ListPage[PermissionTemplate]" = ListPage(
    name="templates", path=PATH, title="Letters", words=("template", "templates"), rows=rights.templates,
    intro="Texts by which permissions are asked for, on paper or by e-mail. Placeholders stand in braces.",
    columns=_COLUMNS, order=("name", "id"),
    filters=(
        Words(columns=("name", "description", "text")),
        Choice(name="agency", label="Agency", column="agency_id", offered=agency_filter),
        Choice(name="kind", label="Kind", column="kind", offered=lambda actor: rights.TEMPLATE_KINDS),
    ),
    new=New(label="New template", path=f"{PATH}/new", privilege=_MANAGE),
    bulk=(
        Bulk(name="delete", label="Delete", icon="trash-2", done="deleted", danger=True, privilege=_MANAGE,
             warning="Requests that went out keep their text. Deleted templates can be restored.",
             run=lambda actor, row: delete_row(actor, kind_name="permission-template", row_id=row.id)),
    ),
    empty=Empty(title="No template yet", text="Write the text by which you ask for permission.", icon="mail-plus"),
)  # fmt: skip


@section("templates")
def templates(request: PageRequest) -> HttpResponseBase:
    """Templates of the agencies in which the asker works."""
    return show(request, TEMPLATES)


@section("templates")
def new_template(request: PageRequest) -> HttpResponse:
    """Make a template."""

    def save(data: dict[str, Any]) -> str:
        row = create_template(request.actor, agency_id=data.pop("agency"), **data)
        messages.success(request, f"The template {row.name} is made.")
        return f"{PATH}/{row.id}"

    form = NewTemplateForm(
        request, agencies=agencies_where(request.actor, _MANAGE), initial={"agency": request.actor.agency}
    )
    page = FormPage(
        title="New template", back=PATH, button="Make template", template="web/letters/template.html",
        context={"placeholders": rights.PLACEHOLDERS},
    )  # fmt: skip
    return answer(request, form, page, save=save)


@section("templates")
def template(request: PageRequest, template_id: int) -> HttpResponse:
    """One template."""
    row = rights.template(request.actor, template_id)

    def save(data: dict[str, Any]) -> str:
        update_template(request.actor, template_id=row.id, **data)
        messages.success(request, "Saved.")
        return f"{PATH}/{row.id}"

    values = {name: getattr(row, name) for name in FIELDS}
    form = TemplateForm(request, initial={**values, "version": row.version})
    page = FormPage(
        title=row.name, back=PATH, template="web/letters/template.html",
        context={"row": row, "kind": "permission-template", "placeholders": rights.PLACEHOLDERS},
    )  # fmt: skip
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))
