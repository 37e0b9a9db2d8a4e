"""Harvests that the asker may see, what belongs to one, and where one stands."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, Exists, IntegerField, OuterRef, Q, QuerySet, Value, When

from opilio.curation import snapshots
from opilio.curation.harvest_workflow import DISPLAY_ORDER, HARVESTS, NEXT_STEP
from opilio.curation.models import (
    AbstractTarget,
    Harvest,
    HarvestEvent,
    HarvestFigures,
    HarvestFile,
    HarvestOrder,
    HarvestState,
    Snapshot,
)
from opilio.curation.sight import agencies, seen
from opilio.curation.workflow import Move
from opilio.people.actor import Actor
from opilio.people.parameters import value
from opilio.people.privileges import Privilege, Subject
from opilio.people.queries.homes import agency_names, users_who
from opilio.people.queries.visible import one

Choices = list[tuple[int, str]]
MANAGERS = (Privilege.MANAGE_TARGET_INSTANCES, Privilege.MANAGE_WEB_HARVESTER)
LIST_ORDER: tuple[str, ...] = ("display_order", "scheduled_at", "id")  # of what `listed` gives
_HELD = "A person decides: mend what the reason says and launch it, give it another time, or delete it."
_QUEUE_PAUSED = "The queue is paused; it begins when the queue goes on."


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A move that a person could make from the state of a harvest, and whether the asker may."""

    move: Move[HarvestState]
    allowed: bool


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Where a harvest stands: since when, why, what comes next, and what the asker may do."""

    state: HarvestState
    since: datetime.datetime
    reason: str
    next_step: str
    late: bool
    expected_until: datetime.datetime | None
    offers: list[Offer]
    of_itself: list[Move[HarvestState]]


@dataclass(frozen=True, kw_only=True)
class Frozen:
    """What a harvest was run with; `fault` says that it is not what was frozen."""

    made_at: datetime.datetime
    digest: str
    sections: Mapping[str, Any]
    fault: str = ""


def harvests(actor: Actor) -> QuerySet[Harvest]:
    """Harvests of the agencies in which the asker works."""
    rows: QuerySet[Harvest] = Harvest.objects.select_related("abstract_target", "agency", "owner", "figures", "flag")
    return seen(rows, actor)


def listed(actor: Actor) -> QuerySet[Harvest]:
    """The same with `display_order`, by which lists show running ones first."""
    cases = [When(state=state, then=Value(number)) for state, number in DISPLAY_ORDER.items()]
    return harvests(actor).annotate(display_order=Case(*cases, default=Value(999), output_field=IntegerField()))


def harvest(actor: Actor, identifier: int) -> Harvest:
    """One harvest with what its page shows, or `NotFound`."""
    return one(harvests(actor).select_related("schedule", "profile", "updated_by"), "harvest", identifier)


def of_holders_named(rows: QuerySet[Harvest], named: Q, most: int) -> QuerySet[Harvest]:
    """Of some harvests, the first `most` of targets and groups for which a condition holds.

    Harvests are far more than what is harvested: so many of the latter that have one are found first, then their
    harvests without any other table, whatever the database believes about sizes.
    """
    own = rows.order_by().filter(abstract_target_id=OuterRef("pk")).values("pk")
    holders = AbstractTarget.everything.filter(named, Exists(own)).order_by("name", "id").values("pk")[:most]
    found = rows.filter(abstract_target_id__in=holders).order_by("scheduled_at", "id").values("pk")[:most]
    return rows.filter(pk__in=found)


def queue(actor: Actor) -> QuerySet[Harvest]:
    """What waits for an agent, in the order in which it begins."""
    return harvests(actor).filter(state=HarvestState.QUEUED).order_by("-launched", "priority", "scheduled_at", "id")


def counts(actor: Actor) -> dict[HarvestState, int]:
    """How many harvests are in each state, in the order of lists; states without any are left out."""
    rows = seen(Harvest.objects.all(), actor).order_by().values_list("state").annotate(number=Count("pk"))
    found = dict(rows)
    ordered = sorted(DISPLAY_ORDER, key=lambda state: DISPLAY_ORDER[state])
    return {state: found[state] for state in ordered if state in found}


def queue_paused() -> bool:
    """Whether no harvest begins."""
    return bool(value("harvest_queue_paused"))


def events(row: Harvest) -> QuerySet[HarvestEvent]:
    """What happened to a harvest, oldest first."""
    return HarvestEvent.objects.filter(harvest_id=row.pk).order_by("number")


def orders(row: Harvest) -> QuerySet[HarvestOrder]:
    """What people told a harvest, newest first."""
    return HarvestOrder.objects.filter(harvest_id=row.pk).order_by("-id")


def files(row: Harvest) -> QuerySet[HarvestFile]:
    """What a harvest left, by result and name."""
    return HarvestFile.objects.filter(harvest_id=row.pk).order_by("result", "name")


def figures(row: Harvest) -> HarvestFigures | None:
    """How a harvest goes, or went; None before it began."""
    found: HarvestFigures | None = getattr(row, "figures", None)
    return found


def frozen(row: Harvest) -> Frozen | None:
    """What a harvest was run with, its digest checked; None before it is queued."""
    found = Snapshot.objects.filter(harvest_id=row.pk).first()
    if found is None:
        return None
    try:
        sections, fault = snapshots.sections(row.pk), ""
    except snapshots.Tampered as error:
        sections, fault = {}, str(error)
    return Frozen(made_at=found.made_at, digest=found.digest, sections=sections, fault=fault)


def standing(actor: Actor, row: Harvest) -> Standing:
    """Where a harvest stands, for the asker."""
    state = HarvestState(row.state)
    return Standing(
        state=state, since=row.state_since, reason=row.reason, next_step=next_step(row, paused=queue_paused()),
        late=late(row, actor.clock.now()), expected_until=row.expected_until, offers=offers(actor, row),
        of_itself=[move for move in HARVESTS.moves_from(state) if move.privilege is None],
    )  # fmt: skip


def next_step(row: Harvest, *, paused: bool) -> str:
    """What comes next, or what a person must do."""
    state = HarvestState(row.state)
    if state == HarvestState.SCHEDULED and row.held:
        return _HELD
    if state == HarvestState.SCHEDULED and paused:
        return _QUEUE_PAUSED
    if state == HarvestState.QUEUED and row.wanted_agent:
        return f"The agent {row.wanted_agent} takes it as soon as it is free."
    return NEXT_STEP[state]


def late(row: Harvest, now: datetime.datetime) -> bool:
    """Whether a harvest is longer in its state than it should be."""
    return row.expected_until is not None and row.expected_until < now


def offers(actor: Actor, row: Harvest) -> list[Offer]:
    """What people can do from the harvest's state, each with whether the asker may."""
    return [
        Offer(move=move, allowed=may(actor, row, *_openers(move.privilege)))
        for move in HARVESTS.by_people(HarvestState(row.state))
        if move.privilege is not None
    ]


def may(actor: Actor, row: Harvest, *privileges: Privilege) -> bool:
    """Whether one of the asker's privileges reaches a harvest."""
    subject = Subject(agency=row.agency_id, owner=row.owner_id)
    return any(actor.may(privilege, subject) for privilege in privileges)


def may_manage(actor: Actor, row: Harvest) -> bool:
    """Whether the asker may tell a harvest what to do."""
    return may(actor, row, *MANAGERS)


def owner_choices(actor: Actor) -> Choices:
    """Who owns harvests that the asker may see, by user name; looked up user by user, as harvests are far more."""
    owned = seen(Harvest.objects.filter(owner=OuterRef("pk")), actor)
    return users_who(Exists(owned.order_by()), deleted=True)


def agency_choices(actor: Actor) -> Choices:
    """The agencies whose harvests the asker may see."""
    return agency_names(agencies(actor))


def _openers(privilege: Privilege) -> tuple[Privilege, ...]:
    return MANAGERS if privilege in MANAGERS else (privilege,)
