"""Everything a worker learned since its last commit, until it becomes a batch."""

from collections.abc import Iterable, Mapping, Sequence

from opilio.crawl.frontier.batch import Batch, Denial, Expanded, HostUpdate, PageResult, Requeued
from opilio.crawl.frontier.seen_cache import SeenCache
from opilio.crawl.frontier.values import Entry, Found


class Gathering:
    """One batch in the making."""

    def __init__(self, admission: Sequence[int]) -> None:
        self.pages: list[PageResult] = []
        self.expanded: list[Expanded] = []
        self.requeued: list[Requeued] = []
        self.further: list[Found] = []  # URLs that no page led to
        self.seen = SeenCache(admission, capacity=1 << 30)
        self.lines: list[str] = []  # of the crawl log
        self._denials: dict[str, Denial] = {}
        self._counts: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.pages) + len(self.expanded) + len(self.requeued)

    def deny(self, denials: Iterable[Denial]) -> None:
        """Count links that were not accepted; the first of a rule stays as its example."""
        for denial in denials:
            known = self._denials.get(denial.rule)
            count = denial.count + (known.count if known else 0)
            first = known or denial
            self._denials[denial.rule] = Denial(rule=first.rule, url=first.url, parent=first.parent, count=count)

    def count(self, name: str, number: int = 1) -> None:
        """Add to a counter of the crawl."""
        self._counts[name] = self._counts.get(name, 0) + number

    def entries(self) -> list[Entry]:
        """The entries that are done with once this is committed."""
        return [
            *(page.entry for page in self.pages),
            *(each.entry for each in self.expanded),
            *(each.entry for each in self.requeued),
        ]

    def found(self) -> Iterable[Found]:
        """All that was found."""
        for page in self.pages:
            yield from page.found
        for expanded in self.expanded:
            yield from expanded.found
        yield from self.further

    def batch(
        self,
        *,
        owner: str,
        leases: Mapping[int, int],
        now: float,
        ttl: float,
        hosts: Sequence[HostUpdate],
        warcs: Mapping[str, int],
    ) -> Batch:
        """The batch for the store."""
        return Batch(
            owner=owner,
            leases=dict(leases),
            now=now,
            ttl=ttl,
            pages=tuple(self.pages),
            expanded=tuple(self.expanded),
            requeued=tuple(self.requeued),
            hosts=tuple(hosts),
            denials=tuple(self._denials.values()),
            warcs=dict(warcs),
            counts=dict(self._counts),
        )
