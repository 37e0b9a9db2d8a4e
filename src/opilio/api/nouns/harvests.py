"""Harvests: list, show, events, snapshot, files, orders; harvest now; the queue."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpResponse
from ninja import Query, Router

from opilio.api.acting import acting
from opilio.api.identifiers import Identifier
from opilio.api.nouns.harvest_schemas import (
    EventAnswer,
    FileAnswer,
    HarvestAnswer,
    HarvestFilters,
    HarvestNew,
    OrderAnswer,
    QueueAnswer,
    QueueBody,
    SnapshotAnswer,
    told,
)
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.versions import matched_version, tag
from opilio.curation.actions.agents import switch_queue
from opilio.curation.actions.harvest_now import harvest_now
from opilio.curation.kinds import HARVEST
from opilio.curation.networks import network_of
from opilio.curation.queries import harvests as query
from opilio.curation.sight import READERS
from opilio.people.actor import Actor
from opilio.people.errors import NotFound
from opilio.people.privileges import Privilege

if TYPE_CHECKING:
    from opilio.curation.models import Harvest

router = Router(tags=["harvests"])
_ORDER = Order(name="harvests", column="scheduled_at", newest_first=True)
_EVENTS = Order(name="harvest-events", column="number")
_FILES = Order(name="harvest-files", column="name")
_ORDERS = Order(name="harvest-orders", column="at", newest_first=True)


@router.get("", response=Page[HarvestAnswer])
def list_harvests(request: ApiRequest, filters: Query[HarvestFilters], paging: Query[Paging]) -> Page[HarvestAnswer]:
    """List harvests of the agencies in which you work, the latest scheduled first.

    Needs a privilege to work with what an agency collects.
    """
    actor = request.auth
    need(actor, "see harvests", *sorted(READERS))
    now, paused = actor.clock.now(), query.queue_paused()
    rows = _narrowed(query.harvests(actor), filters)
    return page(rows, _ORDER, paging, HarvestAnswer, lambda row: told(row, now=now, paused=paused))


@router.post("", response={201: HarvestAnswer})
def harvest_target_now(request: ApiRequest, response: HttpResponse, body: HarvestNew) -> HarvestAnswer:
    """Harvest a target or group now, without a schedule.

    Needs LAUNCH_TARGET_INSTANCE_IMMEDIATE on it.
    """
    need(request.auth, "harvest now", Privilege.LAUNCH_TARGET_INSTANCE_IMMEDIATE)
    made = harvest_now(
        request.auth, holder_id=body.target, network=network_of(settings.OPILIO), agent=body.agent
    )  # fmt: skip
    return shown(request.auth, made.pk, response)


@router.get("/queue", response=QueueAnswer)
def show_queue(request: ApiRequest) -> QueueAnswer:
    """Show whether the queue is paused, and how many harvests are in each state.

    Needs a privilege to work with what an agency collects.
    """
    need(request.auth, "see harvests", *sorted(READERS))
    return _queue(request.auth)


@router.put("/queue", response=QueueAnswer)
def set_queue(request: ApiRequest, body: QueueBody) -> QueueAnswer:
    """Pause the queue, or let it go on; harvests that run are not touched.

    Needs MANAGE_WEB_HARVESTER over everything.
    """
    switch_queue(request.auth, paused=body.paused)
    return _queue(request.auth)


@router.get("/{harvest_id}", response=HarvestAnswer)
def show_harvest(request: ApiRequest, response: HttpResponse, harvest_id: Identifier) -> HarvestAnswer:
    """Show a harvest: where it stands, why, what comes next, how it goes.

    Needs a privilege to work with what its agency collects.
    """
    return shown(request.auth, harvest_id, response)


@router.delete("/{harvest_id}", response={204: None})
def delete_harvest(request: ApiRequest, harvest_id: Identifier) -> None:
    """Delete a harvest that never began, so that it can be restored.

    Needs MANAGE_TARGET_INSTANCES on it.
    """
    delete(request.auth, HARVEST, harvest_id, matched_version(request))


@router.get("/{harvest_id}/events", response=Page[EventAnswer])
def list_harvest_events(request: ApiRequest, harvest_id: Identifier, paging: Query[Paging]) -> Page[EventAnswer]:
    """List what happened to a harvest, oldest first.

    Needs a privilege to work with what its agency collects.
    """
    return page(query.events(seen(request.auth, harvest_id)), _EVENTS, paging, EventAnswer)


@router.get("/{harvest_id}/snapshot", response=SnapshotAnswer)
def show_harvest_snapshot(request: ApiRequest, harvest_id: Identifier) -> SnapshotAnswer:
    """Show what a harvest was run with; 404 before it is queued.

    Needs a privilege to work with what its agency collects.
    """
    found = query.frozen(seen(request.auth, harvest_id))
    if found is None:
        raise NotFound(f"Harvest {harvest_id} is not frozen yet", remedy="It is when it is queued.")
    return SnapshotAnswer(
        made_at=found.made_at, digest=found.digest, intact=not found.fault, fault=found.fault,
        sections=dict(found.sections),
    )  # fmt: skip


@router.get("/{harvest_id}/files", response=Page[FileAnswer])
def list_harvest_files(request: ApiRequest, harvest_id: Identifier, paging: Query[Paging]) -> Page[FileAnswer]:
    """List the files that a harvest left, by name.

    Needs a privilege to work with what its agency collects.
    """
    return page(query.files(seen(request.auth, harvest_id)), _FILES, paging, FileAnswer)


@router.get("/{harvest_id}/orders", response=Page[OrderAnswer])
def list_harvest_orders(request: ApiRequest, harvest_id: Identifier, paging: Query[Paging]) -> Page[OrderAnswer]:
    """List what people told a harvest, newest first.

    Needs a privilege to work with what its agency collects.
    """
    return page(query.orders(seen(request.auth, harvest_id)), _ORDERS, paging, OrderAnswer)


def seen(actor: Actor, harvest_id: int) -> "Harvest":
    """A harvest that the asker may see."""
    need(actor, "see harvests", *sorted(READERS))
    return query.harvest(actor, harvest_id)


def shown(actor: Actor, harvest_id: int, response: HttpResponse) -> HarvestAnswer:
    """The answer that shows a harvest, with its version as tag."""
    row = seen(actor, harvest_id)
    tag(response, row.version)
    return told(row, now=actor.clock.now(), paused=query.queue_paused())


acting_on_harvest = acting("harvest_id", seen=seen, shown=shown)


def _narrowed(rows: "QuerySet[Harvest]", filters: HarvestFilters) -> "QuerySet[Harvest]":
    wanted = {
        "state": filters.state, "abstract_target_id": filters.target, "agency_id": filters.agency,
        "owner_id": filters.owner, "flagged": filters.flagged, "held": filters.held,
    }  # fmt: skip
    rows = rows.filter(**{name: value for name, value in wanted.items() if value is not None})
    return rows.filter(abstract_target__name__icontains=filters.q) if filters.q else rows


def _queue(actor: Actor) -> QueueAnswer:
    counts = {state.value: number for state, number in query.counts(actor).items()}
    return QueueAnswer(paused=query.queue_paused(), counts=counts)
