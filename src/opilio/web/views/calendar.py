"""The calendar: what is planned, as a heat map; planned harvests, and one of them."""

import datetime
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from opilio.curation import calendar
from opilio.curation.actions.harvests import FIELDS, plan_harvest, update_harvest
from opilio.curation.queries import profiles as holders
from opilio.curation.queries import schedules as queries
from opilio.curation.words import Priority
from opilio.people.actions.rows import delete_row
from opilio.people.privileges import Privilege
from opilio.people.queries.homes import users_of
from opilio.web import installation
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.schedules import HarvestForm, OnceForm
from opilio.web.forms.stale import Version
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Badge, Link, Moment, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage
from opilio.web.lists.filters import Day, States, Words
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.schedule_tabs import tabs
from opilio.web.sections import section
from opilio.web.zones import start_of, zone_of

if TYPE_CHECKING:
    from opilio.curation.models import Harvest

PLANNED = "/schedule/planned"
_MONTHS = 6
_YEARS = range(1971, 2199)
_COLUMNS: "tuple[Column[Harvest], ...]" = (
    Column(name="target", label="Target or group", sort="abstract_target__name",
           cell=lambda row: Link(text=row.abstract_target.name, url=f"{PLANNED}/{row.pk}")),
    Column(name="at", label="Begins", cell=lambda row: Moment(at=row.scheduled_at), sort="scheduled_at"),
    Column(name="state", label="State", cell=lambda row: Badge(text=row.get_state_display().lower(), tone="info")),
    Column(name="by", label="Planned by", cell=lambda row: Text(
        text="hand" if row.schedule_id is None else "schedule, changed by hand" if row.edited else "schedule")),
    Column(name="priority", label="Priority", sort="priority",
           cell=lambda row: Text(text=str(Priority(row.priority).label))),
    Column(name="owner", label="Owner", cell=lambda row: Text(text=row.owner.username), sort="owner__username"),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency.name), shown=False),
)  # fmt: skip
HARVESTS: "ListPage[Harvest]" = ListPage(
    name="planned-harvests", path=PLANNED, title="Planned harvests", words=("planned harvest", "planned harvests"),
    rows=queries.planned, intro="Harvests that wait for their time. What you change by hand, schedules leave alone.",
    columns=_COLUMNS, order=("scheduled_at", "id"), tabs=tabs("planned"),
    filters=(
        Words(columns=("abstract_target__name",)),
        Day(name="from", label="From", column="scheduled_at"),
        Day(name="until", label="Until", column="scheduled_at", until=True),
        States(name="by", label="Planned by", states={
            "schedule": ("A schedule", Q(schedule__isnull=False)), "hand": ("Hand", Q(schedule=None)),
            "edited": ("Changed by hand", Q(edited=True)),
        }),
    ),
    bulk=(
        Bulk(name="delete", label="Delete", icon="trash-2", done="deleted", danger=True,
             privilege=Privilege.MANAGE_TARGET_INSTANCES,
             warning="They are not run; a schedule that is changed later may plan them again.",
             run=lambda actor, row: delete_row(actor, kind_name="harvest", row_id=row.pk)),
    ),
    empty=Empty(title="Nothing is planned", text="Approve a target that has a schedule.", icon="calendar-days"),
)  # fmt: skip


@section("schedule")
def calendar_page(request: PageRequest) -> HttpResponse:
    """How many harvests are planned for which day."""
    zone = zone_of(request.actor)
    today = request.actor.clock.now().astimezone(zone).date()
    first = _asked(request.GET.get("from", ""), today)
    last = calendar.later(first, _MONTHS)
    counts = queries.load_by_day(
        queries.planned(request.actor), start_of(first, zone), start_of(last, zone), zone
    )  # fmt: skip
    heat = calendar.levels(installation.values(request))
    context = {
        "months": calendar.months(first, _MONTHS, counts, heat), "levels": heat[::-1], "today": today,
        "earlier": calendar.later(first, -_MONTHS), "later": last, "tabs": tabs("calendar"),
        "total": sum(counts.values()), "cell": calendar.CELL,
    }  # fmt: skip
    return render(request, "web/schedules/calendar.html", context)


@section("schedule")
def planned(request: PageRequest) -> HttpResponseBase:
    """The harvests that wait."""
    return show(request, HARVESTS)


@section("schedule")
def planned_harvest(request: PageRequest, harvest_id: int) -> HttpResponse:
    """Change a harvest that waits."""
    row = queries.planned_harvest(request.actor, harvest_id)
    values = {name: getattr(row, name) for name in FIELDS}
    users = users_of(row.agency_id)
    if row.owner_id not in dict(users):
        users.append((row.owner_id, row.owner.username))
    form = HarvestForm(request, users=users, initial={**values, "version": row.version})

    def save(data: dict[str, Any]) -> str:
        update_harvest(request.actor, harvest_id=row.pk, **data)
        messages.success(request, "Saved. Schedules leave this harvest alone now.")
        return PLANNED

    page = FormPage(
        title=f"Harvest of {row.abstract_target.name}", back=PLANNED, context={"row": row, "kind": "harvest"},
        intro="It has not begun. What you change here stays, also when its schedule is changed.",
    )  # fmt: skip
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))


@section("schedule")
def once(request: PageRequest, holder_id: int) -> HttpResponse:
    """Plan one harvest by hand."""
    holder = holders.holder(request.actor, holder_id)

    def save(data: dict[str, Any]) -> str:
        plan_harvest(request.actor, holder_id=holder_id, at=data["at"])
        messages.success(request, "The harvest is planned.")
        return f"/schedule/of/{holder_id}"

    page = FormPage(title=f"Harvest {holder.name} once", back=f"/schedule/of/{holder_id}", button="Plan harvest")
    return answer(request, OnceForm(request), page, save=save)


def _asked(text: str, today: datetime.date) -> datetime.date:
    """The first month to show; this one unless another was asked for that there is."""
    try:
        found = datetime.date.fromisoformat(f"{text[:7]}-01")
    except ValueError:
        return today.replace(day=1)
    return found if found.year in _YEARS else today.replace(day=1)
