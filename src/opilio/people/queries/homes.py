"""Names of agencies and users that somebody who works in an agency may choose from, whoever manages them."""

from typing import Any

from django.db.models import Exists, QuerySet

from opilio.people.actor import Actor
from opilio.people.models import Agency, User
from opilio.people.privileges import Privilege, Scope


def agencies_where(actor: Actor, *privileges: Privilege) -> list[tuple[int, str]]:
    """The agencies in which the actor holds one of the privileges, be it on their own things only, by name."""
    rows = Agency.objects.order_by("name", "id")
    held = [grant for grant in actor.grants if grant.privilege in privileges]
    if not actor.is_system and all(grant.scope != Scope.ALL for grant in held):
        rows = rows.filter(id__in=sorted({grant.agency for grant in held}))
    return list(rows.values_list("id", "name"))


def agency_names(numbers: frozenset[int] | None = None) -> list[tuple[int, str]]:
    """The names of these agencies, or of all."""
    rows = Agency.objects.order_by("name", "id")
    return list((rows if numbers is None else rows.filter(id__in=sorted(numbers))).values_list("id", "name"))


def users_who(condition: Exists, *, deleted: bool = False) -> list[tuple[int, str]]:
    """The users, or deleted ones too, for whom a condition on other tables holds, by user name."""
    users = User.everything if deleted else User.objects
    return list(users.filter(condition).order_by("username").values_list("id", "username"))


def users_named(numbers: "QuerySet[Any, Any]") -> list[tuple[int, str]]:
    """The users whose identifiers another query gives, by user name."""
    return list(User.objects.filter(id__in=numbers).order_by("username").values_list("id", "username"))


def users_of(agency_id: int) -> list[tuple[int, str]]:
    """The active users who have the agency as home or hold a role in it, by user name."""
    home = User.objects.filter(agency_id=agency_id, is_active=True)
    roles = User.objects.filter(held_roles__role__agency_id=agency_id, is_active=True)
    found = {user.id: f"{user.username} – {user.real_name}" if user.real_name != user.username else user.username
             for user in (home | roles).distinct()}  # fmt: skip
    return sorted(found.items(), key=lambda pair: pair[1].casefold())
