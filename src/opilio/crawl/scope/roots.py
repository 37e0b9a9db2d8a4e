"""What a seed admits: URLs under its root string, or on its page, prefix, host or domain."""

from dataclasses import dataclass

from opilio.crawl.plan import Scope, ScopeKind, Seed
from opilio.crawl.scope.verdict import Candidate
from opilio.kernel.hosts import registrable_domain
from opilio.kernel.urls import canonical, parse


@dataclass(frozen=True, kw_only=True)
class Root:
    """One admitted region."""

    kind: ScopeKind
    text: str  # prefix, URL, host or domain, in the drifted form (see `Drift`)
    spoken: str
    drift: "Drift"

    def admits(self, candidate: Candidate) -> bool:
        """Whether the candidate lies in it."""
        if self.kind is ScopeKind.HOST:
            return self.drift.host(_host_and_port(candidate.url)) == self.text
        if self.kind is ScopeKind.ANY:
            return True
        if self.kind is ScopeKind.DOMAIN:
            host = candidate.host
            return host == self.text or host.endswith(f".{self.text}")
        url = self.drift.url(candidate.url)
        return url == self.text if self.kind is ScopeKind.PAGE else url.startswith(self.text)


@dataclass(frozen=True, kw_only=True)
class Drift:
    """Which differences of address are none: http and https, with and without www."""

    schemes: bool
    www: bool

    def url(self, url: str) -> str:
        """The URL as it is compared."""
        if self.schemes and url.startswith("https://"):
            url = "http://" + url[8:]
        if self.www:
            scheme, mark, rest = url.partition("://")
            url = f"{scheme}{mark}{rest.removeprefix('www.')}"
        return url

    def host(self, host: str) -> str:
        """The host as it is compared."""
        return host.removeprefix("www.") if self.www else host


def root_of(seed: Seed, scope: Scope) -> Root:
    """What a seed admits under a scope."""
    drift = Drift(schemes=scope.schemes_alike, www=scope.www_alike)
    url = canonical(seed.url, scope.query)
    if seed.root:
        text = canonical(seed.root)
        return Root(kind=ScopeKind.PREFIX, text=drift.url(text), spoken=f"the root string {text}", drift=drift)
    if scope.kind is ScopeKind.ANY:
        return Root(kind=scope.kind, text="", spoken="everything", drift=drift)
    if scope.kind is ScopeKind.DOMAIN:
        host = parse(url).host
        domain = registrable_domain(host) or host
        return Root(kind=scope.kind, text=domain, spoken=f"the domain {domain}", drift=drift)
    if scope.kind is ScopeKind.HOST:
        host = drift.host(_host_and_port(url))
        return Root(kind=scope.kind, text=host, spoken=f"the host {host}", drift=drift)
    if scope.kind is ScopeKind.PREFIX:
        path = url.partition("?")[0]
        prefix = path[: path.rindex("/") + 1]
        return Root(kind=scope.kind, text=drift.url(prefix), spoken=f"the prefix {prefix}", drift=drift)
    return Root(kind=scope.kind, text=drift.url(url), spoken=f"the page {url}", drift=drift)


def _host_and_port(url: str) -> str:
    return url.split("/", 3)[2]
