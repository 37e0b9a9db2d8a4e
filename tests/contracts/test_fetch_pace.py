"""Bodies come no faster than the bandwidth allows, and rates may change while they come."""

import asyncio
import time
from dataclasses import replace

import pytest

from opilio.crawl.bandwidth import Bandwidth
from opilio.crawl.engine.settings import EngineSettings
from opilio.crawl.engine.worker import Post, Worker
from opilio.crawl.fetch.curl import CurlFetcher
from opilio.crawl.fetch.exchange import Answer, Ask, Patience
from opilio.crawl.fetch.guard import Guard
from opilio.crawl.fetch.raw import RawFetcher
from opilio.crawl.fetch.resolver import Resolver
from opilio.crawl.frontier.memory import MemoryStore
from opilio.crawl.plan import CrawlPlan, Fetch, Manners, Preset, Scope, ScopeKind, Seed
from opilio.kernel.capture import MemorySink, Truncated
from opilio.kernel.clock import SYSTEM
from tests.contracts.telling_meter import TellingMeter
from tests.servers.http_server import HttpServer

LOOPBACK = Guard.allowing(["127.0.0.0/8"])
MIB = 1 << 20
FAST = 1_000 * MIB
LEAST = 0.5  # of the time that a rate asks for: a body may begin with what was saved, and ends with what is under way


@pytest.fixture(scope="module")
def server():
    with HttpServer() as running:
        yield running


def fetching(work):
    """Do something with a fetcher."""

    async def run():
        fetcher = CurlFetcher(guard=LOOPBACK)
        try:
            return await work(fetcher)
        finally:
            await fetcher.close()

    return asyncio.run(run())


def ask(server, bandwidth, *, key="h", mib=3, **more):
    return Ask(url=server.url(f"/long?mib={mib}"), meter=bandwidth.meter(key), **more)


@pytest.mark.parametrize("rates", [{"crawl": 8 * MIB}, {"crawl": FAST, "host": 8 * MIB}])
def test_a_body_takes_the_time_that_its_rate_asks_for(server, rates):
    """The server has to wait too, once the buffers between are full."""
    answer = fetching(lambda fetcher: fetcher.fetch(ask(server, Bandwidth(clock=SYSTEM, **rates), mib=16)))
    assert len(answer.body) == 16 * MIB
    assert answer.seconds > 2 * LEAST
    assert 0 < answer.paused < answer.seconds
    [sent] = [entry for entry in server.answered_log(1) if entry.target == "/long?mib=16"][-1:]
    assert sent.answered - sent.at > 0.2


def test_without_a_rate_nothing_is_held_up(server):
    """A meter that counts does not slow down."""
    answer = fetching(lambda fetcher: fetcher.fetch(ask(server, Bandwidth(clock=SYSTEM))))
    assert (len(answer.body), answer.paused) == (3 * MIB, 0.0)


def test_a_small_body_is_never_held_up(server):
    """What came too early is paid for by the next request, not by the end of this one."""
    bandwidth = Bandwidth(clock=SYSTEM, crawl=1)
    small = Ask(url=server.url("/page"), meter=bandwidth.meter("h"))
    answer = fetching(lambda fetcher: fetcher.fetch(small))
    assert answer.paused == 0.0
    assert bandwidth.wait("h") > 1


def test_a_rate_changes_for_a_body_that_is_coming(server):
    """A body that would take days goes on at once when it may."""
    bandwidth = Bandwidth(clock=SYSTEM, crawl=10)

    async def work(fetcher):
        meter = TellingMeter(bandwidth.meter("h"))
        coming = asyncio.create_task(fetcher.fetch(replace(ask(server, bandwidth), meter=meter)))
        await meter.held_up.wait()
        assert not coming.done()
        bandwidth.change(crawl=None, host=None)
        return await coming

    answer = fetching(work)
    assert (len(answer.body), answer.truncated) == (3 * MIB, None)
    assert answer.paused > 0


def test_a_limit_comes_into_force_for_a_body_that_is_coming(server):
    """Down to nothing; what was held up ends with its patience and is kept as far as it came."""
    bandwidth = Bandwidth(clock=SYSTEM, crawl=2 * MIB)

    async def work(fetcher):
        meter = TellingMeter(bandwidth.meter("h"))
        wanted = replace(ask(server, bandwidth, mib=64, patience=Patience(total=1)), meter=meter)
        coming = asyncio.create_task(fetcher.fetch(wanted))
        await meter.held_up.wait()
        bandwidth.change(crawl=0, host=None)
        return await coming

    answer = fetching(work)
    assert isinstance(answer, Answer)
    assert answer.truncated is Truncated.TIME
    assert len(answer.body) < 8 * MIB


def test_bodies_that_come_at_once_share_the_rate(server):
    """None of them starves: when the first is whole, the others are well on their way."""
    bandwidth = Bandwidth(clock=SYSTEM, crawl=3 * MIB)
    ends = []

    async def one(fetcher, key):
        await fetcher.fetch(ask(server, bandwidth, key=key, mib=2))
        ends.append(time.monotonic())

    async def work(fetcher):
        began = time.monotonic()
        await asyncio.gather(*(one(fetcher, f"h{number}") for number in range(3)))
        return began

    began = fetching(work)
    assert ends[-1] - began > 2 * LEAST
    assert ends[0] - began > (ends[-1] - began) / 3


def test_what_is_read_byte_by_byte_keeps_to_the_rate_too(server):
    """The fetcher for odd servers."""
    bandwidth = Bandwidth(clock=SYSTEM, host=3 * MIB)

    async def run():
        fetcher = RawFetcher(guard=LOOPBACK, resolver=Resolver())
        return await fetcher.fetch(ask(server, bandwidth, mib=3, patience=Patience(idle=1)))

    answer = asyncio.run(run())
    assert len(answer.body) == 3 * MIB
    assert answer.paused > LEAST


@pytest.mark.parametrize("limit", ["bandwidth", "host_bandwidth"])
def test_a_crawl_keeps_to_its_bandwidth_within_a_page(server, limit):
    """The plan's limits reach the body that is coming."""
    url = server.url("/long?mib=2", host="a.localhost")
    plan = CrawlPlan(
        seeds=(Seed(url=url),),
        scope=Scope(kind=ScopeKind.PAGE),
        manners=Manners(preset=Preset.OWN_SITE, **{limit: 2 * MIB}),
        fetch=Fetch(allow_private=("127.0.0.0/8", "::1")),
    )
    store, sink = MemoryStore(plan), MemorySink()

    async def work():
        settings = EngineSettings(pause=0.05, quiet=0.2)
        post = Post(owner="one", worker="w0")
        return await Worker(plan, store=store, sink=sink, post=post, settings=settings).run()

    asyncio.run(work())
    [page] = [page for page in store.pages() if page.url == url]
    assert (page.outcome, page.size) == ("fetched", 2 * MIB)
    [kept] = [each for each in sink.captures if each.url == url]
    assert kept.duration.total_seconds() > LEAST
