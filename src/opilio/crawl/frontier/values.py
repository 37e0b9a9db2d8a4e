"""What goes in and out of a crawl store while a crawl runs: found URLs, entries of the queue, leases, hosts.

Times are seconds since 1970 in UTC, as the worker's clock gives them; 0 means at once, infinity means never.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.urls import bucket_of_host
from opilio.kernel.hosts import host_key
from opilio.kernel.urls import url_hash64

#: Entries with this priority expand stored outlinks again; they come before all others and fetch nothing.
EXPAND = -32_768
#: Embeds have this priority, so that they come along with their page even when no more pages may be fetched.
EMBED = -1
#: Entries may have priorities from EXPAND + 1 to this; smaller ones come first.
LAST_PRIORITY = 32_767
#: So many hops of a path are kept; the last ones count.
LONGEST_PATH = 50
#: Smaller than the hash64 of any URL, but for one in 2⁶⁴.
FIRST_HASH = -(1 << 63)


class Found(NamedTuple):
    """A URL that was found and that the scope accepts. A tuple, because a worker makes thousands in a second."""

    host: str  # host_key of the URL
    hash64: int
    url: str  # canonical
    label: Label
    path: str = ""  # one letter of kernel.capture.Hop per step from the seed
    priority: int = 0


def found(url: str, label: Label, path: str = "", priority: int = 0) -> Found:
    """A found URL with its host and hash worked out; `url` must be canonical."""
    return Found(host_key(url), url_hash64(url), url, label, path[-LONGEST_PATH:], priority)


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One entry of the queue, as a worker takes it."""

    id: int  # grows in the order of insertion; 0: was never in the queue
    host: int
    name: str  # of the host
    hash64: int
    url: str
    labels: tuple[Label, ...]  # ways to it, smallest first; its links are to be judged under each
    path: str = ""
    parent: str | None = None  # URL of the page that led here
    parent_key: tuple[int, int] | None = None  # host and hash64 of that page
    priority: int = 0
    tries: int = 0  # so far
    outlinks: bytes = b""  # packed; of an entry to expand

    @property
    def expand(self) -> bool:
        """Whether only the stored outlinks are to be judged again, under the labels; nothing is fetched."""
        return self.priority == EXPAND

    @property
    def bucket(self) -> int:
        """The bucket whose lease the entry was taken under."""
        return bucket_of_host(self.host)

    @property
    def label(self) -> Label:
        """The way to it that it is charged to."""
        return self.labels[0]

    @property
    def counted(self) -> bool:
        """Whether it needs room under the limits of pages; embeds come along with their page."""
        return not self.expand and self.label.hops == 0


class Held(Protocol):
    """As much of an entry as a store needs to know of those that a worker has taken already."""

    @property
    def id(self) -> int: ...
    @property
    def host(self) -> int: ...
    @property
    def bucket(self) -> int: ...
    @property
    def label(self) -> Label: ...
    @property
    def counted(self) -> bool: ...


class HeldEntry(NamedTuple):
    """The same and no more, for the way to another process."""

    id: int
    host: int
    label: Label
    counted: bool

    @property
    def bucket(self) -> int:
        """The bucket whose lease the entry was taken under."""
        return bucket_of_host(self.host)


class Asked(NamedTuple):
    """A URL that was asked for."""

    hash64: int
    url: str
    at: float
    digest: str  # of what was read; empty if nothing was


class Kept(NamedTuple):
    """A capture that is kept, by what WARC files know it by."""

    at: float  # when it was made
    url: str  # as it was asked for


@dataclass(frozen=True, kw_only=True, slots=True)
class Robots:
    """What is known about a host's robots.txt."""

    evidence: str = ""  # what was decided and why, for people
    body: bytes = b""  # as received, cut to what is parsed
    expires: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Host:
    """What is known about a host."""

    id: int
    name: str
    next_due: float = 0.0  # not before this is the next request allowed
    delay: float = 0.0  # seconds between requests, as last worked out
    block_until: float = 0.0  # the server asked for it (Retry-After)
    failures: int = 0  # errors in a row
    broken_until: float = 0.0  # the circuit breaker rests the host
    robots_expires: float = 0.0
    pages: int = 0  # counted under the limits
    bytes: int = 0
    errors: int = 0

    @property
    def bucket(self) -> int:
        """The bucket it belongs to."""
        return bucket_of_host(self.id)

    @property
    def due(self) -> float:
        """When it may be asked next."""
        return max(self.next_due, self.block_until, self.broken_until)


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """The buckets that a worker holds after a claim."""

    leases: Mapping[int, int]  # bucket → epoch; new ones and those it had
    until: float
    surplus: int  # so many of its buckets with work are beyond its fair share, and should be released
    workers: int = 1  # that live now, on all machines


@dataclass(frozen=True, kw_only=True, slots=True)
class Taken:
    """What a worker may do next."""

    entries: tuple[Entry, ...] = ()
    hosts: Mapping[int, Host] = field(default_factory=dict)  # of the entries
    due: float | None = None  # with no entries: when to ask again; None: nothing waits under these leases
    reached: str = ""  # the limit that ends the crawl: pages, bytes or seconds
    lost: frozenset[int] = frozenset()  # buckets whose lease another worker has now
