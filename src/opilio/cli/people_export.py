"""A user as commands tell it, and as a row of the table that is exported and imported."""

from typing import Any

from opilio.people.actions.user_import import DETAILS, SWITCHES


def row(user: Any) -> dict[str, Any]:
    """A row for `opilio user import`."""
    return {
        "username": user.username,
        "agency": user.agency.name,
        "roles": _roles(user),
        **{name: getattr(user, name) for name in (*DETAILS, *SWITCHES)},
        "active": user.is_active,
    }


def told(user: Any) -> dict[str, Any]:
    """Everything about a user that is no secret."""
    return {
        "id": str(user.id),
        **row(user),
        "deactivated_at": user.deactivated_at,
        "force_password_change": user.force_password_change,
        "last_login": user.last_login,
        "created": user.created,
        "updated": user.updated,
        "version": user.version,
    }


def _roles(user: Any) -> list[str]:
    held = [one.role for one in user.held_roles.all() if not one.role.deleted]
    return [role.name if role.agency_id == user.agency_id else f"{role.name}@{role.agency.name}" for role in held]
