"""One result: the page on which people decide, and what happened to it; the results of a harvest."""

from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from opilio.curation.kinds import RESULT
from opilio.curation.queries import assessments, harvests, results, review
from opilio.curation.words import ResultState, result_tone_of
from opilio.people.privileges import Privilege
from opilio.web import harvest_page
from opilio.web.find_words import size
from opilio.web.notes import panel
from opilio.web.requests import PageRequest
from opilio.web.result_page import PATH, frame
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import Harvest, Result
    from opilio.curation.result_lineage import Node

_MOST_EVENTS = 1_000


@section("review")
@require_safe
def result(request: PageRequest, result_id: int) -> HttpResponse:
    """The recommendation, what can be decided, where it came from, what people noted."""
    row = results.result(request.actor, result_id)
    context = {
        **frame(request.actor, row, ""), "title": f"Result {row.number} of {row.harvest.abstract_target.name}",
        "offers": review.offers(request.actor, row), "modified": review.notes_of(row), "data": size(row.bytes),
        "lineage": shown_lineage(row.harvest), "two": review.two_must_agree(row),
        "notes": panel(request.actor, RESULT, row), **_about_target(request, row),
        "panel": assessments.panel(request.actor, row),
    }  # fmt: skip
    return render(request, "web/results/result.html", context)


@section("review")
@require_safe
def events(request: PageRequest, result_id: int) -> HttpResponse:
    """What happened to it as a thing to be preserved."""
    row = results.result(request.actor, result_id)
    found = review.events_of(row)
    context = {
        **frame(request.actor, row, "events"), "title": f"Events of result {row.number}",
        "events": found[:_MOST_EVENTS], "more": max(0, found.count() - _MOST_EVENTS),
    }  # fmt: skip
    return render(request, "web/results/events.html", context)


@section("harvests")
@require_safe
def of_harvest(request: PageRequest, harvest_id: int) -> HttpResponse:
    """All results of a harvest, as they were derived from one another."""
    row = harvests.harvest(request.actor, harvest_id)
    context = {
        **harvest_page.frame(request.actor, row, "results"), "title": f"Results of {row.abstract_target.name}",
        "lineage": shown_lineage(row), "may_review": harvests.may(request.actor, row, Privilege.ENDORSE_HARVEST),
    }  # fmt: skip
    return render(request, "web/results/of_harvest.html", context)


def shown_lineage(harvest: "Harvest") -> list[dict[str, Any]]:
    """The tree of results as the template draws it."""
    return [_node(node) for node in review.tree(harvest)]


def _node(node: "Node") -> dict[str, Any]:
    state = ResultState(node.row.state)
    return {
        "row": node.row, "path": f"{PATH}/{node.row.pk}", "label": state.label.lower(),
        "tone": result_tone_of(state), "notes": node.notes, "data": size(node.row.bytes),
        "children": [_node(child) for child in node.children],
    }  # fmt: skip


def _about_target(request: PageRequest, row: "Result") -> dict[str, Any]:
    holder = row.harvest.abstract_target
    return {
        "is_reference": holder.reference_harvest_id == row.harvest_id,
        "may_delist": request.actor.holds(Privilege.ADD_SCHEDULE_TO_TARGET) and not holder.deleted,
        "reference": holder.reference_harvest_id,
    }  # fmt: skip
