"""Moves the look-ahead of all schedules on, day by day, in batches: what a chore of the agents does."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from opilio.catalogue.sqlite.cache import roomy_cache
from opilio.curation.harvest_rows import Planned, remember, store
from opilio.curation.harvested import Harvested, harvested_by
from opilio.curation.look_ahead import outlook
from opilio.curation.models import ObjectType, Schedule, Target
from opilio.curation.planning import dates_of, wanted_harvests, window
from opilio.curation.workflow import SCHEDULABLE
from opilio.people import audit
from opilio.people.actor import Actor

BATCH = 1_000  # schedules in one transaction
_NEEDED = (
    "cron", "time_zone", "start", "end", "planned_until", "owner_id", "abstract_target__agency_id",
    "abstract_target__object_type",
)  # fmt: skip


def extend_all(actor: Actor, *, should_stop: Callable[[], bool]) -> int:
    """Plan what has come into the window since it was last looked; how many harvests were made."""
    with roomy_cache():
        return _extend_all(actor, should_stop)


def _extend_all(actor: Actor, should_stop: Callable[[], bool]) -> int:
    made, last, ahead = 0, 0, window()
    while not should_stop():
        with transaction.atomic():
            batch = list(_due(actor.clock.now(), ahead).filter(id__gt=last).order_by("id")[:BATCH])
            made += _extend(actor, batch, ahead)
        if len(batch) < BATCH:
            break
        last = batch[-1].id
    return made


def _due(now: datetime, ahead: timedelta) -> QuerySet[Schedule]:
    """Schedules with a time in the window that is not planned, or with nothing planned to come."""
    rows: QuerySet[Schedule] = Schedule.objects.filter(
        Q(next_time__lte=now + ahead) | Q(planned_until__lte=now), next_time__isnull=False, paused=False,
        abstract_target__deleted=False, abstract_target__state__in=SCHEDULABLE,
    )  # fmt: skip
    return rows.select_related("abstract_target").only(*_NEEDED).select_for_update(of=("self",))


def _extend(actor: Actor, batch: Sequence[Schedule], ahead: timedelta) -> int:
    now = actor.clock.now()
    who = _harvested(batch)
    rows: list[Planned] = []
    seen: list[tuple[Schedule, datetime | None, datetime | None]] = []
    for schedule in batch:
        found = outlook(dates_of(schedule), now, after=schedule.planned_until, window=ahead)
        rows += wanted_harvests(schedule, found.ticks, who[schedule.pk])
        seen.append((schedule, found.following, found.until))
    made = store(rows, now=now, user=actor.user)
    remember(seen)
    if made:
        message = f"Planned {made} harvests of {len(batch)} schedules."
        audit.write(actor, action="schedule.extend", subject_type="schedule", message=message)
    return made


def _harvested(batch: Sequence[Schedule]) -> dict[int, tuple[Harvested, ...]]:
    """Whom each schedule harvests; for targets with one question in all."""
    targets = [one.abstract_target for one in batch if one.abstract_target.object_type == ObjectType.TARGET]
    early = dict(Target.objects.filter(pk__in=[row.pk for row in targets]).values_list("pk", "allow_early_start"))
    return {
        one.id: (
            Harvested(
                id=one.abstract_target_id, agency=one.abstract_target.agency_id, early=early[one.abstract_target_id]
            ),
        )
        if one.abstract_target.object_type == ObjectType.TARGET
        else harvested_by(one)
        for one in batch
    }
