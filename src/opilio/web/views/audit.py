"""The audit log: who did what, when, to what, and what changed."""

from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from opilio.people.acting import ACTIONS
from opilio.people.actor import Actor
from opilio.people.kinds import kinds
from opilio.people.queries.records import audit_entries
from opilio.people.queries.visible import one
from opilio.web.changes import changes
from opilio.web.choices import agency_filter
from opilio.web.links import path_of, spoken
from opilio.web.lists.cells import Cell, Link, Moment, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage
from opilio.web.lists.filters import Choice, Day, Exact, Identifier
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.zones import zone_of

if TYPE_CHECKING:
    from opilio.people.models import AuditEntry

PATH = "/admin/audit"
_SIGN_INS = ("signin.success", "signin.failure", "signin.failure_no_user", "signin.refuse")
_OTHER_SUBJECTS = ("task", "signinsession", "apitoken")


def _subjects(actor: Actor) -> list[tuple[str, str]]:
    return [*((kind.name, kind.label) for kind in kinds()), *((name, spoken(name)) for name in _OTHER_SUBJECTS)]


def _subject(row: "AuditEntry") -> Cell:
    return Link(
        text=row.subject_name or "–", url=path_of(row.subject_type, row.subject_id), note=spoken(row.subject_type)
    )


_COLUMNS: "tuple[Column[AuditEntry], ...]" = (
    Column(name="at", label="When", sort="at", cell=lambda row: Moment(at=row.at)),
    Column(name="user", label="Who", cell=lambda row: Text(text=row.username or "–")),
    Column(name="action", label="Action",
           cell=lambda row: Link(text=row.action, url=f"{PATH}/{row.id}", note=row.message[:200])),
    Column(name="subject", label="Subject", cell=_subject),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency_name, quiet=True)),
    Column(name="via", label="Through", cell=lambda row: Text(text=row.via, quiet=True)),
    Column(name="message", label="Message", cell=lambda row: Text(text=row.message), shown=False),
    Column(name="address", label="Address", cell=lambda row: Text(text=row.address, code=True), shown=False),
    Column(name="correlation", label="Correlation", shown=False,
           cell=lambda row: Text(text=row.correlation, code=True)),
)  # fmt: skip
AUDIT: "ListPage[AuditEntry]" = ListPage(
    name="audit", path=PATH, title="Audit log", words=("entry", "entries"), rows=audit_entries, columns=_COLUMNS,
    intro="What was done, by whom and to what. Entries are never changed.",
    order=("-at", "-id"),
    filters=(
        Day(name="from", label="From", column="at"),
        Day(name="to", label="To", column="at", until=True),
        Exact(name="user", label="Who", column="username"),
        Exact(name="action", label="Action", column="action", suggested=lambda: (*sorted(ACTIONS), *_SIGN_INS)),
        Choice(name="subject", label="Subject", column="subject_type", offered=_subjects),
        Identifier(name="number", label="Number", column="subject_id"),
        Choice(name="agency", label="Agency", column="agency_id", offered=agency_filter),
        Exact(name="correlation", label="Correlation", column="correlation"),
    ),
    empty=Empty(title="Nothing yet", text="Every change that anybody makes is told here.", icon="scroll-text"),
)  # fmt: skip


@section("audit")
def audit(request: PageRequest) -> HttpResponseBase:
    """The entries of the agencies whose log the asker may read."""
    return show(request, AUDIT)


@section("audit")
@require_safe
def entry(request: PageRequest, entry_id: int) -> HttpResponse:
    """One entry, with what was and what became."""
    row = one(audit_entries(request.actor), "audit entry", entry_id)
    context = {
        "row": row, "title": row.action,
        "changes": changes(row.subject_type, row.before, row.after, zone_of(request.actor)),
        "subject_path": path_of(row.subject_type, row.subject_id), "subject_kind": spoken(row.subject_type),
    }  # fmt: skip
    return render(request, "web/audit/entry.html", context)
