"""Makes and removes the planned harvests of targets and groups, so that they are what the schedules say.

A harvest that somebody changed by hand stays, and so do harvests whose time is still a time of their schedule.
All in the transaction of the action under way; one entry of the audit log tells for each schedule what changed.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from opilio.curation.harvest_rows import Planned, store
from opilio.curation.harvested import Harvested, harvested_by, separate_groups_above
from opilio.curation.look_ahead import Dates, Outlook, outlook
from opilio.curation.models import AbstractTarget, Group, Harvest, HarvestState, ObjectType, Schedule, Target
from opilio.curation.workflow import SCHEDULABLE
from opilio.people import parameters
from opilio.people.acting import Act


def replan(act: Act, row: AbstractTarget) -> int:
    """Plan what the schedules of a target or group say now; how many harvests were made or removed."""
    if row.state not in SCHEDULABLE or row.deleted:
        return unplan(act, row)
    schedules = Schedule.objects.filter(abstract_target_id__in=[row.pk, *separate_groups_above(row.pk)])
    return sum(replan_schedule(act, schedule) for schedule in schedules.select_related("owner", "abstract_target"))


def replan_schedule(act: Act, schedule: Schedule) -> int:
    """The same for one schedule, as after it was changed."""
    row = schedule.abstract_target
    if schedule.paused or schedule.deleted or row.deleted or row.state not in SCHEDULABLE:
        removed = _removed(_unwanted(schedule, ()))
        _noted(act, schedule, removed=removed)
        _remember(schedule, None)
        return removed
    found = outlook(dates_of(schedule), act.clock.now(), window=window())
    wanted = wanted_harvests(schedule, found.ticks, harvested_by(schedule))
    removed = _removed(_unwanted(schedule, wanted))
    made = _insert_missing(act, schedule, wanted)
    _noted(act, schedule, made=made, removed=removed)
    _remember(schedule, found)
    return made + removed


def unplan(act: Act, row: AbstractTarget) -> int:
    """Remove every harvest of a target or group that has not begun, also those changed by hand; how many."""
    own = Q(abstract_target_id=row.pk) | Q(schedule__abstract_target_id=row.pk)
    planned = Harvest.objects.filter(own, state=HarvestState.SCHEDULED)
    removed = _removed(list(planned.values_list("id", flat=True)))
    if removed:
        act.record(_itself(row), message=f"Removed {removed} planned harvests.")
    Schedule.objects.filter(abstract_target_id=row.pk).update(next_time=None, planned_until=None)
    return removed


def plan_once(act: Act, row: AbstractTarget, at: datetime) -> Harvest:
    """Plan one harvest at a time of its own, as after an approval, or because somebody asked for it."""
    early = Target.objects.filter(pk=row.pk).values_list("allow_early_start", flat=True).first()
    made = Harvest(
        abstract_target_id=row.pk, scheduled_at=at, state=HarvestState.SCHEDULED, state_since=act.clock.now(),
        owner_id=row.owner_id, agency_id=row.agency_id, allow_early_start=bool(early),
    )  # fmt: skip
    return act.insert(made, message=f"Planned one harvest of {row.name}.")


def window() -> timedelta:
    """How far ahead harvests are planned."""
    return timedelta(days=int(parameters.value("look_ahead_days")))


def dates_of(schedule: Schedule) -> Dates:
    """What of a schedule decides its times."""
    return Dates(cron=schedule.cron, time_zone=schedule.time_zone, start=schedule.start, end=schedule.end)


def wanted_harvests(schedule: Schedule, ticks: Iterable[datetime], who: Sequence[Harvested]) -> list[Planned]:
    """The harvests of these times: one for each time, or one for each member that belongs then."""
    return [
        Planned(one.id, schedule.pk, tick, schedule.owner_id, one.agency, one.early)
        for tick in ticks
        for one in who
        if one.belongs(tick)
    ]


def _insert_missing(act: Act, schedule: Schedule, wanted: Sequence[Planned]) -> int:
    """Store those that are not planned yet; how many."""
    planned = Harvest.objects.filter(schedule=schedule, planned_for__isnull=False)
    known = set(planned.values_list("abstract_target_id", "planned_for"))
    missing = [row for row in wanted if (row.target, row.at) not in known]
    store(missing, now=act.clock.now(), user=act.actor.user)
    return len(missing)


def _itself(row: AbstractTarget) -> Target | Group:
    """The target or group that an abstract row stands for."""
    if isinstance(row, Target | Group):
        return row
    found: Target | Group = (Target if row.object_type == ObjectType.TARGET else Group).objects.get(pk=row.pk)
    return found


def _unbegun(schedule: Schedule) -> QuerySet[Harvest]:
    """What it planned, did not begin, and nobody changed by hand."""
    return Harvest.objects.filter(schedule=schedule, state=HarvestState.SCHEDULED, edited=False)


def _unwanted(schedule: Schedule, wanted: Sequence[Planned]) -> list[int]:
    """Planned harvests at times that the schedule has no more, or of members that are harvested no more."""
    kept = {(row.target, row.at) for row in wanted}
    rows = _unbegun(schedule).values_list("id", "abstract_target_id", "planned_for")
    return [identifier for identifier, *key in rows if tuple(key) not in kept]


def _removed(identifiers: Sequence[int]) -> int:
    """Plans that did not begin leave no trace but the audit log's."""
    for start in range(0, len(identifiers), 500):
        Harvest.everything.filter(id__in=identifiers[start : start + 500]).delete()
    return len(identifiers)


def _noted(act: Act, schedule: Schedule, *, made: int = 0, removed: int = 0) -> None:
    if made or removed:
        act.record(schedule, message=f"Planned {made} harvests, removed {removed}.")


def _remember(schedule: Schedule, found: Outlook | None) -> None:
    schedule.next_time = found.following if found else None
    schedule.planned_until = found.until if found else None
    schedule.save(update_fields=["next_time", "planned_until"])
