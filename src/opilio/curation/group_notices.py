"""Tells the owners of groups who came in and who left.

A change of a group concerns all groups above it too. Whoever makes a change that concerns one group only, and owns
it, is not told of it. The parameter `group_change_notices` switches the notices off. Bulk work tells once, at its end.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime

from opilio.curation.grouping import ancestors
from opilio.curation.models import AbstractTarget, Group
from opilio.people.acting import Act
from opilio.people.actor import Actor
from opilio.people.intray import Category, Resource, notify
from opilio.people.parameters import value

PARAMETER = "group_change_notices"
_NAMED = 20  # members that a notice names
_LATER: ContextVar[bool] = ContextVar("later", default=False)


@dataclass(frozen=True, kw_only=True)
class Change:
    """Members that joined or left a group."""

    group: Group
    added: tuple[AbstractTarget, ...] = ()
    removed: tuple[AbstractTarget, ...] = ()


@contextmanager
def told_later() -> Iterator[None]:
    """Nothing is told inside: whoever makes many changes tells of them together, by `tell_together`."""
    token = _LATER.set(True)
    try:
        yield
    finally:
        _LATER.reset(token)


def tell(act: Act, *changes: Change) -> int:
    """Tell the owners of all affected groups; how many notices were sent."""
    return 0 if _LATER.get() else tell_together(act.actor, act.clock.now(), *changes)


def tell_together(actor: Actor, now: datetime, *changes: Change) -> int:
    """The same for changes that were made before."""
    told = [change for change in changes if change.added or change.removed]
    if not told or not value(PARAMETER):
        return 0
    affected = {change.group.id: {change.group.id, *ancestors([change.group.id])} for change in told}
    owners = _owners(set().union(*affected.values()))
    return sum(
        _notify(actor, now, change, _addressees(actor, owners, affected[change.group.id], alone=len(owners) == 1))
        for change in told
    )


def _owners(groups: Collection[int]) -> dict[int, int]:
    return dict(Group.objects.filter(id__in=groups).values_list("id", "owner_id"))


def _addressees(actor: Actor, owners: dict[int, int], affected: Collection[int], *, alone: bool) -> set[int]:
    found = {owner for group, owner in owners.items() if group in affected}
    return {owner for owner in found if owner != actor.user} if alone else found


def _notify(actor: Actor, now: datetime, change: Change, users: Collection[int]) -> int:
    return notify(
        users, kind="group-changed", category=Category.GENERAL, sender=actor.username, now=now,
        subject=f"The group {change.group.name} has changed", message=spoken(actor.username, change),
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
