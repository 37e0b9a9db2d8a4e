"""Publications of the public index: what the next one would bring, how the last ones went, and the button."""

import datetime
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_POST, require_safe

from opilio.curation.actions.publications import start_publication
from opilio.curation.queries import publications as query
from opilio.web.lists.cells import Badge, Cell, Link, Moment, Number, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage
from opilio.web.lists.filters import Choice, Words
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.zones import shown, zone_of
from opilio.works.plots import Bar, bar_chart

if TYPE_CHECKING:
    from opilio.curation.models import Publication

PATH = "/publications"
_TONES = {"done": "good", "failed": "bad"}
_STATES = tuple((word, word) for word in ("waiting", "building", "publishing", "done", "failed"))
_PLOTTED = 20  # publications


def _state(row: "Publication") -> Cell:
    return Badge(text=row.state, tone=_TONES.get(row.state, "info"))


_COLUMNS: "tuple[Column[Publication], ...]" = (
    Column(name="id", label="Publication", sort="id",
           cell=lambda row: Link(text=str(row.pk), url=f"{PATH}/{row.pk}", note=row.failure[:200])),
    Column(name="state", label="State", cell=_state, sort="state"),
    Column(name="generation", label="Generation", cell=lambda row: Text(text=row.generation or "–")),
    Column(name="results", label="Results", numeric=True, cell=lambda row: Number(number=row.results), sort="results"),
    Column(name="added", label="Added", numeric=True, cell=lambda row: Number(number=row.added)),
    Column(name="dropped", label="Dropped", numeric=True, cell=lambda row: Number(number=row.dropped)),
    Column(name="by", label="By", cell=lambda row: Text(text=row.by)),
    Column(name="begun", label="Begun", cell=lambda row: Moment(at=row.begun_at), sort="begun_at"),
    Column(name="ended", label="Ended", cell=lambda row: Moment(at=row.ended_at)),
)  # fmt: skip


def _above(request: PageRequest) -> dict[str, Any]:
    rows = list(query.publications(request.actor).filter(state="done")[:_PLOTTED])
    return {"outlook": query.outlook(request.actor), "plot": _plot(rows[::-1], zone_of(request.actor))}


PUBLICATIONS: "ListPage[Publication]" = ListPage(
    name="publications", path=PATH, title="Publications", words=("publication", "publications"),
    rows=query.publications, columns=_COLUMNS, order=("-id",),
    intro="Each builds a generation of the public index from what is endorsed, and lets all nodes serve it.",
    filters=(Words(columns=("generation", "by", "failure")), Choice(name="state", label="State", column="state",
             offered=lambda actor: _STATES)),
    empty=Empty(title="Nothing was published yet", icon="send",
                text="Endorse a harvest; then publish, or wait until it is done by itself."),
    above="web/publications/_above.html",
)  # fmt: skip


@section("publications")
def publications(request: PageRequest) -> HttpResponseBase:
    """What was published, and what would be."""
    return show(request, replace(PUBLICATIONS, extra=_above(request)))


@section("publications")
@require_POST
def start(request: PageRequest) -> HttpResponse:
    """Publish now."""
    row = start_publication(request.actor)
    messages.success(request, "An agent builds the next generation now.")
    return HttpResponseRedirect(f"{PATH}/{row.pk}")


@section("publications")
@require_safe
def publication(request: PageRequest, publication_id: int) -> HttpResponse:
    """One publication: what it held, what was left out, what the nodes said."""
    row = query.publication(request.actor, publication_id)
    context = {
        "row": row, "details": row.details, "tone": _TONES.get(row.state, "info"), "back": PATH,
        "results": sorted(row.details.get("results", {}).items(), key=lambda pair: int(pair[0])),
    }  # fmt: skip
    return render(request, "web/publications/publication.html", context)


def _plot(rows: "list[Publication]", zone: datetime.tzinfo) -> SafeString:
    """Pages that readers could find after each publication."""
    counted = [(row.ended_at, int(row.details.get("documents", 0))) for row in rows]
    bars = [Bar(label=shown(ended, zone), value=count, shown=f"{count:,}") for ended, count in counted if ended]
    return mark_safe(bar_chart("Pages that readers find", bars)) if len(bars) > 1 else SafeString()  # noqa: S308 - Markup
