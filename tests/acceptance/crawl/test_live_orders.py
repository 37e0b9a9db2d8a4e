"""Orders to workers that have taken much in advance: once they are heard, only what is under way ends.

The server's log tells. An order was obeyed once the worker has asked for orders and asked again.
"""

import asyncio
import threading
from collections import Counter
from dataclasses import replace

import pytest

from opilio.crawl.engine.ending import Ending
from opilio.crawl.engine.orders import carry_out
from opilio.crawl.engine.settings import EngineSettings
from opilio.crawl.engine.worker import Post, Worker
from opilio.crawl.frontier.memory import MemoryStore
from opilio.kernel.capture import MemorySink
from opilio.kernel.clock import SYSTEM
from tests.acceptance.crawl.crawls import plan_for
from tests.servers.http_server import HttpServer
from tests.servers.large_site import LargeSite

SITE = LargeSite(pages=150)
QUICK = EngineSettings(
    commit_every=0.05, commit_pages=20, pause=0.05, steer_every=0.02, look_every=0.05, claim_every=0.1, quiet=0.2,
)  # fmt: skip
_TICK, _PATIENCE = 0.01, 30.0


@pytest.fixture(scope="module")
def server():
    with HttpServer() as running:
        yield running


class Door:
    """A worker's way to the store, which counts how often it asks for orders."""

    def __init__(self, store):
        self._store, self.looks = store, 0

    def __getattr__(self, name):
        return getattr(self._store, name)

    def control(self):
        found = self._store.control()
        self.looks += 1
        return found


class Crawling:
    """Workers in threads of their own."""

    def __init__(self, server, plan, workers=1, before=()):
        self.server, self.store, self.ends = server, MemoryStore(plan), {}
        self.doors = [Door(self.store) for _ in range(workers)]
        self.first = len(server.log())
        for what, arguments in before:
            self.store.order(what, "curator", 0.0, arguments)
        self.sinks = [MemorySink() for _ in range(workers)]
        self.threads = [threading.Thread(target=self._work, args=(number, workers)) for number in range(workers)]
        for thread in self.threads:
            thread.start()

    def _work(self, number, workers):
        async def work():
            post = Post(owner=f"worker {number}", worker=f"w{number}", workers=workers)
            worker = Worker(
                self.store.plan, store=self.doors[number], sink=self.sinks[number], post=post, settings=QUICK
            )
            return await worker.run()

        self.ends[number] = asyncio.run(work())

    def asked(self):
        """What was asked for so far, but for robots.txt."""
        return [entry.target for entry in self.server.log()[self.first :] if entry.target != "/robots.txt"]

    def begun(self):
        """Whether robots.txt was answered, after which the first page waits for its turn."""
        return any(entry.answered is not None for entry in self.server.log()[self.first :])

    def until(self, true):
        tick = threading.Event()
        for _ in range(int(_PATIENCE / _TICK)):
            if true():
                return
            tick.wait(_TICK)
        raise AssertionError("it did not come to that")

    def looked(self, times):
        """Wait until each worker has looked for orders that often."""
        before = [door.looks for door in self.doors]
        pairs = list(zip(self.doors, self.threads, before, strict=True))
        self.until(lambda: all(door.looks >= was + times or not thread.is_alive() for door, thread, was in pairs))

    def order(self, what, **arguments):
        """Give an order and see it obeyed; what had been asked for by then."""
        self.store.order(what, "curator", 0.0, arguments)
        self.looked(3)
        return self.asked()

    def ended(self):
        for thread in self.threads:
            thread.join(_PATIENCE)
        return [self.ends[number] for number in sorted(self.ends)]


@pytest.fixture
def crawling(server):
    begun = []

    def begin(*, hosts=1, delay=0.01, site=SITE, after=5, **options):
        starts = [server.url(f"{site.base}/", host=f"h{number}.localhost") for number in range(hosts)]
        plan = plan_for(*starts, manners={"delay": delay})
        begun.append(Crawling(server, plan, **options))
        begun[-1].until(lambda: begun[-1].begun() and len(begun[-1].asked()) >= after)
        return begun[-1]

    yield begin
    for each in begun:
        each.store.order("abort", "curator", 0.0)
        each.ended()


def without_assets(paths):
    return [path for path in paths if "/assets/" not in path]


def require_agreement(store):
    pages = list(store.pages())
    counts = store.counts(0)
    assert len({page.url for page in pages}) == len(pages) == counts.pages
    assert dict(counts.outcomes) == dict(Counter(page.outcome.value for page in pages))
    return pages


def test_after_a_pause_only_the_request_under_way_arrives(crawling):
    """Dozens of URLs had been taken; they are given back, and come after the pause."""
    crawl = crawling()
    asked = crawl.order("pause")
    crawl.looked(20)
    assert len(crawl.asked()) <= len(asked) + 1
    paused = len(crawl.asked())
    crawl.order("resume")
    crawl.until(lambda: len(crawl.asked()) > paused + 5)
    crawl.order("delay", seconds=0)
    assert [each.ending for each in crawl.ended()] == [Ending.FINISHED]
    pages = require_agreement(crawl.store)
    assert len(pages) == SITE.pages + len(list(SITE.asset_paths()))
    assert set(Counter(crawl.asked()).values()) == {1}


@pytest.mark.parametrize("delay", [10, 30])
def test_a_request_that_waits_for_its_turn_is_not_made_in_a_pause(crawling, delay):
    """Its wait ends in the pause, by another delay; it is asked for afterwards."""
    crawl = crawling(delay=delay, after=0)
    asked = crawl.order("pause")
    crawl.order("delay", seconds=0)
    crawl.looked(10)
    assert crawl.asked() == asked
    crawl.order("resume")
    crawl.until(lambda: len(crawl.asked()) > len(asked) + 5)


@pytest.mark.parametrize("delay", [10, 30])
def test_another_delay_shortens_a_wait_that_has_begun(crawling, delay):
    """Nobody sits out what was planned, in the worker or (for a wait as long as that) in the store."""
    crawl = crawling(delay=delay, after=0)
    asked = crawl.order("delay", seconds=0)
    crawl.until(lambda: len(crawl.asked()) > len(asked) + 10)


def test_another_delay_lengthens_a_wait_that_has_begun(crawling):
    """At most the request under way, and one that had been granted, come before it."""
    crawl = crawling(delay=0.1, after=3)
    asked = crawl.order("delay", seconds=20)
    crawl.looked(20)
    assert len(crawl.asked()) <= len(asked) + 1


@pytest.mark.parametrize("purges", [0, 1, 5])
def test_an_exclusion_holds_for_what_was_taken_before(crawling, purges):
    """Whether the queue was purged, and when: none of it is asked for, and each URL has one page and one count."""
    crawl = crawling(after=10)
    excluded = ("/tools/", "/assets/", "/news/")
    crawl.store.order("exclude", "curator", 0.0, {"patterns": ["/tools/", "/assets/"]})
    if purges:
        carry_out(crawl.store, SYSTEM)
    asked = crawl.order("exclude", patterns=["/news/"])
    for number in range(purges):
        crawl.store.order("exclude", "curator", 0.0, {"urls": [f"http://elsewhere.example/{number}"]})
        carry_out(crawl.store, SYSTEM)
    crawl.order("delay", seconds=0)
    crawl.ended()
    later = crawl.asked()[len(asked) + 1 :]
    assert later
    assert not [path for path in later if any(part in path for part in excluded)]
    pages = require_agreement(crawl.store)
    rows = {page.url: page for page in pages if page.outcome == "excluded"}
    assert any("/assets/" in url for url in rows)  # embeds are no exception
    assert {page.reason for page in rows.values() if "/news/" in page.url} == {
        "the expression /news/ excludes it; excluded while the crawl ran"
    }
    fetched = Counter(capture.url for capture in crawl.sinks[0].captures if not capture.url.endswith("/robots.txt"))
    assert fetched == Counter(page.url for page in pages if page.outcome == "fetched")


def test_an_exclusion_given_before_holds_without_a_purge(crawling, server):
    """By expression and by name, for links, embeds and targets of redirects; an include takes back."""
    start = server.url("/redirect/to?url=/pages/ascii")
    plan = plan_for(start, server.url(f"{SITE.base}/"))
    plan = replace(plan, scope=replace(plan.scope, kind="host", include=("style.css$",)))
    named = server.url(SITE.path(1))
    before = [("exclude", {"patterns": ["^[^?]*/pages/", "/assets/"], "urls": [named]}), ("limits", {"pages": 20})]
    crawl = Crawling(server, plan, before=before)
    crawl.ended()
    asked = crawl.asked()
    assert any(path.startswith("/redirect/to") for path in asked)
    assert [path for path in asked if path.startswith("/pages/") or "/assets/" in path] == [
        f"{SITE.base}/assets/style.css"
    ]
    assert SITE.path(1) not in asked


@pytest.mark.parametrize("most", [40, 80])
@pytest.mark.parametrize(("workers", "hosts"), [(1, 1), (2, 4)])
def test_a_new_limit_is_exact_where_there_is_room(crawling, workers, hosts, most):
    """Though more had been taken under no limit, by each worker."""
    crawl = crawling(workers=workers, hosts=hosts, after=10, delay=0.02)
    asked = crawl.order("limits", pages=most)
    assert len(without_assets(asked)) < most
    crawl.order("delay", seconds=0)
    assert {each.ending for each in crawl.ended()} == {Ending.LIMIT}
    assert crawl.store.counts(0).counted == most
    require_agreement(crawl.store)


def test_a_limit_below_what_was_reached_lets_only_requests_under_way_end(crawling):
    """And the crawl ends, with the parts of the pages it has."""
    crawl = crawling(after=20)
    asked = without_assets(crawl.order("limits", pages=3))
    assert [each.limit for each in crawl.ended()] == ["pages"]
    assert len(without_assets(crawl.asked())) <= len(asked) + 1
    assert crawl.store.counts(0).counted <= len(asked) + 1


def test_a_stopped_crawl_asks_for_nothing_more(crawling):
    """What it had taken is in the queue."""
    crawl = crawling()
    asked = crawl.order("stop")
    assert [each.ending for each in crawl.ended()] == [Ending.STOPPED]
    assert len(crawl.asked()) <= len(asked) + 1
    assert crawl.store.counts(0).waiting > 0
    require_agreement(crawl.store)


def test_another_bandwidth_counts_at_once(crawling):
    """Hardly any bytes: a debt of minutes. Lifted: everything comes."""
    crawl = crawling()
    crawl.order("bandwidth", bytes_per_second=10)
    crawl.looked(20)
    asked = crawl.asked()
    crawl.looked(10)
    assert len(crawl.asked()) <= len(asked) + 1
    crawl.order("bandwidth", bytes_per_second=None)
    crawl.until(lambda: len(crawl.asked()) > len(asked) + 10)
