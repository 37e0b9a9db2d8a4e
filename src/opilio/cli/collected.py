"""Finds targets and groups by the names or numbers that an operator types."""

from typing import Any

from django.db.models import QuerySet

from opilio.curation.queries import groups, targets
from opilio.kernel.errors import Conflict
from opilio.people.actor import Actor
from opilio.people.errors import NotFound


def group_named(actor: Actor, name: str) -> Any:
    """The group with this name or number."""
    return _one(groups.groups(actor), "group", name)


def target_named(actor: Actor, name: str) -> Any:
    """The target with this name or number."""
    return _one(targets.targets(actor), "target", name)


def collected_named(actor: Actor, name: str) -> Any:
    """The target or group with this name or number; `target:NAME` and `group:NAME` say which."""
    kind, colon, rest = name.partition(":")
    if colon and kind in ("target", "group"):
        return group_named(actor, rest) if kind == "group" else target_named(actor, rest)
    found = [*_matching(targets.targets(actor), name), *_matching(groups.groups(actor), name)]
    return _single(found, "target or group", name)


def _one(rows: QuerySet[Any], kind: str, name: str) -> Any:
    return _single(_matching(rows, name), kind, name)


def _matching(rows: QuerySet[Any], name: str) -> list[Any]:
    number = int(name) if name.isascii() and name.isdigit() and len(name) < 19 else 0
    return list(rows.filter(name=name)[:3]) or list(rows.filter(id=number)[:1])


def _single(found: list[Any], kind: str, name: str) -> Any:
    if not found:
        raise NotFound(
            f"There is no {kind} {name[:255]!r}", remedy="`opilio group list` and `opilio target list` tell."
        )
    if len(found) > 1:
        numbers = ", ".join(str(row.pk) for row in found)
        raise Conflict(f"Several are called {name[:255]!r}", where=kind, remedy=f"Say which by its number: {numbers}.")
    return found[0]
