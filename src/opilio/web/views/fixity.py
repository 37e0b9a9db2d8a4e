"""Fixity: every reading of kept files, how it stands with them, and a reading of one harvest at once."""

import dataclasses
from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_http_methods

from opilio.curation.actions.fixity import order_check
from opilio.curation.queries import fixity as queries
from opilio.curation.queries import harvests
from opilio.people.actor import Actor
from opilio.web.find_words import size
from opilio.web.fixity_states import STATES
from opilio.web.lists.cells import Badge, Cell, Link, Moment, Number, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage
from opilio.web.lists.filters import Choice, Day, States, Words
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest, asked_next
from opilio.web.sections import section
from opilio.works.plots import Bar, histogram

if TYPE_CHECKING:
    from opilio.curation.models import FixityCheck

PATH = "/fixity"


def _outcome(row: "FixityCheck") -> Cell:
    if row.failure:
        return Badge(text="not read", tone="warn")
    if not row.damaged:
        return Badge(text="sound", tone="good")
    left = row.damaged - row.repaired
    return Badge(text=f"{left} damaged", tone="bad") if left else Badge(text="repaired", tone="warn")


_COLUMNS: "tuple[Column[FixityCheck], ...]" = (
    Column(name="harvest", label="Harvest of", sort="harvest__abstract_target__name",
           cell=lambda row: Link(text=row.harvest.abstract_target.name, url=f"{PATH}/{row.pk}",
                                 note=f"harvest {row.harvest_id}")),
    Column(name="place", label="Copy", cell=lambda row: Text(text=row.place), sort="place"),
    Column(name="ended", label="Read", cell=lambda row: Moment(at=row.ended_at), sort="ended_at"),
    Column(name="outcome", label="Outcome", cell=_outcome, sort="damaged"),
    Column(name="files", label="Files", cell=lambda row: Number(number=row.files), sort="files", numeric=True),
    Column(name="bytes", label="Bytes", cell=lambda row: Number(number=row.bytes), sort="bytes", numeric=True),
    Column(name="damaged", label="Damaged", cell=lambda row: Number(number=row.damaged), sort="damaged", numeric=True,
           shown=False),
    Column(name="repaired", label="Repaired", cell=lambda row: Number(number=row.repaired), sort="repaired",
           numeric=True, shown=False),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.harvest.agency.name),
           sort="harvest__agency__name", shown=False),
)  # fmt: skip
CHECKS: "ListPage[FixityCheck]" = ListPage(
    name="fixity", path=PATH, title="Fixity", words=("reading", "readings"), rows=queries.checks,
    intro="Kept files are read again and compared with their digests; what is damaged is taken from the other copy.",
    columns=_COLUMNS, order=("-id",), above="web/fixity/_above.html",
    filters=(
        Words(columns=("harvest__abstract_target__name",)),
        States(name="outcome", label="Outcome", states=STATES),
        Choice(name="agency", label="Agency", column="harvest__agency_id",
               offered=lambda actor: [(str(number), name) for number, name in harvests.agency_choices(actor)]),
        Day(name="from", label="From", column="ended_at"),
        Day(name="until", label="Until", column="ended_at", until=True),
    ),
    empty=Empty(title="Nothing was read yet", icon="scan-search",
                text="Agents read a part of what is kept every hour. A harvest's page can have it read at once."),
)  # fmt: skip


@section("fixity")
def checks(request: PageRequest) -> HttpResponseBase:
    """The report."""
    extra = {"standing": queries.standing(request.actor), "plot": _plot(request.actor)}
    return show(request, dataclasses.replace(CHECKS, extra=extra))


@section("fixity")
def check(request: PageRequest, check_id: int) -> HttpResponse:
    """One reading with every damaged file."""
    row = queries.check(request.actor, check_id)
    context = {"row": row, "size": size(row.bytes), "back": PATH, "may": queries.may(request.actor, row.harvest)}
    return render(request, "web/fixity/check.html", context)


@section("fixity")
@require_http_methods(["POST"])
def order(request: PageRequest, harvest_id: int) -> HttpResponse:
    """Have a harvest read at once."""
    row = harvests.harvest(request.actor, harvest_id)
    order_check(request.actor, harvest_id=row.pk)
    messages.success(request, "An agent that has the files reads them now.")
    return HttpResponseRedirect(asked_next(request, PATH))


def _plot(actor: Actor) -> SafeString:
    bars = [
        Bar(label=f"{each.day:%d %b}", value=each.bytes, shown=_shown(each.bytes, each.damaged))
        for each in queries.days(actor)
    ]
    return mark_safe(histogram("Bytes read by day", bars) if bars else "")  # noqa: S308 - Markup, escaped by construction


def _shown(read: int, damaged: int) -> str:
    return f"{size(read)}, {damaged} damaged" if damaged else size(read)
