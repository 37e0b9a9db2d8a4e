"""Pruning: first what it would come to, then the new result."""

import json
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_POST

from opilio.curation.actions.result_prune import LONGEST_NOTE, prune
from opilio.curation.queries import result_tree as query
from opilio.curation.queries import results
from opilio.kernel.errors import InvalidInput, OpilioError
from opilio.people.errors import InvalidFields, NotAllowed
from opilio.people.privileges import Privilege
from opilio.web.find_words import size
from opilio.web.requests import PageRequest
from opilio.web.result_page import PATH, frame
from opilio.web.sections import section
from opilio.works.plots import Bar, bar_chart
from opilio.works.prune_preview import Preview
from opilio.works.record_filters import BadFilter
from opilio.works.result_picks import Pick, picks_of

if TYPE_CHECKING:
    from opilio.curation.models import Result

_SHOWN = 100  # picks that are named


@section("review")
@require_POST
def prune_result(request: PageRequest, result_id: int) -> HttpResponse:
    """What was ticked, looked at; pruned once somebody said why."""
    row = results.result(request.actor, result_id)
    if not results.may(request.actor, row, Privilege.ENDORSE_HARVEST):
        remedy = f"It needs the privilege {Privilege.ENDORSE_HARVEST}; ask an administrator."
        raise NotAllowed(f"{request.actor.username} may not prune the {row}", where=request.path, remedy=remedy)
    fault: OpilioError | None = None
    picks: tuple[Pick, ...] = ()
    try:
        picks = _picks(request.POST)
        if "prune" in request.POST:
            return _pruned(request, row, picks)
    except (InvalidInput, InvalidFields) as error:
        fault = error
    return render(request, "web/results/prune.html", _context(request, row, picks, fault), status=422 if fault else 200)


def _pruned(request: PageRequest, row: "Result", picks: tuple[Pick, ...]) -> HttpResponse:
    note, version = request.POST.get("note", ""), request.POST.get("version", "")
    made = prune(
        request.actor, result_id=row.pk, picks=picks, note=note,
        version=int(version) if version.isascii() and version.isdigit() and len(version) < 10 else None,
    )  # fmt: skip
    messages.success(request, f"Result {made.number} is being made; it waits for review in a moment.")
    return HttpResponseRedirect(f"{PATH}/{made.pk}")


def _context(request: PageRequest, row: "Result", picks: tuple[Pick, ...], fault: OpilioError | None) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if picks:
        try:
            told = _told(query.preview(row, picks, request.actor.clock.now()))
        except OpilioError as error:
            fault = fault or error
    return {
        **frame(request.actor, row, "tree"), "title": f"Prune: {row.harvest.abstract_target.name}", "fault": fault,
        "picks": json.dumps([pick.document() for pick in picks]), "named": [str(pick) for pick in picks[:_SHOWN]],
        "unnamed": max(0, len(picks) - _SHOWN), "note": request.POST.get("note", "")[:LONGEST_NOTE],
        "longest": LONGEST_NOTE, "note_fault": _of_note(fault), **told,
    }  # fmt: skip


def _told(found: Preview) -> dict[str, Any]:
    bars = [Bar(label=one.value or "unknown", value=one.resources) for one in found.types[:10]]
    return {
        "found": found, "goes": size(found.chosen.bytes), "stays": size(found.left.bytes),
        "records": size(found.chosen.captured), "plot": str(bar_chart("What goes, by type", bars)) if bars else "",
    }  # fmt: skip


def _picks(posted: QueryDict) -> tuple[Pick, ...]:
    """What was ticked, and what an earlier page kept."""
    documents = [_read(text) for text in posted.getlist("pick")]
    kept = _read(posted.get("picks", "[]"))
    if not isinstance(kept, list):
        raise _unreadable()
    picks = picks_of([*documents, *kept])
    if not picks:
        raise BadFilter("nothing is ticked", where="pick", remedy="Go back to the tree, and tick folders or resources.")
    return picks


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise _unreadable() from None


def _unreadable() -> BadFilter:
    return BadFilter("what was ticked cannot be read", where="pick", remedy="Go back to the tree, and tick it again.")


def _of_note(fault: OpilioError | None) -> str:
    return fault.messages.get("note", [""])[0] if isinstance(fault, InvalidFields) else ""
