"""What a user's roles allow, kept with the user's row and derived anew when a role changed (the row is `dirty`)."""

from django.db import transaction

from opilio.people.models import RolePrivilege, User
from opilio.people.privileges import Grant, Grants, Privilege, Scope


def grants_of(user: User) -> Grants:
    """The grants in force for the user."""
    if user.dirty:
        user = _derived(user.id)
    return Grants(
        Grant(privilege=Privilege(code), scope=Scope(scope), agency=agency) for code, scope, agency in user.grants
    )


def mark_holders(role_id: int) -> int:
    """Let the holders of a changed role have their grants derived anew; in the transaction of the change."""
    return User.everything.filter(held_roles__role_id=role_id).update(dirty=True)


def mark_agency(agency_id: int) -> int:
    """The same for all who hold a role of an agency."""
    return User.everything.filter(held_roles__role__agency_id=agency_id).update(dirty=True)


def _derived(user_id: int) -> User:
    # The row is locked first: a role that changes meanwhile marks it dirty after us, never lost.
    with transaction.atomic():
        user: User = User.everything.select_for_update().get(id=user_id)
        user.grants = [[code, scope, agency] for code, scope, agency in _rows(user_id)]
        user.dirty = False
        user.save(update_fields=["grants", "dirty"])
    return user


def _rows(user_id: int) -> list[tuple[str, int, int]]:
    return list(
        RolePrivilege.objects.filter(
            role__holders__user_id=user_id,
            role__deleted=False,
            role__agency__deleted=False,
            code__in=[privilege.value for privilege in Privilege],
        )
        .order_by("code", "role__agency_id", "scope")
        .values_list("code", "scope", "role__agency_id")
        .distinct()
    )
