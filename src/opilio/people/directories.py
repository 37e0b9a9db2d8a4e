"""Who can check a password besides the catalogue: the protocol that LDAP fulfils, and what it may answer."""

from enum import Enum
from typing import Protocol


class Verdict(Enum):
    """What a directory says to a name and a password."""

    RIGHT = "right"
    WRONG = "wrong"
    UNREACHABLE = "unreachable"  # the directory did not answer: nobody's fault, and no failure is counted


class Directory(Protocol):
    """Checks passwords that the institution keeps elsewhere."""

    name: str  # how sign-in sessions remember it: ldap

    def check(self, username: str, password: str) -> Verdict:
        """Whether the directory knows the user with this password; never raises for what the network does."""
        ...
