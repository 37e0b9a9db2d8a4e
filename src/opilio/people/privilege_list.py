"""The privileges as people see them: grouped, each with a sentence and the scopes a role may choose."""

from dataclasses import dataclass

from opilio.people.privileges import Privilege, Scope

_ANY = (Scope.ALL, Scope.AGENCY, Scope.OWNER)
_AGENCY = (Scope.ALL, Scope.AGENCY)  # what belongs to an agency, never to a user
_PLAIN = (Scope.NONE,)  # ownership does not matter


@dataclass(frozen=True, kw_only=True)
class Listed:
    """A privilege with its words."""

    privilege: Privilege
    group: str
    sentence: str
    scopes: tuple[Scope, ...]


_GROUPS: tuple[tuple[str, tuple[tuple[str, str, tuple[Scope, ...]], ...]], ...] = (
    (
        "Account",
        (
            ("LOGIN", "Sign in.", _PLAIN),
            ("MODIFY_OWN_CREDENTIALS", "Change one's own password and details.", _PLAIN),
        ),
    ),
    (
        "Authorisations",
        (
            ("CREATE_SITE", "Create authorisations.", _AGENCY),
            ("MODIFY_SITE", "Edit authorisations.", _AGENCY),
            ("CONFIRM_PERMISSION", "Approve or reject permissions.", _AGENCY),
            ("MODIFY_PERMISSION", "Edit permissions.", _AGENCY),
            ("TRANSFER_LINKED_TARGETS", "Move seeds from one permission to another.", _AGENCY),
            ("ENABLE_DISABLE_SITE", "Switch an authorisation on or off.", _AGENCY),
            ("GENERATE_TEMPLATE", "Write letters and e-mails that ask for permission.", _AGENCY),
            ("PERMISSION_REQUEST_TEMPLATE", "Manage the templates of such letters.", _AGENCY),
        ),
    ),
    (
        "Targets",
        (
            ("CREATE_TARGET", "Create targets.", _ANY),
            ("MODIFY_TARGET", "Edit and nominate targets.", _ANY),
            ("APPROVE_TARGET", "Approve or reject targets.", _ANY),
            ("CANCEL_TARGET", "Cancel approved targets.", _ANY),
            ("DELETE_TARGET", "Delete targets that were never harvested.", _ANY),
            ("REINSTATE_TARGET", "Take rejected, cancelled or completed targets up again.", _ANY),
            ("ADD_SCHEDULE_TO_TARGET", "Add and edit schedules of targets.", _ANY),
            ("SET_HARVEST_PROFILE_LV1", "Choose profiles of level 1.", _ANY),
            ("SET_HARVEST_PROFILE_LV2", "Choose profiles up to level 2.", _ANY),
            ("SET_HARVEST_PROFILE_LV3", "Choose profiles up to level 3.", _ANY),
        ),
    ),
    (
        "Groups",
        (
            ("CREATE_GROUP", "Create groups.", _ANY),
            ("MANAGE_GROUP", "Edit and delete groups.", _ANY),
            ("ADD_TARGET_TO_GROUP", "Add targets to groups and take them out.", _ANY),
            ("MANAGE_GROUP_SCHEDULE", "Add and edit schedules of groups.", _ANY),
            ("MANAGE_GROUP_OVERRIDES", "Edit the overrides of groups.", _ANY),
        ),
    ),
    (
        "Harvests",
        (
            ("MANAGE_TARGET_INSTANCES", "Edit, pause, stop, abort and delete harvests.", _ANY),
            ("LAUNCH_TARGET_INSTANCE_IMMEDIATE", "Start a harvest now.", _ANY),
            ("MANAGE_WEB_HARVESTER", "Manage agents, the queue and bandwidth.", _AGENCY),
        ),
    ),
    (
        "Review",
        (
            ("ENDORSE_HARVEST", "Endorse or reject results.", _ANY),
            ("UNENDORSE_HARVEST", "Take an endorsement back.", _ANY),
            ("ARCHIVE_HARVEST", "Hand endorsed results over to the archive.", _ANY),
            ("TAKEDOWN", "Hide, block or destroy captures on request.", _AGENCY),
            ("PURGE", "Remove the files of harvests that need not be kept.", _AGENCY),
            ("PUBLISH_INDEX", "Publish generations of the search index.", _AGENCY),
        ),
    ),
    (
        "Profiles",
        (
            ("VIEW_PROFILES", "See profiles.", _AGENCY),
            ("MANAGE_PROFILES", "Create and edit profiles.", _AGENCY),
        ),
    ),
    (
        "Deliveries",
        (
            ("VIEW_DELIVERIES", "See deliveries and their findings.", _AGENCY),
            ("MANAGE_DELIVERIES", "Retry and cancel deliveries.", _AGENCY),
            ("MANAGE_SOURCES", "Edit centres and their sources.", _AGENCY),
            ("RUN_SESSION", "Start delivery sessions.", _AGENCY),
        ),
    ),
    (
        "Administration",
        (
            ("MANAGE_AGENCIES", "Create and edit agencies.", _AGENCY),
            ("MANAGE_USERS", "Create, edit and deactivate users.", _AGENCY),
            ("MANAGE_ROLES", "Create and edit roles.", _AGENCY),
            ("GRANT_CROSS_AGENCY_USER_ADMIN", "Give users of one agency roles in another.", _AGENCY),
            ("MANAGE_REASONS", "Manage the reasons for a rejection.", _AGENCY),
            ("MANAGE_INDICATORS", "Manage the indicators of quality.", _AGENCY),
            ("MANAGE_FLAGS", "Manage coloured flags.", _AGENCY),
            ("CONFIGURE_PARAMETERS", "Change parameters and lists of the installation.", _PLAIN),
            ("SYSTEM_REPORT_LEVEL_1", "Run reports.", _AGENCY),
            ("VIEW_AUDIT", "Read the audit log.", _AGENCY),
            ("MANAGE_WEBHOOKS", "Manage webhooks.", _AGENCY),
            ("DELETE_TASK", "Delete tasks from the in-tray.", _AGENCY),
            ("TAKE_OWNERSHIP", "Make oneself the owner.", _ANY),
            ("GIVE_OWNERSHIP", "Make somebody else the owner.", _ANY),
        ),
    ),
)

PRIVILEGES: tuple[Listed, ...] = tuple(
    Listed(privilege=Privilege(code), group=group, sentence=sentence, scopes=scopes)
    for group, rows in _GROUPS
    for code, sentence, scopes in rows
)
BY_PRIVILEGE: dict[Privilege, Listed] = {listed.privilege: listed for listed in PRIVILEGES}
