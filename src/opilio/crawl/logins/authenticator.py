"""What the schemes of HTTP authentication have in common: headers to send, and what a challenge means."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from opilio.crawl.fetch.exchange import Header
from opilio.crawl.fetch.head import Head
from opilio.crawl.logins.challenge import Challenge

AUTHORIZATION = "Authorization"


class Meaning(Enum):
    """What a refused request means for the next."""

    AGAIN = "ask again: the challenge can be answered"
    REJECTED = "what was sent was refused"
    FOREIGN = "the challenge is not for this credential"


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """A meaning with its reason, for people."""

    meaning: Meaning
    reason: str = ""


AGAIN = Refusal(meaning=Meaning.AGAIN)


class Authenticator(Protocol):
    """One credential towards one host. Promises to send nothing before it was asked, but for headers and cookies."""

    def headers(self, method: str, url: str, body: bytes | None) -> tuple[Header, ...]:
        """What is added to a request now; secret."""
        ...

    def refused(self, asked: Sequence[Challenge], *, sent: bool) -> Refusal:
        """The answer was 401 with these challenges; `sent`: the request had our headers."""
        ...

    def accepted(self, head: Head) -> None:
        """The answer to a request with our headers was no 401."""
        ...

    def broken(self) -> None:
        """There was no answer."""
        ...


def chosen(asked: Sequence[Challenge], schemes: Sequence[str], realm: str) -> tuple[list[Challenge], Refusal]:
    """The challenges of these schemes and this realm; without any, why."""
    fit = [each for each in asked if each.scheme in schemes]
    if not fit:
        offered = ", ".join(sorted({each.scheme[:20] for each in asked})) or "nothing"
        reason = f"status 401, and the server offers {offered} instead of {' or '.join(schemes)}"
        return [], Refusal(meaning=Meaning.FOREIGN, reason=reason)
    ours = [each for each in fit if not realm or each.realm == realm]
    if not ours:
        reason = f"status 401 for the realm “{fit[0].realm[:80]}”, and the credential is for “{realm[:80]}”"
        return [], Refusal(meaning=Meaning.FOREIGN, reason=reason)
    return ours, AGAIN
