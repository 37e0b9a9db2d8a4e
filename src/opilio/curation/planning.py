"""Makes and removes the planned harvests of targets and groups, so that they are what the schedules say.

A harvest that somebody changed by hand stays, and so do harvests whose time is still a time of their schedule.
All in the transaction of the action under way; one entry of the audit log tells for each schedule what changed.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Q

from opilio.curation import harvest_tasks
from opilio.curation.ancestry import above
from opilio.curation.harvest_rows import Planned, remember, store
from opilio.curation.harvested import Harvested, harvested_as_one, harvested_by, separate_groups_above
from opilio.curation.look_ahead import Dates, outlook
from opilio.curation.models import AbstractTarget, Group, Harvest, HarvestState, ObjectType, Schedule, Target
from opilio.curation.workflow import SCHEDULABLE
from opilio.people import parameters
from opilio.people.acting import Act
from opilio.people.gathering import once_for_all
from opilio.people.remembering import keep, taken


class _Known(NamedTuple):
    """A harvest that a schedule planned before."""

    id: int
    target: int
    at: datetime | None
    state: str
    edited: bool


class _Planning(NamedTuple):
    """What a schedule lacks, and how far it is planned with that."""

    act: Act
    rows: Sequence[Planned]
    seen: tuple[Schedule, datetime | None, datetime | None]  # the first time that is not planned, the last that is


def replan(act: Act, row: AbstractTarget) -> int:
    """Plan what the schedules of a target or group say now; how many harvests were made or removed."""
    if row.state not in SCHEDULABLE or row.deleted:
        return unplan(act, row)
    schedules = _schedules(row)
    ahead = window() if schedules else None
    return sum(replan_schedule(act, schedule, ahead=ahead) for schedule in schedules)


def replan_schedule(act: Act, schedule: Schedule, *, ahead: timedelta | None = None) -> int:
    """The same for one schedule, as after it was changed."""
    row, foreseen = schedule.abstract_target, taken(("known harvests", schedule.pk))
    known = _known([schedule.pk]).get(schedule.pk, []) if foreseen is None else foreseen
    if schedule.paused or schedule.deleted or row.deleted or row.state not in SCHEDULABLE:
        removed = _removed(_unwanted(known, ()))
        _noted(act, schedule, removed=removed)
        remember([(schedule, None, None)])
        return removed
    found = outlook(dates_of(schedule), act.clock.now(), window=window() if ahead is None else ahead)
    wanted = wanted_harvests(schedule, found.ticks, harvested_by(schedule))
    removed = _removed(_unwanted(known, wanted))
    missing = _missing(known, wanted)
    made = sum(len(one.times) for one in missing)
    outcome = _Planning(act=act, rows=missing, seen=(schedule, found.following, found.until))
    if foreseen is None:
        _store([outcome])
    else:
        once_for_all(_store, outcome)
    _noted(act, schedule, made=made, removed=removed)
    return made + removed


def keep_schedules(target_ids: Sequence[int]) -> None:
    """Ask for the schedules of targets together that will be planned anew one by one, and for what they planned.

    Where a group above one of them has a schedule, of whatever kind and state, nothing is foreseen.
    """
    if Schedule.objects.filter(abstract_target_id__in=above(target_ids)).exists():
        return
    found: dict[int, list[Schedule]] = {number: [] for number in target_ids}
    for schedule in Schedule.objects.filter(abstract_target_id__in=target_ids).order_by("start", "id"):
        found[schedule.abstract_target_id].append(schedule)
    chosen = [schedule.pk for schedules in found.values() for schedule in schedules]
    known = _known(chosen)
    keep({("schedules", number): schedules for number, schedules in found.items()})
    keep({("known harvests", number): known.get(number, []) for number in chosen})


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


def _schedules(row: AbstractTarget) -> list[Schedule]:
    """Those that plan harvests of a target or group: its own, and those of groups that harvest each member."""
    foreseen: list[Schedule] | None = taken(("schedules", row.pk))
    if foreseen is None or not isinstance(row, Target):
        found = Schedule.objects.filter(abstract_target_id__in=[row.pk, *separate_groups_above(row.pk)])
        return list(found.select_related("owner", "abstract_target__target").order_by("start", "id"))
    for schedule in foreseen:
        schedule.abstract_target = row  # as it is by now
    return foreseen


def _known(schedules: Sequence[int]) -> dict[int, list[_Known]]:
    """What schedules planned before, begun or not."""
    asked = ("schedule_id", "id", "abstract_target_id", "planned_for", "state", "edited")
    found: dict[int, list[_Known]] = {}
    for schedule, *row in (
        Harvest.objects.filter(schedule_id__in=schedules).order_by("scheduled_at", "id").values_list(*asked)
    ):
        found.setdefault(schedule, []).append(_Known(*row))
    return found


def _store(outcomes: Sequence["_Planning"]) -> None:
    """Make the harvests that are missing, and note how far the schedules are planned."""
    last = outcomes[-1].act
    store([row for one in outcomes for row in one.rows], now=last.clock.now(), user=last.actor.user)
    remember([one.seen for one in outcomes])


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
