"""What people tell a harvest: launch, pause, go on, stop, abort, limits, delay, exclusion, share of the line, flag."""

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST

from opilio.curation.actions.harvest_flags import flag_harvest
from opilio.curation.actions.harvest_orders import (
    order_delay,
    order_exclusion,
    order_limits,
    order_move,
    set_bandwidth,
)
from opilio.curation.actions.harvest_queue import launch_harvest
from opilio.curation.harvest_workflow import HARVESTS
from opilio.curation.networks import network_of
from opilio.curation.queries import agent_status
from opilio.curation.queries import harvests as query
from opilio.curation.queries.harvest_rights import missing_rights
from opilio.curation.words import HarvestState
from opilio.people.errors import NotFound
from opilio.web.forms.base import PageForm
from opilio.web.forms.harvests import BandwidthForm, DelayForm, ExcludeForm, LaunchForm, LimitsForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.stale import Version
from opilio.web.harvest_page import PATH, frame
from opilio.web.requests import PageRequest, asked_next, local_path
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import Harvest

_TOLD = {
    "pause": "It is told to pause, and does so within two seconds.",
    "resume": "It is told to go on.",
    "stop": "It is told to stop; what it collected is kept.",
    "abort": "It is told to abort.",
}
_LONGEST = 4_000  # characters of a decision
_SOON = "The harvest is told, and keeps to it within two seconds."


@section("harvests")
@require_http_methods(["GET", "HEAD", "POST"])
def move(request: PageRequest, harvest_id: int, verb: str) -> HttpResponse:
    """Ask about a move, then order it."""
    row = query.harvest(request.actor, harvest_id)
    if verb not in _TOLD:
        raise NotFound("A harvest has no such button", where=request.path, remedy="Use those of the harvest's page.")
    found = HARVESTS.move(verb, HarvestState(row.state))
    if request.method == "POST":
        decision = request.POST.get("decision", "")[:_LONGEST]
        order = order_move(request.actor, harvest_id=row.pk, what=verb, decision=decision)
        messages.success(request, _TOLD[verb] if order is not None else "It is aborted; it had not begun.")
        return HttpResponseRedirect(_back(request, row))
    missing = missing_rights(request.actor, row) if verb == "resume" else ()
    title = f"{found.label}: {row.abstract_target.name}"
    context = {
        **frame(request.actor, row, ""), "move": found, "title": title, "missing": missing, "longest": _LONGEST,
        "back": _back(request, row),
    }  # fmt: skip
    return render(request, "web/harvests/move.html", context)


@section("harvests")
@require_POST
def flag(request: PageRequest, harvest_id: int, verb: str) -> HttpResponse:
    """Mark a harvest for attention, or take the mark off."""
    row = query.harvest(request.actor, harvest_id)
    if verb not in ("set", "remove"):
        raise NotFound("A harvest has no such button", where=request.path, remedy="Use those of the harvest's page.")
    flag_harvest(request.actor, harvest_id=row.pk, flagged=verb == "set")
    messages.success(request, "It is flagged." if verb == "set" else "The flag is removed.")
    return HttpResponseRedirect(asked_next(request, f"{PATH}/{row.pk}"))


@section("harvests")
def launch(request: PageRequest, harvest_id: int) -> HttpResponse:
    """Harvest now, on any agent or a chosen one."""
    row = query.harvest(request.actor, harvest_id)

    def save(data: dict[str, Any]) -> str:
        launch_harvest(request.actor, harvest_id=row.pk, network=network_of(settings.OPILIO), agent=data["agent"])
        messages.success(request, "It waits for the agent now.")
        return f"{PATH}/{row.pk}"

    form = LaunchForm(request, agents=agent_status.living_names())
    intro = HARVESTS.move("launch", HarvestState.SCHEDULED).sentence
    return answer(request, form, _page(request, row, "Launch now", intro, "Launch now"), save=save)


@section("harvests")
def limits(request: PageRequest, harvest_id: int) -> HttpResponse:
    """Change the limits of a running harvest."""
    row = query.harvest(request.actor, harvest_id)
    page = _page(request, row, "Change limits", "Counted from the beginning of the harvest, not from now.")
    return _ordered(request, LimitsForm(request), page, lambda data: order_limits(
        request.actor, harvest_id=row.pk, **data))  # fmt: skip


@section("harvests")
def delay(request: PageRequest, harvest_id: int) -> HttpResponse:
    """Change how long a running harvest waits between requests."""
    row = query.harvest(request.actor, harvest_id)
    page = _page(request, row, "Change the delay", "A longer delay is kinder to the site; a shorter one is quicker.")
    return _ordered(request, DelayForm(request), page, lambda data: order_delay(
        request.actor, harvest_id=row.pk, **data))  # fmt: skip


@section("harvests")
def exclude(request: PageRequest, harvest_id: int) -> HttpResponse:
    """Leave URLs out of a running harvest."""
    row = query.harvest(request.actor, harvest_id)
    intro = (
        "What waits and matches is not asked for any more. What was collected stays; later harvests are not touched."
    )
    page = _page(request, row, "Leave URLs out", intro)
    filled = {"patterns": request.GET.get("pattern", "")[:2_000], "urls": request.GET.get("url", "")[:8_000]}
    return _ordered(request, ExcludeForm(request, initial=filled), page, lambda data: order_exclusion(
        request.actor, harvest_id=row.pk, **data))  # fmt: skip


@section("harvests")
def bandwidth(request: PageRequest, harvest_id: int) -> HttpResponse:
    """Give a harvest a share of the line."""
    row = query.harvest(request.actor, harvest_id)
    values = {"percent": row.bandwidth_percent}

    def save(data: dict[str, Any]) -> str:
        set_bandwidth(request.actor, harvest_id=row.pk, **data)
        messages.success(request, "Saved.")
        return f"{PATH}/{row.pk}"

    form = BandwidthForm(request, initial={**values, "version": row.version})
    page = _page(request, row, "Share of the line", "How much of the limit in force this harvest may use.", "Save")
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))


def _back(request: PageRequest, row: "Harvest") -> str:
    """Where the button was pressed: the page of the harvest, unless the address names another of ours."""
    return local_path(request.GET.get("next"), f"{PATH}/{row.pk}")


def _ordered(request: PageRequest, form: PageForm, page: FormPage, order: Any) -> HttpResponse:
    def save(data: dict[str, Any]) -> str:
        order(data)
        messages.success(request, _SOON)
        return page.back

    return answer(request, form, page, save=save)


def _page(request: PageRequest, row: "Harvest", title: str, intro: str, button: str = "Tell the harvest") -> FormPage:
    return FormPage(
        title=f"{title}: {row.abstract_target.name}", back=_back(request, row), button=button,
        template="web/harvests/form.html",
        context={**frame(request.actor, row, ""), "title": title, "heading": title, "intro": intro},
    )  # fmt: skip
