"""Findings: by kind and centre, one by one in documents and in files, and the kinds themselves."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from opilio.people.actor import Actor
from opilio.tracker.actions.finding_kinds import delete_kind, describe_kind
from opilio.tracker.queries import findings as query
from opilio.tracker.queries import overview
from opilio.tracker.queries.curtain import Curtain
from opilio.web.delivery_list import NOBODY, CentreChoice, centre_options
from opilio.web.delivery_words import PATH
from opilio.web.forms.deliveries import KindForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.lists.cells import Badge, Cell, Link, Moment, Number, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, Tab
from opilio.web.lists.filters import Choice, Day, Identifier, States, Words
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.views.delivery_documents import LEVELS, plain_key

if TYPE_CHECKING:
    from opilio.tracker.models import DeliveryFinding, DocumentFinding, FindingKind

FINDINGS_PATH = f"{PATH}/findings"
_OF_DOCUMENT = "document__attempt__offering__delivery__zip__centre_id"
_ACTIVE = {"yes": ("Counts now", Q(active=True)), "no": ("Does not count any more", Q(active=False))}
_LEVELS = {name: (name.capitalize(), Q(level=name)) for name in LEVELS}
_EMPTY = Empty(title="Nothing was found wrong", icon="circle-check",
               text="Findings are made when names, documents or records break a rule.")  # fmt: skip


def _tabs(here: str) -> tuple[Tab, ...]:
    places = (("", "By kind"), ("documents", "In documents"), ("files", "In files"), ("kinds", "Kinds"))
    return tuple(
        Tab(label=label, path=f"{FINDINGS_PATH}/{name}".rstrip("/"), here=name == here) for name, label in places
    )


def _document(row: "DocumentFinding") -> Cell:
    delivery = row.document.attempt.offering.delivery
    place = f"line {row.line}" + (f", column {row.col}" if row.col else "") if row.line else ""
    note = " · ".join(text for text in (delivery.zip.file_name, place) if text)
    return Link(text=row.document.fname, url=f"{PATH}/{delivery.pk}/documents/{row.document_id}", note=note)


def _code(centre: Any) -> Cell:
    return Text(text=centre.short_name if centre else "unknown", quiet=centre is None)


_DOCUMENT_COLUMNS: "tuple[Column[DocumentFinding], ...]" = (
    Column(name="document", label="Document", sort="document__fname", cell=_document),
    Column(name="kind", label="Kind", sort="kind__short_name", cell=lambda row: Text(text=row.kind.short_name)),
    Column(name="level", label="Level", sort="level",
           cell=lambda row: Badge(text=row.level, tone=LEVELS.get(row.level, "quiet"))),
    Column(name="message", label="What is wrong", cell=lambda row: Text(text=row.message)),
    Column(name="count", label="Times", numeric=True, sort="count", cell=lambda row: Number(number=row.count)),
    Column(name="centre", label="Centre", cell=lambda row: _code(row.document.attempt.offering.delivery.zip.centre)),
    Column(name="active", label="Counts", cell=lambda row: Text(text="yes" if row.active else "no")),
    Column(name="at", label="Found", sort="last_update", cell=lambda row: Moment(at=row.last_update)),
    Column(name="line", label="Line", shown=False, numeric=True, sort="line",
           cell=lambda row: Text(text=str(row.line or ""))),
    Column(name="column", label="Column", shown=False, numeric=True, cell=lambda row: Text(text=str(row.col or ""))),
    Column(name="record", label="Record", shown=False,
           cell=lambda row: Text(text=f"{row.record_kind} {plain_key(row.record_key)}".strip())),
)  # fmt: skip
DOCUMENT_FINDINGS: "ListPage[DocumentFinding]" = ListPage(
    name="document-findings", path=f"{FINDINGS_PATH}/documents", title="Findings in documents",
    words=("finding", "findings"), rows=query.in_documents, columns=_DOCUMENT_COLUMNS, order=("-id",),
    intro="What is wrong in documents and records, each with its place.", tabs=_tabs("documents"), empty=_EMPTY,
    filters=(
        Words(columns=("message", "document__fname", "record_key")),
        Choice(name="kind", label="Kind", column="kind_id", offered=query.kind_choices),
        CentreChoice(name="centre", label="Centre", column=_OF_DOCUMENT, offered=centre_options),
        States(name="level", label="Level", states=_LEVELS),
        States(name="active", label="Counts", states=_ACTIVE),
        Identifier(name="document", label="Document number", column="document_id"),
        Day(name="from", label="Found from", column="last_update"),
    ),
)  # fmt: skip


def _file_columns(curtain: Curtain) -> "tuple[Column[DeliveryFinding], ...]":
    return (
        Column(name="delivery", label="Delivery", sort="delivery__zip__file_name",
               cell=lambda row: Link(text=row.delivery.zip.file_name, url=f"{PATH}/{row.delivery_id}",
                                     note=row.delivery.todo.short_name)),
        Column(name="kind", label="Kind", sort="kind__short_name", cell=lambda row: Text(text=row.kind.short_name)),
        Column(name="message", label="What is wrong", cell=lambda row: Text(text=curtain.over(row.message))),
        Column(name="centre", label="Centre", cell=lambda row: _code(row.delivery.zip.centre)),
        Column(name="active", label="Counts", cell=lambda row: Text(text="yes" if row.active else "no")),
        Column(name="at", label="Found", sort="last_update", cell=lambda row: Moment(at=row.last_update)),
    )  # fmt: skip


FILE_FINDINGS: "ListPage[DeliveryFinding]" = ListPage(
    name="file-findings", path=f"{FINDINGS_PATH}/files", title="Findings in files", words=("finding", "findings"),
    rows=query.in_files, columns=(), order=("-id",), tabs=_tabs("files"), empty=_EMPTY,
    intro="What is wrong with the files themselves: names, downloads, checksums, archives.",
    filters=(
        Words(columns=("message", "delivery__zip__file_name")),
        Choice(name="kind", label="Kind", column="kind_id", offered=query.kind_choices),
        CentreChoice(name="centre", label="Centre", column="delivery__zip__centre_id", offered=centre_options),
        States(name="active", label="Counts", states=_ACTIVE),
        Day(name="from", label="Found from", column="last_update"),
    ),
)  # fmt: skip
_KIND_COLUMNS: "tuple[Column[FindingKind], ...]" = (
    Column(name="name", label="Kind", sort="short_name",
           cell=lambda row: Link(text=row.short_name, url=f"{FINDINGS_PATH}/kinds/{row.pk}",
                                 note=row.description[:200])),
    Column(name="used", label="Used", cell=lambda row: Badge(
        text="in use" if getattr(row, "used", False) else "not used", tone="info" if getattr(row, "used", False) else
        "quiet")),
    Column(name="changed", label="Changed", sort="last_update", cell=lambda row: Moment(at=row.last_update)),
)  # fmt: skip
KINDS: "ListPage[FindingKind]" = ListPage(
    name="finding-kinds", path=f"{FINDINGS_PATH}/kinds", title="Kinds of finding", words=("kind", "kinds"),
    rows=query.kinds, columns=_KIND_COLUMNS, order=("short_name", "id"), tabs=_tabs("kinds"),
    intro="Made when they are first met; one can be deleted when nothing is of it.",
    filters=(Words(columns=("short_name", "description")),),
    empty=Empty(title="No kind yet", icon="list", text="The first finding makes the first kind."),
)  # fmt: skip


@section("delivery-findings")
@require_safe
def findings(request: PageRequest) -> HttpResponse:
    """What counts now, by kind and centre."""
    kinds = query.by_kind(request.actor)
    centres = [(line.id, line.code or "No known centre") for line in overview.lines(request.actor)]
    used = [one for one in centres if any(one[0] in kind.documents or one[0] in kind.files for kind in kinds)]
    rows = [(kind, [_cell(kind, centre) for centre, _ in used]) for kind in kinds]
    context = {"title": "Findings", "tabs": _tabs(""), "rows": rows, "centres": [code for _, code in used]}
    return render(request, "web/deliveries/findings.html", context)


def _cell(kind: query.KindLine, centre: int) -> list[tuple[str, int, str]]:
    where = f"kind={kind.id}&centre={centre or NOBODY}&active=yes"
    found = (("documents", kind.documents.get(centre, 0)), ("files", kind.files.get(centre, 0)))
    return [(name, number, f"{FINDINGS_PATH}/{name}?{where}") for name, number in found if number]


@section("delivery-findings")
def in_documents(request: PageRequest) -> HttpResponseBase:
    """Findings about documents and records."""
    return show(request, DOCUMENT_FINDINGS)


@section("delivery-findings")
def in_files(request: PageRequest) -> HttpResponseBase:
    """Findings about files."""
    return show(request, _files_for(request.actor))


def _files_for(actor: Actor) -> "ListPage[DeliveryFinding]":
    return replace(FILE_FINDINGS, columns=_file_columns(Curtain.of(actor)))


@section("delivery-findings")
def kinds(request: PageRequest) -> HttpResponseBase:
    """The kinds of finding."""
    return show(request, KINDS)


@section("delivery-findings")
def kind(request: PageRequest, kind_id: int) -> HttpResponse:
    """One kind: what it means; it can be deleted when nothing is of it."""
    row = query.kind(request.actor, kind_id)

    def save(data: dict[str, Any]) -> str:
        describe_kind(request.actor, kind_id=row.pk, description=data["description"])
        messages.success(request, "Saved.")
        return f"{FINDINGS_PATH}/kinds"

    context = {"row": row, "used": getattr(row, "used", True), "may_manage": query.may_manage(request.actor)}
    page = FormPage(title=row.short_name, back=f"{FINDINGS_PATH}/kinds", template="web/deliveries/kind.html",
                    context=context)  # fmt: skip
    return answer(request, KindForm(request, initial={"description": row.description}), page, save=save)


@section("delivery-findings")
@require_POST
def remove_kind(request: PageRequest, kind_id: int) -> HttpResponse:
    """Delete a kind that nothing is of."""
    name = delete_kind(request.actor, kind_id=kind_id)
    messages.success(request, f"The kind {name} was deleted.")
    return HttpResponseRedirect(f"{FINDINGS_PATH}/kinds")
