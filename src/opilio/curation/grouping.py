"""Keeps the computed status of groups true, and with it what is planned for them.

A group is locked before its members are read, so that of two writers the later one sees what the earlier one did.
"""

from collections.abc import Iterable

from opilio.curation import group_rules, planning
from opilio.curation.models import Group, GroupMember, HarvestAs, ObjectType, State
from opilio.people.acting import Act


def recompute_parents(act: Act, identifier: int) -> None:
    """Bring the groups that a target or group is in, and all above them, up to date."""
    above = parents([identifier])
    if above:
        for group in _locked(above):
            recompute(act, group)
        replan_groups(act, ancestors([identifier]), HarvestAs.SEPARATE)


def recompute(act: Act, group: Group) -> State:
    """Bring the status of a group up to date; a change goes on to all groups above it. The row must be locked."""
    state = computed_state(act, group)
    if state != group.state:
        act.update(group, {"state": state, "state_since": act.clock.now()}, message="Computed from its members.")
        if state == State.GROUP_ACTIVE:
            planning.replan(act, group)
        else:
            planning.unplan(act, group)
        for above in _locked(parents([group.id])):
            recompute(act, above)
    return state


def computed_state(act: Act, group: Group) -> State:
    """The status that a group should have now."""
    found = GroupMember.objects.filter(parent_id=group.id, child__deleted=False).order_by()
    states = set(found.values_list("child__state", flat=True).distinct())
    over = group_rules.ended(group.end_date, act.clock.now(), group.agency.time_zone)
    return group_rules.computed(states, ended=over)


def replan_groups(act: Act, identifiers: Iterable[int], *ways: HarvestAs) -> None:
    """Plan the schedules of active groups anew, because others belong to them now; `ways` leaves out the rest."""
    found = Group.objects.filter(id__in=list(identifiers), state=State.GROUP_ACTIVE, schedules__deleted=False)
    found = found.filter(harvest_as__in=ways) if ways else found
    for group in found.distinct().order_by("id"):
        planning.replan(act, group)


def ancestors(identifiers: Iterable[int]) -> set[int]:
    """All groups above these targets or groups, however far."""
    found: set[int] = set()
    edge = set(identifiers)
    while edge:
        edge = set(parents(edge)) - found
        found |= edge
    return found


def inner_groups(identifiers: Iterable[int]) -> list[int]:
    """The groups that are in these groups."""
    rows = GroupMember.objects.filter(parent_id__in=set(identifiers), child__object_type=ObjectType.GROUP).order_by()
    return list(rows.filter(child__deleted=False).values_list("child_id", flat=True).distinct())


def parents(identifiers: Iterable[int]) -> list[int]:
    """The groups that these targets or groups are in."""
    rows = GroupMember.objects.filter(child_id__in=set(identifiers), parent__deleted=False).order_by()
    return list(rows.values_list("parent_id", flat=True).distinct())


def _locked(identifiers: Iterable[int]) -> list[Group]:
    return list(Group.objects.select_for_update().filter(id__in=list(identifiers)).order_by("id"))
