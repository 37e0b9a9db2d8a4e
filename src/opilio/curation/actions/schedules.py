"""Add, change and pause schedules; what they plan follows at once."""

import datetime
from typing import Any

from opilio.curation import planning, targeting
from opilio.curation.cron.checks import check
from opilio.curation.cron.errors import BadCron, BadZone
from opilio.curation.cron.parsing import parse
from opilio.curation.cron.zones import zone
from opilio.curation.kinds import SCHEDULE
from opilio.curation.models import AbstractTarget, ObjectType, Schedule, Target
from opilio.people import parameters
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields, NotFound
from opilio.people.intray import Category, Resource, notify
from opilio.people.privileges import Privilege, Subject

FIELDS = ("cron", "pattern", "time_zone", "start", "end")
_SCHEDULES = {ObjectType.TARGET: Privilege.ADD_SCHEDULE_TO_TARGET, ObjectType.GROUP: Privilege.MANAGE_GROUP_SCHEDULE}


@action("schedule.create", "Add a schedule to a target or group.", privilege=Privilege.ADD_SCHEDULE_TO_TARGET)
def create_schedule(
    act: Act,
    /,
    *,
    holder_id: int,
    cron: str,
    time_zone: str = "",
    pattern: int = 0,
    start: datetime.datetime | None = None,
    end: datetime.datetime | None = None,
    paused: bool = False,
) -> Schedule:
    """Groups need MANAGE_GROUP_SCHEDULE instead. The owner of a target is told who else added one."""
    holder = schedulable(act, holder_id)
    made = Schedule(
        abstract_target=holder, owner_id=act.actor.user or holder.owner_id, pattern=pattern, paused=paused,
        cron=" ".join(cron.split()), time_zone=time_zone or holder.agency.time_zone,
        start=start or act.clock.now(), end=end,
    )  # fmt: skip
    _check(act, made)
    act.insert(made)
    _tell_owner(act, made)
    _plan(act, made)
    return made


@action("schedule.update", "Change a schedule.", privilege=Privilege.ADD_SCHEDULE_TO_TARGET)
def update_schedule(act: Act, /, *, schedule_id: int, version: int, **fields: Any) -> Schedule:
    """Planned harvests follow; those that somebody changed by hand stay."""
    row = _own(act, schedule_id)
    changes = {name: value for name, value in fields.items() if name in FIELDS}
    if "cron" in changes:
        changes["cron"] = " ".join(str(changes["cron"]).split())
    _check(act, _draft(row, changes))
    if act.update(row, changes, version=version):
        _plan(act, row)
    return row


@action("schedule.pause", "Pause a schedule, or let it go on.", privilege=Privilege.ADD_SCHEDULE_TO_TARGET)
def pause_schedule(act: Act, /, *, schedule_id: int, paused: bool) -> Schedule:
    """While it is paused nothing is planned; harvests that were changed by hand stay."""
    row = _own(act, schedule_id)
    if act.update(row, {"paused": paused}, message="Paused." if paused else "Goes on."):
        _plan(act, row)
    return row


def schedulable(act: Act, holder_id: int) -> AbstractTarget:
    """The target or group, locked, if the actor may give it schedules."""
    rows = AbstractTarget.objects.select_for_update(of=("self",)).select_related("agency", "owner")
    row: AbstractTarget | None = rows.filter(pk=holder_id).first()
    if row is None:
        raise NotFound(f"There is no target or group {holder_id}", where=act.name, remedy="Was it deleted?")
    subject = Subject(agency=row.agency_id, owner=row.owner_id)
    act.require(_SCHEDULES[ObjectType(row.object_type)], subject, f"schedule harvests of {row.name}")
    return row


def _own(act: Act, schedule_id: int) -> Schedule:
    row: Schedule = act.fetch(SCHEDULE, schedule_id)
    row.abstract_target = schedulable(act, row.abstract_target_id)
    return row


def _draft(row: Schedule, changes: dict[str, Any]) -> Schedule:
    return Schedule(**{name: changes.get(name, getattr(row, name)) for name in FIELDS})


def _check(act: Act, row: Schedule) -> None:
    """What is wrong with the expression, the zone or the dates, beside the field that it concerns."""
    least = datetime.timedelta(minutes=int(parameters.value("schedule_least_minutes")))
    for name in ("start", "end"):
        if (moment := getattr(row, name)) is not None and moment.tzinfo is None:
            raise InvalidFields({name: ["Say the time zone, as in 2026-01-31T12:00:00Z."]}, where=act.name)
    if row.end is not None and row.end < row.start:
        raise InvalidFields({"end": ["The end is before the start."]}, where=act.name)
    try:
        place = zone(row.time_zone)
        check(parse(row.cron), place, now=act.clock.now(), start=row.start, end=row.end, least=least)
    except BadZone as error:
        raise InvalidFields({"time_zone": [str(error)]}, where=act.name) from None
    except BadCron as error:
        raise InvalidFields({"cron": [str(error)]}, where=act.name) from None


def _plan(act: Act, row: Schedule) -> None:
    """Plan anew; a completed target goes on if whoever schedules it could have approved it."""
    target = Target.objects.filter(pk=row.abstract_target_id).first()
    if target is not None and not row.paused and targeting.resumable(act, target):
        targeting.moved(act, target, "resume")
        return
    planning.replan_schedule(act, Schedule.objects.select_related("abstract_target", "owner").get(pk=row.pk))
    if target is not None:
        targeting.settled(act, target)


def _tell_owner(act: Act, row: Schedule) -> None:
    holder = row.abstract_target
    if holder.owner_id == act.actor.user:
        return
    kind = "target" if holder.object_type == ObjectType.TARGET else "group"
    notify(
        [holder.owner_id], kind="schedule-added", category=Category.GENERAL, sender=act.actor.username,
        subject=f"{holder.name} has a new schedule", now=act.clock.now(),
        message=f"{act.actor.username} added the schedule {row.cron} ({row.time_zone}) to your {kind} {holder.name}.",
        resource=Resource(kind=kind, id=holder.pk),
    )  # fmt: skip
