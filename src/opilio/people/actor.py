"""Who acts: a user with what their roles allow, or the system itself."""

from dataclasses import dataclass, field
from enum import StrEnum

from opilio.kernel.clock import SYSTEM, Clock
from opilio.people.privileges import Grants, Privilege, Subject


class Via(StrEnum):
    """Through which face somebody acts."""

    PAGE = "page"
    API = "api"
    CLI = "cli"
    SYSTEM = "system"


@dataclass(frozen=True, kw_only=True)
class Actor:
    """Who acts, copied out of the tables, so that a decision needs no further question."""

    user: int | None  # None: the system, or an operator at the machine itself
    username: str
    first_name: str = ""
    last_name: str = ""
    agency: int | None = None  # home agency
    agency_name: str = ""
    grants: Grants = field(default_factory=lambda: Grants([]))
    time_zone: str = "UTC"
    language: str = ""  # of the pages; empty: as the browser asks
    via: Via = Via.SYSTEM
    address: str = ""
    correlation: str = ""
    clock: Clock = SYSTEM

    @property
    def is_system(self) -> bool:
        """Whether no user acts, but the installation itself or its operator."""
        return self.user is None

    @property
    def own(self) -> int:
        """The identifier under which one's own rows are found; 0, which no row has, for the system."""
        return self.user or 0

    @property
    def real_name(self) -> str:
        """Given and family name, or the user name."""
        return f"{self.first_name} {self.last_name}".strip() or self.username

    def may(self, privilege: Privilege, subject: Subject) -> bool:
        """Whether the privilege reaches `subject`."""
        return self.user is None or self.grants.allows(privilege, subject, user=self.user)

    def holds(self, privilege: Privilege) -> bool:
        """Whether the privilege is held on anything at all."""
        return self.user is None or self.grants.holds(privilege)


def system(*, via: Via = Via.SYSTEM, name: str = "system", correlation: str = "", clock: Clock = SYSTEM) -> Actor:
    """The installation itself; on the CLI, whoever may read its home folder."""
    return Actor(user=None, username=name, via=via, correlation=correlation, clock=clock)
