"""Hosts that pages link to, and of which nothing was asked for: counted while all links are read."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from opilio.crawl.report.source import ReportSource, Section, listed
from opilio.crawl.report.wording import fit
from opilio.kernel.hosts import host_key

MOST_OUTSIDE = 100_000  # hosts that are counted
MOST_SHOWN = 200
_EXAMPLES = 3
_WEB = frozenset({"http:", "https:"})


@dataclass(slots=True)
class _Host:
    """A host outside."""

    links: int = 0  # different URLs, by page
    pages: int = 0
    examples: dict[str, str] = field(default_factory=dict)  # URL → a page with it


@dataclass(slots=True)
class Outside:
    """The hosts of a crawl, and those outside as far as they were met."""

    within: frozenset[str]  # as they stand in URLs
    hosts: dict[str, _Host] = field(default_factory=dict)
    full: bool = False

    @classmethod
    def of(cls, source: ReportSource) -> "Outside":
        """With the hosts that the crawl asked, or is to ask."""
        asked = {host_key(url) for (url,) in source.ask("SELECT min(url) FROM {page} GROUP BY host")}
        return cls(within=frozenset(asked | {name for (name,) in source.ask("SELECT name FROM {host}")}))

    def add(self, page: str, urls: Iterable[str]) -> None:
        """Count the links of one page."""
        met: set[str] = set()
        for url in urls:
            parts = url.split("/", 3)
            name = parts[2] if len(parts) > 2 else ""
            if name in self.within or not name or parts[0] not in _WEB:
                continue
            host = self._host(name)
            if host is None:
                continue
            host.links += 1
            host.pages += name not in met
            met.add(name)
            if len(host.examples) < _EXAMPLES:
                host.examples.setdefault(url, page)

    def told(self) -> Section:
        """The hosts that most links lead to first."""
        ordered = sorted(self.hosts.items(), key=lambda each: (-each[1].links, each[0]))[:MOST_SHOWN]
        rows = [
            {"host": fit(name), "links": host.links, "pages": host.pages,
             "examples": [{"url": fit(url), "parent": fit(page)} for url, page in host.examples.items()]}
            for name, host in ordered
        ]  # fmt: skip
        return {**listed(len(self.hosts), rows), "counted_to": MOST_OUTSIDE if self.full else None}

    def _host(self, name: str) -> _Host | None:
        found = self.hosts.get(name)
        if found is None and len(self.hosts) < MOST_OUTSIDE:
            found = self.hosts[name] = _Host()
        self.full |= found is None
        return found
