"""The forms with which people decide about a result and what follows for its target."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_POST

from opilio.curation.actions.flags import put_flag
from opilio.curation.actions.result_decisions import (
    endorse_harvest,
    endorse_result,
    reject_harvest,
    reject_result,
    unendorse_result,
)
from opilio.curation.actions.results import delist, note_result, set_reference, undo_result
from opilio.curation.harvest_workflow import HARVESTS
from opilio.curation.queries import harvests, results, review
from opilio.curation.result_workflow import RESULTS
from opilio.curation.words import ResultState
from opilio.kernel.errors import Conflict
from opilio.people.errors import NotFound, Stale
from opilio.web import harvest_page
from opilio.web.forms.base import PageForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.results import (
    DelistForm,
    EndorseForm,
    NoteForm,
    ProvenanceForm,
    PutFlagForm,
    RejectHarvestForm,
    RejectResultForm,
    WhyForm,
)
from opilio.web.forms.stale import Version
from opilio.web.requests import PageRequest, asked_next
from opilio.web.result_page import PATH, frame
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import Result

_TOLD = {
    "endorse": "Endorsed.", "reject": "Rejected.", "unendorse": "The endorsement is taken back; decide again.",
    "undo": "An agent undoes it; what it was derived from stays.",
}  # fmt: skip
Decide = Callable[..., "Result"]


@section("review")
def decide(request: PageRequest, result_id: int, verb: str) -> HttpResponse:
    """Ask about a decision, then make it; the version keeps two reviewers from deciding past each other."""
    row = results.result(request.actor, result_id)
    if verb not in _TOLD:
        raise NotFound("A result has no such button", where=request.path, remedy="Use those of the result's page.")
    move = next(one for one in RESULTS.moves if one.name == verb)
    form, act = _form(request, row, verb)

    def save(data: dict[str, Any]) -> str:
        made = _made(act, request, row, data)
        waits = verb == "endorse" and made.state == ResultState.UNASSESSED
        words = "Proposed: another person must agree before it is endorsed." if waits else _TOLD[verb]
        messages.success(request, words)
        return f"{PATH}/{row.pk}"

    page = _page(request, row, f"{move.label} result {row.number}", move.sentence, move.label)
    return answer(request, form, page, save=save)


@section("review")
def decide_whole(request: PageRequest, harvest_id: int, verb: str) -> HttpResponse:
    """Decide about a harvest with all its results."""
    row = harvests.harvest(request.actor, harvest_id)
    if verb not in ("endorse", "reject"):
        raise NotFound("A harvest has no such button", where=request.path, remedy="Use those of its pages.")
    move = next(one for one in HARVESTS.moves if one.name == verb)

    def save(data: dict[str, Any]) -> str:
        if verb == "reject":
            reject_harvest(request.actor, harvest_id=row.pk, reason_id=data["reason"], note=data["note"])
        else:
            endorse_harvest(request.actor, harvest_id=row.pk, note=data["note"])
        messages.success(request, _TOLD[verb] if verb == "reject" else "Decided.")
        return f"{harvest_page.PATH}/{row.pk}/results"

    form = (
        RejectHarvestForm(request, reasons=review.reasons_of(row.agency_id)) if verb == "reject" else NoteForm(request)
    )
    title = f"{move.label} the harvest of {row.abstract_target.name}"
    page = FormPage(title=title, back=f"{harvest_page.PATH}/{row.pk}/results", button=move.label, intro=move.sentence)
    return answer(request, form, page, save=save)


@section("review")
def note(request: PageRequest, result_id: int) -> HttpResponse:
    """Say where a result came from."""
    row = results.result(request.actor, result_id)
    values = {"note": row.provenance_note}

    def save(data: dict[str, Any]) -> str:
        note_result(request.actor, result_id=row.pk, **data)
        messages.success(request, "Saved.")
        return f"{PATH}/{row.pk}"

    form = ProvenanceForm(request, initial={**values, "version": row.version})
    page = _page(request, row, f"Provenance of result {row.number}", "Where it came from, and why it was made.", "Save")
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))


@section("review")
@require_POST
def reference(request: PageRequest, harvest_id: int, verb: str) -> HttpResponse:
    """Let later harvests be compared with this one, or not any more."""
    row = harvests.harvest(request.actor, harvest_id)
    if verb not in ("set", "remove"):
        raise NotFound("A harvest has no such button", where=request.path, remedy="Use those of its pages.")
    set_reference(request.actor, harvest_id=row.pk, reference=verb == "set")
    words = "Later harvests are compared with this one." if verb == "set" else "It is not the reference any more."
    messages.success(request, words)
    return HttpResponseRedirect(asked_next(request, f"{harvest_page.PATH}/{row.pk}/results"))


@section("review")
def delist_target(request: PageRequest, harvest_id: int) -> HttpResponse:
    """End the schedules of the target of a harvest."""
    row = harvests.harvest(request.actor, harvest_id)

    def save(data: dict[str, Any]) -> str:
        delist(request.actor, target_id=row.abstract_target_id, **data)
        messages.success(request, "Its schedules are ended; nothing is planned for it any more.")
        return f"{harvest_page.PATH}/{row.pk}/results"

    intro = "Its schedules end now and what is planned is removed. What was collected stays; so does the target."
    title = f"Delist {row.abstract_target.name}"
    page = FormPage(title=title, back=f"{harvest_page.PATH}/{row.pk}/results", button="Delist", intro=intro)
    return answer(request, DelistForm(request), page, save=save)


@section("harvests")
def colour(request: PageRequest, harvest_id: int) -> HttpResponse:
    """Put a coloured flag on a harvest."""
    row = harvests.harvest(request.actor, harvest_id)

    def save(data: dict[str, Any]) -> str:
        put_flag(request.actor, harvest_id=row.pk, flag_id=data["flag"])
        messages.success(request, "Saved.")
        return f"{harvest_page.PATH}/{row.pk}"

    form = PutFlagForm(request, flags=review.flags_for(row), initial={"flag": row.flag_id or ""})
    intro = "Flags are the agency's own; they are made under Admin, Flags."
    title = f"Flag the harvest of {row.abstract_target.name}"
    page = FormPage(title=title, back=f"{harvest_page.PATH}/{row.pk}", intro=intro)
    return answer(request, form, page, save=save)


def _form(request: PageRequest, row: "Result", verb: str) -> tuple[PageForm, Decide]:
    start = {"version": row.version}
    if verb == "reject":
        return RejectResultForm(request, reasons=review.reasons_for(row), initial=start), reject_result
    if verb == "undo":
        return WhyForm(request, initial=start), undo_result
    return EndorseForm(request, initial=start), endorse_result if verb == "endorse" else unendorse_result


def _made(act: Decide, request: PageRequest, row: "Result", data: dict[str, Any]) -> "Result":
    given = {("reason_id" if name == "reason" else name): value for name, value in data.items()}
    try:
        return act(request.actor, result_id=row.pk, **given)
    except Stale as error:
        now = results.result(request.actor, row.pk)
        state = ResultState(now.state).label.lower()
        what = f"Somebody else changed it since you opened this page; it is {state} now"
        raise Conflict(what, where=str(row), remedy="Open the result again and look before you decide.") from error


def _page(request: PageRequest, row: "Result", title: str, intro: str, button: str) -> FormPage:
    return FormPage(
        title=title, back=f"{PATH}/{row.pk}", button=button, template="web/results/form.html",
        context={**frame(request.actor, row, ""), "title": title, "heading": title, "intro": intro},
    )  # fmt: skip
