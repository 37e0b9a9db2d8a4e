"""The reasons for which targets and harvests are rejected."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from opilio.curation.actions.rejection_reasons import create_reason, update_reason
from opilio.curation.queries import targets as query
from opilio.people.actions.rows import delete_row
from opilio.people.privileges import Privilege
from opilio.people.queries.homes import agencies_where
from opilio.web.forms.nominations import EditReasonForm, ReasonForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.stale import Version
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Link, Moment, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New
from opilio.web.lists.filters import States, Words
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import RejectionReason

PATH = "/admin/reasons"
_COLUMNS: "tuple[Column[RejectionReason], ...]" = (
    Column(name="name", label="Reason", cell=lambda row: Link(text=row.name, url=f"{PATH}/{row.id}"), sort="name"),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency.name), sort="agency__name"),
    Column(name="targets", label="For targets", cell=lambda row: Text(text="yes" if row.for_targets else "no")),
    Column(name="harvests", label="For harvests", cell=lambda row: Text(text="yes" if row.for_harvests else "no")),
    Column(name="updated", label="Changed", cell=lambda row: Moment(at=row.updated), sort="updated"),
)
_STATES = {
    "targets": ("Targets", Q(for_targets=True)),
    "harvests": ("Harvests", Q(for_harvests=True)),
}
REASONS: "ListPage[RejectionReason]" = ListPage(
    name="rejection-reasons", path=PATH, title="Reasons for rejection", words=("reason", "reasons"),
    rows=query.reasons, columns=_COLUMNS, order=("name", "id"),
    intro="What people choose from when they reject a target or a harvest of the agency.",
    filters=(Words(columns=("name",)), States(name="for", label="For", states=_STATES)),
    new=New(label="New reason", path=f"{PATH}/new", privilege=Privilege.MANAGE_REASONS),
    bulk=(
        Bulk(name="delete", label="Delete", icon="trash-2", done="deleted", danger=True,
             privilege=Privilege.MANAGE_REASONS,
             warning="They are offered no more; what was rejected for them keeps them. They can be restored.",
             run=lambda actor, row: delete_row(actor, kind_name="rejection-reason", row_id=row.id)),
    ),
    empty=Empty(title="No reason yet", text="Without one, no target can be rejected. Make the first.",
                icon="circle-x"),
)  # fmt: skip


@section("rejection-reasons")
def reasons(request: PageRequest) -> HttpResponseBase:
    """The reasons of the agencies whose reasons the asker manages."""
    return show(request, REASONS)


@section("rejection-reasons")
def new_reason(request: PageRequest) -> HttpResponse:
    """Make a reason."""

    def save(data: dict[str, Any]) -> str:
        made = create_reason(request.actor, agency_id=data.pop("agency"), **data)
        messages.success(request, f"“{made.name}” can be chosen now.")
        return PATH

    agencies = agencies_where(request.actor, Privilege.MANAGE_REASONS)
    start = {"agency": request.actor.agency, "for_targets": True, "for_harvests": True}
    form = ReasonForm(request, agencies=agencies, initial=start)
    return answer(request, form, FormPage(title="New reason", back=PATH, button="Make reason"), save=save)


@section("rejection-reasons")
def reason(request: PageRequest, reason_id: int) -> HttpResponse:
    """One reason."""
    row = query.reason(request.actor, reason_id)

    def save(data: dict[str, Any]) -> str:
        update_reason(request.actor, reason_id=row.id, **data)
        messages.success(request, "Saved.")
        return PATH

    values = {"name": row.name, "for_targets": row.for_targets, "for_harvests": row.for_harvests}
    form = EditReasonForm(request, initial={**values, "version": row.version})
    page = FormPage(title=row.name, back=PATH, context={"row": row, "kind": "rejection-reason"})
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))
