"""Whose a target or group is, and who was asked to see to a target: what makes somebody eligible, who is told."""

import datetime
from typing import Any

from opilio.curation.kinds import GROUP, TARGET
from opilio.curation.models import AbstractTarget, Target
from opilio.people.acting import Act
from opilio.people.errors import InvalidFields, NotFound
from opilio.people.grants import grants_of
from opilio.people.intray import Category, Resource, notify
from opilio.people.kinds import USER, Kind
from opilio.people.privileges import Privilege, Scope

OWNED = {kind.name: kind for kind in (TARGET, GROUP)}


def owned_kind(name: str) -> Kind:
    """The kind of what has an owner, named from outside."""
    if name not in OWNED:
        raise NotFound(f"Nobody owns a row of the kind {name[:64]!r}", remedy=f"Known are {', '.join(OWNED)}.")
    return OWNED[name]


def eligible(act: Act, field: str, user_id: int, agency_id: int) -> Any:
    """The user, if active and at work in the agency: with a role there, or over everything."""
    user = USER.model.objects.filter(id=user_id, is_active=True).first()
    if user is None or not _works_in(user, agency_id):
        raise InvalidFields({field: ["Choose an active user who holds a role in the agency."]}, where=act.name)
    return user


def change_owner(act: Act, row: AbstractTarget, kind: Kind, user: Any) -> bool:
    """Make a user the owner; tell the new one, and the former one, unless it is whoever acts."""
    former = row.owner_id
    if not act.update(row, {"owner": user}, message=f"{user} owns it now."):
        return False
    resource = Resource(kind=kind.name, id=row.pk)
    _tell(act, user.id, resource, kind="delegate-target", subject=f"{kind.label} {row.name} is yours now",
          message=f"{act.actor.username} made you the owner.")  # fmt: skip
    _tell(act, former, resource, kind="transfer-target", subject=f"{kind.label} {row.name} has another owner",
          message=f"{act.actor.username} made {user} the owner.")  # fmt: skip
    return True


def tell_assigned(act: Act, target: Target, user_id: int, due: datetime.date | None, note: str) -> None:
    """Put it into the in-tray of whoever should see to the target."""
    asked = f"{act.actor.username} asks you: {note or 'have a look.'}" + (f" Until {due.isoformat()}." if due else "")
    _tell(
        act, user_id, Resource(kind=TARGET.name, id=target.pk), kind="target-assigned",
        subject=f"See to the target {target.name}", message=asked,
    )  # fmt: skip


def tell_settled(act: Act, target: Target, user_id: int, what: str) -> None:
    """Tell somebody that an assignment is over."""
    _tell(
        act, user_id, Resource(kind=TARGET.name, id=target.pk), kind="target-assigned",
        subject=f"Target {target.name}: {what}", message=f"{act.actor.username}: {target.assigned_note or what}",
    )  # fmt: skip


def _tell(act: Act, user_id: int, resource: Resource, *, kind: str, subject: str, message: str) -> None:
    if user_id != act.actor.user:
        notify(
            [user_id], kind=kind, category=Category.GENERAL, subject=subject, message=message,
            sender=act.actor.username, now=act.clock.now(), resource=resource,
        )  # fmt: skip


def _works_in(user: Any, agency_id: int) -> bool:
    grants = grants_of(user)
    signs_in = grants.holds(Privilege.LOGIN)
    return signs_in and any(
        grant.agency == agency_id or grant.scope == Scope.ALL for grant in grants if grant.privilege != Privilege.LOGIN
    )
