"""Which rows of curation somebody may see: those of agencies in which a role lets them work with such rows."""

from typing import TypeVar

from django.db.models import Model, QuerySet

from opilio.people.actor import Actor
from opilio.people.privileges import Privilege, Scope

Row = TypeVar("Row", bound=Model)

#: Holding any of these in an agency, however far, lets somebody see what that agency collects.
READERS = frozenset(
    {
        Privilege.CREATE_TARGET, Privilege.MODIFY_TARGET, Privilege.APPROVE_TARGET, Privilege.CANCEL_TARGET,
        Privilege.DELETE_TARGET, Privilege.REINSTATE_TARGET, Privilege.ADD_SCHEDULE_TO_TARGET,
        Privilege.CREATE_GROUP, Privilege.MANAGE_GROUP, Privilege.ADD_TARGET_TO_GROUP, Privilege.MANAGE_GROUP_SCHEDULE,
        Privilege.MANAGE_GROUP_OVERRIDES, Privilege.CREATE_SITE, Privilege.MODIFY_SITE, Privilege.CONFIRM_PERMISSION,
        Privilege.MODIFY_PERMISSION, Privilege.TRANSFER_LINKED_TARGETS, Privilege.ENABLE_DISABLE_SITE,
        Privilege.GENERATE_TEMPLATE, Privilege.MANAGE_TARGET_INSTANCES, Privilege.MANAGE_WEB_HARVESTER,
        Privilege.ENDORSE_HARVEST, Privilege.UNENDORSE_HARVEST, Privilege.ARCHIVE_HARVEST,
        Privilege.VIEW_PROFILES, Privilege.MANAGE_PROFILES, Privilege.SYSTEM_REPORT_LEVEL_1,
    }
)  # fmt: skip


def agencies(actor: Actor, privileges: frozenset[Privilege] = READERS) -> frozenset[int] | None:
    """The agencies whose rows the actor may see; None means all."""
    held = [grant for grant in actor.grants if grant.privilege in privileges]
    if actor.is_system or any(grant.scope == Scope.ALL for grant in held):
        return None
    return frozenset(grant.agency for grant in held)


def seen(
    rows: QuerySet[Row], actor: Actor, *, agency_path: str = "agency_id", privileges: frozenset[Privilege] = READERS
) -> QuerySet[Row]:
    """The rows that the actor may see."""
    reached = agencies(actor, privileges)
    return rows if reached is None else rows.filter(**{f"{agency_path}__in": sorted(reached)})
