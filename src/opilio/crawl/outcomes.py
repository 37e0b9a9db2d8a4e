"""What became of a URL: one outcome each, with the sentence that reports and `explain` show."""

from enum import StrEnum

#: Stands in the reason of a page whose answer ended early, before the cause.
CUT_OFF = "cut off: "
#: Stands in the reason of a page that came from a host whose certificate the plan says not to check.
UNVERIFIED = "the certificate was not verified"


class Outcome(StrEnum):
    """The end of a URL's story in one crawl; the reason stands beside it in the store."""

    FETCHED = "fetched"
    UNCHANGED = "unchanged"
    DUPLICATE = "duplicate"
    REDIRECTED = "redirected"
    ROBOTS_DENIED = "robots-denied"
    SCOPE_DENIED = "scope-denied"
    EXCLUDED = "excluded"
    BLOCKED = "blocked"
    SOFT_404 = "soft-404"
    AUTH_LOST = "auth-lost"
    GONE = "gone"
    UNPARSABLE = "unparsable"
    TRANSIENT_ERROR = "transient-error"
    PERMANENT_ERROR = "permanent-error"
    OVER_LIMIT = "over-limit"
    TRAP = "trap"

    @property
    def sentence(self) -> str:
        """What it means, for people."""
        return _SENTENCES[self]

    @property
    def captured(self) -> bool:
        """Whether an answer of the server was kept."""
        return self in _CAPTURED

    @property
    def broken(self) -> bool:
        """Whether a link that leads here is broken."""
        return self in _BROKEN


_SENTENCES = {
    Outcome.FETCHED: "The server answered, and the answer was kept.",
    Outcome.UNCHANGED: "The server said, or the digest showed, that nothing changed since the earlier crawl.",
    Outcome.DUPLICATE: "The answer has the same content as another page of this crawl.",
    Outcome.REDIRECTED: "The server named another URL instead.",
    Outcome.ROBOTS_DENIED: "The site's robots.txt forbids it.",
    Outcome.SCOPE_DENIED: "A rule of the plan's scope rejected it.",
    Outcome.EXCLUDED: "An exclusion names it.",
    Outcome.BLOCKED: "The site answered with a wall (a challenge, a ban, a page to sign in) instead of the page.",
    Outcome.SOFT_404: "The answer says that the page does not exist, though its status claims success.",
    Outcome.AUTH_LOST: "The login failed, or its session ended and could not be renewed.",
    Outcome.GONE: "The server said that the page does not exist.",
    Outcome.UNPARSABLE: "The answer was kept, but its content could not be read within the limits.",
    Outcome.TRANSIENT_ERROR: "It failed in a way that may pass, as often as the plan allows to try.",
    Outcome.PERMANENT_ERROR: "It failed in a way that does not pass by trying again.",
    Outcome.OVER_LIMIT: "A limit of the plan was reached first.",
    Outcome.TRAP: "It looks like a trap: pages that grow without end.",
}
_CAPTURED = frozenset(
    {
        Outcome.FETCHED,
        Outcome.UNCHANGED,
        Outcome.DUPLICATE,
        Outcome.REDIRECTED,
        Outcome.BLOCKED,
        Outcome.SOFT_404,
        Outcome.GONE,
        Outcome.UNPARSABLE,
    }
)
#: Of pages whose content was looked into for links, now or in an earlier crawl.
READABLE = frozenset({Outcome.FETCHED, Outcome.UNCHANGED, Outcome.DUPLICATE, Outcome.UNPARSABLE})
_BROKEN = frozenset({Outcome.GONE, Outcome.SOFT_404, Outcome.PERMANENT_ERROR, Outcome.TRANSIENT_ERROR})
#: Of URLs that were recorded without asking the server for them.
NOT_ASKED = frozenset({Outcome.ROBOTS_DENIED, Outcome.SCOPE_DENIED, Outcome.EXCLUDED, Outcome.OVER_LIMIT, Outcome.TRAP})
