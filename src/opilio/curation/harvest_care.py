"""Looks after harvests: heals those without a job, flags late ones, lets those that run follow their rights."""

from collections.abc import Callable, Iterator

from opilio.curation import rights_watch
from opilio.curation.actions.harvest_care import RUN_BY_A_JOB, flag_late, heal, watch_rights
from opilio.curation.models import Harvest
from opilio.jobs import queue
from opilio.people.actor import Actor

_MOST = 1_000  # in one look; of late ones, in one round


def look_after(actor: Actor, *, should_stop: Callable[[], bool]) -> int:
    """One round; how many harvests needed care."""
    cared = 0
    for identifier in _orphans():
        cared += not should_stop() and heal(actor, harvest_id=identifier)
    for identifier in _late(actor):
        cared += not should_stop() and flag_late(actor, harvest_id=identifier)
    for identifier in rights_watch.needing(actor.clock.now()):
        cared += not should_stop() and watch_rights(actor, harvest_id=identifier)
    return cared


def _orphans() -> Iterator[int]:
    """Harvests that a job should run, and whose job is finished or gone; however many wait in the queue."""
    rows, last = Harvest.objects.filter(state__in=RUN_BY_A_JOB).order_by("id"), 0
    while page := list(rows.filter(id__gt=last).values_list("id", "job")[:_MOST]):
        last = page[-1][0]
        alive = queue.unfinished_among([job for _, job in page if job is not None])
        yield from (identifier for identifier, job in page if job not in alive)


def _late(actor: Actor) -> list[int]:
    rows = Harvest.objects.filter(expected_until__lt=actor.clock.now(), flagged=False).order_by("expected_until")
    return list(rows.values_list("id", flat=True)[:_MOST])
