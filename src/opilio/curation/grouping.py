"""Keeps the computed status of groups true, and with it what is planned for them.

A group is locked before its members are read, so that of two writers the later one sees what the earlier one did.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.db.models import QuerySet
from django.db.models.expressions import RawSQL

from opilio.curation import group_rules, planning
from opilio.curation.ancestry import above
from opilio.curation.models import Group, GroupMember, HarvestAs, ObjectType, State
from opilio.people.acting import Act
from opilio.people.gathering import once_for_all


def recompute_parents(act: Act, identifier: int, *, planned: bool = False) -> None:
    """Bring the groups that a target or group is in, and all above them, up to date.

    Whoever has `planned` the row anew has done so with the schedules of the groups that harvest it by itself.
    """
    if planned:
        once_for_all(_recompute_parents, (act, identifier))
    elif _recompute_parents([(act, identifier)]):
        replan_groups(act, above([identifier]), HarvestAs.SEPARATE)


def _recompute_parents(items: Sequence[tuple[Act, int]]) -> int:
    """Bring the groups that some rows are in up to date, each once, by the act of the first of its members."""
    acts = {identifier: act for act, identifier in reversed(items)}
    members: dict[int, list[int]] = {}
    for parent, member in _parents(acts).values_list("parent_id", "child_id"):
        members.setdefault(parent, []).append(member)
    if not members:
        return 0
    for group in _locked(members):
        recompute(next(act for act, identifier in items if identifier in members[group.pk]), group)
    return len(members)


def recompute(act: Act, group: Group) -> State:
    """Bring the status of a group up to date; a change goes on to all groups above it. The row must be locked."""
    state = computed_state(act, group)
    if state != group.state:
        act.update(group, {"state": state, "state_since": act.clock.now()}, message="Computed from its members.")
        if state == State.GROUP_ACTIVE:
            planning.replan(act, group)
        else:
            planning.unplan(act, group)
        for higher in _locked(_parents([group.id]).values("parent_id")):
            recompute(act, higher)
    return state


def computed_state(act: Act, group: Group) -> State:
    """The status that a group should have now."""
    found = GroupMember.objects.filter(parent_id=group.id, child__deleted=False).order_by()
    states = set(found.values_list("child__state", flat=True).distinct())
    over = group.end_date is not None and group_rules.ended(group.end_date, act.clock.now(), group.agency.time_zone)
    return group_rules.computed(states, ended=over)


def replan_groups(act: Act, identifiers: Iterable[int] | RawSQL, *ways: HarvestAs) -> None:
    """Plan the schedules of active groups anew, because others belong to them now; `ways` leaves out the rest."""
    chosen = identifiers if isinstance(identifiers, RawSQL) else list(identifiers)
    found = Group.objects.filter(id__in=chosen, state=State.GROUP_ACTIVE, schedules__deleted=False)
    found = found.filter(harvest_as__in=ways) if ways else found
    for group in found.distinct().order_by("id"):
        planning.replan(act, group)


def ancestors(identifiers: Iterable[int]) -> set[int]:
    """All groups above these targets or groups, however far."""
    return set(Group.objects.filter(id__in=above(identifiers)).order_by().values_list("id", flat=True))


def inner_groups(identifiers: Iterable[int]) -> list[int]:
    """The groups that are in these groups."""
    rows = GroupMember.objects.filter(parent_id__in=set(identifiers), child__object_type=ObjectType.GROUP).order_by()
    return list(rows.filter(child__deleted=False).values_list("child_id", flat=True).distinct())


def parents(identifiers: Iterable[int]) -> list[int]:
    """The groups that these targets or groups are in."""
    return list(_parents(identifiers).values_list("parent_id", flat=True).distinct())


def _parents(identifiers: Iterable[int]) -> QuerySet[GroupMember]:
    rows: QuerySet[GroupMember] = GroupMember.objects.filter(child_id__in=set(identifiers), parent__deleted=False)
    return rows.order_by()


def _locked(identifiers: Collection[int] | QuerySet[GroupMember, Any]) -> list[Group]:
    return list(Group.objects.select_for_update().filter(id__in=identifiers).order_by("id"))
