"""Tells the owners of groups who came in and who left.

A change of a group concerns all groups above it too. Whoever makes a change that concerns one group only, and owns
it, is not told of it. The parameter `group_change_notices` switches the notices off.
"""

from collections.abc import Collection
from dataclasses import dataclass

from opilio.curation.grouping import ancestors
from opilio.curation.models import AbstractTarget, Group
from opilio.people.acting import Act
from opilio.people.intray import Category, Resource, notify
from opilio.people.parameters import value

PARAMETER = "group_change_notices"
_NAMED = 20  # members that a notice names


@dataclass(frozen=True, kw_only=True)
class Change:
    """Members that joined or left a group."""

    group: Group
    added: tuple[AbstractTarget, ...] = ()
    removed: tuple[AbstractTarget, ...] = ()


def tell(act: Act, *changes: Change) -> int:
    """Tell the owners of all affected groups; how many notices were sent."""
    told = [change for change in changes if change.added or change.removed]
    if not told or not value(PARAMETER):
        return 0
    affected = {change.group.id: {change.group.id, *ancestors([change.group.id])} for change in told}
    owners = _owners(set().union(*affected.values()))
    return sum(
        _notify(act, change, _addressees(act, owners, affected[change.group.id], alone=len(owners) == 1))
        for change in told
    )


def _owners(groups: Collection[int]) -> dict[int, int]:
    return dict(Group.objects.filter(id__in=groups).values_list("id", "owner_id"))


def _addressees(act: Act, owners: dict[int, int], affected: Collection[int], *, alone: bool) -> set[int]:
    found = {owner for group, owner in owners.items() if group in affected}
    return found - {act.actor.user} if alone else found


def _notify(act: Act, change: Change, users: Collection[int]) -> int:
    return notify(
        users, kind="group-changed", category=Category.GENERAL, sender=act.actor.username, now=act.clock.now(),
        subject=f"The group {change.group.name} has changed", message=spoken(act.actor.username, change),
        resource=Resource(kind="group", id=change.group.id),
    )  # fmt: skip


def spoken(who: str, change: Change) -> str:
    """Who added and removed which members."""
    parts = [("added", "to", change.added), ("removed", "from", change.removed)]
    return " ".join(
        f"{who} {verb} {_names(rows)} {word} the group {change.group.name}." for verb, word, rows in parts if rows
    )


def _names(rows: Collection[AbstractTarget]) -> str:
    names = [row.name for row in rows]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
