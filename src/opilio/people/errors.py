"""The errors of people.

OpilioError
├── InvalidInput
│   ├── InvalidFields     fields of a form or body, each with its messages
│   ├── WeakPassword      a password that the policy refuses
│   └── BadCsv            a table that cannot be imported
├── Denied
│   ├── NotAllowed        the privilege is missing, or does not reach that far
│   ├── SignInRefused     wrong name or password, barred, or too soon after failures
│   └── TokenRefused      an API token that is unknown, expired, revoked or too narrow
├── Missing
│   └── NotFound          no such row, or not visible to the asker
└── Conflict
    ├── Stale             the row was changed since it was read
    └── InUse             other rows still need it
"""

from collections.abc import Mapping
from typing import Any

from opilio.kernel.errors import Conflict, Denied, InvalidInput, Missing


class InvalidFields(InvalidInput):
    """Fields that cannot be used as they are, each with its messages."""

    def __init__(self, messages: Mapping[str, list[str]], *, where: str = "") -> None:
        first = next((f"{field}: {texts[0]}" for field, texts in messages.items() if texts), "unknown fault")
        super().__init__(f"Some fields cannot be used; {first}", where=where, remedy="Correct them and try again.")
        self.messages = dict(messages)


class WeakPassword(InvalidInput):
    """A password that the policy refuses."""


class BadCsv(InvalidInput):
    """A table that cannot be imported."""


class NotAllowed(Denied):
    """The privilege is missing, or does not reach that far."""


class SignInRefused(Denied):
    """Wrong name or password, barred, or too soon after failures."""

    http_status = 401


class TokenRefused(Denied):
    """An API token that is unknown, expired, revoked or too narrow."""

    http_status = 401


class NotFound(Missing):
    """No such row, or not visible to the asker."""


class Stale(Conflict):
    """The row was changed since it was read; holds both versions, so that nothing is lost."""

    def __init__(
        self,
        kind: str,
        name: str,
        *,
        mine: Mapping[str, Any],
        theirs: Mapping[str, Any],
        by: str,
        several: bool = False,
    ) -> None:
        super().__init__(
            f"{kind} {name} {'were' if several else 'was'} changed by {by or 'the system'} since you opened it",
            where=f"{kind} {name}",
            remedy="Compare both versions and save again.",
        )
        self.mine = dict(mine)
        self.theirs = dict(theirs)


class InUse(Conflict):
    """Other rows still need it."""
