"""Make, change and copy groups."""

from typing import Any

from opilio.curation import group_rules, grouping, lengths, membership, overriding, planning, profiling
from opilio.curation.kinds import GROUP
from opilio.curation.models import DublinCore, Group, GroupMember, HarvestAs, ObjectType, Profile, State
from opilio.curation.models.dublin_core import ELEMENTS
from opilio.curation.sight import seen
from opilio.people import constrained
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.kinds import AGENCY, USER
from opilio.people.privileges import Privilege, Subject
from opilio.people.queries.visible import one

FIELDS = (
    "name", "description", "reference", "group_type", "ownership_metadata", "start_date", "end_date", "harvest_as",
    "profile_id", "profile_note", "access_zone", "display", "display_note", "display_change_reason",
    "embargo_days", "follow_reference", "prune_again",
)  # fmt: skip
_PLANNED_BY = frozenset({"harvest_as", "start_date", "end_date"})  # what is planned depends on these


@action("group.create", "Make a group.", privilege=Privilege.CREATE_GROUP)
def create_group(
    act: Act,
    /,
    *,
    agency_id: int,
    name: str,
    owner_id: int | None = None,
    parent_id: int | None = None,
    **fields: Any,
) -> Group:
    """A group without members is pending. Whoever makes it owns it; a sub-group needs the group that it is in."""
    owner = _owner(act, owner_id)
    act.require(Privilege.CREATE_GROUP, Subject(agency=agency_id, owner=owner), "make groups in this agency")
    group = Group(
        object_type=ObjectType.GROUP, agency=act.fetch(AGENCY, agency_id), owner=act.fetch(USER, owner),
        state=State.GROUP_PENDING, state_since=act.clock.now(), **_known({"name": name, **fields}),
    )  # fmt: skip
    if group.profile_id is None:
        group.profile = profiling.default_profile(agency_id)
    _check(act, group, Group())
    parent = _parent(act, parent_id)
    fault = group_rules.type_fault(group.group_type, [parent.group_type] if parent else [])
    if fault:
        raise InvalidFields({"group_type": [fault]}, where=act.name)
    act.insert(group)
    grouping.recompute(act, group)
    if parent is not None:
        membership.settle(act, membership.join(act, parent, [group]))
    return group


@action("group.update", "Change the details of a group.", privilege=Privilege.MANAGE_GROUP)
def update_group(act: Act, /, *, group_id: int, version: int, **fields: Any) -> Group:
    """Save details; another way of harvesting removes what is planned, and plans it anew."""
    group: Group = act.fetch(GROUP, group_id)
    act.require(Privilege.MANAGE_GROUP, GROUP.subject(group), f"change the group {group.name}")
    before = Group(**{name: getattr(group, name) for name in FIELDS})
    if not act.update(group, _known(fields), version=version):
        return group
    _check(act, group, before)
    if group.group_type != before.group_type:
        _check_types(act, group)
    if group.harvest_as != before.harvest_as:
        planning.unplan(act, group)
    grouping.recompute(act, group)
    if any(getattr(group, name) != getattr(before, name) for name in _PLANNED_BY):
        grouping.replan_groups(act, {group.id, *grouping.ancestors([group.id])})
    return group


@action("group.copy", "Make a group like another, with the same members.", privilege=Privilege.CREATE_GROUP)
def copy_group(act: Act, /, *, group_id: int, name: str) -> Group:
    """Description, overrides and members are copied, schedules are not; a copied sub-group is in the same groups."""
    source = one(seen(Group.objects.all(), act.actor), "group", group_id)
    owner = act.actor.user or source.owner_id
    act.require(Privilege.CREATE_GROUP, Subject(agency=source.agency_id, owner=owner), f"copy the group {source.name}")
    copied = {field: getattr(source, field) for field in FIELDS if field != "name"}
    group = Group(
        object_type=ObjectType.GROUP, agency_id=source.agency_id, owner=act.fetch(USER, owner), name=name.strip(),
        state=State.GROUP_PENDING, state_since=act.clock.now(), **copied,
    )  # fmt: skip
    _check_name(act, group)
    act.insert(group, message=f"Copied from {source.name}.")
    _copy_parts(act, source, group)
    members = membership.reachable(act, _visible_members(act, source))
    if members:
        membership.settle(act, membership.join(act, group, members))
    if group.group_type == group_rules.SUB_GROUP:
        for parent_id in grouping.parents([source.id]):
            membership.settle(act, membership.join(act, _fetched_parent(act, parent_id), [group]))
    return group


def _owner(act: Act, owner_id: int | None) -> int:
    """Whoever acts; only the operator of the installation makes groups for others."""
    if act.actor.user is not None:
        act.require_that(
            owner_id in (None, act.actor.user), "make groups for somebody else",
            "Make it, then give it away under Ownership.",
        )  # fmt: skip
        return act.actor.user
    if owner_id is None:
        raise InvalidFields({"owner": ["Name the user who is to own it."]}, where=act.name)
    return owner_id


def _parent(act: Act, parent_id: int | None) -> Group | None:
    return None if parent_id is None else _fetched_parent(act, parent_id)


def _fetched_parent(act: Act, parent_id: int) -> Group:
    membership.lock([parent_id])
    parent: Group = act.fetch(GROUP, parent_id)
    act.require(Privilege.ADD_TARGET_TO_GROUP, GROUP.subject(parent), f"add members to the group {parent.name}")
    return parent


def _check(act: Act, group: Group, before: Group) -> None:
    """What the columns themselves cannot say; a row may keep what it has."""
    _check_name(act, group)
    lengths.check(group, act.name)
    faults = group_rules.date_faults(group.start_date, group.end_date)
    if faults:
        raise InvalidFields(faults, where=act.name)
    constrained.check("group-type", "group_type", group.group_type, kept=before.group_type)
    if group.profile_id is not None and group.profile_id != before.profile_id:
        profile = Profile.objects.filter(id=group.profile_id).first()
        if profile is None:
            raise InvalidFields({"profile": [f"There is no profile {group.profile_id}."]}, where=act.name)
        profiling.check_choice(act, profile, group.agency_id)


def _check_name(act: Act, group: Group) -> None:
    same = Group.objects.filter(agency_id=group.agency_id, name=group.name).exclude(id=group.id)
    if same.exists():
        raise InvalidFields({"name": ["The agency has a group of this name already; choose another."]}, where=act.name)


def _check_types(act: Act, group: Group) -> None:
    """The group itself fits where it is, and the sub-groups in it still do."""
    membership.check_type(act, group)
    inside = GroupMember.objects.filter(parent=group).values("child_id")
    for child in Group.objects.filter(id__in=inside, group_type=group_rules.SUB_GROUP):
        membership.check_type(act, child)


def _visible_members(act: Act, source: Group) -> list[int]:
    inside = GroupMember.objects.filter(parent=source, child__deleted=False)
    return list(seen(inside, act.actor, agency_path="child__agency_id").values_list("child_id", flat=True))


def _copy_parts(act: Act, source: Group, group: Group) -> None:
    if source.dublin_core is not None:
        values = {name: getattr(source.dublin_core, name) for name in ELEMENTS}
        act.update(group, {"dublin_core": act.insert(DublinCore(**values))})
    overriding.copy_overrides(act, source.overrides, group)


def _known(fields: dict[str, Any]) -> dict[str, Any]:
    found = {
        name: value.strip() if isinstance(value, str) else value for name, value in fields.items() if name in FIELDS
    }
    if "harvest_as" in found:
        found["harvest_as"] = found["harvest_as"] or HarvestAs.SEPARATE
    return found
