"""What a worker hands over in one commit, and what it is told.

The worker has written and fsynced the captures before; all of a batch is recorded in one transaction, or nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from opilio.crawl.frontier.values import Entry, Found, Kept, Robots
from opilio.crawl.outcomes import Outcome
from opilio.kernel.capture import Position

_COUNTED = frozenset({Outcome.FETCHED, Outcome.UNCHANGED, Outcome.DUPLICATE, Outcome.UNPARSABLE, Outcome.SOFT_404})


@dataclass(frozen=True, kw_only=True, slots=True)
class Text:
    """The text of a payload, packed; kept once per digest and extractor."""

    digest: str  # of the payload
    extractor: str  # its version
    body: bytes  # from packing.pack_text


@dataclass(frozen=True, kw_only=True, slots=True)
class PageResult:
    """What became of an entry that was fetched, or that never will be."""

    entry: Entry
    outcome: Outcome
    reason: str = ""
    status: int | None = None
    type: str = ""  # of the list of page types: html, pdf …
    extension: str = ""
    size: int = 0  # bytes of the payload as received
    received: int | None = None  # bytes that count under the limits, where they are others (status 304: none)
    digest: str = ""
    title: str = ""
    language: str = ""
    meta: str = ""  # the meta tags as JSON
    last_modified: str = ""  # as the server wrote it
    etag: str = ""
    at: float = 0.0  # when it was fetched; 0: never
    place: Position | None = None  # of its record
    original: Kept | None = None  # the capture that has the body, where the record was written without it
    ms: int = 0  # milliseconds that the exchange took
    robots: str = ""  # the line of robots.txt that decided
    outlinks: bytes = b""  # from packing.pack_outlinks
    text: Text | None = None
    found: tuple[Found, ...] = ()
    counts: bool | None = None  # against the limits of pages; None: as its outcome says

    @property
    def charged(self) -> int:
        """What it adds to the bytes of the crawl."""
        return self.size if self.received is None else self.received

    @property
    def counted(self) -> bool:
        """Whether it uses up room under the limits of pages."""
        return self.entry.counted and (self.outcome in _COUNTED if self.counts is None else self.counts)


@dataclass(frozen=True, kw_only=True, slots=True)
class Expanded:
    """The outlinks of an `expand` entry were judged again."""

    entry: Entry
    found: tuple[Found, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Requeued:
    """An entry goes back into the queue."""

    entry: Entry
    not_before: float = 0.0
    tried: bool = True  # False: it was never asked for, so no try is counted


@dataclass(frozen=True, kw_only=True, slots=True)
class HostUpdate:
    """What is known about a host by now; robots and cookies only when they changed."""

    id: int
    next_due: float
    delay: float = 0.0
    block_until: float = 0.0
    failures: int = 0
    broken_until: float = 0.0
    robots: Robots | None = None
    cookies: bytes | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Denial:
    """A link that was not accepted, by the rule that said no; the store counts all and keeps some as examples."""

    rule: str  # `scope root`, `trap calendar` …
    url: str
    parent: str = ""
    count: int = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Batch:
    """Everything since the last commit of one worker."""

    owner: str
    leases: Mapping[int, int]  # bucket → epoch; all are renewed
    now: float
    ttl: float  # seconds that the leases last from now
    pages: tuple[PageResult, ...] = ()
    expanded: tuple[Expanded, ...] = ()
    requeued: tuple[Requeued, ...] = ()
    hosts: tuple[HostUpdate, ...] = ()
    denials: tuple[Denial, ...] = ()
    warcs: Mapping[str, int] = field(default_factory=dict)  # file → bytes of it that count from now on
    counts: Mapping[str, int] = field(default_factory=dict)  # added to counters of the worker's choice

    @property
    def results(self) -> list[PageResult | Expanded]:
        """What may have found URLs."""
        return [*self.pages, *self.expanded]

    @property
    def leaving(self) -> list[Entry]:
        """The entries that leave the queue."""
        return [each.entry for each in self.results]


@dataclass(frozen=True, kw_only=True, slots=True)
class Committed:
    """What came of a batch."""

    fenced: frozenset[int] = frozenset()  # buckets that another worker has: if there are any, nothing was recorded
    lost: frozenset[int] = frozenset()  # leases that were not renewed, because another worker has them
    new: int = 0  # URLs that were not known
    shorter: int = 0  # known URLs that were reached by a shorter way
    expand: int = 0  # pages whose outlinks are to be expanded again
