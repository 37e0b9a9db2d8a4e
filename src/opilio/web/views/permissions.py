"""Permissions: the list, one of them, a new one, its details and exclusions, and the question why."""

import datetime
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from opilio.curation.actions.permissions import (
    FIELDS,
    create_permission,
    set_exclusions,
    update_permission,
)
from opilio.curation.kinds import PERMISSION
from opilio.curation.queries import permissions as found
from opilio.curation.queries import rights
from opilio.kernel.errors import BadUrl
from opilio.people.actions.rows import delete_row
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.people.queries.records import choices
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.rights_permissions import (
    ExclusionsForm,
    ExplainForm,
    NewPermissionForm,
    PermissionForm,
    parsed_exclusions,
)
from opilio.web.forms.stale import Version
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Badge, Date, Link, Moment, Number, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, Tab
from opilio.web.lists.filters import Choice, FilterFault, Options, Words
from opilio.web.lists.show import show
from opilio.web.notes import panel
from opilio.web.requests import PageRequest
from opilio.web.rights_choices import agency_choices, agency_filter, tone
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import Permission

PATH = "/permissions"
_SHOWN = 200


@dataclass(frozen=True, kw_only=True)
class ExpiresUntil:
    """Permissions whose last day is not later than this."""

    kind: ClassVar[str] = "day"
    name: str = "expires"
    label: str = "Expires until"

    def narrowed(self, rows: QuerySet[Any], value: str, zone: datetime.tzinfo) -> QuerySet[Any]:
        try:
            return rows.filter(end_date__lte=datetime.date.fromisoformat(value))
        except ValueError as error:
            raise FilterFault("Write a day as 2026-01-31.") from error

    def options(self, actor: Actor) -> Options:
        return ()


def _day(day: datetime.date | None) -> Date:
    return Date(on=day)


_COLUMNS: "tuple[Column[Permission], ...]" = (
    Column(name="name", label="Permission", sort="authorisation__title",
           cell=lambda row: Link(text=str(row), url=f"{PATH}/{row.id}", note=row.authorisation.title)),
    Column(name="status", label="Status", sort="standing",
           cell=lambda row: Badge(text=found.STANDINGS[row.standing].lower(), tone=tone(row.standing))),  # type: ignore[attr-defined]  # worked out by the query
    Column(name="agent", label="Authorising agent", cell=lambda row: Text(text=row.agent.name), sort="agent__name"),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency.name), sort="agency__name"),
    Column(name="start", label="From", cell=lambda row: _day(row.start_date), sort="start_date"),
    Column(name="end", label="To", cell=lambda row: _day(row.end_date), sort="end_date"),
    Column(name="seeds", label="Seeds", cell=lambda row: Number(number=row.seed_count), numeric=True),  # type: ignore[attr-defined]  # counted by the query
    Column(name="access", label="Access", cell=lambda row: Text(text=row.access_status), sort="access_status"),
    Column(name="open_access", label="Open access", cell=lambda row: _day(row.open_access_date), shown=False,
           sort="open_access_date"),
    Column(name="quick_pick", label="Quick pick", cell=lambda row: Text(text=row.display_name), shown=False),
    Column(name="reference", label="File", cell=lambda row: Text(text=row.file_reference), shown=False),
    Column(name="requested", label="Requested", cell=lambda row: Moment(at=row.requested_at), sort="requested_at",
           shown=False),
    Column(name="decided", label="Decided", cell=lambda row: Moment(at=row.decided_at), sort="decided_at",
           shown=False),
    Column(name="reminders", label="Reminders", cell=lambda row: Number(number=row.reminders), shown=False,
           numeric=True),
    Column(name="updated", label="Changed", cell=lambda row: Moment(at=row.updated), sort="updated", shown=False),
)  # fmt: skip
PERMISSIONS: "ListPage[Permission]" = ListPage(
    name="permissions", path=PATH, title="Permissions", words=("permission", "permissions"), rows=found.permissions,
    intro="What authorising agents allow, for how long, and how far the asking has come.",
    columns=_COLUMNS, order=("authorisation__title", "start_date", "id"),
    filters=(
        Words(columns=("authorisation__title", "agent__name", "display_name", "file_reference")),
        Choice(name="agency", label="Agency", column="agency_id", offered=agency_filter),
        Choice(name="status", label="Status", column="standing",
               offered=lambda actor: [(str(value), label) for value, label in found.STANDINGS.items()]),
        Choice(name="access", label="Access", column="access_status", offered=lambda actor: choices("access-status")),
        ExpiresUntil(),
    ),
    bulk=(
        Bulk(name="delete", label="Delete", icon="trash-2", done="deleted", danger=True,
             privilege=Privilege.MODIFY_PERMISSION,
             warning="Those on which seeds rely are left as they are. Deleted ones can be restored.",
             run=lambda actor, row: delete_row(actor, kind_name="permission", row_id=row.id)),
    ),
    tabs=(
        Tab(label="All", path=PATH, here=True), Tab(label="May a URL be collected?", path=f"{PATH}/explain", here=False)
    ),
    empty=Empty(title="No permission yet", text="Open an authorisation and add the permission that you ask for.",
                icon="handshake"),
)  # fmt: skip


@section("permissions")
def permissions(request: PageRequest) -> HttpResponseBase:
    """Permissions of the agencies in which the asker works."""
    return show(request, PERMISSIONS)


@section("permissions")
def new_permission(request: PageRequest, authorisation_id: int) -> HttpResponse:
    """Add a permission to an authorisation."""
    site = rights.authorisation(request.actor, authorisation_id)

    def save(data: dict[str, Any]) -> str:
        data["exclusions"] = parsed_exclusions(data["exclusions"])
        row = create_permission(request.actor, authorisation_id=site.id, agent_id=data.pop("agent"), **data)
        messages.success(request, "The permission is made; it is pending until somebody asks for it.")
        return f"{PATH}/{row.id}"

    form = NewPermissionForm(
        request, agents=[(link.agent_id, link.agent.name) for link in site.agent_links.all()],
        patterns=[(each.id, each.pattern) for each in site.patterns.all()],
        initial={"start_date": found.today_of(request.actor), "patterns": [each.id for each in site.patterns.all()]},
    )  # fmt: skip
    page = FormPage(
        title=f"New permission for {site.title}", back=f"/authorisations/{site.id}", button="Make permission",
        intro="" if site.patterns.all() and site.agent_links.all() else
        "The authorisation needs a URL pattern and an authorising agent first.",
    )  # fmt: skip
    return answer(request, form, page, save=save)


@section("permissions")
@require_safe
def permission(request: PageRequest, permission_id: int) -> HttpResponse:
    """One permission: what it covers, how it stands, what was said, who relies on it."""
    actor = request.actor
    row = found.permission(actor, permission_id)
    texts = [link.pattern.pattern for link in row.pattern_links.all() if not link.pattern.deleted]
    subject = PERMISSION.subject(row)
    context = {
        "row": row, "patterns": texts, "standing": found.STANDINGS[row.standing], "tone": tone(row.standing),  # type: ignore[attr-defined]  # worked out by the query
        "said": found.communications(actor, row.id)[:_SHOWN], "forms": found.open_forms(actor, row.id),
        "seeds": found.linked_seeds(actor, row.id)[:_SHOWN],
        "wider": found.wider(actor, agency_id=row.agency_id, patterns=texts, but=row.id),
        "may_modify": actor.may(Privilege.MODIFY_PERMISSION, subject),
        "may_confirm": actor.may(Privilege.CONFIRM_PERMISSION, subject),
        "may_ask": actor.may(Privilege.GENERATE_TEMPLATE, subject),
        "may_transfer": actor.may(Privilege.TRANSFER_LINKED_TARGETS, subject),
        "notes": panel(actor, PERMISSION, row),
    }  # fmt: skip
    return render(request, "web/permissions/permission.html", context)


@section("permissions")
def edit_permission(request: PageRequest, permission_id: int) -> HttpResponse:
    """Change the details."""
    row = found.permission(request.actor, permission_id)
    site = rights.authorisation(request.actor, row.authorisation_id)

    def save(data: dict[str, Any]) -> str:
        update_permission(request.actor, permission_id=row.id, agent_id=data.pop("agent"), **data)
        messages.success(request, "Saved.")
        return f"{PATH}/{row.id}"

    values = {name: getattr(row, name) for name in FIELDS}
    values |= {"agent": row.agent_id, "patterns": [link.pattern_id for link in row.pattern_links.all()]}
    form = PermissionForm(
        request, agents=[(link.agent_id, link.agent.name) for link in site.agent_links.all()],
        patterns=[(each.id, each.pattern) for each in site.patterns.all()],
        initial={**values, "version": row.version},
    )  # fmt: skip
    page = FormPage(title=str(row), back=f"{PATH}/{row.id}", context={"row": row, "kind": "permission"})
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))


@section("permissions")
def exclusions(request: PageRequest, permission_id: int) -> HttpResponse:
    """Change what the permission leaves out."""
    row = found.permission(request.actor, permission_id)

    def save(data: dict[str, Any]) -> str:
        set_exclusions(request.actor, permission_id=row.id, exclusions=parsed_exclusions(data["exclusions"]))
        messages.success(request, "The exclusions are saved; they count from the next harvest and look on.")
        return f"{PATH}/{row.id}"

    lines = "\n".join(f"{each.url} {each.reason}".strip() for each in row.exclusions.all())
    form = ExclusionsForm(request, initial={"exclusions": lines})
    page = FormPage(title=f"Exclusions of {row}", back=f"{PATH}/{row.id}")
    return answer(request, form, page, save=save)


@section("permissions")
@require_safe
def explain(request: PageRequest) -> HttpResponse:
    """Why a URL may be collected or not."""
    agencies = agency_choices(request.actor)
    asked = bool(request.GET.get("url"))
    initial = {"agency": request.actor.agency or (agencies[0][0] if agencies else "")}
    form = ExplainForm({**initial, **request.GET.dict()} if asked else None, agencies=agencies)
    form.initial = initial
    explanation = None
    if asked and form.is_valid():
        try:
            explanation = found.explain(request.actor, form.cleaned_data["url"], form.cleaned_data["agency"])
        except BadUrl as error:
            form.add_error("url", str(error))
    status = 422 if asked and form.errors else 200
    return render(request, "web/permissions/explain.html", {"form": form, "explanation": explanation}, status=status)
