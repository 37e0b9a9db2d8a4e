"""Whom a schedule harvests: its target, its group as one, or each member of the group that belongs at the time."""

from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from opilio.curation.ancestry import above
from opilio.curation.models import AbstractTarget, Group, GroupMember, HarvestAs, ObjectType, Schedule, Target
from opilio.curation.workflow import SCHEDULABLE
from opilio.kernel.errors import Conflict

SUB_GROUP = "Sub-Group"  # members of such a group are not harvested with those of its parent


@dataclass(frozen=True, kw_only=True, slots=True)
class Harvested:
    """One row that a tick of a schedule harvests, and the days on which it does."""

    id: int
    agency: int
    early: bool = False  # may begin before its time
    first: date | None = None
    last: date | None = None
    zone: str = "UTC"

    def belongs(self, tick: datetime) -> bool:
        """Whether it is harvested at this time."""
        if self.first is None and self.last is None:
            return True
        day = tick.astimezone(ZoneInfo(self.zone)).date()
        return (self.first is None or self.first <= day) and (self.last is None or day <= self.last)


def harvested_by(schedule: Schedule) -> tuple[Harvested, ...]:
    """Whom each tick of a schedule harvests."""
    row = schedule.abstract_target
    if row.object_type == ObjectType.TARGET:
        target = row if isinstance(row, Target) else row.target
        return (Harvested(id=row.pk, agency=row.agency_id, early=target.allow_early_start),)
    group = Group.objects.get(pk=row.pk)
    dates = {"first": group.start_date, "last": group.end_date, "zone": schedule.time_zone}
    if group.harvest_as == HarvestAs.COMBINED:
        return (Harvested(id=group.pk, agency=group.agency_id, **dates),)
    members = _members(group, schedule.owner.agency_id)
    return tuple(Harvested(id=one.pk, agency=one.agency_id, early=one.allow_early_start, **dates) for one in members)


def harvested_as_one(row: AbstractTarget, where: str) -> None:
    """`Conflict` where a group is not harvested as one: there is no harvest of it, only of its members."""
    if row.object_type == ObjectType.GROUP and Group.objects.filter(pk=row.pk, harvest_as=HarvestAs.SEPARATE).exists():
        raise Conflict(
            f"Each member of the group {row.name} is harvested by itself, so there is no harvest of the group",
            where=where, remedy="Harvest its members, give the group a schedule, or let it be harvested as one.",
        )  # fmt: skip


def targets_of(row: AbstractTarget) -> list[int]:
    """The targets whose seeds a harvest of this row starts from: itself, or the collected members of a group."""
    if row.object_type == ObjectType.TARGET:
        return [row.pk]
    return [one.pk for one in _members(Group.objects.get(pk=row.pk), row.agency_id)]


def separate_groups_above(identifier: int) -> list[int]:
    """The active groups above a target or group whose schedules harvest each member by itself."""
    separate = Group.objects.filter(pk__in=above([identifier]), state__in=SCHEDULABLE, harvest_as=HarvestAs.SEPARATE)
    return sorted(separate.order_by().values_list("pk", flat=True))


def _members(group: Group, agency: int) -> list[Target]:
    """The targets in a group and in its groups that are collected, of the agency of the schedule's owner."""
    seen, waiting, targets = {group.pk}, [group.pk], set[int]()
    while waiting:
        children = _children(waiting)
        targets |= {child.pk for child in children if child.object_type == ObjectType.TARGET}
        groups = {child.pk for child in children if child.object_type == ObjectType.GROUP} - seen
        waiting = [pk for pk in sorted(groups) if pk in _expanded(groups)]
        seen |= groups
    found = Target.objects.filter(pk__in=targets, state__in=SCHEDULABLE, agency_id=agency)
    return list(found.order_by("pk"))


def _children(parents: list[int]) -> list[AbstractTarget]:
    links = GroupMember.objects.filter(parent_id__in=parents, child__deleted=False).select_related("child")
    return [link.child for link in links]


def _expanded(groups: set[int]) -> set[int]:
    """Of some groups, those whose members count as members of the group above."""
    return set(Group.objects.filter(pk__in=groups).exclude(group_type=SUB_GROUP).values_list("pk", flat=True))
