"""Who is in a group: joining and leaving, without cycles, duplicates, or sub-groups left alone.

Rows are locked in the order of their identifiers before anything is checked, so that two writers who nest groups at
once cannot close a circle together.
"""

from collections.abc import Collection, Iterable, Sequence

from opilio.curation import group_notices, group_rules, grouping
from opilio.curation.models import AbstractTarget, Group, GroupMember, ObjectType
from opilio.curation.sight import seen
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act
from opilio.people.errors import InvalidFields, NotFound

MOST = 1_000  # members in one change
MOST_LEVELS = 50  # of groups in groups


class CyclicGroups(Conflict):
    """A group would contain itself."""


class NestedTooDeeply(Conflict):
    """Groups in groups would become more levels than anybody can follow."""


class AlreadyMember(Conflict):
    """A target or group is in the group already."""


def reachable(act: Act, identifiers: Sequence[int]) -> list[AbstractTarget]:
    """The targets and groups of these identifiers, locked; all of them must be visible to whoever acts."""
    if len(set(identifiers)) > MOST:
        raise InvalidFields({"members": [f"Choose at most {MOST} members at a time."]}, where=act.name)
    rows = seen(AbstractTarget.objects.all(), act.actor).filter(id__in=set(identifiers))
    found = list(rows.select_for_update().order_by("id"))
    missing = sorted(set(identifiers) - {row.id for row in found})
    if missing:
        raise NotFound(f"There is no target or group {missing[0]}", where=act.name, remedy="Was it deleted?")
    return found


def lock(groups: Collection[int], others: Collection[int] = ()) -> None:
    """Hold groups, all groups above them, and other rows until the action ends; what grew above meanwhile, too."""
    wanted, held = {*groups, *others, *grouping.ancestors(groups)}, set[int]()
    while wanted - held:
        rows = AbstractTarget.everything.select_for_update().filter(id__in=wanted).order_by("id")
        held |= set(rows.values_list("id", flat=True)) | wanted
        wanted = held | grouping.ancestors(groups)


def join(act: Act, group: Group, rows: Collection[AbstractTarget]) -> group_notices.Change:
    """Put targets and groups into a group."""
    if not rows:
        return group_notices.Change(group=group)
    _refuse_duplicates(act, group, rows)
    groups = Group.objects.filter(id__in=[row.id for row in rows if row.object_type == ObjectType.GROUP])
    _refuse_circles(act, group, groups)
    _refuse_depths(act, group, [one.id for one in groups])
    for one in groups:
        check_type(act, one, extra=(group.group_type,))
    now = act.clock.now()
    GroupMember.objects.bulk_create(
        GroupMember(parent=group, child_id=row.id, at=now, by_id=act.actor.user) for row in rows
    )
    act.record(group, message=f"Added {len(rows)} members.", after={"members": [row.name for row in rows]})
    return group_notices.Change(group=group, added=tuple(rows))


def leave(act: Act, group: Group, rows: Collection[AbstractTarget]) -> group_notices.Change:
    """Take targets and groups out of a group; those that are not in it are refused."""
    links = GroupMember.objects.filter(parent=group, child_id__in=[row.id for row in rows])
    inside = set(links.values_list("child_id", flat=True))
    outside = [row.name for row in rows if row.id not in inside]
    if outside:
        raise NotFound(f"{outside[0]} is not in the group {group.name}", where=act.name, remedy="Look at it again.")
    links.delete()
    for one in Group.objects.filter(id__in=inside):
        check_type(act, one)
    act.record(group, message=f"Removed {len(rows)} members.", before={"members": [row.name for row in rows]})
    return group_notices.Change(group=group, removed=tuple(rows))


def settle(act: Act, *changes: group_notices.Change) -> None:
    """What follows once members came or left: status, plans, notices."""
    for change in changes:
        grouping.recompute(act, change.group)
        grouping.replan_groups(act, {change.group.id, *grouping.ancestors([change.group.id])})
    group_notices.tell(act, *changes)


def leave_all(act: Act, row: AbstractTarget) -> None:
    """Take a row that was deleted out of all groups; sub-groups and others stay as they are."""
    above = grouping.parents([row.id])
    GroupMember.objects.filter(child_id=row.id).delete()
    changes = []
    for group in Group.objects.select_for_update().filter(id__in=above).order_by("id"):
        act.record(group, message="A member was deleted.", before={"members": [row.name]})
        changes.append(group_notices.Change(group=group, removed=(row,)))
    settle(act, *changes)


def check_type(act: Act, group: Group, *, extra: Collection[str] = ()) -> None:
    """A sub-group must be in a group of a fitting type; `extra` are types of groups that it is about to join."""
    above = Group.objects.filter(id__in=grouping.parents([group.id])).values_list("group_type", flat=True)
    fault = group_rules.type_fault(group.group_type, [*above, *extra])
    if fault:
        raise InvalidFields({"group_type": [f"{group.name}: {fault}"]}, where=act.name)


def _refuse_duplicates(act: Act, group: Group, rows: Collection[AbstractTarget]) -> None:
    inside = GroupMember.objects.filter(parent=group, child_id__in=[row.id for row in rows])
    names = list(inside.order_by("child__name").values_list("child__name", flat=True)[:5])
    if names:
        raise AlreadyMember(
            f"In the group {group.name} there is already: {', '.join(names)}", where=act.name,
            remedy="Leave it out, and add the others.",
        )  # fmt: skip


def _refuse_circles(act: Act, group: Group, groups: Iterable[Group]) -> None:
    above = {group.id, *grouping.ancestors([group.id])}
    for one in groups:
        if one.id in above:
            raise CyclicGroups(
                f"{one.name} cannot be in {group.name}, because it would then contain itself", where=act.name,
                remedy="Take the inner group out first, or choose another.",
            )  # fmt: skip


def _refuse_depths(act: Act, group: Group, inner: Collection[int]) -> None:
    if not inner:
        return
    above, below = {group.id}, set(inner)
    levels = 0
    while (above or below) and levels <= MOST_LEVELS:
        levels += bool(above) + bool(below)
        above = set(grouping.parents(above)) if above else above
        below = set(grouping.inner_groups(below)) if below else below
    if levels > MOST_LEVELS:
        raise NestedTooDeeply(
            f"In {group.name} groups would be nested more than {MOST_LEVELS} levels deep", where=act.name,
            remedy="Put them side by side instead.",
        )  # fmt: skip
