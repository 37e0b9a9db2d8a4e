"""Looks after harvests that nothing would move any more: heals those without a job, flags those that are late."""

from collections.abc import Callable

from opilio.curation.actions.harvest_care import RUN_BY_A_JOB, flag_late, heal
from opilio.curation.models import Harvest
from opilio.jobs import queue
from opilio.people.actor import Actor

_MOST = 1_000  # in one round


def look_after(actor: Actor, *, should_stop: Callable[[], bool]) -> int:
    """One round; how many harvests needed care."""
    cared = 0
    for identifier in _orphans():
        cared += not should_stop() and heal(actor, harvest_id=identifier)
    for identifier in _late(actor):
        cared += not should_stop() and flag_late(actor, harvest_id=identifier)
    return cared


def _orphans() -> list[int]:
    """Harvests that a job should run, and whose job is finished or gone."""
    rows = dict(Harvest.objects.filter(state__in=RUN_BY_A_JOB).order_by("id").values_list("id", "job")[:_MOST])
    alive = queue.unfinished_among([job for job in rows.values() if job is not None])
    return [identifier for identifier, job in rows.items() if job not in alive]


def _late(actor: Actor) -> list[int]:
    rows = Harvest.objects.filter(expected_until__lt=actor.clock.now(), flagged=False).order_by("expected_until")
    return list(rows.values_list("id", flat=True)[:_MOST])
