"""Stores of each kind for tests, and a small engine that crawls invented sites through them."""

import itertools
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from opilio.crawl.frontier.batch import Batch, Expanded, PageResult, Requeued
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.memory import MemoryStore
from opilio.crawl.frontier.packing import pack_outlinks, unpack_outlinks
from opilio.crawl.frontier.postgres import PostgresStore
from opilio.crawl.frontier.sqlite import SqliteStore
from opilio.crawl.frontier.values import EMBED, Found, found
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import CrawlPlan, Seed
from opilio.kernel.capture import Hop, Position
from opilio.kernel.page_links import PageLink
from tests.servers.postgres import create_database, drop_database

#: Which stores this run of the tests is about.
KINDS = ["postgres"] if os.environ.get("OPILIO_TEST_DATABASE") == "postgres" else ["memory", "sqlite"]
NOW = 1_800_000_000.0
TTL = 60.0


def plan_for(*urls, **options):
    """A plan that starts at these URLs."""
    return CrawlPlan(seeds=tuple(url if isinstance(url, Seed) else Seed(url=url) for url in urls), **options)


@dataclass
class Stores:
    """Makes stores of one kind, and opens them again."""

    kind: str
    folder: Path
    url: str = ""
    made: list = field(default_factory=list)
    places: dict = field(default_factory=dict)

    def create(self, plan=None):
        """A new store."""
        plan = plan or plan_for("https://a.example/")
        place = self.folder / f"{secrets.token_hex(4)}.db" if self.kind == "sqlite" else secrets.token_hex(8)
        return self._known(MemoryStore(plan) if self.kind == "memory" else self._create(place, plan), place)

    def again(self, store, **options):
        """The same store through another connection, as another process has it; in memory there is only the one."""
        place = self.places[id(store)]
        if self.kind == "memory":
            return store
        opened = SqliteStore.open(place) if self.kind == "sqlite" else PostgresStore.open(self.url, place, **options)
        return self._known(opened, place)

    def place(self, store):
        """The file of a store, or its name."""
        return self.places[id(store)]

    def close(self):
        """Let go of all of them."""
        for store in self.made:
            store.close()

    def _create(self, place, plan):
        return SqliteStore.create(place, plan) if self.kind == "sqlite" else PostgresStore.create(self.url, place, plan)

    def _known(self, store, place):
        self.made.append(store)
        self.places[id(store)] = place
        return store


@contextmanager
def stores_of(kind, folder) -> Iterator[Stores]:
    """Stores of one kind for the length of a test; PostgreSQL gets a database of its own."""
    if kind != "postgres":
        stores = Stores(kind, folder)
        try:
            yield stores
        finally:
            stores.close()
        return
    server = os.environ["OPILIO_TEST_POSTGRES_URL"]
    name = f"opilio_crawl_{secrets.token_hex(6)}"
    stores = Stores(kind, folder, create_database(server, name))
    try:
        yield stores
    finally:
        stores.close()
        drop_database(server, name)


class Worker:
    """One worker with its leases; `site` maps a URL to its links as (hop, URL)."""

    numbers = itertools.count(1)

    def __init__(self, store, site=None, *, now=NOW, owner=None, ttl=TTL):
        self.store = store
        self.site = site or {}
        self.now = now
        self.ttl = ttl
        self.owner = owner or f"worker {next(self.numbers)}"
        self.leases = {}
        self.inflight = []
        self.written = 0  # bytes of its WARC file
        self.committed = 0

    @property
    def file(self):
        return f"{self.owner.replace(' ', '-')}.warc"

    def claim(self, want=2000):
        claim = self.store.claim(self.owner, self.now, self.ttl, want)
        self.leases = dict(claim.leases)
        return claim

    def take(self, max_hosts=100, per_host=100, **options):
        taken = self.store.take(
            self.owner,
            self.leases,
            self.now,
            max_hosts=max_hosts,
            per_host=per_host,
            inflight=tuple(self.inflight),
            **options,
        )
        self.inflight += taken.entries
        for bucket in taken.lost:
            self.leases.pop(bucket, None)
        return taken

    def commit(self, entries=None, **options):
        """Fetch the entries from the site and commit them; all that are in flight unless told."""
        entries = list(self.inflight if entries is None else entries)
        done = [self.result(entry) for entry in entries]
        batch = self.batch(
            pages=tuple(each for each in done if isinstance(each, PageResult)),
            expanded=tuple(each for each in done if isinstance(each, Expanded)),
            warcs={self.file: self.written},
            **options,
        )
        committed = self.store.commit(batch)
        self.inflight = [entry for entry in self.inflight if entry not in entries]
        if committed.fenced:
            self.written = self.committed
        self.committed = self.written
        for bucket in committed.lost:
            self.leases.pop(bucket, None)
        return committed

    def batch(self, **options):
        given = {"owner": self.owner, "leases": self.leases, "now": self.now, "ttl": self.ttl} | options
        return Batch(**given)

    def result(self, entry, **options):
        links = [PageLink(hop, "a" if hop is Hop.LINK else "img", url) for hop, url in self.site.get(entry.url, ())]
        if entry.expand:
            return Expanded(entry=entry, found=expanded(self.store.plan, entry, unpack_outlinks(entry.outlinks)))
        place = Position(file=self.file, offset=self.written, length=100)
        self.written += 100
        given = {
            "entry": entry,
            "outcome": Outcome.FETCHED,
            "status": 200,
            "type": "html",
            "size": 1000,
            "at": self.now,
            "place": place,
            "outlinks": pack_outlinks(links),
            "found": expanded(self.store.plan, entry, links),
        }
        return PageResult(**(given | options))

    def requeue(self, entry, **options):
        self.inflight.remove(entry)
        return self.store.commit(self.batch(requeued=(Requeued(entry=entry, **options),)))

    def run(self, **options):
        """Crawl until nothing is left to do now; what the last question was answered with."""
        while True:
            self.claim()
            taken = self.take(**options)
            if not taken.entries:
                return taken
            self.commit()


def expanded(plan, entry, links) -> tuple[Found, ...]:
    """What a scope accepts of a page's links, under each label of the page."""
    finds = []
    for link, label in itertools.product(links, entry.labels):
        after = step(label, link.hop)
        if admitted(plan, after, link.url):
            priority = EMBED if link.hop is Hop.EMBED else 0
            finds.append(found(link.url, after, f"{entry.path}{link.hop}", priority))
    return tuple(finds)


def step(label: Label, hop: Hop) -> Label:
    """The label of a URL that a page with this label leads to."""
    if hop is Hop.LINK:
        return Label(label.depth + 1, label.seed, 0)
    return Label(label.depth, label.seed, label.hops + 1)


def admitted(plan, label, url):
    """Whether the label's seed admits the URL."""
    seed = plan.seeds[label.seed]
    deep = seed.depth is not None and label.depth > seed.depth
    return not deep and label.hops <= plan.scope.max_embed_hops and url.startswith(seed.root)


def drained(store, now=NOW, **options):
    """Crawl a store to its end with one worker."""
    worker = Worker(store, now=now, **options)
    worker.run()
    return worker


def urls(entries):
    """The URLs of entries or pages."""
    return [entry.url for entry in entries]
