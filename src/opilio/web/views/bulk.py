"""Bulk work: what would happen to the chosen rows, its start, how far it is, and what became of each."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render

from opilio.curation.bulk import actions
from opilio.curation.bulk.performing import counts
from opilio.curation.bulk.registry import noun_named
from opilio.curation.bulk.verbs import Noun, Verb
from opilio.curation.queries import bulk as query
from opilio.curation.queries.bulk import BulkState, Outcome
from opilio.kernel.errors import OpilioError
from opilio.people.errors import NotFound
from opilio.web.forms.bulk import ArgumentsForm
from opilio.web.lists.cells import Badge, Cell, Link, Moment, Number, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest, local_path
from opilio.web.views.bulk_rows import rows_as_csv

if TYPE_CHECKING:
    from opilio.curation.models import BulkRun

PATH = "/bulk"
TRIED = 25  # rows of a preview
SHOWN = 200  # refused rows on the page; the file has them all
_REFUSED = (Outcome.REFUSED, Outcome.UNREADABLE)
_TONES = {BulkState.DONE: "good", BulkState.STOPPED: "bad", BulkState.RUNNING: "info", BulkState.WAITING: "info"}


def _name(row: "BulkRun") -> Cell:
    verb = noun_named(row.noun).verb(row.verb)
    return Link(text=f"{verb.label}: {row.total:,} {row.noun}", url=f"{PATH}/{row.pk}", note=row.source)


RUNS: "ListPage[BulkRun]" = ListPage(
    name="bulk-runs", path=PATH, title="Bulk work", words=("piece of bulk work", "pieces of bulk work"),
    rows=query.runs, order=("-made_at", "-id"),
    intro="What you did, or prepared, to many rows at once, with what became of each.",
    columns=(
        Column(name="name", label="What", cell=_name),
        Column(name="state", label="State", sort="state",
               cell=lambda row: Badge(text=BulkState(row.state).label.lower(),
                                      tone=_TONES.get(BulkState(row.state), "quiet"))),
        Column(name="trial", label="Trial", cell=lambda row: Text(text="yes" if row.dry_run else "", quiet=True)),
        Column(name="rows", label="Rows", cell=lambda row: Number(number=row.total), numeric=True, sort="total"),
        Column(name="made", label="Prepared", cell=lambda row: Moment(at=row.made_at), sort="made_at"),
        Column(name="finished", label="Over", cell=lambda row: Moment(at=row.finished_at), sort="finished_at"),
    ),
    empty=Empty(title="No bulk work yet", icon="list-checks",
                text="Tick rows of a list, or all rows of its filter, and choose what to do with them."),
)  # fmt: skip


def bulk_runs(request: PageRequest) -> HttpResponseBase:
    """The asker's bulk work."""
    return show(request, RUNS)


def bulk_run(request: PageRequest, run_id: int) -> HttpResponseBase:
    """One piece of bulk work: looked at before it is started, followed while it runs."""
    row = query.run(request.actor, run_id)
    noun = noun_named(row.noun)
    if request.GET.get("format") == "csv":
        return rows_as_csv(request, row)
    if request.method == "POST" and request.POST.get("do") != "preview":
        return _steered(request, row, noun)
    if row.state == BulkState.DRAFT:
        return _draft(request, row, noun)
    return _result(request, row, noun)


def _draft(request: PageRequest, row: "BulkRun", noun: Noun, error: OpilioError | None = None) -> HttpResponse:
    verb = noun.verb(row.verb)
    form = ArgumentsForm(request, verb.arguments, request.actor, row.arguments)
    asked = request.method == "POST"
    ready = form.is_valid() if asked else not any(one.required for one in verb.arguments)
    tried = None
    try:
        if error is not None:
            raise error
        if ready:
            tried = actions.describe(request.actor, row, form.texts() if asked else row.arguments, most=TRIED)
    except OpilioError as fault:
        form.is_valid()
        form.take(fault)
    status = form.status if form.status != 200 or not (asked and form.errors) else 422
    return render(request, "web/bulk/draft.html", {**_words(row, noun, verb), "form": form, "tried": tried,
                                                   "unreadable": _unreadable(request, row)}, status=status)  # fmt: skip


def _steered(request: PageRequest, row: "BulkRun", noun: Noun) -> HttpResponse:
    wanted, actor = request.POST.get("do", ""), request.actor
    if wanted == "stop":
        actions.stop(actor, run_id=row.pk)
        messages.success(request, "Stopped. What is done stays done.")
    elif wanted in ("run", "try"):
        form = ArgumentsForm(request, noun.verb(row.verb).arguments, actor, row.arguments)
        given = form.texts() if row.state == BulkState.DRAFT and form.is_valid() else None
        try:
            started = actions.start(actor, run_id=row.pk, arguments=given, dry_run=wanted == "try")
            if actions.at_once(started):
                actions.run_now(actor, started)
        except OpilioError as error:
            if row.state != BulkState.DRAFT or error.http_status != 422:
                raise
            return _draft(request, row, noun, error)
    else:
        raise NotFound("There is no such button", where=request.path, remedy="Choose one of those on the page.")
    return HttpResponseRedirect(f"{PATH}/{row.pk}")


def _result(request: PageRequest, row: "BulkRun", noun: Noun) -> HttpResponse:
    verb, found = noun.verb(row.verb), counts(row)
    settled = row.total - found["waiting"]
    going = row.state in (BulkState.WAITING, BulkState.RUNNING)
    refused = list(query.items(request.actor, row.pk, *_REFUSED)[:SHOWN])
    shown = list(query.items(request.actor, row.pk, Outcome.CHANGED)[:TRIED]) if row.dry_run else []
    context = {
        **_words(row, noun, verb), "counts": found, "settled": settled, "going": going, "refused": refused,
        "tried": shown, "bad": found["refused"] + found["unreadable"],
        "percent": settled * 100 // max(row.total, 1), "again": row.dry_run and not going,
    }  # fmt: skip
    part = bool(request.htmx) and request.htmx.target == "bulk-state"
    return render(request, "web/bulk/_state.html" if part else "web/bulk/run.html", context)


def _words(row: "BulkRun", noun: Noun, verb: Verb) -> dict[str, Any]:
    return {
        "run": row, "noun": noun, "verb": verb, "word": noun.words[0] if row.total == 1 else noun.words[1],
        "back": local_path(row.source, noun.path), "state": BulkState(row.state).label,
        "total": f"{row.total:,}",
    }  # fmt: skip


def _unreadable(request: PageRequest, row: "BulkRun") -> dict[str, Any]:
    rows = query.items(request.actor, row.pk, Outcome.UNREADABLE)
    return {"count": rows.count(), "rows": list(rows[:SHOWN])}
