"""Put targets and groups into groups, take them out, move them from one to another."""

from collections.abc import Sequence

from opilio.curation import membership
from opilio.curation.kinds import GROUP
from opilio.curation.models import Group, GroupMember
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege


@action("group.add_members", "Put targets and groups into a group.", privilege=Privilege.ADD_TARGET_TO_GROUP)
def add_members(act: Act, /, *, group_id: int, member_ids: Sequence[int]) -> Group:
    """All of them, or none: circles, duplicates and sub-groups where they do not fit are refused."""
    membership.lock([group_id], member_ids)
    group = _group(act, group_id)
    rows = membership.reachable(act, _some(act, member_ids))
    membership.settle(act, membership.join(act, group, rows))
    return group


@action("group.remove_members", "Take targets and groups out of a group.", privilege=Privilege.ADD_TARGET_TO_GROUP)
def remove_members(act: Act, /, *, group_id: int, member_ids: Sequence[int]) -> Group:
    """All of them, or none; they stay in the other groups that they are in."""
    membership.lock([group_id])
    group = _group(act, group_id)
    rows = membership.reachable(act, _some(act, member_ids))
    membership.settle(act, membership.leave(act, group, rows))
    return group


@action("group.move_members", "Move targets and groups to another group.", privilege=Privilege.ADD_TARGET_TO_GROUP)
def move_members(act: Act, /, *, source_id: int, into_id: int, member_ids: Sequence[int]) -> Group:
    """All of them, or none; those that are in the other group already just leave the first."""
    if source_id == into_id:
        raise InvalidFields({"into": ["Choose another group than the one that they are in."]}, where=act.name)
    membership.lock([source_id, into_id], member_ids)
    source, into = _group(act, source_id), _group(act, into_id)
    rows = membership.reachable(act, _some(act, member_ids))
    there = set(GroupMember.objects.filter(parent=into, child__in=rows).values_list("child_id", flat=True))
    joined = membership.join(act, into, [row for row in rows if row.id not in there])
    membership.settle(act, joined, membership.leave(act, source, rows))
    return into


def _group(act: Act, group_id: int) -> Group:
    group: Group = act.fetch(GROUP, group_id)
    what = f"change the members of the group {group.name}"
    act.require(Privilege.ADD_TARGET_TO_GROUP, GROUP.subject(group), what)
    return group


def _some(act: Act, member_ids: Sequence[int]) -> Sequence[int]:
    if not member_ids:
        raise InvalidFields({"members": ["Choose at least one target or group."]}, where=act.name)
    return member_ids
