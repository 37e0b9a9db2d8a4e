"""The engine when a write fails and another commit is about to begin: no capture without its row, and none twice."""

import asyncio
import threading
from dataclasses import replace

import pytest

from opilio.crawl.engine.asking import Asking
from opilio.crawl.engine.brake import Brake
from opilio.crawl.engine.ending import Ending
from opilio.crawl.engine.settings import EngineSettings
from opilio.crawl.engine.worker import Post, Worker
from opilio.crawl.frontier.memory import MemoryStore
from opilio.crawl.plan import CrawlPlan, Fetch, Manners, Preset, Scope, ScopeKind, Seed, Warc
from opilio.kernel.capture import MemorySink
from opilio.kernel.errors import NoSpace
from tests.servers.http_server import HttpServer
from tests.servers.large_site import LargeSite

SITE = LargeSite(pages=40)
QUICK = EngineSettings(commit_every=0.05, commit_pages=5, pause=0.02, steer_every=0.02, quiet=0.2, robots_retry=0.05)
FULL = NoSpace("the disk is full", where="here", remedy="Free some space.")
PATIENCE = 30.0  # seconds


@pytest.fixture(scope="module")
def server():
    with HttpServer() as running:
        yield running


@pytest.fixture
def plan(server):
    return CrawlPlan(
        seeds=(Seed(url=server.url(f"{SITE.base}/", host="a.localhost")),),
        scope=Scope(kind=ScopeKind.PREFIX),
        manners=Manners(preset=Preset.OWN_SITE),
        fetch=Fetch(allow_private=("127.0.0.0/8", "::1")),
    )


@pytest.fixture
def everything(server):
    return sorted(server.url(path, host="a.localhost") for path in (*SITE.page_paths(), *SITE.asset_paths()))


class Commits:
    """Begins a commit beside those of the worker, as its loop does before it hears of a fault."""

    def __init__(self):
        self._worker = self._loop = self._task = None

    def watch(self, worker):
        self._worker, self._loop = worker, asyncio.get_running_loop()

    def more_is_coming(self, batch):
        """Whether something is under way that is not in the batch."""
        return len(self._worker._hold.inflight) > len(batch.pages)

    def begin(self):
        self._task = asyncio.ensure_future(self._worker._committing.commit())

    def begin_once_more_was_gathered(self):
        """For the thread of the store."""
        begun, end = threading.Event(), threading.Event()

        def look():
            if len(self._worker._parts.desk.open):
                self.begin()
                self._loop.call_soon(begun.set)  # after the first step of the commit: it waits for its turn
            elif not end.is_set():
                self._loop.call_later(0.005, look)

        self._loop.call_soon_threadsafe(look)
        found = begun.wait(PATIENCE)
        end.set()
        assert found

    async def end(self):
        """Wait for the commit that was begun; what became of it."""
        (result,) = await asyncio.gather(self._task, return_exceptions=True)
        return result


def run(plan, store, sink, *, owner, commits=None):
    async def work():
        worker = Worker(plan, store=store, sink=sink, post=Post(owner=owner, worker="w0"), settings=QUICK)
        if commits is None:
            return await worker.run()
        commits.watch(worker)
        with pytest.raises(NoSpace):
            await worker.run()
        return await commits.end()

    return asyncio.run(work())


def resumed(plan, store, sink):
    """What there is a row of, and what there is a capture of, after another life came to the end."""
    store.evict(None)
    assert run(plan, store, sink, owner="two").ending is Ending.FINISHED
    rows = sorted(page.url for page in store.pages() if page.outcome == "fetched")
    return rows, sorted(each.url for each in sink.captures if not each.url.endswith("/robots.txt"))


class FullStore(MemoryStore):
    """A store whose disk is full for one commit, while the next one waits."""

    commits: Commits
    failed = 0

    def commit(self, batch):
        if batch.pages and not self.failed and self.commits.more_is_coming(batch):
            self.failed = 1
            self.commits.begin_once_more_was_gathered()
            raise FULL
        return super().commit(batch)


def test_after_a_commit_that_failed_the_next_one_fails_too(plan, everything):
    """Though the disk has space again: it would count captures as committed that no row tells of."""
    store, sink, commits = FullStore(plan), MemorySink(), Commits()
    store.commits = commits
    assert run(plan, store, sink, owner="one", commits=commits) is FULL
    assert resumed(plan, store, sink) == (everything, everything)


class HalfWritten(MemorySink):
    """A sink whose disk is full once between a capture and its metadata, when a commit is about to begin."""

    commits: Commits
    failed = 0

    def append_metadata(self, place, fields):
        if not self.failed and len(self.captures) >= 10:
            self.failed = 1
            self.commits.begin()
            raise FULL
        return super().append_metadata(place, fields)


def test_a_capture_that_could_not_be_written_whole_is_not_committed(plan, everything):
    """It has no row, and is cut off by the next life of the worker."""
    plan = replace(plan, warc=Warc(outlinks=True))
    store, sink, commits = MemoryStore(plan), HalfWritten(), Commits()
    sink.commits = commits
    assert run(plan, store, sink, owner="one", commits=commits) is FULL
    assert resumed(plan, store, sink) == (everything, everything)


def test_a_worker_ends_though_a_commit_was_asked_for_at_that_moment(plan, monkeypatch):
    """Its tasks hear that they are cancelled, also when what they wait for comes in the same step."""
    brake = Brake()
    brake.pull()
    brake.pull()

    async def work():
        worker = Worker(
            plan, store=MemoryStore(plan), sink=MemorySink(), post=Post(owner="one", worker="w0"), brake=brake,
            settings=replace(QUICK, commit_every=60.0, steer_every=60.0),
        )  # fmt: skip
        halt = Asking.halt

        def halt_in_a_hurry(asking):
            worker._committing.hurry.set()
            halt(asking)

        monkeypatch.setattr(Asking, "halt", halt_in_a_hurry)
        feed = worker._feed

        async def feed_once_others_wait():
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            return await feed()

        monkeypatch.setattr(worker, "_feed", feed_once_others_wait)
        async with asyncio.timeout(PATIENCE):
            return await worker.run()

    assert asyncio.run(work()).ending is Ending.ABORTED
