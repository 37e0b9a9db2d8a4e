"""Groups, their members and where they are nested, as far as the asker may see them."""

import datetime
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from opilio.curation import group_rules
from opilio.curation.models import AbstractTarget, Group, GroupMember, ObjectType, Target
from opilio.curation.sight import agencies, seen
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.people.queries.homes import agency_names
from opilio.people.queries.visible import one, visible

_MOST_NODES = 500  # of a tree that is drawn
_DEEPEST = 20  # levels of such a tree
_MOST_CHOICES = 1_000  # of a select box


@dataclass(frozen=True, kw_only=True)
class Node:
    """A target or group in the tree of a group."""

    row: AbstractTarget
    is_group: bool
    members: tuple["Node", ...] = field(default=())
    cut: bool = False  # whether there is more than the tree shows


@dataclass(frozen=True, kw_only=True)
class Belonging:
    """A group that a target or group belonged to at an instant."""

    id: int
    name: str
    group_type: str
    path: tuple[str, ...]  # names of the groups between, the nearest first


def groups(actor: Actor) -> QuerySet[Group]:
    """Groups that the asker may see, with owner, agency, profile and the number of members."""
    rows: QuerySet[Group] = Group.objects.filter(object_type=ObjectType.GROUP)
    rows = rows.select_related("owner", "agency", "profile", "updated_by")
    counted = rows.annotate(member_count=_number("parent"), parent_count=_number("child"))
    return seen(counted, actor)


def group(actor: Actor, identifier: int) -> Group:
    """One group, or `NotFound`."""
    return one(groups(actor), "group", identifier)


def members(actor: Actor, group_id: int) -> QuerySet[GroupMember]:
    """The members of a group that the asker may see, by name."""
    rows = GroupMember.objects.filter(parent_id=group_id, child__deleted=False)
    rows = rows.select_related("child__owner", "child__agency", "by").order_by("child__name", "id")
    return seen(rows, actor, agency_path="child__agency_id")


def hidden_members(actor: Actor, group_id: int) -> int:
    """How many members a group has that the asker may not see."""
    if agencies(actor) is None:
        return 0
    everyone = GroupMember.objects.filter(parent_id=group_id, child__deleted=False).count()
    return everyone - members(actor, group_id).count()


def groups_of(actor: Actor, identifier: int) -> QuerySet[Group]:
    """The groups that a target or group is in, as far as the asker may see them."""
    return groups(actor).filter(members__child_id=identifier).order_by("name", "id")


def candidates(actor: Actor, group_id: int, words: str) -> QuerySet[AbstractTarget]:
    """Targets and groups that could join a group: visible, not in it yet, and not above it."""
    barred = {group_id, *above(group_id)}
    inside = GroupMember.objects.filter(parent_id=group_id).values("child_id")
    rows = seen(AbstractTarget.objects.select_related("agency", "owner"), actor)
    rows = rows.exclude(id__in=barred).exclude(id__in=inside)
    for word in words.split()[:5]:
        rows = rows.filter(Q(name__icontains=word) | Q(reference__icontains=word))
    return rows.order_by("name", "id")


def above(identifier: int) -> set[int]:
    """The identifiers of all groups above a target or group."""
    found: set[int] = set()
    edge = {identifier}
    while edge:
        rows = GroupMember.objects.filter(child_id__in=edge, parent__deleted=False).order_by()
        edge = set(rows.values_list("parent_id", flat=True)) - found
        found |= edge
    return found


def tree(actor: Actor, top: Group) -> Node:
    """A group with all that is in it, however deep, up to a number of rows that can be drawn."""
    below = _below(actor, top.id)
    groups_in = set(below)
    room = [_MOST_NODES]

    def node(row: AbstractTarget, path: frozenset[int]) -> Node:
        found = [child for child in below.get(row.id, ()) if child.id not in path]
        shown = found[: max(0, room[0])] if len(path) <= _DEEPEST else []
        room[0] -= len(shown)
        inner = tuple(node(child, path | {row.id}) for child in shown)
        is_group = row.id in groups_in or row.object_type == ObjectType.GROUP
        return Node(row=row, is_group=is_group, members=inner, cut=len(shown) < len(found))

    return node(top, frozenset({top.id}))


def belongings(identifier: int, at: datetime.datetime) -> tuple[Belonging, ...]:
    """The groups to which a target or group belongs at an instant, nearest first; a harvest takes those of its start.

    A group counts on its own days, and a group above it on days that both share.
    """
    found: dict[int, Belonging] = {}
    edge: dict[int, tuple[str, ...]] = {identifier: ()}
    while edge:
        rows = GroupMember.objects.filter(child_id__in=edge, parent__deleted=False)
        following: dict[int, tuple[str, ...]] = {}
        for link in rows.select_related("parent__agency").order_by("parent__name", "parent_id", "id"):
            parent = link.parent
            if parent.id in found or not _holds(parent, at):
                continue
            path = edge[link.child_id]
            found[parent.id] = Belonging(
                id=parent.id, name=parent.name, group_type=parent.group_type, path=path,
            )  # fmt: skip
            following[parent.id] = (*path, parent.name)
        edge = following
    return tuple(found.values())


def assigned_targets(actor: Actor) -> QuerySet[Target]:
    """Targets that the asker was asked to see to, the most urgent first."""
    rows = Target.objects.select_related("owner", "agency").filter(assigned_to_id=actor.own)
    return seen(rows, actor)


def owned(actor: Actor, kind_name: str, identifier: int) -> AbstractTarget:
    """A target or group that the asker may see, with its owner."""
    model = Group if kind_name == "group" else Target
    rows: QuerySet[Any] = model.objects.select_related("owner", "agency")
    found: AbstractTarget = one(seen(rows, actor), kind_name, identifier)
    return found


def owner_choices(actor: Actor) -> list[tuple[int, str]]:
    """Who owns groups that the asker may see, by user name."""
    rows = seen(Group.objects.order_by("owner__username"), actor)
    return list(rows.values_list("owner_id", "owner__username").distinct())


def agency_choices(actor: Actor) -> list[tuple[int, str]]:
    """The agencies whose groups the asker may see."""
    return agency_names(agencies(actor))


def parent_choices(actor: Actor, *, without: int | None = None) -> list[tuple[int, str]]:
    """Groups into which the asker may put others, by name; without those that a target or group is in."""
    rows = visible(Group.objects.all(), actor, Privilege.ADD_TARGET_TO_GROUP, agency_path="agency_id",
                   owner_path="owner_id")  # fmt: skip
    if without is not None:
        rows = rows.exclude(id__in=GroupMember.objects.filter(child_id=without).values("parent_id"))
    return list(rows.order_by("name", "id").values_list("id", "name")[:_MOST_CHOICES])


def _holds(row: Group, at: datetime.datetime) -> bool:
    return group_rules.holds(row.start_date, row.end_date, at, row.agency.time_zone)


def _number(by: str) -> Coalesce:
    rows = GroupMember.objects.filter(**{by: OuterRef("pk")}, child__deleted=False, parent__deleted=False)
    return Coalesce(Subquery(rows.order_by().values(by).annotate(number=Count("pk")).values("number")), 0)


def _below(actor: Actor, top: int) -> dict[int, list[AbstractTarget]]:
    """The visible members of a group and of all groups in it, by the group that they are in."""
    found: dict[int, list[AbstractTarget]] = {}
    edge = {top}
    while edge and sum(map(len, found.values())) <= _MOST_NODES and len(found) <= _MOST_NODES:
        rows = GroupMember.objects.filter(parent_id__in=edge, child__deleted=False).select_related("child")
        rows = seen(rows, actor, agency_path="child__agency_id").order_by("child__object_type", "child__name", "id")
        following: set[int] = set()
        found.update({identifier: [] for identifier in edge})
        for link in rows[: _MOST_NODES + 1]:
            found[link.parent_id].append(link.child)
            if link.child.object_type == ObjectType.GROUP and link.child_id not in found:
                following.add(link.child_id)
        edge = following
    return found
