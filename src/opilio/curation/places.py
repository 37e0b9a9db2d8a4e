"""Where a URL lies, as URL patterns compare it: scheme, host, port, and path with query.

The parts are those of the canonical form (docs/reference/urls.md). A star that belongs to the URL itself counts as
`%2A`, because in a pattern the star has a meaning of its own.
"""

import re
from dataclasses import dataclass

from opilio.kernel.urls import canonical

#: The key under which patterns for every host are indexed.
ANY_HOST = "*"

DEFAULT_PORTS = {"http": 80, "https": 443}

_PARTS = re.compile(r"(https?)://(\[[^]]*\]|[^/:]*)(?::(\d+))?(/.*)", re.DOTALL)


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A URL taken apart for matching."""

    url: str  # canonical
    scheme: str
    host: str  # lower case, punycode
    port: int  # the one that a connection would use
    path: str  # with the query; stars written %2A

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys under which patterns that may cover it are indexed: its host, the domains above it, any host."""
        return (*domains_of(self.host), ANY_HOST)


def place_of(url: str) -> Place:
    """Where a URL lies; `BadUrl` when it cannot be fetched."""
    clean = canonical(url)
    found = _PARTS.fullmatch(clean)
    if found is None:  # the canonical form always has these parts
        raise AssertionError(f"a canonical URL without its parts: {clean}")
    scheme, host, port, path = found.groups()
    return Place(
        url=clean,
        scheme=scheme,
        host=host,
        port=int(port) if port else DEFAULT_PORTS[scheme],
        path=path.replace("*", "%2A"),
    )


def domains_of(host: str) -> tuple[str, ...]:
    """The host itself and every domain above it: `a.b.org`, `b.org`, `org`. An IPv6 address stands alone."""
    if host.startswith("["):
        return (host,)
    labels = host.split(".")
    return tuple(".".join(labels[index:]) for index in range(len(labels)))
