"""The line as it is now: what is in force, who shares it, and the orders that make running harvests keep to it."""

import datetime
from collections.abc import Mapping
from zoneinfo import ZoneInfo

from django.conf import settings

from opilio.curation import harvest_log
from opilio.curation.bandwidth import Restriction, Rules, Share, Weekday, allocate, limit_at, refusal
from opilio.curation.models import BandwidthRestriction, Harvest, HarvestOrder, HarvestState
from opilio.people.acting import Act
from opilio.people.parameters import value

SHARING = (HarvestState.RUNNING, HarvestState.PAUSED)
BY = "line"  # who orders what follows from the line


def restrictions() -> list[Restriction]:
    """All rows, as plain values."""
    return [
        Restriction(weekday=Weekday(row.day), start=row.start, end=row.end, limit=row.limit)
        for row in BandwidthRestriction.objects.all()
    ]


def limit_now(now: datetime.datetime) -> int | None:
    """kB/s in force; None: without limit."""
    return limit_at(restrictions(), now.astimezone(ZoneInfo(settings.OPILIO.time_zone)))


def rules() -> Rules:
    """What the installation sets."""
    return Rules(most_by_hand=int(value("bandwidth_most_by_hand")), least=int(value("bandwidth_least")))


def sharing() -> list[Share]:
    """The harvests that share the line."""
    rows = Harvest.objects.filter(state__in=SHARING).order_by("id").values_list("id", "bandwidth_percent")
    return [Share(harvest=identifier, percent=percent) for identifier, percent in rows]


def against(harvest: Harvest, now: datetime.datetime) -> str:
    """Why the line has no room for a harvest now; empty: it has."""
    newcomer = Share(harvest=harvest.pk, percent=harvest.bandwidth_percent)
    others = [share for share in sharing() if share.harvest != harvest.pk]
    return refusal(limit_now(now), others, newcomer, rules())


def divide(act: Act) -> int:
    """Divide the line anew; how many harvests were told something."""
    act.require_that(act.actor.is_system, "divide the line", "Only the installation itself does.")
    limit = limit_now(act.clock.now())
    given = allocate(limit, sharing(), rules())
    told = 0
    for harvest in Harvest.objects.select_for_update(of=("self",)).filter(pk__in=list(given)).order_by("id"):
        told += _told(act, harvest, given)
        told += _opened_or_closed(act, harvest, closed=limit == 0)
    return told


def _told(act: Act, harvest: Harvest, given: Mapping[int, int | None]) -> bool:
    share = given[harvest.pk]
    if share == harvest.allocated_bandwidth or share == 0:
        return False
    act.update(harvest, {"allocated_bandwidth": share}, message="The line was divided anew.")
    _order(act, harvest, "bandwidth", {"bytes_per_second": (share or 0) * 1_000})
    return True


def _opened_or_closed(act: Act, harvest: Harvest, *, closed: bool) -> bool:
    """While the line carries nothing, harvests pause; those that the line paused go on when it opens."""
    waiting = HarvestOrder.objects.filter(harvest=harvest, done_at=None, what__in=("pause", "resume")).exists()
    if waiting or harvest.held or (closed and harvest.state != HarvestState.RUNNING):
        return False
    last = HarvestOrder.objects.filter(harvest=harvest, what__in=("pause", "resume")).order_by("-id").first()
    paused_by_us = last is not None and (last.what, last.by) == ("pause", BY)
    if not closed and not (harvest.state == HarvestState.PAUSED and paused_by_us):
        return False
    _order(act, harvest, "pause" if closed else "resume", {})
    return True


def _order(act: Act, harvest: Harvest, what: str, arguments: Mapping[str, int]) -> None:
    HarvestOrder(harvest=harvest, what=what, arguments=dict(arguments), by=BY, at=act.clock.now()).save()
    harvest_log.noted(act, harvest, "ordered", details={"what": what, **arguments})
