"""Give targets and groups to other owners, and take them."""

from opilio.curation import ownership
from opilio.curation.models import AbstractTarget
from opilio.people.acting import Act, action
from opilio.people.privileges import Privilege


@action("ownership.give", "Make somebody the owner of a target or group.", privilege=Privilege.GIVE_OWNERSHIP)
def give_ownership(act: Act, /, *, kind_name: str, row_id: int, user_id: int) -> AbstractTarget:
    """The new owner is told; so is the former one, if somebody else did it."""
    kind = ownership.owned_kind(kind_name)
    row: AbstractTarget = act.fetch(kind, row_id)
    act.require(Privilege.GIVE_OWNERSHIP, kind.subject(row), f"give away the {kind.name} {row.name}")
    ownership.change_owner(act, row, kind, ownership.eligible(act, "user", user_id, row.agency_id))
    return row


@action("ownership.take", "Make oneself the owner of a target or group.", privilege=Privilege.TAKE_OWNERSHIP)
def take_ownership(act: Act, /, *, kind_name: str, row_id: int) -> AbstractTarget:
    """The former owner is told."""
    kind = ownership.owned_kind(kind_name)
    row: AbstractTarget = act.fetch(kind, row_id)
    act.require_that(act.actor.user is not None, f"take the {kind.name} {row.name}", "Sign in as a user.")
    act.require(Privilege.TAKE_OWNERSHIP, kind.subject(row), f"take the {kind.name} {row.name}")
    ownership.change_owner(act, row, kind, ownership.eligible(act, "user", act.actor.own, row.agency_id))
    return row
