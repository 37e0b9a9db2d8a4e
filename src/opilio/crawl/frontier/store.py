"""The crawl store: the frontier plus everything learned while a crawl runs. One store per crawl.

Three narrow interfaces, for those who fetch, those who steer and those who ask; a store is all three. Implementations
are `memory`, `sqlite` and `postgres`; tests/contracts/test_crawl_store*.py hold all of them to these promises.
Methods may be called from any thread, one at a time.
"""

from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Protocol

from opilio.crawl.frontier.batch import Batch, Committed, Denial
from opilio.crawl.frontier.control import Control
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.rows import Command, Counts, Page, Story, Waiting, WarcFile
from opilio.crawl.frontier.values import FIRST_HASH, Asked, Claim, Entry, Found, Held, Host, Robots, Taken
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import CrawlPlan
from opilio.kernel.page_links import PageLink
from opilio.kernel.page_text import PageText


class Frontier(Protocol):
    """What to fetch next, and what became of it. An owner is the name of one life of one worker."""

    def claim(self, owner: str, now: float, ttl: float, want: int) -> Claim:
        """Renew the owner's leases and take up to `want` free buckets with work, within a fair share per worker.

        A bucket is free when nobody has it or its lease ran out; a taken one has a new epoch, and what its former
        holder still writes is refused. A worker calls this every few seconds, well within `ttl`. `OneWorkerOnly` where
        another worker lives and the plan's delays hold for each IP address.
        """
        ...

    def release(self, owner: str, leases: Mapping[int, int]) -> None:
        """Give buckets back at once. Leases that are another's by now are left alone."""
        ...

    def take(
        self,
        owner: str,
        leases: Mapping[int, int],
        now: float,
        *,
        max_hosts: int,
        per_host: int,
        inflight: Sequence[Held] = (),
        busy: Collection[int] = (),
    ) -> Taken:
        """Entries of due hosts, at most `per_host` each, in the hosts' turn; hosts in `busy` are left out.

        Inside a host: by priority, then depth in the plan's order, then insertion. `inflight` is all the owner has
        taken and not committed; it is not given again, and its room under the limits stays reserved. Taking changes
        nothing else: entries leave the queue by a commit, and come again after a crash.
        """
        ...

    def commit(self, batch: Batch) -> Committed:
        """Record a batch durably, in one transaction: all of it, or nothing if a touched bucket is another's by now.

        If so, the caller cuts its WARC files back to their committed lengths (`warcs`), forgets the fenced buckets
        and drops the batch: what it fetched under other buckets is still in the queue and comes again.
        """
        ...

    def insert(self, finds: Sequence[Found]) -> int:
        """Add URLs that no page led to, such as further seeds; how many were new. Known ones change nothing."""
        ...

    def robots(self, host: int) -> Robots | None:
        """What is kept of a host's robots.txt."""
        ...

    def cookies(self, host: int) -> bytes:
        """The cookies of a host, as a batch gave them."""
        ...

    def asked(self, host: int, after: int = FIRST_HASH) -> list[Asked]:
        """The next URLs that a host was asked for, in the order of their hash64."""
        ...

    def known(self, host: int, after: int = FIRST_HASH) -> Mapping[Label, "array[int]"]:
        """The hash64 of the next known URLs of a host, in order, by the smallest label of each; none: that was all.

        All of them are known for ever, under this label or one that covers it.
        """
        ...

    def text(self, digest: str) -> str:
        """The text of a payload; empty if none is kept."""
        ...


class Steering(Protocol):
    """Orders to a crawl, and repairs of its store."""

    def order(self, what: str, by: str, at: float, arguments: Mapping[str, object] | None = None) -> int:
        """Write an order down for all workers; its number, growing."""
        ...

    def commands(self, after: int = 0) -> list[Command]:
        """Orders with higher numbers, in order."""
        ...

    def control(self) -> Control:
        """What all orders add up to; `take` obeys its limits by itself."""
        ...

    def done(self, command: int, at: float) -> bool:
        """Mark an order as carried out; False if somebody did before."""
        ...

    def purge(self, reason: Callable[[Entry], str], outcome: Outcome) -> int:
        """Take the entries out of the queue for which there is a reason, and record it; how many.

        Runs in portions: others may go on. What a worker has in flight and commits afterwards takes the place of what
        was recorded here, so that every URL has one page and is counted once; what it puts back stays out.
        """
        ...

    def prioritise(self, priority: Callable[[Entry], int | None]) -> int:
        """Give pages that wait another priority, where there is one for them; how many moved.

        Runs in portions: others may go on. Embeds stay where they are, since they come along with their page.
        """
        ...

    def rewind(self, file: str, offset: int) -> int:
        """Forget what lies beyond `offset` of a lost WARC file: its pages are queued again; how many."""
        ...

    def uploaded(self, file: str, size: int) -> None:
        """Note how many bytes of a WARC file are safe elsewhere."""
        ...

    def evict(self, owner: str | None) -> None:
        """End the leases of a worker that is known to be dead, or of all (None) when no worker can be alive."""
        ...

    def seal(self, *, compact: bool = True) -> None:
        """Drop queue, seen URLs, hosts and buckets, once the result was written; nothing can be taken afterwards."""
        ...


class Records(Protocol):
    """What was learned. Lists stream in a stable order, and may be read while the crawl goes on."""

    @property
    def plan(self) -> CrawlPlan:
        """The plan the store was made for."""
        ...

    def counts(self, now: float) -> Counts:
        """The state of the crawl in numbers."""
        ...

    def story(self, url: str) -> Story:
        """All that is known about one URL."""
        ...

    def page(self, url: str) -> Page | None:
        """The page of one URL."""
        ...

    def pages(self, *, outcome: Outcome | None = None, host: str | None = None, after: int = -1) -> Iterator[Page]:
        """Pages by number; those behind a number, if one is named."""
        ...

    def waiting(self, *, host: str | None = None) -> Iterator[Waiting]:
        """Entries of the queue in the order of insertion."""
        ...

    def hosts(self) -> Iterator[Host]:
        """Hosts by number."""
        ...

    def outlinks(self) -> Iterator[tuple[int, list[PageLink]]]:
        """The links of each page, by the page's number."""
        ...

    def packed_outlinks(self) -> Iterator[tuple[int, bytes]]:
        """The same as they are kept."""
        ...

    def page_text(self, digest: str) -> PageText | None:
        """The text of a payload with what is known about it, by the newest extractor that read it."""
        ...

    def texts(self) -> Iterator[tuple[str, str, bytes]]:
        """Digest, extractor and packed text, in the order of the digests."""
        ...

    def broken_links(self) -> Iterator[tuple[str, str]]:
        """Each broken URL with each page that links to it: parent and URL."""
        ...

    def link_kinds(self) -> Mapping[str, int]:
        """How many links of each kind there are."""
        ...

    def denials(self) -> list[Denial]:
        """Some examples for each rule that denied links."""
        ...

    def warcs(self) -> list[WarcFile]:
        """WARC files with their committed lengths, in the order of their beginning."""
        ...

    def check(self) -> None:
        """Read the whole store; `CorruptCrawlStore` if it is damaged."""
        ...


class CrawlStore(Frontier, Steering, Records, Protocol):
    """All of it."""

    def close(self) -> None:
        """Let go of the database. Closing twice is allowed."""
        ...
