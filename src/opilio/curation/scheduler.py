"""The scheduler: finds harvests whose time came and hands each to the run guard, one transaction for each.

One agent of all runs it, under a lease. After a downtime everything due is considered; of several missed times of one
schedule only the latest is run.
"""

import datetime
from collections.abc import Callable, Iterator

from django.db import connection
from django.db.models import QuerySet

from opilio.curation.actions.harvest_queue import consider_due
from opilio.curation.harvest_jobs import RUN_KIND
from opilio.curation.harvest_plan import Network
from opilio.curation.models import Harvest, HarvestState
from opilio.curation.run_guard import Verdict
from opilio.jobs import roster
from opilio.people.actor import Actor
from opilio.people.parameters import value

BATCH = 200
_LONGEST_REST = 0.1  # seconds
LONGEST = 20.0  # seconds of a tick; what is left is considered in the next one, in the same order


def tick(
    actor: Actor, network: Network, *, should_stop: Callable[[], bool], rest: Callable[[float], object] | None = None
) -> dict[Verdict, int]:
    """Consider everything that is due, then begin early what may; how many of each verdict.

    SQLite has one writer, and those who wait for it only look now and then: after each harvest the scheduler rests as
    long as that took, so that heartbeats, orders and harvests that run get their turn.
    """
    counts: dict[Verdict, int] = {}
    end = actor.clock.monotonic() + LONGEST

    def over() -> bool:
        return should_stop() or actor.clock.monotonic() >= end

    for identifier in _ready(actor, over):
        if over():
            break
        begun = actor.clock.monotonic()
        verdict = consider_due(actor, harvest_id=identifier, network=network)
        if rest is not None and connection.vendor == "sqlite":
            rest(min(actor.clock.monotonic() - begun, _LONGEST_REST))
        if verdict is not None:
            counts[verdict] = counts.get(verdict, 0) + 1
    return counts


def _ready(actor: Actor, should_stop: Callable[[], bool]) -> Iterator[int]:
    """What is due, then what may begin early."""
    yield from _due(actor, should_stop)
    yield from _early(actor)


def _waiting() -> QuerySet[Harvest]:
    rows: QuerySet[Harvest] = Harvest.objects.filter(state=HarvestState.SCHEDULED, held=False)
    return rows


def _due(actor: Actor, should_stop: Callable[[], bool]) -> Iterator[int]:
    """Due harvests in the order of the queue; those that stay due are seen once in a tick."""
    rows = _waiting().filter(scheduled_at__lte=actor.clock.now()).order_by("priority", "scheduled_at", "id")
    last: tuple[int, datetime.datetime, int] | None = None
    while not should_stop():
        page = list(_behind(rows, last).values_list("priority", "scheduled_at", "id")[:BATCH])
        yield from (identifier for _, _, identifier in page)
        if len(page) < BATCH:
            return
        last = page[-1]


def _behind(rows: QuerySet[Harvest], last: tuple[int, datetime.datetime, int] | None) -> QuerySet[Harvest]:
    if last is None:
        return rows
    priority, at, identifier = last
    return (
        rows.filter(priority__gt=priority)
        | rows.filter(priority=priority, scheduled_at__gt=at)
        | rows.filter(priority=priority, scheduled_at=at, id__gt=identifier)
    )


def _early(actor: Actor) -> list[int]:
    """Harvests that may begin before their time, while more agents are idle than are kept in reserve."""
    room = roster.free_slots(RUN_KIND) - int(value("harvest_reserved_slots"))
    hours = int(value("harvest_early_hours"))
    if room < 1 or not hours:
        return []
    now = actor.clock.now()
    soon = _waiting().filter(allow_early_start=True, scheduled_at__gt=now)
    rows = soon.filter(scheduled_at__lte=now + datetime.timedelta(hours=hours)).order_by(
        "priority", "scheduled_at", "id"
    )
    return list(rows.values_list("id", flat=True)[:room])
