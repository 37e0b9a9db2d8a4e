"""The engine when something goes wrong, or somebody steers it."""

import asyncio
import contextlib
import threading
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from opilio.crawl.engine.brake import Brake
from opilio.crawl.engine.dns_record import dns_answer
from opilio.crawl.engine.ending import Ending
from opilio.crawl.engine.host_state import jar_from
from opilio.crawl.engine.orders import carry_out
from opilio.crawl.engine.reading import Reader
from opilio.crawl.engine.settings import EngineSettings
from opilio.crawl.engine.worker import Post, Worker
from opilio.crawl.fetch.resolver import Resolved
from opilio.crawl.frontier.memory import MemoryStore
from opilio.crawl.plan import CrawlPlan, Fetch, Limits, Manners, Preset, Scope, ScopeKind, Seed
from opilio.kernel.capture import MemorySink
from opilio.kernel.clock import SYSTEM
from opilio.kernel.errors import Damaged, NoSpace
from tests.servers.http_server import HttpServer
from tests.servers.large_site import LargeSite

SITE = LargeSite(pages=40)
QUICK = EngineSettings(commit_every=0.05, commit_pages=5, pause=0.02, steer_every=0.02, quiet=0.2, robots_retry=0.05)


@pytest.fixture(scope="module")
def server():
    with HttpServer() as running:
        yield running


def plan_for(*urls, **manners):
    return CrawlPlan(
        seeds=tuple(Seed(url=url) for url in urls),
        scope=Scope(kind=ScopeKind.PREFIX),
        manners=Manners(preset=Preset.OWN_SITE, **manners),
        fetch=Fetch(allow_private=("127.0.0.0/8", "::1")),
    )


@pytest.fixture
def plan(server):
    return plan_for(server.url(f"{SITE.base}/", host="a.localhost"))


def run(plan, store, sink, *, settings=QUICK, owner="one", brake=None, watch=lambda _: None):
    async def work():
        worker = Worker(
            plan, store=store, sink=sink, post=Post(owner=owner, worker="w0"), settings=settings, brake=brake,
            watch=watch,
        )  # fmt: skip
        return await worker.run()

    return asyncio.run(work())


def everything(server):
    return {server.url(path, host="a.localhost") for path in (*SITE.page_paths(), *SITE.asset_paths())}


def fetched(store):
    return {page.url for page in store.pages() if page.outcome == "fetched"}


def captured(sink):
    return sorted(each.url for each in sink.captures if not each.url.endswith("/robots.txt"))


class Thief(MemoryStore):
    """A store in which another worker takes the buckets once, in the middle."""

    stolen = 0

    def commit(self, batch):
        if batch.pages and not self.stolen and len(list(self.pages())) >= 10:
            self.stolen = 1
            self.evict(batch.owner)
            self.claim("thief", batch.now, 60.0, 1024)
            self.evict("thief")
        return super().commit(batch)


def test_a_fenced_batch_is_dropped_with_its_captures_and_fetched_again(server, plan):
    """The worker cuts its captures back, claims anew, and nothing is recorded twice."""
    store, sink = Thief(plan), MemorySink()
    assert run(plan, store, sink).ending is Ending.FINISHED
    assert store.stolen
    assert fetched(store) == everything(server)
    assert captured(sink) == sorted(everything(server))


class Told(MemoryStore):
    """A store that writes down which URLs it is told of."""

    told: tuple[str, ...] = ()

    def commit(self, batch):
        self.told += tuple(found.url for each in batch.results for found in each.found)
        return super().commit(batch)


def test_a_worker_that_goes_on_does_not_tell_what_the_store_knew(server, plan):
    """It took that up with the host; pages and depths are those of a crawl without a break."""
    whole, store, sink = MemoryStore(plan), Told(replace(plan, limits=Limits(pages=15))), MemorySink()
    run(plan, whole, MemorySink())
    assert run(plan, store, sink).limit == "pages"
    known, store.told = {*fetched(store), *(each.url for each in store.waiting())}, ()
    store.order("limits", "curator", 0.0, {"pages": None})
    assert run(plan, store, sink, owner="two").ending is Ending.FINISHED
    assert store.told
    assert not known.intersection(store.told)
    assert {(page.url, page.depth) for page in store.pages()} == {(page.url, page.depth) for page in whole.pages()}


class FullDisk(MemorySink):
    """A sink whose disk is full after some captures."""

    def append(self, capture):
        if len(self.captures) >= 20:
            raise NoSpace("the disk is full", where="here", remedy="Free some space.")
        return super().append(capture)


def test_a_full_disk_stops_the_crawl_which_can_be_resumed(server, plan):
    """The error is raised; after space was made the crawl goes on from its last commit."""
    store, sink = MemoryStore(plan), FullDisk()
    with pytest.raises(NoSpace):
        run(plan, store, sink)
    store.evict(None)
    roomy = MemorySink()
    roomy._files = sink._files
    assert run(plan, store, roomy, owner="two").ending is Ending.FINISHED
    assert fetched(store) == everything(server)
    assert captured(roomy) == sorted(everything(server))


class SlowStore(MemoryStore):
    """A store whose first commit of pages takes its time, and counts what was captured meanwhile."""

    sink: MemorySink
    uncommitted = 0

    def commit(self, batch):
        if batch.pages and not self.uncommitted:
            threading.Event().wait(0.3)
            self.uncommitted = len(self.sink.captures)
        return super().commit(batch)


def test_a_slow_store_slows_the_fetching_down(server, plan):
    """So that a kill costs a batch at most, and what is under way."""
    store, sink = SlowStore(plan), MemorySink()
    store.sink = sink
    run(plan, store, sink, settings=replace(QUICK, batch=8))
    assert 0 < store.uncommitted <= 8 + 2  # robots.txt, and the request under way
    assert fetched(store) == everything(server)


def test_the_brake_stops_a_crawl_whole(server, plan):
    """What is under way ends and is committed; the rest is found in the queue again."""
    store, sink, brake = MemoryStore(plan), MemorySink(), Brake()
    assert run(plan, store, sink, brake=brake, watch=lambda _: brake.pulls or brake.pull()).ending is Ending.STOPPED
    assert 0 < len(fetched(store)) < len(everything(server))
    assert len(captured(sink)) == len(fetched(store))
    run(plan, store, sink, owner="two")
    assert captured(sink) == sorted(everything(server))


def test_an_abort_ends_at_once(server, plan):
    """What was not committed comes again."""
    store, sink, brake = MemoryStore(plan), MemorySink(), Brake()
    brake.pull()
    brake.pull()
    assert run(plan, store, sink, brake=brake).ending is Ending.ABORTED
    assert fetched(store) == set()


def test_an_exclusion_given_while_it_runs_purges_the_queue_and_counts_from_then_on(server, plan):
    """Excluded URLs that waited have that outcome; none of them is asked for afterwards."""
    store, sink, brake = MemoryStore(plan), MemorySink(), Brake()

    def assets():
        return {each.url for each in store.waiting() if "/assets/" in each.url}

    with contextlib.suppress(NoSpace):
        run(plan, store, sink, brake=brake, watch=lambda _: brake.pulls or (len(assets()) > 10 and brake.pull()))
    waiting = assets()
    before = {url for url in captured(sink) if "/assets/" in url}
    assert waiting
    store.order("exclude", "curator", 0.0, {"patterns": ["/assets/"]})
    assert carry_out(store, SYSTEM) == 1
    run(plan, store, sink, owner="two")
    excluded = {page.url for page in store.pages() if page.outcome == "excluded"}
    assert waiting <= excluded
    assert {url for url in captured(sink) if "/assets/" in url} == before
    assert dict(store.counts(0).denials)["excluded exclude"] > 0


def test_a_stop_order_in_the_store_is_obeyed(plan):
    """Like the brake; resuming takes another order."""
    store = MemoryStore(plan)
    store.order("stop", "curator", 0.0)
    assert run(plan, store, MemorySink()).ending is Ending.STOPPED
    store.order("resume", "curator", 0.0)
    assert run(plan, store, MemorySink(), owner="two").ending is Ending.FINISHED


def test_a_server_that_fails_now_and_then_is_tried_again(server):
    """After a pause, as often as the plan allows; each answer is kept."""
    plan = plan_for(server.url("/503/flapping?every=3&key=engine", host="b.localhost"))
    plan = replace(plan, manners=replace(plan.manners, tries=4))
    store, sink = MemoryStore(plan), MemorySink()
    run(plan, store, sink)
    (page,) = store.pages()
    assert (page.outcome, page.status, page.tries) == ("fetched", 200, 3)
    assert [each.status for each in sink.captures if "flapping" in each.url] == [503, 503, 200]


def test_a_server_that_drops_every_connection_ends_as_a_transient_error(server):
    """With the number of tries and the trouble."""
    plan = plan_for(server.url("/drop?key=engine", host="c.localhost"), tries=2)
    store, sink = MemoryStore(plan), MemorySink()
    run(plan, store, sink)
    (page,) = store.pages()
    assert (page.outcome, page.tries) == ("transient-error", 2)
    assert page.reason.startswith("reset")


@pytest.mark.parametrize("path", ["/odd/no-colon", "/odd/two-lengths", "/odd/nul"])
def test_answers_that_libcurl_refuses_are_kept_all_the_same(server, path):
    """The raw fetcher brings them, byte by byte."""
    store, sink = MemoryStore(plan_for(server.url(path, host="d.localhost"))), MemorySink()
    run(store.plan, store, sink)
    assert [page.outcome.value for page in store.pages()] == ["fetched"]
    assert any(path in each.url for each in sink.captures)


def test_cookies_are_sent_back(server):
    """A wall that redirects to itself until its cookie comes back is passed."""
    store, sink = MemoryStore(plan_for(server.url("/cookies/wall", host="e.localhost"))), MemorySink()
    run(store.plan, store, sink)
    assert [(page.outcome.value, page.status) for page in store.pages()] == [("fetched", 200)]


def test_a_bomb_is_kept_and_not_unfolded(server):
    """Its bytes are in the archive; its content is read up to the limit."""
    store, sink = MemoryStore(plan_for(server.url("/bomb/gzip?mib=64", host="f.localhost"))), MemorySink()
    run(store.plan, store, sink)
    (page,) = store.pages()
    assert page.outcome == "fetched"
    assert "grows beyond" in page.reason


def test_a_limit_of_bytes_ends_the_crawl(server, plan):
    """Overrun a little, and told."""
    plan = replace(plan, limits=Limits(bytes=20_000))
    store = MemoryStore(plan)
    ended = run(plan, store, MemorySink())
    assert (ended.ending, ended.limit) == (Ending.LIMIT, "bytes")
    assert 20_000 <= store.counts(0).bytes < 200_000
    assert store.counts(0).waiting > 0


def test_a_limit_of_pages_per_seed_ends_that_seed_only(server):
    """The others go on; the crawl ends though entries of the full seed wait."""
    urls = [server.url(f"{SITE.base}/", host=f"{name}.localhost") for name in ("g", "h")]
    plan = replace(plan_for(*urls), seeds=(Seed(url=urls[0], max_pages=3), Seed(url=urls[1])))
    store = MemoryStore(plan)
    run(plan, store, MemorySink())
    assert dict(store.counts(0).seeds) == {0: 3, 1: SITE.pages}


def test_an_error_of_our_own_costs_one_page(server, plan, monkeypatch):
    """The URL is recorded as failed, and the crawl goes on."""
    real, bad = Reader.read, server.url(SITE.path(7), host="a.localhost")

    async def read(self, payload, url, now):
        if url == bad:
            raise ZeroDivisionError
        return await real(self, payload, url, now)

    monkeypatch.setattr(Reader, "read", read)
    store, sink = MemoryStore(plan), MemorySink()
    run(plan, store, sink)
    assert fetched(store) >= {server.url(SITE.path(number), host="a.localhost") for number in (1, 2, 3)}
    assert store.page(bad).outcome == "permanent-error"


def test_what_a_name_server_answered_is_kept():
    """Addresses, and the names of this machine, need no record."""
    at = datetime(2026, 1, 1, tzinfo=UTC)
    answered = Resolved(name="a.example", addresses=("192.0.2.1", "2001:db8::1"), ttl=60)
    assert dns_answer(answered, at).records == ((60, "A", "192.0.2.1"), (60, "AAAA", "2001:db8::1"))
    assert dns_answer(Resolved(name="127.0.0.1", addresses=("127.0.0.1",)), at) is None
    assert dns_answer(Resolved(name="b.example", words="no such name", ttl=5), at) is None


def test_kept_cookies_that_are_no_json_are_told():
    """Rather than a crash somewhere else."""
    with pytest.raises(Damaged):
        jar_from(b"{", SYSTEM)
    assert list(jar_from(b"", SYSTEM)) == []
