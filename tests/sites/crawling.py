"""Crawls a tiny site with the real engine, in this process, and tells what became of each URL."""

import asyncio
import contextlib
from dataclasses import dataclass

from opilio.crawl.engine.ending import Ended
from opilio.crawl.engine.settings import EngineSettings
from opilio.crawl.engine.worker import Post, Worker
from opilio.crawl.frontier.memory import MemoryStore
from opilio.crawl.logins.book import EMPTY
from opilio.crawl.plan import CrawlPlan, Fetch, Limits, Manners, Preset, Scope, ScopeKind, Seed
from opilio.crawl.report import report_of
from opilio.kernel.capture import Capture, MemorySink
from opilio.kernel.clock import SYSTEM
from tests.servers.http_server import HttpServer

LOOPBACK = ("127.0.0.0/8", "::1")
QUICK = EngineSettings(robots_retry=0.1, commit_every=0.1, pause=0.05, quiet=0.2)


@dataclass
class Crawled:
    """One crawl that ended."""

    server: HttpServer
    store: MemoryStore
    sink: MemorySink
    ended: Ended

    def shown(self, url):
        """A URL without the server's port, and without `.localhost`: `a/page` of `http://a.localhost:8000/page`."""
        return url.replace(f":{self.server.port}", "").replace(".localhost", "").removeprefix("http://")

    @property
    def outcomes(self):
        """What became of each URL."""
        return {self.shown(page.url): page.outcome.value for page in self.store.pages()}

    @property
    def fetched(self):
        """The URLs that were fetched."""
        return {url for url, outcome in self.outcomes.items() if outcome == "fetched"}

    @property
    def captured(self):
        """The URLs of all captures, robots.txt apart."""
        urls = [self.shown(each.url) for each in self.sink.captures if isinstance(each, Capture)]
        return sorted(url for url in urls if not url.endswith("/robots.txt"))

    @property
    def denied(self):
        """How many links each rule denied."""
        return dict(self.store.counts(0).denials)

    def page(self, shown):
        """The row of one URL."""
        return next(page for page in self.store.pages() if self.shown(page.url) == shown)

    @property
    def report(self):
        """The report of the crawl."""
        return report_of(self.store, now=0, ended=self.ended)


class Sites:
    """Crawls the sites of this folder."""

    def __init__(self, server):
        self.server = server

    def crawl(self, *starts, settings=QUICK, book=EMPTY, clock=SYSTEM, **parts):
        """Crawl from `host/path` texts or Seeds; further arguments are parts of the plan."""
        plan = self.plan(*starts, **parts)
        store, sink = MemoryStore(plan), MemorySink()

        async def work():
            post = Post(owner="test", worker="w0", book=book)
            return await Worker(plan, store=store, sink=sink, post=post, settings=settings, clock=clock).run()

        return Crawled(self.server, store, sink, asyncio.run(work()))

    def plan(self, *starts, scope=None, limits=None, manners=None, fetch=None, **parts):
        """The plan of such a crawl: without delays, of this machine."""
        return CrawlPlan(
            seeds=tuple(start if isinstance(start, Seed) else Seed(url=self.url(start)) for start in starts),
            scope=Scope(**{"kind": ScopeKind.HOST, **(scope or {})}),
            limits=Limits(**(limits or {})),
            manners=Manners(**{"preset": Preset.OWN_SITE, **(manners or {})}),
            fetch=Fetch(**{"allow_private": LOOPBACK, **(fetch or {})}),
            **parts,
        )

    def asked(self, host):
        """What the server was asked for under a host name so far, in order of arrival."""
        return [entry for entry in self.server.log() if entry.host == f"{host}.localhost"]

    @contextlib.contextmanager
    def another(self, folder):
        """A second server, for a folder that is written by the test."""
        with HttpServer(site=folder) as server:
            yield Sites(server)

    def url(self, start):
        """The URL that `host/path` stands for."""
        host, slash, path = start.partition("/")
        return self.server.url(f"{slash}{path}" or "/", host=f"{host}.localhost")
