"""Makes and removes the planned harvests of targets and groups, so that they are what the schedules say.

A harvest that somebody changed by hand stays, and so do harvests whose time is still a time of their schedule.
All in the transaction of the action under way; one entry of the audit log tells for each schedule what changed.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Q

from opilio.curation import harvest_tasks
from opilio.curation.harvest_rows import Planned, store
from opilio.curation.harvested import Harvested, harvested_as_one, harvested_by, separate_groups_above
from opilio.curation.look_ahead import Dates, Outlook, outlook
from opilio.curation.models import AbstractTarget, Group, Harvest, HarvestState, ObjectType, Schedule, Target
from opilio.curation.workflow import SCHEDULABLE
from opilio.people import parameters
from opilio.people.acting import Act


class _Known(NamedTuple):
    """A harvest that a schedule planned before."""

    id: int
    target: int
    at: datetime | None
    state: str
    edited: bool


def replan(act: Act, row: AbstractTarget) -> int:
    """Plan what the schedules of a target or group say now; how many harvests were made or removed."""
    if row.state not in SCHEDULABLE or row.deleted:
        return unplan(act, row)
    found = Schedule.objects.filter(abstract_target_id__in=[row.pk, *separate_groups_above(row.pk)])
    schedules = list(found.select_related("owner", "abstract_target__target").order_by("start", "id"))
    ahead = window() if schedules else None
    return sum(replan_schedule(act, schedule, ahead=ahead) for schedule in schedules)


def replan_schedule(act: Act, schedule: Schedule, *, ahead: timedelta | None = None) -> int:
    """The same for one schedule, as after it was changed."""
    row, known = schedule.abstract_target, _known(schedule)
    if schedule.paused or schedule.deleted or row.deleted or row.state not in SCHEDULABLE:
        removed = _removed(_unwanted(known, ()))
        _noted(act, schedule, removed=removed)
        _remember(schedule, None)
        return removed
    found = outlook(dates_of(schedule), act.clock.now(), window=window() if ahead is None else ahead)
    wanted = wanted_harvests(schedule, found.ticks, harvested_by(schedule))
    removed = _removed(_unwanted(known, wanted))
    made = store(_missing(known, wanted), now=act.clock.now(), user=act.actor.user)
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
    harvested_as_one(row, act.name)
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


def wanted_harvests(schedule: Schedule, ticks: Sequence[datetime], who: Sequence[Harvested]) -> list[Planned]:
    """The harvests of these times: one for each time, or one for each member that belongs then."""
    return [
        Planned(one.id, schedule.pk, schedule.owner_id, one.agency, one.early, tuple(filter(one.belongs, ticks)))
        for one in who
    ]


def _missing(known: Sequence[_Known], wanted: Sequence[Planned]) -> list[Planned]:
    """Of what is wanted, what is not planned yet."""
    there = {(row.target, row.at) for row in known}
    return [row._replace(times=tuple(at for at in row.times if (row.target, at) not in there)) for row in wanted]


def _itself(row: AbstractTarget) -> Target | Group:
    """The target or group that an abstract row stands for."""
    if isinstance(row, Target | Group):
        return row
    found: Target | Group = (Target if row.object_type == ObjectType.TARGET else Group).objects.get(pk=row.pk)
    return found


def _known(schedule: Schedule) -> list[_Known]:
    """What it planned before, begun or not."""
    rows = Harvest.objects.filter(schedule=schedule).order_by("scheduled_at", "id")
    return [_Known(*row) for row in rows.values_list("id", "abstract_target_id", "planned_for", "state", "edited")]


def _unwanted(known: Sequence[_Known], wanted: Sequence[Planned]) -> list[int]:
    """Planned harvests at times that the schedule has no more, or of members that are harvested no more.

    What began stays, and so does what somebody changed by hand.
    """
    kept = {(row.target, at) for row in wanted for at in row.times}
    return [
        row.id for row in known
        if row.state == HarvestState.SCHEDULED and not row.edited and (row.target, row.at) not in kept
    ]  # fmt: skip


def _removed(identifiers: Sequence[int]) -> int:
    """Plans that did not begin leave no trace but the audit log's."""
    for start in range(0, len(identifiers), 500):
        harvest_tasks.removed(identifiers[start : start + 500])
        Harvest.everything.filter(id__in=identifiers[start : start + 500]).delete()
    return len(identifiers)


def _noted(act: Act, schedule: Schedule, *, made: int = 0, removed: int = 0) -> None:
    if made or removed:
        act.record(schedule, message=f"Planned {made} harvests, removed {removed}.")


def _remember(schedule: Schedule, found: Outlook | None) -> None:
    schedule.next_time = found.following if found else None
    schedule.planned_until = found.until if found else None
    schedule.save(update_fields=["next_time", "planned_until"])
