"""Agencies, users and roles that the asker may see."""

from typing import Any

from django.db.models import Count, OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import Coalesce

from opilio.people.actor import Actor
from opilio.people.models import Agency, Role, RolePrivilege, User, UserRole
from opilio.people.privileges import Privilege
from opilio.people.queries.visible import one, visible, within


def agencies(actor: Actor) -> QuerySet[Agency]:
    """Agencies that the asker manages, or manages users or roles of, with the number of their users and roles."""
    rows: QuerySet[Agency] = Agency.objects.all()
    reached = within(
        rows, actor, Privilege.MANAGE_AGENCIES, Privilege.MANAGE_USERS, Privilege.MANAGE_ROLES, agency_path="id"
    )
    return reached.annotate(
        user_count=_number(User.objects.filter(agency=OuterRef("pk")), "agency"),
        role_count=_number(Role.objects.filter(agency=OuterRef("pk")), "agency"),
    )


def users(actor: Actor) -> QuerySet[User]:
    """Users that the asker manages, with home agency and roles at hand."""
    held = Prefetch("held_roles", queryset=UserRole.objects.select_related("role__agency").order_by("role__name"))
    rows = User.objects.select_related("agency").prefetch_related(held)
    return visible(rows, actor, Privilege.MANAGE_USERS, agency_path="agency_id")


def roles(actor: Actor) -> QuerySet[Role]:
    """Roles that the asker manages, or may give to users, with the number of their holders."""
    rows = Role.objects.select_related("agency").annotate(
        holder_count=_number(UserRole.objects.filter(role=OuterRef("pk"), user__deleted=False), "role"),
        privilege_count=_number(RolePrivilege.objects.filter(role=OuterRef("pk")), "role"),
    )
    return within(
        rows, actor, Privilege.MANAGE_ROLES, Privilege.MANAGE_USERS, Privilege.GRANT_CROSS_AGENCY_USER_ADMIN,
        agency_path="agency_id",
    )  # fmt: skip


def agency(actor: Actor, identifier: int) -> Agency:
    """One agency, or `NotFound`."""
    return one(agencies(actor), "agency", identifier)


def user(actor: Actor, identifier: int) -> User:
    """One user, or `NotFound`."""
    return one(users(actor), "user", identifier)


def role(actor: Actor, identifier: int) -> Role:
    """One role, or `NotFound`."""
    return one(roles(actor), "role", identifier)


def privileges_of(role_id: int) -> dict[str, int]:
    """The privileges of a role: code → scope."""
    return dict(RolePrivilege.objects.filter(role_id=role_id).values_list("code", "scope"))


def _number(rows: QuerySet[Any], by: str) -> Coalesce:
    """How many rows there are of each; counted apart, because joins of 50,000 users with all else multiply."""
    return Coalesce(Subquery(rows.order_by().values(by).annotate(number=Count("pk")).values("number")), 0)
