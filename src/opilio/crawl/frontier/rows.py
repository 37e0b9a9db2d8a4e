"""What a crawl store tells when asked: pages, waiting URLs, WARC files, commands, denials."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.values import Host, Kept
from opilio.crawl.outcomes import Outcome
from opilio.kernel.capture import Position


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """One recorded URL."""

    id: int  # dense from 0, in the order of the first commit
    host: int
    hash64: int
    url: str
    seed: int
    outcome: Outcome | None  # None: its record was lost, and it waits to be fetched again
    reason: str
    status: int | None
    type: str
    extension: str
    size: int
    digest: str
    title: str
    meta: str
    last_modified: str  # empty: never told
    etag: str
    depth: int
    hops: int
    parent_key: tuple[int, int] | None
    path: str
    place: Position | None
    epoch: int
    ms: int
    tries: int
    robots: str
    at: float  # 0: never fetched
    counted: bool
    language: str = ""  # as the page, its header or a detector says, such as en-GB
    original: Kept | None = None  # the capture that has the body, where this one was written without it


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiting:
    """One entry of the queue."""

    id: int
    host: int
    name: str
    hash64: int
    url: str
    seed: int
    depth: int
    hops: int
    priority: int
    path: str
    tries: int
    not_before: float
    expand: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class WarcFile:
    """How much of a WARC file counts."""

    file: str
    owner: str
    committed: int  # bytes
    uploaded: int  # bytes that lie in the store for good


@dataclass(frozen=True, kw_only=True, slots=True)
class Command:
    """An order to a running crawl."""

    id: int
    what: str
    by: str
    at: float
    arguments: Mapping[str, object] = field(default_factory=dict)
    done: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Story:
    """All that the store knows about one URL."""

    url: str
    labels: tuple[Label, ...] = ()  # empty: it was never accepted, or never found
    waiting: Waiting | None = None
    page: Page | None = None
    host: Host | None = None
    robots: str = ""  # evidence
    parents: tuple[str, ...] = ()  # from the seed to the page that led here


@dataclass(frozen=True, kw_only=True, slots=True)
class Counts:
    """The state of a crawl in numbers."""

    waiting: int = 0
    pages: int = 0  # recorded, with any outcome
    counted: int = 0  # under the limits of pages
    bytes: int = 0
    seconds: float = 0.0  # with a worker at work
    hosts: int = 0
    workers: int = 0
    outcomes: Mapping[str, int] = field(default_factory=dict)
    statuses: Mapping[int, int] = field(default_factory=dict)
    types: Mapping[str, int] = field(default_factory=dict)
    seeds: Mapping[int, int] = field(default_factory=dict)  # counted pages per seed
    denials: Mapping[str, int] = field(default_factory=dict)  # per rule
    others: Mapping[str, int] = field(default_factory=dict)  # counters of the workers' choice
