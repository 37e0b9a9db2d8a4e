"""The narrow door: cuts a set of rows down to those on which the asker holds a privilege."""

from typing import TypeVar

from django.db.models import Model, Q, QuerySet

from opilio.people.actor import Actor
from opilio.people.errors import NotFound
from opilio.people.privileges import Privilege

Row = TypeVar("Row", bound=Model)


def visible(
    rows: QuerySet[Row], actor: Actor, privilege: Privilege, *, agency_path: str = "", owner_path: str = ""
) -> QuerySet[Row]:
    """The rows that the privilege reaches: all, those of some agencies, or the asker's own."""
    if actor.is_system or actor.grants.everywhere(privilege):
        return rows
    if not actor.holds(privilege):
        return rows.none()
    if not agency_path:
        return rows  # belongs to no agency: holding the privilege is enough
    reach = Q(**{f"{agency_path}__in": sorted(actor.grants.agencies(privilege))})
    if owner_path:
        reach |= Q(**{owner_path: actor.user, f"{agency_path}__in": sorted(actor.grants.owned_agencies(privilege))})
    return rows.filter(reach)


def within(rows: QuerySet[Row], actor: Actor, *privileges: Privilege, agency_path: str) -> QuerySet[Row]:
    """The rows of agencies in which the asker holds any of the privileges over the agency's things."""
    if actor.is_system or any(actor.grants.everywhere(privilege) for privilege in privileges):
        return rows
    reached = frozenset[int]().union(*(actor.grants.agencies(privilege) for privilege in privileges))
    return rows.filter(**{f"{agency_path}__in": sorted(reached)})


def one(rows: QuerySet[Row], label: str, identifier: int) -> Row:
    """The row with this identifier among those the asker may see, or `NotFound`."""
    row = rows.filter(pk=identifier).first()
    if row is None:
        raise NotFound(
            f"There is no {label} {identifier} that you may see",
            remedy="It may have been deleted, or belong to another agency.",
        )
    return row
