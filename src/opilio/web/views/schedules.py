"""Schedules: the list, those of one target or group, one of them; planned harvests."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST

from opilio.curation.actions.schedules import FIELDS, create_schedule, pause_schedule, update_schedule
from opilio.curation.queries import profiles as holders
from opilio.curation.queries import schedules as queries
from opilio.curation.schedule_words import Told, told_of
from opilio.people.actions.rows import delete_row
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.schedules import EditScheduleForm, ScheduleForm
from opilio.web.forms.stale import Version
from opilio.web.holder_page import frame
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Badge, Link, Moment, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage
from opilio.web.lists.filters import Identifier, States, Words
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest, asked_next
from opilio.web.schedule_tabs import tabs
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import Schedule

PATH = "/schedule/schedules"


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A schedule with its words."""

    row: "Schedule"
    told: Told


_COLUMNS: "tuple[Column[Schedule], ...]" = (
    Column(name="target", label="Target or group", sort="abstract_target__name", cell=lambda row: Link(
        text=row.abstract_target.name, url=f"/schedule/of/{row.abstract_target_id}")),
    Column(name="when", label="When", cell=lambda row: Link(text=told_of(row).sentence, url=f"{PATH}/{row.pk}",
                                                            note=row.time_zone)),
    Column(name="next", label="Next unplanned", cell=lambda row: Moment(at=row.next_time), sort="next_time"),
    Column(name="state", label="State", cell=lambda row: Badge(
        text="Paused" if row.paused else "On", tone="warn" if row.paused else "good"), sort="paused"),
    Column(name="start", label="From", cell=lambda row: Moment(at=row.start), sort="start"),
    Column(name="end", label="Until", cell=lambda row: Moment(at=row.end, never="for ever"), sort="end"),
    Column(name="owner", label="Owner", cell=lambda row: Text(text=row.owner.username), sort="owner__username"),
    Column(name="cron", label="Expression", cell=lambda row: Text(text=row.cron, code=True), shown=False),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.abstract_target.agency.name), shown=False),
)  # fmt: skip
SCHEDULES: "ListPage[Schedule]" = ListPage(
    name="schedules", path=PATH, title="Schedules", words=("schedule", "schedules"), rows=queries.schedules,
    intro="When targets and groups are harvested. Add one on the page of a target or group.",
    columns=_COLUMNS, order=("abstract_target__name", "id"), tabs=tabs("schedules"),
    filters=(
        Words(columns=("abstract_target__name", "cron", "owner__username")),
        States(name="state", label="State", states={
            "on": ("On", Q(paused=False)), "paused": ("Paused", Q(paused=True)), "over": ("Over", Q(next_time=None)),
        }),
        Identifier(name="target", label="Number of a target", column="abstract_target_id"),
    ),
    bulk=(
        Bulk(name="pause", label="Pause", icon="pause", done="paused", warning="What they planned is removed.",
             run=lambda actor, row: pause_schedule(actor, schedule_id=row.pk, paused=True)),
        Bulk(name="resume", label="Let go on", icon="play", done="going on", warning="Harvests are planned again.",
             run=lambda actor, row: pause_schedule(actor, schedule_id=row.pk, paused=False)),
        Bulk(name="delete", label="Delete", icon="trash-2", done="deleted", danger=True,
             warning="What they planned is removed, but for what was changed by hand.",
             run=lambda actor, row: delete_row(actor, kind_name="schedule", row_id=row.pk)),
    ),
    empty=Empty(title="No schedule yet", text="Open a target or group and add one there.", icon="calendar-days"),
)  # fmt: skip


@section("schedule")
def schedules(request: PageRequest) -> HttpResponseBase:
    """The schedules of what the asker may see."""
    return show(request, SCHEDULES)


@section("schedule")
def schedules_of(request: PageRequest, holder_id: int) -> HttpResponse:
    """The schedules of one target or group, with their next times."""
    holder = holders.holder(request.actor, holder_id)
    rows = [Shown(row=row, told=told_of(row, request.actor.clock.now()))
            for row in queries.schedules_of(request.actor, holder_id)]  # fmt: skip
    planned = queries.planned(request.actor).filter(abstract_target_id=holder_id)[:20]
    context = {**frame(request.actor, holder, "schedules"), "holder": holder, "schedules": rows, "planned": planned}
    return render(request, "web/schedules/of.html", context)


@section("schedule")
def new_schedule(request: PageRequest, holder_id: int) -> HttpResponse:
    """Add a schedule to a target or group."""
    holder = holders.holder(request.actor, holder_id)
    back = f"/schedule/of/{holder_id}"
    initial = {"pattern": -2, "hour": 21, "minute": 0, "day": 1, "time_zone": holder.agency.time_zone}
    form = ScheduleForm(request, offered=queries.offered_patterns(), initial=initial)

    def save(data: dict[str, Any]) -> str:
        made = create_schedule(request.actor, holder_id=holder_id, **form.schedule())
        for warning in told_of(made).warnings:
            messages.warning(request, warning)
        messages.success(request, "The schedule is added.")
        return back

    page = FormPage(title=f"New schedule of {holder.name}", back=back, button="Add schedule")
    return answer(request, form, page, save=save)


@section("schedule")
def schedule(request: PageRequest, schedule_id: int) -> HttpResponse:
    """Change a schedule."""
    row = queries.schedule(request.actor, schedule_id)
    back = f"/schedule/of/{row.abstract_target_id}"
    values = {**{name: getattr(row, name) for name in FIELDS}, "pattern": 0}
    form = EditScheduleForm(
        request, offered=queries.offered_patterns(), initial={**values, "version": row.version, "day": 1}
    )

    def save(data: dict[str, Any]) -> str:
        given = form.schedule()
        given["start"] = given["start"] or row.start
        changed = update_schedule(request.actor, schedule_id=row.pk, version=data["version"], **given)
        for warning in told_of(changed).warnings:
            messages.warning(request, warning)
        messages.success(request, "Saved. What is planned follows; harvests changed by hand stay.")
        return back

    context = {"row": row, "told": told_of(row, request.actor.clock.now()), "holder": row.abstract_target}
    page = FormPage(
        title=f"Schedule of {row.abstract_target.name}", back=back, template="web/schedules/schedule.html",
        context=context,
    )  # fmt: skip
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))


@require_POST
@section("schedule")
def pause(request: PageRequest, schedule_id: int, verb: str) -> HttpResponse:
    """Pause a schedule, or let it go on."""
    row = queries.schedule(request.actor, schedule_id)
    pause_schedule(request.actor, schedule_id=row.pk, paused=verb == "pause")
    messages.success(request, "The schedule is paused." if verb == "pause" else "The schedule goes on.")
    return HttpResponseRedirect(asked_next(request, f"/schedule/of/{row.abstract_target_id}"))
