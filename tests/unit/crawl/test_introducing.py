"""A crawl without a contact address stays off the open internet, whatever leads there."""

import asyncio
from datetime import UTC, datetime

import pytest

from opilio.crawl.engine import worker as engine
from opilio.crawl.engine.asking import Network
from opilio.crawl.engine.introducing import Introducing
from opilio.crawl.engine.settings import EngineSettings
from opilio.crawl.engine.worker import Post, Worker
from opilio.crawl.fetch.exchange import Answer, Ask, Proxy
from opilio.crawl.fetch.resolver import Resolved
from opilio.crawl.frontier.memory import MemoryStore
from opilio.crawl.plan import CrawlPlan, Fetch, Manners, Preset, RobotsPolicy, Scope, ScopeKind, Seed
from opilio.kernel.capture import MemorySink
from opilio.kernel.clock import SYSTEM

QUICK = EngineSettings(commit_every=0.05, pause=0.02, quiet=0.1)
START = "http://intranet/"
PAGE = b'<img src="http://public.example/a.png"><a href="http://other.test/">next</a><a href="/b">b</a>'
ADDRESSES = {"intranet": "10.0.0.1", "public.example": "93.184.216.34", "other.test": "2606:2800:220:1::1"}


class Names:
    """A resolver that knows three hosts."""

    async def resolve(self, host):
        found = ADDRESSES.get(host)
        return Resolved(name=host, addresses=(found,) if found else (), missing=found is None)


class Web:
    """Answers every request, and remembers it."""

    def __init__(self):
        self.asked = []

    async def fetch(self, ask):
        self.asked.append(ask.url)
        now = datetime(2026, 5, 1, tzinfo=UTC)
        robots = ask.url.endswith("robots.txt")
        head = b"HTTP/1.1 404 Not Found\r\n\r\n" if robots else b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
        return Answer(
            status=404 if robots else 200, version="1.1", request=b"GET / HTTP/1.1\r\n\r\n", head=head,
            body=b"" if robots else PAGE, started=now, finished=now, first_byte=0.0, seconds=0.0, address="10.0.0.1",
        )  # fmt: skip

    async def close(self):
        pass


def crawled(monkeypatch, **manners):
    """What was asked for, and what became of each URL."""
    web = Web()
    monkeypatch.setattr(engine, "network_of", lambda *_: Network(fetcher=web, raw=web, resolver=Names()))
    plan = CrawlPlan(
        seeds=(Seed(url=START),),
        scope=Scope(kind=ScopeKind.ANY),
        manners=Manners(preset=Preset.OWN_SITE, **manners),
        fetch=Fetch(allow_private=("10.0.0.0/8",)),
    )
    store = MemoryStore(plan)

    async def work():
        post = Post(owner="one", worker="w0")
        await Worker(plan, store=store, sink=MemorySink(), post=post, settings=QUICK).run()

    asyncio.run(work())
    return web.asked, {page.url: (page.outcome.value, page.reason or "") for page in store.pages()}


@pytest.mark.parametrize("robots", RobotsPolicy)
def test_without_a_contact_no_public_address_is_asked_for_anything(monkeypatch, robots):
    """Not even for robots.txt, by embed or link; what is private is crawled, and the reason is recorded."""
    asked, outcomes = crawled(monkeypatch, robots=robots)
    assert {url.split("/")[2] for url in asked} == {"intranet"}
    assert outcomes[f"{START}b"][0] in ("fetched", "duplicate")
    for url, address in (
        ("http://public.example/a.png", "93.184.216.34"),
        ("http://other.test/", "2606:2800:220:1::1"),
    ):
        outcome, reason = outcomes[url]
        assert outcome == "excluded"
        assert reason == f"no-contact: {address} is a public address, and the plan names no contact"


def test_with_a_contact_they_are_asked(monkeypatch):
    """The same crawl goes there."""
    asked, outcomes = crawled(monkeypatch, contact="archive@example.org")
    assert {url.split("/")[2] for url in asked} == {"intranet", "public.example", "other.test"}
    assert "excluded" not in {outcome for outcome, _ in outcomes.values()}


@pytest.mark.parametrize(("host", "refused"), [("public.example", True), ("intranet", False), ("10.0.0.1", False)])
def test_where_only_a_proxy_will_know_the_address_the_name_counts(host, refused):
    """A name that no registry gives is private."""
    proxy = Proxy(url="socks5h://127.0.0.1:1080", resolves_names=True)
    introducing = Introducing(Manners(), Names(), SYSTEM)
    ask = Ask(url=f"http://{host}/", proxy=proxy)
    assert (asyncio.run(introducing.refusal(ask, host)) is not None) is refused
