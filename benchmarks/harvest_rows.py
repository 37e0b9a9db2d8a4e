"""Harvests for the benchmark of the scheduler, written in bulk, and its ticks; run in a process of its own."""

import datetime
import time
from collections.abc import Iterator

from django.db import connection

from benchmarks.pages_data import insert, numbers
from opilio.curation import scheduler
from opilio.curation.models import Harvest, HarvestState
from opilio.kernel.clock import SYSTEM
from opilio.people.actor import system
from tests.harvest_desk import NETWORK, HarvestDesk

_MINUTE = 60
_TARGETS = 50


def fill(*, future: int) -> None:
    """Targets that may be collected, and harvests of theirs in the next days."""
    desk = HarvestDesk()
    targets = [desk.ready() for _ in range(_TARGETS)]
    insert("harvest", _rows(targets, future))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _rows(targets: list, count: int) -> Iterator[dict[str, object]]:
    now = SYSTEM.now()
    for number, identifier in zip(range(count), numbers("General"), strict=False):
        target = targets[number % len(targets)]
        yield {
            "id": identifier, "abstract_target_id": target.pk, "scheduled_at": now + _ahead(number),
            "state": "scheduled", "state_since": now, "reason": "", "deferrals": 0, "held": False, "launched": False,
            "first_of_target": False, "priority": (0, 100, 1_000)[number % 3], "owner_id": target.owner_id,
            "agency_id": target.agency_id, "edited": False, "wanted_agent": "", "agent_name": "", "archive_id": "",
            "purged": False, "flagged": False, "display": True, "display_note": "",
            "allow_early_start": number % 2 == 0, "deleted": False, "dirty": False, "created": now, "updated": now,
            "version": 1,
        }  # fmt: skip


def _ahead(number: int) -> datetime.timedelta:
    return datetime.timedelta(days=1, seconds=number)


def measure_future() -> float:
    """Seconds of a tick that finds nothing due; the worst of five."""
    return max(_tick()[0] for _ in range(5))


def measure_due(count: int) -> dict[str, float]:
    """Let some be due in one minute, and hand them over."""
    chosen = list(Harvest.objects.order_by("id").values_list("id", flat=True)[:count])
    now = SYSTEM.now()
    for start in range(0, len(chosen), 500):
        moment = now - datetime.timedelta(seconds=start % _MINUTE)
        Harvest.objects.filter(pk__in=chosen[start : start + 500]).update(scheduled_at=moment)
    ticks, seconds, longest = 0, 0.0, 0.0
    while _waiting(now):
        took, handled = _tick()
        ticks, seconds, longest = ticks + 1, seconds + took, max(longest, took)
        if not handled:
            raise SystemExit("A tick with due harvests handed nothing over.")
    return {"ticks": ticks, "seconds": seconds, "longest": longest}


def _waiting(now: datetime.datetime) -> bool:
    return Harvest.objects.filter(state=HarvestState.SCHEDULED, scheduled_at__lte=now).exists()


def _tick() -> tuple[float, int]:
    begun = time.perf_counter()
    counts = scheduler.tick(system(name="scheduler"), NETWORK, should_stop=lambda: False)
    return time.perf_counter() - begun, sum(counts.values())
