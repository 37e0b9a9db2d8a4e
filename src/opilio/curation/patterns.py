"""URL patterns: which URLs an authorisation is about, and which ones an exclusion takes out again.

`scheme://host/path`. One star may stand for the first labels of the host (`*.example.org`: every host below
example.org, not example.org itself), one at the end of the path for whatever follows. Without a star, host and path
mean exactly themselves. `pattern_reading` reads them; docs/reference/url-patterns.md states the rules.
"""

from dataclasses import dataclass
from enum import StrEnum

from opilio.curation.places import ANY_HOST, DEFAULT_PORTS, Place
from opilio.kernel.hosts import to_unicode
from opilio.kernel.urls import shown


class Part(StrEnum):
    """The part of a pattern that a URL does not agree with."""

    SCHEME = "scheme"
    HOST = "host"
    PORT = "port"
    PATH = "path"


@dataclass(frozen=True, kw_only=True, slots=True)
class Miss:
    """Why a pattern does not cover a URL."""

    part: Part
    sentence: str


@dataclass(frozen=True, kw_only=True, slots=True)
class UrlPattern:
    """A pattern in its normal form. Two patterns with the same `meaning` cover the same URLs."""

    scheme: str  # http or https; counts only where `strict_scheme` is set
    host: str  # lower case, punycode, without its star; empty: any host
    below: bool = False  # the hosts below `host`, not itself
    port: int  # the default one of the scheme, unless another is named
    path: str  # with the query, without its star; stars of the URL itself are %2A
    begins: bool = False  # every URL whose path begins so
    strict_scheme: bool = False

    def __str__(self) -> str:
        return self._written(self.host)

    @property
    def readable(self) -> str:
        """The pattern for people: punycode in its own script, where that is safe."""
        return self._written(to_unicode(self.host))

    @property
    def domain(self) -> str:
        """The key of the index by domain; `*` for patterns of any host."""
        return self.host or ANY_HOST

    @property
    def doors(self) -> frozenset[tuple[str, int]]:
        """The schemes with their ports through which it reaches a server."""
        if self.strict_scheme:
            return frozenset({(self.scheme, self.port)})
        if self.port == DEFAULT_PORTS[self.scheme]:
            return frozenset(DEFAULT_PORTS.items())
        return frozenset((scheme, self.port) for scheme in DEFAULT_PORTS)

    @property
    def meaning(self) -> tuple[frozenset[tuple[str, int]], str, bool, str, bool]:
        """What two ways of writing the same pattern have in common."""
        return self.doors, self.host, self.below, self.path, self.begins

    def covers(self, place: Place) -> bool:
        """Whether the pattern is about this URL."""
        return self._holds_host(place.host) and self._holds_path(place.path) and self._opens(place)

    def miss(self, place: Place) -> Miss | None:
        """The first part in which the URL differs, with a sentence; None when the pattern covers it."""
        if not self._holds_host(place.host):
            return Miss(part=Part.HOST, sentence=self._why_not_host(place.host))
        if not self._opens(place):
            return self._why_not_door(place)
        if not self._holds_path(place.path):
            return Miss(part=Part.PATH, sentence=self._why_not_path(place.path))
        return None

    def contains(self, other: "UrlPattern") -> bool:
        """Whether it covers everything that the other pattern covers."""
        return self._holds_hosts_of(other) and self._holds_paths_of(other) and self.doors >= other.doors

    def _written(self, host: str) -> str:
        star = f"{ANY_HOST}." if self.below else ANY_HOST if not self.host else ""
        port = f":{self.port}" if self.port != DEFAULT_PORTS[self.scheme] else ""
        return f"{self.scheme}://{star}{host}{port}{self.path}{'*' if self.begins else ''}"

    def _holds_host(self, host: str) -> bool:
        if self.below:
            return host.endswith(f".{self.host}")
        return not self.host or host == self.host

    def _holds_hosts_of(self, other: "UrlPattern") -> bool:
        if self.below and other.below:
            return other.host == self.host or self._holds_host(other.host)
        if other.below or not other.host:
            return not self.host
        return self._holds_host(other.host)

    def _holds_path(self, path: str) -> bool:
        return path.startswith(self.path) if self.begins else path == self.path

    def _holds_paths_of(self, other: "UrlPattern") -> bool:
        return self._holds_path(other.path) and (self.begins or not other.begins)

    def _opens(self, place: Place) -> bool:
        return (place.scheme, place.port) in self.doors

    def _why_not_host(self, host: str) -> str:
        if not self.below:
            return f"it is about the host {self.host} only, not {host}; sub-domains need a pattern *.{self.host}"
        if host == self.host:
            return f"*.{host} is about the hosts below {host}; {host} itself needs a pattern of its own"
        return f"{host} does not lie below {self.host}"

    def _why_not_door(self, place: Place) -> Miss:
        if self.strict_scheme and place.scheme != self.scheme:
            return Miss(part=Part.SCHEME, sentence=f"it is for {self.scheme} only, the URL is {place.scheme}")
        usual = self.port == DEFAULT_PORTS[self.scheme]
        mine = "the usual port" if usual else f"port {self.port}"
        return Miss(part=Part.PORT, sentence=f"it is about {mine}, the URL is at port {place.port}")

    def _why_not_path(self, path: str) -> str:
        if self.begins:
            return f"the path {shown(path)} does not begin with {shown(self.path)}"
        hint = f"; {shown(self.path)}* would cover it" if path.startswith(self.path) else ""
        return f"it is about the path {shown(self.path)} exactly, not {shown(path)}{hint}"
