"""Harvests: the list with the switch of the queue, one harvest, a new one without a schedule."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from opilio.curation.actions.agents import switch_queue
from opilio.curation.actions.harvest_now import harvest_now
from opilio.curation.harvest_words import lasting
from opilio.curation.networks import network_of
from opilio.curation.queries import agent_status
from opilio.curation.queries import harvests as query
from opilio.curation.queries.harvestable import found_by_name
from opilio.curation.words import HarvestState
from opilio.web.find_words import size
from opilio.web.forms.harvests import NowForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.harvest_list import page_for
from opilio.web.harvest_page import PATH, frame
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.snapshot_tables import spoken

_ORDERS_SHOWN = 20


@section("harvests")
def harvests(request: PageRequest) -> HttpResponseBase:
    """The harvests of the agencies in which the asker works."""
    return show(request, page_for(request.actor, request.GET.get("state", "")))


@section("harvests")
def now(request: PageRequest) -> HttpResponse:
    """Harvest a target or group without waiting for a schedule."""

    def save(data: dict[str, Any]) -> str:
        holder = found_by_name(request.actor, data["holder"])
        made = harvest_now(request.actor, holder_id=holder, network=network_of(settings.OPILIO), agent=data["agent"])
        messages.success(request, "It waits for an agent.")
        return f"{PATH}/{made.pk}"

    form = NowForm(request, agents=agent_status.living_names(), initial={"holder": request.GET.get("holder", "")[:255]})
    page = FormPage(
        title="Harvest now", back=PATH, button="Harvest now",
        intro="The target must be approved, or the group active, and every seed needs a permission that holds today.",
    )  # fmt: skip
    return answer(request, form, page, save=save)


@section("harvests")
@require_POST
def switch(request: PageRequest) -> HttpResponse:
    """Pause the queue, or let it go on."""
    paused = switch_queue(request.actor, paused=request.POST.get("paused") == "yes")
    words = "The queue is paused: no harvest begins at its time." if paused else "The queue goes on."
    messages.success(request, words)
    return HttpResponseRedirect(PATH)


@section("harvests")
@require_safe
def harvest(request: PageRequest, harvest_id: int) -> HttpResponse:
    """One harvest: where it stands and why, what comes next, how it goes."""
    row = query.harvest(request.actor, harvest_id)
    figures = query.figures(row)
    context = {
        **frame(request.actor, row, ""), "title": f"Harvest of {row.abstract_target.name}",
        "standing": query.standing(request.actor, row), "figures": figures,
        "data": size(figures.data_amount) if figures else "", "elapsed": lasting(figures.elapsed) if figures else "",
        "orders": [(order, _arguments(order.arguments)) for order in query.orders(row)[:_ORDERS_SHOWN]],
        "runs": row.state in (HarvestState.RUNNING, HarvestState.PAUSED),
        "waits": row.state in (HarvestState.SCHEDULED, HarvestState.QUEUED),
    }  # fmt: skip
    return render(request, "web/harvests/harvest.html", context)


def _arguments(arguments: dict[str, Any]) -> str:
    given = {name: one for name, one in arguments.items() if one not in ([], "", None)}
    return spoken(given) if given else ""
