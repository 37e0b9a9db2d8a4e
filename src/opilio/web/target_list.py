"""The list of targets: its columns, filters and bulk actions."""

import datetime
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from django.db.models import Q, QuerySet

from opilio.curation.actions.target_moves import approve_target, cancel_target, nominate_target, reinstate_target
from opilio.curation.queries import targets
from opilio.curation.words import AccessZone, State, tone_of
from opilio.curation.workflow import TARGETS as MACHINE
from opilio.people.actions.rows import delete_row
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Badge, Cell, Link, Moment, Number, Tags, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New
from opilio.web.lists.filters import Choice, Day, FilterFault, Options, States, Words
from opilio.web.target_page import PATH

if TYPE_CHECKING:
    from opilio.curation.models import Target


@dataclass(frozen=True, kw_only=True)
class SeedUrl:
    """Targets with a seed whose URL contains a text."""

    kind: ClassVar[str] = "text"
    name: str = "seed"
    label: str = "Seed URL"

    def narrowed(self, rows: QuerySet[Any], value: str, zone: datetime.tzinfo) -> QuerySet[Any]:
        return targets.with_seed_like(rows, value.strip())

    def options(self, actor: Actor) -> Options:
        return ()


@dataclass(frozen=True, kw_only=True)
class InGroup:
    """Targets that are members of a group."""

    kind: ClassVar[str] = "choice"
    name: str = "group"
    label: str = "Group"

    def narrowed(self, rows: QuerySet[Any], value: str, zone: datetime.tzinfo) -> QuerySet[Any]:
        return targets.in_no_group(rows) if value == "none" else targets.in_group(rows, _number(value))

    def options(self, actor: Actor) -> Options:
        return [*_texts(targets.group_choices(actor)), ("none", "In no group")]


@dataclass(frozen=True, kw_only=True)
class Assigned:
    """Targets that somebody, anybody or nobody is asked to see to."""

    kind: ClassVar[str] = "choice"
    name: str = "assigned"
    label: str = "Assigned to"

    def narrowed(self, rows: QuerySet[Any], value: str, zone: datetime.tzinfo) -> QuerySet[Any]:
        if value in ("any", "none"):
            return rows.filter(assigned_to__isnull=value == "none")
        return rows.filter(assigned_to_id=_number(value))

    def options(self, actor: Actor) -> Options:
        return [*_people(actor, targets.assigned_choices(actor), "Me"), ("any", "Anybody"), ("none", "Nobody")]


def _number(value: str) -> int:
    if not value.isascii() or not value.isdecimal() or len(value) > 18:
        raise FilterFault("Choose one of the list.")
    return int(value)


def _texts(choices: list[tuple[int, str]]) -> list[tuple[str, str]]:
    return [(str(number), label) for number, label in choices]


def _people(actor: Actor, choices: list[tuple[int, str]], me: str) -> Options:
    others = [(str(number), label) for number, label in choices if number != actor.user]
    return [(str(actor.user), me), *others] if actor.user is not None else others


def _name(row: "Target") -> Cell:
    first = next((seed.url for seed in row.seeds.all()), "no seed yet")
    return Link(text=row.name, url=f"{PATH}/{row.pk}", note=first)


def _groups(row: "Target") -> Cell:
    return Tags(texts=tuple(member.parent.name for member in row.memberships.all() if not member.parent.deleted))


_COLUMNS: "tuple[Column[Target], ...]" = (
    Column(name="name", label="Target", cell=_name, sort="name"),
    Column(name="state", label="State", sort="state",
           cell=lambda row: Badge(text=State(row.state).label.lower(), tone=tone_of(row.state))),
    Column(name="owner", label="Owner", cell=lambda row: Text(text=row.owner.username), sort="owner__username"),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency.name), sort="agency__name"),
    Column(name="groups", label="Groups", cell=_groups),
    Column(name="seeds", label="Seeds", numeric=True, cell=lambda row: Number(number=len(row.seeds.all()))),
    Column(name="assigned", label="Assigned to", sort="assigned_to__username", shown=False,
           cell=lambda row: Text(text=row.assigned_to.username if row.assigned_to else "")),
    Column(name="due", label="Due", sort="assigned_due", shown=False,
           cell=lambda row: Text(text=f"{row.assigned_due:%Y-%m-%d}" if row.assigned_due else "")),
    Column(name="updated", label="Changed", cell=lambda row: Moment(at=row.updated), sort="updated"),
    Column(name="since", label="In its state since", cell=lambda row: Moment(at=row.state_since), sort="state_since",
           shown=False),
    Column(name="reference", label="Reference", cell=lambda row: Text(text=row.reference), sort="reference",
           shown=False),
    Column(name="selected", label="Selected", cell=lambda row: Moment(at=row.selection_date), sort="selection_date",
           shown=False),
    Column(name="selection_type", label="Selection type", cell=lambda row: Text(text=row.selection_type), shown=False),
    Column(name="harvest_type", label="Harvest type", cell=lambda row: Text(text=row.harvest_type), shown=False),
    Column(name="profile", label="Profile", sort="profile__name", shown=False,
           cell=lambda row: Text(text=row.profile.name if row.profile else "")),
    Column(name="access", label="Access zone", shown=False,
           cell=lambda row: Text(text=AccessZone(row.access_zone).label)),
    Column(name="description", label="Description", cell=lambda row: Text(text=row.description), shown=False),
    Column(name="created", label="Made", cell=lambda row: Moment(at=row.created), sort="created", shown=False),
)  # fmt: skip
_BULK = (
    Bulk(name="nominate", label="Nominate", icon="send", done="nominated", privilege=Privilege.MODIFY_TARGET,
         warning="A task waits in the in-tray of those who approve targets.",
         run=lambda actor, row: nominate_target(actor, target_id=row.pk)),
    Bulk(name="approve", label="Approve", icon="check", done="approved", privilege=Privilege.APPROVE_TARGET,
         warning="They are collected from now on: their schedules are planned. Those that lack a right are left.",
         run=lambda actor, row: approve_target(actor, target_id=row.pk)),
    Bulk(name="cancel", label="Cancel", icon="ban", done="cancelled", danger=True, privilege=Privilege.CANCEL_TARGET,
         warning="They are not collected any more; what is planned is removed.",
         run=lambda actor, row: cancel_target(actor, target_id=row.pk)),
    Bulk(name="reinstate", label="Reinstate", icon="undo-2", done="reinstated", privilege=Privilege.REINSTATE_TARGET,
         warning="They can be edited and nominated like new ones.",
         run=lambda actor, row: reinstate_target(actor, target_id=row.pk)),
    Bulk(name="delete", label="Delete", icon="trash-2", done="deleted", danger=True,
         privilege=Privilege.DELETE_TARGET,
         warning="Only pending targets that were never harvested can be deleted; they can be restored.",
         run=lambda actor, row: delete_row(actor, kind_name="target", row_id=row.pk)),
)  # fmt: skip
_STATES = {str(state.value): (state.label, Q(state=state)) for state in MACHINE.states}
TARGETS: "ListPage[Target]" = ListPage(
    name="targets", path=PATH, title="Targets", words=("target", "targets"), rows=targets.listed, columns=_COLUMNS,
    intro="What is worth collecting, with where its harvest starts and who decides about it.",
    order=("name", "id"), bulk=_BULK,
    filters=(
        Words(columns=("name", "reference", "description")),
        States(name="state", label="State", states=_STATES),
        Choice(name="owner", label="Owner", column="owner_id",
               offered=lambda actor: _people(actor, targets.owner_choices(actor), "Me")),
        Choice(name="agency", label="Agency", column="agency_id",
               offered=lambda actor: _texts(targets.agency_choices(actor))),
        InGroup(),
        Assigned(),
        SeedUrl(),
        Day(name="since", label="Changed since", column="updated"),
    ),
    new=New(label="New target", path=f"{PATH}/new", privilege=Privilege.CREATE_TARGET),
    empty=Empty(title="No target yet", text="Make one, add its seeds, and nominate it.", icon="target"),
)  # fmt: skip
