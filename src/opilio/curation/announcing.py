"""Tells people what the calendar says about permissions: one that expires soon, one that nobody answers."""

from datetime import timedelta

from opilio.curation.days import day_in
from opilio.curation.deciding import owners, resource
from opilio.curation.models import Permission, PermissionStatus
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act
from opilio.people.intray import Category, audience, notify
from opilio.people.parameters import value
from opilio.people.privileges import Privilege


def announce(act: Act, row: Permission) -> int:
    """Tell owners of linked targets, and those who confirm permissions of the agency. How many heard it."""
    kind, subject, message = _news(act, row)
    now = act.clock.now()
    people = owners(row) | {user.id for user in audience(Privilege.CONFIRM_PERMISSION, row.agency_id)}
    told = notify(
        people, kind=kind, category=Category.GENERAL, subject=subject, message=message, sender=act.actor.username,
        now=now, resource=resource(row),
    )  # fmt: skip
    act.update(row, {"expiry_told_at": now}, message=subject)
    return told


def _news(act: Act, row: Permission) -> tuple[str, str, str]:
    zone = row.agency.time_zone
    today = day_in(act.clock.now(), zone)
    if row.status == PermissionStatus.REQUESTED:
        asked = day_in(row.requested_at, zone) if row.requested_at else today
        message = (
            f"{row.agent} was asked on {asked} and reminded {row.reminders} times. Telephone, or ask somebody else."
        )
        return "permission-unanswered", f"Nobody answers: {row}", message
    soon = today + timedelta(days=int(value("expiry_warning_days")))
    if row.status == PermissionStatus.APPROVED and row.end_date is not None and row.end_date <= soon:
        word = "expires" if row.end_date >= today else "expired"
        message = f"{row.authorisation}: harvests need a permission in force. Extend it, or ask for a new one in time."
        return "permission-expiring", f"Permission {word} on {row.end_date}: {row}", message
    raise Conflict(
        f"There is nothing to tell about the permission {row}", where=act.name,
        remedy="It neither expires soon nor waits for an answer.",
    )  # fmt: skip
