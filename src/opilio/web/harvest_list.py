"""The list of harvests: its columns, filters and bulk actions."""

from dataclasses import replace
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import F, Q
from django.db.models.functions import Now

from opilio.curation.actions.harvest_flags import flag_harvest
from opilio.curation.actions.harvest_orders import order_move
from opilio.curation.actions.harvest_queue import launch_harvest
from opilio.curation.harvest_words import STATES_IN_ORDER, lasting, tone_of
from opilio.curation.networks import network_of
from opilio.curation.queries import agent_status, harvests, review
from opilio.curation.words import HarvestState, Priority
from opilio.people.actions.rows import delete_row
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.web.find_words import size
from opilio.web.harvest_page import PATH
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Badge, Cell, Link, Moment, Number, Tags, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New, Tab
from opilio.web.lists.filters import Choice, Day, States, Words

if TYPE_CHECKING:
    from opilio.curation.models import Harvest

_MANAGE = Privilege.MANAGE_TARGET_INSTANCES
_SHOWN = 160  # characters of a reason


def _name(row: "Harvest") -> Cell:
    short = row.reason if len(row.reason) <= _SHOWN else f"{row.reason[:_SHOWN]}…"
    return Link(text=row.abstract_target.name, url=f"{PATH}/{row.pk}", note=short)


def _state(row: "Harvest") -> Cell:
    return Badge(text=HarvestState(row.state).label.lower(), tone=tone_of(row.state))


def _marks(row: "Harvest") -> Cell:
    marks = (("flagged", row.flagged), ("held", row.held), ("put off", row.deferrals > 0 and not row.held),
             ("launched", row.launched), ("first", row.first_of_target), ("purged", row.purged))  # fmt: skip
    colour = (row.flag.name,) if row.flag else ()
    return Tags(texts=(*colour, *(word for word, holds in marks if holds)))


def _elapsed(row: "Harvest") -> Cell:
    found = harvests.figures(row)
    return Text(text=lasting(found.elapsed) if found else "", quiet=True)


def _urls(row: "Harvest") -> Cell:
    found = harvests.figures(row)
    return Number(number=found.urls_down) if found else Text(text="")


def _failed(row: "Harvest") -> Cell:
    found = harvests.figures(row)
    return Number(number=found.urls_failed) if found else Text(text="")


def _data(row: "Harvest") -> Cell:
    found = harvests.figures(row)
    return Text(text=size(found.data_amount) if found else "")


def _launch(actor: Actor, row: "Harvest") -> object:
    return launch_harvest(actor, harvest_id=row.pk, network=network_of(settings.OPILIO))


def _texts(choices: list[tuple[int, str]]) -> list[tuple[str, str]]:
    return [(str(number), label) for number, label in choices]


_COLUMNS: "tuple[Column[Harvest], ...]" = (
    Column(name="target", label="Harvest of", cell=_name, sort="abstract_target__name"),
    Column(name="state", label="State", cell=_state, sort="display_order"),
    Column(name="flags", label="Flags", cell=_marks),
    Column(name="scheduled", label="Scheduled", cell=lambda row: Moment(at=row.scheduled_at), sort="scheduled_at"),
    Column(name="started", label="Started", cell=lambda row: Moment(at=row.started_at), sort="started_at"),
    Column(name="elapsed", label="Elapsed", cell=_elapsed, sort="figures__elapsed"),
    Column(name="urls", label="URLs", cell=_urls, sort="figures__urls_down", numeric=True),
    Column(name="data", label="Data", cell=_data, sort="figures__data_amount", numeric=True),
    Column(name="agent", label="Agent", cell=lambda row: Text(text=row.agent_name.partition("#")[0]),
           sort="agent_name"),
    Column(name="owner", label="Owner", cell=lambda row: Text(text=row.owner.username), sort="owner__username"),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency.name), sort="agency__name",
           shown=False),
    Column(name="since", label="In its state since", cell=lambda row: Moment(at=row.state_since), sort="state_since",
           shown=False),
    Column(name="failed", label="Failed", cell=_failed, sort="figures__urls_failed", numeric=True, shown=False),
    Column(name="priority", label="Priority", sort="priority", shown=False,
           cell=lambda row: Text(text=Priority(row.priority).label)),
    Column(name="ended", label="Ended", cell=lambda row: Moment(at=row.ended_at), sort="ended_at", shown=False),
    Column(name="deferrals", label="Put off", cell=lambda row: Number(number=row.deferrals), numeric=True,
           sort="deferrals", shown=False),
    Column(name="reason", label="Reason", cell=lambda row: Text(text=row.reason), shown=False),
    Column(name="number", label="Number", cell=lambda row: Text(text=str(row.pk)), sort="id", shown=False),
)  # fmt: skip
_BULK = (
    Bulk(name="launch", label="Launch now", icon="rocket", done="launched",
         privilege=Privilege.LAUNCH_TARGET_INSTANCE_IMMEDIATE, run=_launch,
         warning="They begin as soon as an agent is free, if their rights hold. Those that may not run are left."),
    Bulk(name="pause", label="Pause", icon="pause", done="told to pause", privilege=_MANAGE,
         warning="They ask for nothing more until they go on.",
         run=lambda actor, row: order_move(actor, harvest_id=row.pk, what="pause")),
    Bulk(name="resume", label="Go on", icon="play", done="told to go on", privilege=_MANAGE,
         warning="Paused harvests go on where they were.",
         run=lambda actor, row: order_move(actor, harvest_id=row.pk, what="resume")),
    Bulk(name="stop", label="Stop", icon="circle-stop", done="told to stop", privilege=_MANAGE, danger=True,
         warning="Their crawls end; what they collected is kept and waits for review.",
         run=lambda actor, row: order_move(actor, harvest_id=row.pk, what="stop")),
    Bulk(name="abort", label="Abort", icon="ban", done="told to abort", privilege=_MANAGE, danger=True,
         warning="They end, and what they collected is given up.",
         run=lambda actor, row: order_move(actor, harvest_id=row.pk, what="abort")),
    Bulk(name="delete", label="Delete", icon="trash-2", done="deleted", privilege=_MANAGE, danger=True,
         warning="Only harvests that never began can be deleted; they can be restored.",
         run=lambda actor, row: delete_row(actor, kind_name="harvest", row_id=row.pk)),
    Bulk(name="flag", label="Flag", icon="flag", done="flagged", privilege=_MANAGE,
         warning="They are marked for attention.",
         run=lambda actor, row: flag_harvest(actor, harvest_id=row.pk, flagged=True)),
    Bulk(name="unflag", label="Remove flag", icon="flag-off", done="without a flag", privilege=_MANAGE,
         warning="They are not marked any more.",
         run=lambda actor, row: flag_harvest(actor, harvest_id=row.pk, flagged=False)),
)  # fmt: skip
_STATES = {state.value: (state.label, Q(state=state)) for state in STATES_IN_ORDER}
_MARKS = {
    "flagged": ("Flagged", Q(flagged=True)),
    "late": ("Late", Q(expected_until__lt=Now())),
    "held": ("Held for a decision", Q(held=True)),
    "put-off": ("Put off", Q(deferrals__gt=0)),
    "due": ("Due", Q(state=HarvestState.SCHEDULED, scheduled_at__lte=Now())),
    "failed-urls": ("With failed URLs", Q(figures__urls_failed__gt=0)),
    "elsewhere": ("Moved by hand", Q(edited=True) & ~Q(planned_for=F("scheduled_at"))),
}
HARVESTS: "ListPage[Harvest]" = ListPage(
    name="harvests", path=PATH, title="Harvests", words=("harvest", "harvests"), rows=harvests.listed,
    intro="Dated runs of targets and groups: what runs, what waits, what was collected.",
    columns=_COLUMNS, order=harvests.LIST_ORDER, bulk=_BULK,
    filters=(
        Words(columns=("abstract_target__name", "reason")),
        States(name="state", label="State", states=_STATES),
        States(name="flag", label="Flag", states=_MARKS),
        Choice(name="colour", label="Coloured flag", column="flag_id",
               offered=lambda actor: _texts(review.flag_choices(actor))),
        Choice(name="owner", label="Owner", column="owner_id",
               offered=lambda actor: _texts(harvests.owner_choices(actor))),
        Choice(name="agency", label="Agency", column="agency_id",
               offered=lambda actor: _texts(harvests.agency_choices(actor))),
        Day(name="from", label="Scheduled from", column="scheduled_at"),
        Day(name="until", label="Scheduled until", column="scheduled_at", until=True),
    ),
    new=New(label="Harvest now", path=f"{PATH}/now", privilege=Privilege.LAUNCH_TARGET_INSTANCE_IMMEDIATE),
    empty=Empty(title="No harvest yet", icon="wheat",
                text="Approve a target and give it a schedule; its harvests then stand here. Or harvest one now."),
    above="web/harvests/_above.html",
)  # fmt: skip


def page_for(actor: Actor, chosen: str) -> "ListPage[Harvest]":
    """The list with how many harvests are in each state, and the switch of the queue."""
    found = harvests.counts(actor)
    every = Tab(label="All", path=PATH, here=not chosen, count=sum(found.values()))
    states = [
        Tab(label=state.label, path=f"{PATH}?state={state.value}", here=chosen == state.value, count=count)
        for state, count in found.items()
    ]
    extra = {"paused": harvests.queue_paused(), "may_switch": agent_status.may_manage(actor)}
    return replace(HARVESTS, tabs=(every, *states) if found else (), extra=extra)
