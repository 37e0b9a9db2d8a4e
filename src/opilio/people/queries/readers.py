"""Who asks, as the rules of access want to be told: the public at an address, or a person with agency and roles."""

from typing import Final

from opilio.kernel.access import Reader
from opilio.people.actor import Actor
from opilio.people.models import Agency, UserRole
from opilio.people.privileges import Privilege

#: Whoever holds one of these in an agency, be it on their own things only, works with its captures.
_STAFF: Final = (
    Privilege.MANAGE_TARGET_INSTANCES, Privilege.ENDORSE_HARVEST, Privilege.UNENDORSE_HARVEST,
    Privilege.ARCHIVE_HARVEST, Privilege.TAKEDOWN, Privilege.PUBLISH_INDEX,
)  # fmt: skip


def public_reader(address: str) -> Reader:
    """Somebody who did not sign in."""
    return Reader(address=address)


def reader_of(actor: Actor) -> Reader:
    """Somebody who signed in; the system itself is nobody in particular."""
    if actor.user is None:
        return public_reader(actor.address)
    held = UserRole.objects.filter(user_id=actor.user, role__deleted=False).values_list("role_id", flat=True)
    return Reader(
        address=actor.address, user=str(actor.user), agency=str(actor.agency or ""),
        roles=frozenset(map(str, held)), staff_of=frozenset(map(str, _staff_of(actor))),
    )  # fmt: skip


def _staff_of(actor: Actor) -> set[int]:
    if any(actor.grants.everywhere(privilege) for privilege in _STAFF):
        return set(Agency.objects.values_list("id", flat=True))
    return {agency for privilege in _STAFF for agency in actor.grants.owned_agencies(privilege)}
