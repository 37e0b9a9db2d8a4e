"""What a role can allow: privileges and scopes, and the pure decision whether somebody may act on something.

A scope counts for the agency of the role that grants it; the broadest grant per agency wins, and a grant of
one agency never reaches into another (DESIGN ruling "agency scope").
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum, StrEnum


class Scope(IntEnum):
    """How far a privilege reaches; a lower number is broader, as in the seed."""

    ALL = 0  # everything, whoever owns it
    AGENCY = 100  # what belongs to the agency of the granting role
    OWNER = 200  # what the user owns
    NONE = 500  # ownership does not matter for this privilege


class Privilege(StrEnum):
    """A thing that a role may allow. The values are the codes of the seed, kept for import and export."""

    LOGIN = "LOGIN"
    MODIFY_OWN_CREDENTIALS = "MODIFY_OWN_CREDENTIALS"
    CREATE_SITE = "CREATE_SITE"
    MODIFY_SITE = "MODIFY_SITE"
    CONFIRM_PERMISSION = "CONFIRM_PERMISSION"
    MODIFY_PERMISSION = "MODIFY_PERMISSION"
    TRANSFER_LINKED_TARGETS = "TRANSFER_LINKED_TARGETS"
    ENABLE_DISABLE_SITE = "ENABLE_DISABLE_SITE"
    GENERATE_TEMPLATE = "GENERATE_TEMPLATE"
    CREATE_TARGET = "CREATE_TARGET"
    MODIFY_TARGET = "MODIFY_TARGET"
    APPROVE_TARGET = "APPROVE_TARGET"
    CANCEL_TARGET = "CANCEL_TARGET"
    DELETE_TARGET = "DELETE_TARGET"
    REINSTATE_TARGET = "REINSTATE_TARGET"
    ADD_SCHEDULE_TO_TARGET = "ADD_SCHEDULE_TO_TARGET"
    SET_HARVEST_PROFILE_LV1 = "SET_HARVEST_PROFILE_LV1"
    SET_HARVEST_PROFILE_LV2 = "SET_HARVEST_PROFILE_LV2"
    SET_HARVEST_PROFILE_LV3 = "SET_HARVEST_PROFILE_LV3"
    MANAGE_TARGET_INSTANCES = "MANAGE_TARGET_INSTANCES"
    LAUNCH_TARGET_INSTANCE_IMMEDIATE = "LAUNCH_TARGET_INSTANCE_IMMEDIATE"
    MANAGE_WEB_HARVESTER = "MANAGE_WEB_HARVESTER"
    ENDORSE_HARVEST = "ENDORSE_HARVEST"
    UNENDORSE_HARVEST = "UNENDORSE_HARVEST"
    ARCHIVE_HARVEST = "ARCHIVE_HARVEST"
    CREATE_GROUP = "CREATE_GROUP"
    MANAGE_GROUP = "MANAGE_GROUP"
    ADD_TARGET_TO_GROUP = "ADD_TARGET_TO_GROUP"
    MANAGE_GROUP_SCHEDULE = "MANAGE_GROUP_SCHEDULE"
    MANAGE_GROUP_OVERRIDES = "MANAGE_GROUP_OVERRIDES"
    VIEW_PROFILES = "VIEW_PROFILES"
    MANAGE_PROFILES = "MANAGE_PROFILES"
    MANAGE_AGENCIES = "MANAGE_AGENCIES"
    MANAGE_USERS = "MANAGE_USERS"
    MANAGE_ROLES = "MANAGE_ROLES"
    GRANT_CROSS_AGENCY_USER_ADMIN = "GRANT_CROSS_AGENCY_USER_ADMIN"
    MANAGE_REASONS = "MANAGE_REASONS"
    MANAGE_INDICATORS = "MANAGE_INDICATORS"
    MANAGE_FLAGS = "MANAGE_FLAGS"
    CONFIGURE_PARAMETERS = "CONFIGURE_PARAMETERS"
    PERMISSION_REQUEST_TEMPLATE = "PERMISSION_REQUEST_TEMPLATE"
    SYSTEM_REPORT_LEVEL_1 = "SYSTEM_REPORT_LEVEL_1"
    DELETE_TASK = "DELETE_TASK"
    TAKE_OWNERSHIP = "TAKE_OWNERSHIP"
    GIVE_OWNERSHIP = "GIVE_OWNERSHIP"
    VIEW_DELIVERIES = "VIEW_DELIVERIES"
    MANAGE_DELIVERIES = "MANAGE_DELIVERIES"
    MANAGE_SOURCES = "MANAGE_SOURCES"
    RUN_SESSION = "RUN_SESSION"
    PUBLISH_INDEX = "PUBLISH_INDEX"
    TAKEDOWN = "TAKEDOWN"
    PURGE = "PURGE"
    VIEW_AUDIT = "VIEW_AUDIT"
    MANAGE_WEBHOOKS = "MANAGE_WEBHOOKS"


@dataclass(frozen=True, kw_only=True, order=True)
class Grant:
    """One privilege, as far as one role of one agency gives it."""

    privilege: Privilege
    scope: Scope
    agency: int


@dataclass(frozen=True, kw_only=True)
class Subject:
    """What is to be acted on, as far as the decision needs it."""

    agency: int | None = None  # None: belongs to no agency, as a system parameter does
    owner: int | None = None  # None: belongs to an agency, not to a user


#: Something that belongs to the whole installation.
SYSTEM_WIDE = Subject()


class Grants:
    """All that somebody's roles allow."""

    def __init__(self, grants: Iterable[Grant]) -> None:
        self._broadest: dict[tuple[Privilege, int], Scope] = {}
        self._plain: set[tuple[Privilege, int]] = set()  # without scope: on what belongs to nobody
        for grant in grants:
            key = (grant.privilege, grant.agency)
            if grant.scope == Scope.NONE:
                self._plain.add(key)
            else:
                self._broadest[key] = min(grant.scope, self._broadest.get(key, Scope.OWNER))

    def __iter__(self) -> Iterator[Grant]:
        for (privilege, agency), scope in sorted(
            [*self._broadest.items(), *((key, Scope.NONE) for key in self._plain)]
        ):
            yield Grant(privilege=privilege, scope=scope, agency=agency)

    def holds(self, privilege: Privilege) -> bool:
        """Whether any role gives the privilege, on whatever."""
        return any(held == privilege for held, _ in (*self._broadest, *self._plain))

    def allows(self, privilege: Privilege, subject: Subject, *, user: int) -> bool:
        """Whether `user`, with these grants, may use the privilege on `subject`."""
        if subject == SYSTEM_WIDE and any(held == privilege for held, _ in self._plain):
            return True
        return any(
            _reaches(scope, agency, subject, user)
            for (held, agency), scope in self._broadest.items()
            if held == privilege
        )

    def everywhere(self, privilege: Privilege) -> bool:
        """Whether the privilege is held on everything."""
        return any(held == privilege and scope == Scope.ALL for (held, _), scope in self._broadest.items())

    def agencies(self, privilege: Privilege) -> frozenset[int]:
        """The agencies on whose things the privilege is held with scope agency (or broader)."""
        return frozenset(
            agency
            for (held, agency), scope in self._broadest.items()
            if held == privilege and scope in (Scope.ALL, Scope.AGENCY)
        )

    def owned_agencies(self, privilege: Privilege) -> frozenset[int]:
        """The agencies in which the privilege is held at least on one's own things."""
        return frozenset(
            agency
            for (held, agency), scope in self._broadest.items()
            if held == privilege and scope in (Scope.ALL, Scope.AGENCY, Scope.OWNER)
        )

    def only(self, privileges: frozenset[Privilege]) -> "Grants":
        """These grants cut down to some privileges, as an API token does."""
        return Grants(grant for grant in self if grant.privilege in privileges)


def _reaches(scope: Scope, agency: int, subject: Subject, user: int) -> bool:
    if scope == Scope.ALL:
        return True
    if scope == Scope.AGENCY:
        return subject.agency == agency
    return subject.owner == user and subject.agency == agency
