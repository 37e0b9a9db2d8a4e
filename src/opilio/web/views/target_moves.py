"""What is done to a whole target: moves from state to state, copies."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from opilio.curation.actions.target_moves import move_target
from opilio.curation.actions.targets import copy_target
from opilio.curation.queries import targets as query
from opilio.curation.words import State
from opilio.curation.workflow import TARGETS, Move
from opilio.people.errors import NotFound
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.targets import CopyForm, RejectForm
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.target_page import PATH, frame


@section("targets")
@require_http_methods(["GET", "HEAD", "POST"])
def move(request: PageRequest, target_id: int, verb: str) -> HttpResponse:
    """Ask about a move, then make it; a rejection asks for its reason."""
    row = query.target(request.actor, target_id)
    found = _move(verb, State(row.state), request.path)
    back = f"{PATH}/{row.pk}"
    if verb == "reject":
        return _reject(request, row, found, back)
    if request.method == "POST":
        moved = move_target(request.actor, target_id=row.pk, verb=verb)
        messages.success(request, f"{moved.name} is {State(moved.state).label.lower()} now.")
        return HttpResponseRedirect(back)
    context = {**frame(request.actor, row, ""), "move": found, "title": f"{found.label} {row.name}"}
    return render(request, "web/targets/move.html", context)


@section("targets")
def copy(request: PageRequest, target_id: int) -> HttpResponse:
    """Make a pending target like this one."""
    row = query.target(request.actor, target_id)

    def save(data: dict[str, Any]) -> str:
        made = copy_target(request.actor, target_id=row.pk, name=data["name"])
        messages.success(request, f"{made.name} is made, with the seeds of {row.name}.")
        return f"{PATH}/{made.pk}"

    form = CopyForm(request, initial={"name": f"Copy of {row.name}"[:255]})
    page = FormPage(
        title=f"Copy {row.name}", back=f"{PATH}/{row.pk}", button="Make copy",
        intro="Seeds with their permissions, excluded URLs, description, profile and overrides come along; schedules,"
        " groups and notes stay here. The copy is pending and yours.",
    )  # fmt: skip
    return answer(request, form, page, save=save)


def _reject(request: PageRequest, row: Any, found: Move[State], back: str) -> HttpResponse:
    def save(data: dict[str, Any]) -> str:
        move_target(request.actor, target_id=row.pk, verb="reject", reason_id=data["reason"], note=data["note"])
        messages.success(request, f"{row.name} is rejected.")
        return back

    form = RejectForm(request, reasons=query.reasons_for(row))
    page = FormPage(title=f"Reject {row.name}", back=back, button="Reject", intro=found.sentence)
    return answer(request, form, page, save=save)


def _move(verb: str, state: State, where: str) -> Move[State]:
    if verb not in {move.name for move in TARGETS.moves if move.privilege is not None}:
        raise NotFound("A target has no such button", where=where, remedy="Use those of the target's page.")
    return TARGETS.move(verb, state)
