"""Documents of deliveries: one with what is wrong in it, line by line; and the records that a delivery brought."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Q
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from opilio.deliveries.excerpt import ShownLine
from opilio.tracker.queries import deliveries as query
from opilio.tracker.queries import story
from opilio.web.delivery_words import PATH, standing, tone
from opilio.web.find_words import size
from opilio.web.lists.cells import Badge, Cell, Link, Number, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage
from opilio.web.lists.filters import Exact, States, Words
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.tracker.models import DocumentFinding, FindingKind, LoadedRecord

_SHOWN = 100  # findings on a page
LEVELS = {"warn": "warn", "error": "bad", "fatal": "bad"}
_SEPARATOR = "\x1f"  # between the parts of a key
_STATES = {
    "current": ("Current", Q(current=True)), "former": ("Former", Q(current=False)),
    "removed": ("Removals", Q(removed=True)),
}  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class XmlLine:
    """A line of a document, cut where the finding is."""

    number: int
    start: int
    before: str
    mark: str
    after: str
    more: bool
    here: bool


@section("delivery-list")
@require_safe
def document(request: PageRequest, delivery_id: int, document_id: int) -> HttpResponse:
    """A document and what is wrong in it, by kind, each with the lines around it."""
    row = story.document(request.actor, delivery_id, document_id)
    found = list(story.document_findings(row)[:_SHOWN])
    spots = [(one.line, one.col or 0) for one in found if one.line]
    lines = story.shown_lines(row, spots)
    groups: dict[int, tuple[FindingKind, list[dict[str, Any]]]] = {}
    for one in found:
        shown = (lines or {}).get((one.line or 0, one.col or 0), ())
        groups.setdefault(one.kind_id, (one.kind, []))[1].append(_told(one, shown))
    context = {
        "title": row.fname, "row": row, "delivery": row.attempt.offering.delivery, "standing": standing(row),
        "tone": tone(row), "size": size(row.size_bytes), "groups": list(groups.values()), "gone": lines is None,
        "more": story.document_findings(row).count() - len(found) if len(found) == _SHOWN else 0,
    }  # fmt: skip
    return render(request, "web/deliveries/document.html", context)


def _told(one: "DocumentFinding", lines: Sequence[ShownLine]) -> dict[str, Any]:
    return {
        "row": one, "tone": LEVELS.get(one.level, "quiet"), "others": one.count - 1,
        "awaits": plain_key(one.awaits_key), "lines": [_line(line, one.line or 0) for line in lines],
    }  # fmt: skip


def _line(line: ShownLine, here: int) -> XmlLine:
    at = len(line.text) if line.at is None else line.at
    mark = "" if line.at is None else line.text[at : at + 1] or " "
    return XmlLine(
        number=line.number, start=line.start, before=line.text[:at], mark=mark, after=line.text[at + 1 :],
        more=line.more, here=line.number == here,
    )  # fmt: skip


def plain_key(key: str) -> str:
    """The key of a record as people read it."""
    return key.replace(_SEPARATOR, "/")


def _state(row: "LoadedRecord") -> Cell:
    if row.removed:
        return Badge(text="removal", tone="warn")
    return Badge(text="current", tone="good") if row.current else Badge(text="former")


_COLUMNS: "tuple[Column[LoadedRecord], ...]" = (
    Column(name="key", label="Record", sort="key", cell=lambda row: Text(text=plain_key(row.key), code=True)),
    Column(name="kind", label="Kind", sort="kind", cell=lambda row: Text(text=row.kind)),
    Column(name="version", label="Version", sort="number", numeric=True, cell=lambda row: Number(number=row.number)),
    Column(name="state", label="State", cell=_state),
    Column(name="document", label="Document",
           cell=lambda row: Link(text=row.document.fname if row.document else "–")),
)  # fmt: skip


@section("delivery-list")
def records(request: PageRequest, delivery_id: int) -> HttpResponseBase:
    """The records that a delivery brought."""
    delivery = query.delivery(request.actor, delivery_id)
    page: ListPage[LoadedRecord] = ListPage(
        name="delivery-records", path=f"{PATH}/{delivery.pk}/records", title=f"Records of {delivery.zip.file_name}",
        words=("record", "records"), rows=lambda actor: story.records(delivery), columns=_COLUMNS,
        intro="All versions that it brought; of each record one at most is current.", order=("kind", "key", "-id"),
        filters=(Words(columns=("key",)), Exact(name="kind", label="Kind", column="kind"),
                 States(name="state", label="State", states=_STATES)),
        empty=Empty(title="No records", icon="database",
                    text="It brought none, or they were taken back; its page tells where it stands."),
    )  # fmt: skip
    return show(request, page)
