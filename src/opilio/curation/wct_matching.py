"""Matching as the Web Curator Tool 1.4 did it, for comparing and for moving over: defects included.

The scheme must be the same, the host of the URL must *end* with that of the pattern and its path must *begin* with
that of the pattern, star or not; nothing is brought to a normal form. Candidates are found by domain as there.
docs/reference/url-patterns.md lists what differs from ours.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from opilio.curation.places import ANY_HOST


@dataclass(frozen=True, kw_only=True, slots=True)
class WctPattern:
    """A pattern as written, taken apart; stars removed."""

    scheme: str
    host: str
    resource: str
    domain: str  # the key of its index

    def covers(self, url: str) -> bool:
        """Whether the three comparisons hold, and the index would have led here."""
        scheme, host, resource = _parts(url)
        found = self.domain == ANY_HOST or self.domain in _suffixes(host)
        return (
            found and scheme == self.scheme and host.endswith(self.host) and resource.startswith(self.resource)
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class WctPermission:
    """What the comparison needs of a permission."""

    id: int
    patterns: tuple[str, ...]
    agency: int
    ends: date | None = None
    authorisation_active: bool = True


def read_wct(text: str) -> WctPattern:
    """Read a pattern: without a scheme it is http, without a path it is `/`."""
    scheme, host, resource = _parts(text)
    return WctPattern(
        scheme=scheme, host=host.removeprefix("*"), resource=resource.removesuffix("*"), domain=_domain(host)
    )


def wct_matches(permission: WctPermission, url: str, *, agency: int, today: date) -> bool:
    """Whether a seed with this URL would have been linked to the permission."""
    if not permission.authorisation_active or permission.agency != agency:
        return False
    if permission.ends is not None and permission.ends < today:
        return False
    return any(read_wct(pattern).covers(url) for pattern in permission.patterns)


def wct_matching(
    permissions: Iterable[WctPermission], url: str, *, agency: int, today: date
) -> tuple[WctPermission, ...]:
    """The permissions to which a seed with this URL would have been linked."""
    return tuple(each for each in permissions if wct_matches(each, url, agency=agency, today=today))


def _parts(text: str) -> tuple[str, str, str]:
    scheme, found, rest = text.strip().partition("://")
    if not found:
        scheme, rest = "http", text.strip()
    host, slash, resource = rest.partition("/")
    return scheme, host, f"{slash}{resource}" or "/"


def _domain(host: str) -> str:
    """The host; after a star, what follows its first dot; a bare star stays."""
    if not host.startswith("*"):
        return host
    _, dot, rest = host.partition(".")
    return rest if dot else ANY_HOST


def _suffixes(host: str) -> tuple[str, ...]:
    labels = host.split(".")
    return tuple(".".join(labels[index:]) for index in range(len(labels)))
