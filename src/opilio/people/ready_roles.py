"""The roles that every new agency starts with; an agency may change them."""

from collections.abc import Mapping
from dataclasses import dataclass

from opilio.people.privilege_list import BY_PRIVILEGE, PRIVILEGES
from opilio.people.privileges import Privilege, Scope


@dataclass(frozen=True, kw_only=True)
class ReadyRole:
    """A role as it is handed out to a new agency."""

    name: str
    description: str
    privileges: Mapping[Privilege, Scope]


def _at(scope: Scope, *codes: str) -> dict[Privilege, Scope]:
    """Each privilege at `scope`, or as near to it as the privilege allows."""
    return {Privilege(code): _nearest(Privilege(code), scope) for code in codes}


def _nearest(privilege: Privilege, scope: Scope) -> Scope:
    allowed = BY_PRIVILEGE[privilege].scopes
    return scope if scope in allowed else allowed[-1]


_BASE = _at(Scope.NONE, "LOGIN", "MODIFY_OWN_CREDENTIALS")
_ALL_OF_AGENCY = {listed.privilege: _nearest(listed.privilege, Scope.AGENCY) for listed in PRIVILEGES}

READY_ROLES: tuple[ReadyRole, ...] = (
    ReadyRole(
        name="Administrator",
        description="Runs the installation for the agency: people, lists, profiles, agents.",
        privileges=_ALL_OF_AGENCY,
    ),
    ReadyRole(
        name="Archivist",
        description="Approves what is collected, endorses and archives it.",
        privileges=_BASE
        | _at(
            Scope.AGENCY,
            "CREATE_SITE",
            "MODIFY_SITE",
            "CONFIRM_PERMISSION",
            "MODIFY_PERMISSION",
            "TRANSFER_LINKED_TARGETS",
            "ENABLE_DISABLE_SITE",
            "GENERATE_TEMPLATE",
            "CREATE_TARGET",
            "MODIFY_TARGET",
            "APPROVE_TARGET",
            "CANCEL_TARGET",
            "DELETE_TARGET",
            "REINSTATE_TARGET",
            "ADD_SCHEDULE_TO_TARGET",
            "SET_HARVEST_PROFILE_LV1",
            "SET_HARVEST_PROFILE_LV2",
            "SET_HARVEST_PROFILE_LV3",
            "CREATE_GROUP",
            "MANAGE_GROUP",
            "ADD_TARGET_TO_GROUP",
            "MANAGE_GROUP_SCHEDULE",
            "MANAGE_GROUP_OVERRIDES",
            "MANAGE_TARGET_INSTANCES",
            "LAUNCH_TARGET_INSTANCE_IMMEDIATE",
            "ENDORSE_HARVEST",
            "UNENDORSE_HARVEST",
            "ARCHIVE_HARVEST",
            "TAKEDOWN",
            "PUBLISH_INDEX",
            "VIEW_PROFILES",
            "SYSTEM_REPORT_LEVEL_1",
            "DELETE_TASK",
            "TAKE_OWNERSHIP",
            "GIVE_OWNERSHIP",
            "VIEW_AUDIT",
        ),
    ),
    ReadyRole(
        name="Curator",
        description="Proposes targets, asks for permission, and looks after what they own.",
        privileges=_BASE
        | _at(Scope.AGENCY, "CREATE_SITE", "MODIFY_SITE", "MODIFY_PERMISSION", "GENERATE_TEMPLATE", "VIEW_PROFILES")
        | _at(
            Scope.OWNER,
            "CREATE_TARGET",
            "MODIFY_TARGET",
            "DELETE_TARGET",
            "ADD_SCHEDULE_TO_TARGET",
            "SET_HARVEST_PROFILE_LV1",
            "CREATE_GROUP",
            "MANAGE_GROUP",
            "ADD_TARGET_TO_GROUP",
            "MANAGE_GROUP_SCHEDULE",
            "GIVE_OWNERSHIP",
            "MANAGE_TARGET_INSTANCES",
        ),
    ),
    ReadyRole(
        name="Reviewer",
        description="Looks at harvests and endorses or rejects their results.",
        privileges=_BASE | _at(Scope.AGENCY, "ENDORSE_HARVEST", "UNENDORSE_HARVEST", "VIEW_PROFILES"),
    ),
    ReadyRole(
        name="Harvester operator",
        description="Keeps agents, queue and bandwidth running.",
        privileges=_BASE
        | _at(
            Scope.AGENCY,
            "MANAGE_TARGET_INSTANCES",
            "LAUNCH_TARGET_INSTANCE_IMMEDIATE",
            "MANAGE_WEB_HARVESTER",
            "VIEW_PROFILES",
            "MANAGE_PROFILES",
            "PURGE",
            "SYSTEM_REPORT_LEVEL_1",
        ),
    ),
    ReadyRole(
        name="Data wrangler",
        description="Watches deliveries of partners and settles their findings.",
        privileges=_BASE | _at(Scope.AGENCY, "VIEW_DELIVERIES", "MANAGE_DELIVERIES", "MANAGE_SOURCES", "RUN_SESSION"),
    ),
    ReadyRole(
        name="Reader",
        description="Signs in and looks, changes nothing.",
        privileges=_BASE | _at(Scope.AGENCY, "VIEW_DELIVERIES"),
    ),
)
