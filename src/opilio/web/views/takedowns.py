"""Takedowns: the list, a new one with what it would reach, one with its proofs, and what people do with it."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST

from opilio.curation.actions.takedowns import (
    confirm_takedown,
    lift_takedown,
    order_takedown,
    prove_takedown,
    review_takedown,
)
from opilio.curation.kinds import TAKEDOWN
from opilio.curation.queries import takedowns as queries
from opilio.curation.takedown_checks import made
from opilio.curation.words import TakedownLevel, TakedownState
from opilio.kernel.errors import OpilioError
from opilio.people.privileges import Privilege
from opilio.people.queries.homes import agencies_where
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.stale import Version
from opilio.web.forms.takedowns import LiftForm, ProofForm, ReviewForm, TakedownForm, order
from opilio.web.lists.show import show
from opilio.web.notes import panel
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.takedown_list import PATH, STATE_TONES, TAKEDOWNS

if TYPE_CHECKING:
    from opilio.curation.models import Takedown


@section("takedowns")
def takedowns(request: PageRequest) -> HttpResponseBase:
    """All takedowns of the agencies in which the asker may order some."""
    return show(request, TAKEDOWNS)


@section("takedowns")
def new_takedown(request: PageRequest) -> HttpResponse:
    """Order a takedown, or only see what it would reach."""
    zone = request.actor.time_zone

    def save(data: dict[str, Any]) -> str:
        row = order_takedown(request.actor, **order(data, zone), review_on=data["review_on"])
        messages.success(request, _ORDERED[TakedownState(row.state)])
        return f"{PATH}/{row.pk}"

    asked = {name: request.GET.get(name, "")[:4_000] for name in ("target", "harvest", "value")}
    initial = {"agency": request.actor.agency, "level": TakedownLevel.HIDE, "reach": "url", **asked}
    form = TakedownForm(request, agencies=agencies_where(request.actor, Privilege.TAKEDOWN), initial=initial)
    page = FormPage(title="New takedown", back=PATH, button="Order it", template="web/takedowns/new.html")
    if request.method == "POST" and "preview" in request.POST and form.is_valid():
        return _previewed(request, form, page)
    return answer(request, form, page, save=save)


_ORDERED = {
    TakedownState.PROPOSED: "It is blocked. Another person must confirm before anything is destroyed.",
    TakedownState.IN_FORCE: "It is in force; readers see it no more within seconds.",
}


def _previewed(request: PageRequest, form: TakedownForm, page: FormPage) -> HttpResponse:
    context: dict[str, Any] = {"form": form, "page": page}
    try:
        row = made(**order(form.cleaned_data, request.actor.time_zone))
        context["preview"] = queries.preview_for(request.actor, row)
    except OpilioError as error:
        form.take(error)
    return render(request, page.template, context, status=form.status)


@section("takedowns")
def takedown(request: PageRequest, takedown_id: int) -> HttpResponse:
    """One takedown: what, why, how it stands at each place, all proofs."""
    row = queries.takedown(request.actor, takedown_id)
    state = TakedownState(row.state)
    mine = row.ordered_by_id == request.actor.user
    context = {
        "row": row, "kind": "takedown", "back": PATH, "base": f"{PATH}/{row.pk}", "state": state.label.lower(),
        "tone": STATE_TONES[state], "level": TakedownLevel(row.level).label, "places": queries.places(row),
        "proofs": queries.proofs(row), "waiting": queries.waiting(row.pk), "may": queries.may(request.actor, row),
        "may_confirm": state == TakedownState.PROPOSED and not mine, "proposed": state == TakedownState.PROPOSED,
        "may_lift": state == TakedownState.PROPOSED
        or (state == TakedownState.IN_FORCE and row.level != TakedownLevel.DESTROY),
        "over": state == TakedownState.LIFTED, "notes": panel(request.actor, TAKEDOWN, row),
    }  # fmt: skip
    return render(request, "web/takedowns/takedown.html", context)


@section("takedowns")
def reach(request: PageRequest, takedown_id: int) -> HttpResponse:
    """What a takedown reaches now."""
    row = queries.takedown(request.actor, takedown_id)
    context = {"row": row, "back": f"{PATH}/{row.pk}", "preview": queries.preview(row)}
    return render(request, "web/takedowns/reach.html", context)


@section("takedowns")
def proof(request: PageRequest, takedown_id: int) -> HttpResponse:
    """The takedown with all its proofs, as a document for other programs."""
    row = queries.takedown(request.actor, takedown_id)
    answered = JsonResponse(queries.document(row), json_dumps_params={"indent": 2, "ensure_ascii": False})
    answered["Content-Disposition"] = f'attachment; filename="takedown-{row.pk}.json"'
    return answered


@section("takedowns")
@require_POST
def confirm(request: PageRequest, takedown_id: int) -> HttpResponse:
    """Confirm what somebody else proposed."""
    row = queries.takedown(request.actor, takedown_id)
    confirm_takedown(request.actor, takedown_id=row.pk)
    messages.success(request, "Confirmed: agents destroy it now; the proofs come as they do.")
    return HttpResponseRedirect(f"{PATH}/{row.pk}")


@section("takedowns")
def lift(request: PageRequest, takedown_id: int) -> HttpResponse:
    """Lift a takedown."""
    row = queries.takedown(request.actor, takedown_id)

    def save(data: dict[str, Any]) -> str:
        lift_takedown(request.actor, takedown_id=row.pk, **data)
        messages.success(request, "It is lifted; readers see what other rules allow.")
        return f"{PATH}/{row.pk}"

    page = FormPage(title=f"Lift: {row.value[:80]}", back=f"{PATH}/{row.pk}", button="Lift it")
    return answer(request, LiftForm(request, initial={"version": row.version}), page, save=save, newer=_newer(row))


@section("takedowns")
def review(request: PageRequest, takedown_id: int) -> HttpResponse:
    """Look at a takedown again."""
    row = queries.takedown(request.actor, takedown_id)

    def save(data: dict[str, Any]) -> str:
        review_takedown(request.actor, takedown_id=row.pk, **data)
        messages.success(request, "Written down.")
        return f"{PATH}/{row.pk}"

    page = FormPage(
        title=f"Look at it again: {row.value[:80]}", back=f"{PATH}/{row.pk}",
        intro="It stays in force. If it need not, lift it instead.",
    )  # fmt: skip
    form = ReviewForm(request, initial={"version": row.version})
    return answer(request, form, page, save=save, newer=_newer(row))


@section("takedowns")
def prove(request: PageRequest, takedown_id: int) -> HttpResponse:
    """Write down what was done elsewhere."""
    row = queries.takedown(request.actor, takedown_id)

    def save(data: dict[str, Any]) -> str:
        prove_takedown(request.actor, takedown_id=row.pk, **data)
        messages.success(request, "Written down.")
        return f"{PATH}/{row.pk}"

    page = FormPage(title=f"Done elsewhere: {row.value[:80]}", back=f"{PATH}/{row.pk}", button="Write it down")
    form = ProofForm(request, initial={"place": request.GET.get("place", "")[:255], "done": True})
    return answer(request, form, page, save=save)


def _newer(row: "Takedown") -> Any:
    return lambda: Version(number=row.version, values={"why": "", "note": "", "review_on": row.review_on})
