"""Delivery sessions: the history with its line of time, one of them with its tasks, and a new one."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from opilio.curation.harvest_words import lasting
from opilio.deliveries.states import Phase
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.tracker.actions.sessions import start_session
from opilio.tracker.queries import sessions as query
from opilio.tracker.queries import sources
from opilio.web.delivery_plots import outcome, sessions_plot, tasks_plot
from opilio.web.delivery_words import PATH, standing, tone
from opilio.web.find_words import size
from opilio.web.forms.deliveries import SessionForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.lists.cells import Badge, Cell, Link, Moment, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New
from opilio.web.lists.filters import Day, States
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.zones import zone_of

if TYPE_CHECKING:
    from opilio.tracker.models import DeliverySession, SessionTask

SESSIONS_PATH = f"{PATH}/sessions"
_DRAWN = 50  # sessions on the line of time
_SHOWN = 200  # attempts on a page
_STATES = {
    "well": ("All went well", Q(finish_time__isnull=False, status=0, cut_off=False)),
    "failed": ("Something failed", Q(finish_time__isnull=False) & ~Q(status=0)),
    "running": ("Under way", Q(finish_time__isnull=True)),
    "cut-off": ("Cut off", Q(cut_off=True)),
}


def _outcome(row: "DeliverySession") -> Cell:
    words, colour = outcome(row)
    return Badge(text=words, tone=colour)


def _lasted(row: "DeliverySession") -> Cell:
    if row.finish_time is None:
        return Text(text="", quiet=True)
    return Text(text=lasting(round((row.finish_time - row.start_time).total_seconds())), quiet=True)


_COLUMNS: "tuple[Column[DeliverySession], ...]" = (
    Column(name="number", label="Session", sort="id",
           cell=lambda row: Link(text=f"Session {row.pk}", url=f"{SESSIONS_PATH}/{row.pk}",
                                 note="dry run" if row.dry_run else "")),
    Column(name="outcome", label="Outcome", sort="status", cell=_outcome),
    Column(name="started", label="Started", sort="start_time", cell=lambda row: Moment(at=row.start_time)),
    Column(name="ended", label="Ended", sort="finish_time", cell=lambda row: Moment(at=row.finish_time)),
    Column(name="lasted", label="Lasted", cell=_lasted),
    Column(name="profile", label="Profile", sort="profile", cell=lambda row: Text(text=row.profile)),
    Column(name="by", label="Started by", sort="by", cell=lambda row: Text(text=row.by)),
    Column(name="status", label="Exit status", shown=False, cell=lambda row: Text(text=str(row.status))),
    Column(name="owner", label="Process", shown=False, cell=lambda row: Text(text=row.owner, code=True)),
)  # fmt: skip
SESSIONS: "ListPage[DeliverySession]" = ListPage(
    name="delivery-sessions", path=SESSIONS_PATH, title="Delivery sessions", words=("session", "sessions"),
    rows=query.sessions, intro="Each run over all sources, with what it did and how it ended.", columns=_COLUMNS,
    order=("-id",),
    filters=(States(name="outcome", label="Outcome", states=_STATES),
             Day(name="from", label="Started from", column="start_time"),
             Day(name="until", label="Started until", column="start_time", until=True)),
    new=New(label="Run a session now …", path=f"{SESSIONS_PATH}/run", privilege=Privilege.RUN_SESSION),
    empty=Empty(title="No session yet", icon="history",
                text="Make centres and sources first; then run a session, here or with `opilio delivery run`."),
    above="web/deliveries/_sessions_plot.html",
)  # fmt: skip


def _page_for(actor: Actor) -> "ListPage[DeliverySession]":
    drawn = sessions_plot(list(query.sessions(actor)[:_DRAWN]), actor.clock.now(), zone_of(actor), SESSIONS_PATH)
    return replace(SESSIONS, extra={"plot": drawn})


@section("delivery-sessions")
def delivery_sessions(request: PageRequest) -> HttpResponseBase:
    """The history of sessions."""
    return show(request, _page_for(request.actor))


@section("delivery-sessions")
@require_safe
def delivery_session(request: PageRequest, session_id: int) -> HttpResponse:
    """One session: its tasks in their order, and the attempts that it made."""
    actor = request.actor
    row = query.session(actor, session_id)
    tasks = list(query.tasks(row))
    made = query.attempts(row)
    words, colour = outcome(row)
    context = {
        "title": f"Session {row.pk}", "row": row, "words": words, "tone": colour,
        "tasks": [_task(one) for one in tasks],
        "plot": tasks_plot(tasks, actor.clock.now()),
        "figures": [(name, _figure(value)) for name, value in sorted(row.figures.items())],
        "attempts": [(one, standing(one), tone(one), size(one.downloaded_size_bytes)) for one in made[:_SHOWN]],
        "count": made.count(), "failed": next((one for one in tasks if one.pk == row.status), None),
    }  # fmt: skip
    return render(request, "web/deliveries/session.html", context)


def _figure(value: Any) -> str:
    return ", ".join(f"{name} {number}" for name, number in value.items()) if isinstance(value, dict) else str(value)


def _task(one: "SessionTask") -> dict[str, Any]:
    length = lasting(round((one.finish_time - one.start_time).total_seconds())) if one.finish_time else ""
    tone_, word = ("info", "under way") if one.finish_time is None else ("bad", "1") if one.status else ("good", "0")
    return {"row": one, "title": Phase(one.phase_id).title, "length": length, "tone": tone_, "status": word}


@section("delivery-sessions")
def run(request: PageRequest) -> HttpResponse:
    """Have an agent run a session."""

    def save(data: dict[str, Any]) -> str:
        start_session(request.actor, **data)
        messages.success(request, "An agent runs it as soon as one is free; it then stands on top of this list.")
        return SESSIONS_PATH

    names = sources.profile_names(request.actor) or ["impc"]
    page = FormPage(
        title="Run a session now", back=SESSIONS_PATH, button="Run it",
        intro="All available sources of the active centres are visited; what is new and settled is fetched and taken "
        "in. One session runs at a time.",
    )  # fmt: skip
    return answer(request, SessionForm(request, profiles=names), page, save=save)
