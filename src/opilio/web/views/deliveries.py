"""Deliveries: the matrix of the first page, the list, the story of one, and what people decide about it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from opilio.deliveries.states import Phase, Status
from opilio.people.actor import Actor
from opilio.people.errors import NotFound
from opilio.people.privileges import Privilege
from opilio.tracker.actions import deliveries as actions
from opilio.tracker.queries import deliveries as query
from opilio.tracker.queries import overview, sessions
from opilio.tracker.queries.curtain import Curtain
from opilio.tracker.queries.overview import CentreLine
from opilio.web.delivery_list import LIST_PATH, NOBODY, page_for
from opilio.web.delivery_plots import outcome
from opilio.web.delivery_story import told
from opilio.web.delivery_words import ICONS, PATH, TONES, age, late, standing, status_word, tone
from opilio.web.forms.deliveries import ReasonForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.tracker.models import Delivery

_STUCK_SHOWN = 20


@section("deliveries")
@require_safe
def deliveries(request: PageRequest) -> HttpResponse:
    """Where all deliveries stand: centre by phase, in the colours of the statuses."""
    actor, now = request.actor, request.actor.clock.now()
    lines = overview.lines(actor)
    curtain = Curtain.of(actor)
    stuck = query.stuck(actor).order_by("-last_update", "-id")
    last = sessions.sessions(actor).first()
    context = {
        "title": "Deliveries", "phases": [phase.title for phase in Phase],
        "rows": [_row(line, now) for line in lines],
        "totals": [(status_word(status), TONES[status], ICONS[status], number)
                   for status, number in overview.totals(lines).items()],
        "stuck": [(row, standing(row), tone(row), curtain.over(row.why), age(row.last_update, now))
                  for row in stuck[:_STUCK_SHOWN]],
        "stuck_count": stuck.count(), "last": last, "last_outcome": outcome(last) if last else None,
        "may_run": sessions.may_run(actor), "sees_sessions": sessions.may_see(actor),
        "may_make": actor.holds(Privilege.MANAGE_SOURCES), "list_path": LIST_PATH,
        "sources": sum(line.sources for line in lines),
    }  # fmt: skip
    return render(request, "web/deliveries/overview.html", context)


def _row(line: CentreLine, now: Any) -> dict[str, Any]:
    centre = line.id or NOBODY
    cells = [
        [
            (status_word(status), TONES[status], ICONS[status], line.counts[phase, status],
             f"{LIST_PATH}?centre={centre}&phase={phase.name.lower()}&status={status_word(status)}")
            for status in reversed(Status)
            if line.counts.get((phase, status))
        ]
        for phase in Phase
    ]  # fmt: skip
    return {
        "line": line, "cells": cells, "age": age(line.last, now), "late": line.active and late(line.last, now),
        "url": f"{PATH}/centres/{line.id}" if line.id and line.name else "",
        "all": f"{LIST_PATH}?centre={centre}",
    }  # fmt: skip


@section("delivery-list")
def all_deliveries(request: PageRequest) -> HttpResponseBase:
    """Every delivery that the asker may see."""
    return show(request, page_for(request.actor))


@section("delivery-list")
@require_safe
def delivery(request: PageRequest, delivery_id: int) -> HttpResponse:
    """The story of one delivery."""
    row = query.delivery(request.actor, delivery_id)
    return render(request, "web/deliveries/delivery.html", told(request.actor, row, MOVES))


@dataclass(frozen=True, kw_only=True)
class Move:
    """Something that can be decided about a delivery."""

    name: str
    label: str
    icon: str
    sentence: str
    done: str
    run: Callable[[Actor, "Delivery", str], object]
    reason: bool = False
    danger: bool = False


MOVES: tuple[Move, ...] = (
    Move(name="retry", label="Retry", icon="rotate-ccw", done="It is tried again in the next session.",
         sentence="Fetched again if it did not come whole, else taken in again from what is here.",
         run=lambda actor, row, reason: actions.retry(actor, delivery_id=row.pk)),
    Move(name="revalidate", label="Take in again", icon="refresh-cw", done="It is taken in again in the next session.",
         sentence="Unpacked, validated and loaded anew from what is here, as after a change of rules.",
         run=lambda actor, row, reason: actions.revalidate(actor, delivery_id=row.pk)),
    Move(name="requeue", label="Fetch again", icon="hard-drive-download",
         done="It is fetched again in the next session.",
         sentence="What is here of it is not used any more; it comes again.",
         run=lambda actor, row, reason: actions.requeue(actor, delivery_id=row.pk)),
    Move(name="cancel", label="Give up", icon="ban", done="It was given up.", reason=True, danger=True,
         sentence="No session does anything with it, until somebody retries it.",
         run=lambda actor, row, reason: actions.cancel(actor, delivery_id=row.pk, reason=reason)),
    Move(name="undo", label="Take back its records", icon="undo-2", done="Its records were taken back.", reason=True,
         danger=True, sentence="Records go back to the versions before; what later deliveries changed stays.",
         run=lambda actor, row, reason: actions.undo(actor, delivery_id=row.pk, reason=reason)),
    Move(name="hold", label="Hold", icon="lock", done="It is held.", reason=True,
         sentence="No rule of retention removes anything of it.",
         run=lambda actor, row, reason: actions.hold(actor, delivery_id=row.pk, held=True, reason=reason)),
    Move(name="release", label="Let go", icon="lock-open", done="It is not held any more.", reason=True,
         sentence="The rules of retention count for it again.",
         run=lambda actor, row, reason: actions.hold(actor, delivery_id=row.pk, held=False, reason=reason)),
)  # fmt: skip


@section("delivery-list")
def decide(request: PageRequest, delivery_id: int, verb: str) -> HttpResponse:
    """Decide about a delivery; what needs a reason asks for it first."""
    row = query.delivery(request.actor, delivery_id)
    move = next((one for one in MOVES if one.name == verb), None)
    if move is None:
        raise NotFound("A delivery has no such button", where=request.path[:200], remedy="Use those of its page.")

    def save(data: dict[str, Any]) -> str:
        made = move.run(request.actor, row, data.get("reason", ""))
        messages.success(request, f"{made:,} records were taken back." if isinstance(made, int) else move.done)
        return f"{PATH}/{row.pk}"

    form = ReasonForm(request, needed=move.reason)
    page = FormPage(
        title=f"{move.label}: {row.zip.file_name}", back=f"{PATH}/{row.pk}", button=move.label, intro=move.sentence
    )
    return answer(request, form, page, save=save)
