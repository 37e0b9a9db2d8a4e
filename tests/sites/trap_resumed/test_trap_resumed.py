"""Traps that are recognised by counting, in a crawl that is stopped and resumed."""

import asyncio
import re
from collections import Counter

import pytest

from opilio.crawl.engine.worker import Post, Worker
from opilio.crawl.frontier.memory import MemoryStore
from opilio.crawl.plan import Traps
from opilio.kernel.capture import MemorySink
from tests.sites.crawling import QUICK, Crawled


def lives(sites, start, stops, **parts):
    """Crawl until each number of pages in turn, every time with a worker that knows nothing, and then to the end."""
    plan = sites.plan(start, limits={"pages": stops[0]}, **parts)
    store, sink = MemoryStore(plan), MemorySink()

    async def live(number):
        return await Worker(
            plan, store=store, sink=sink, post=Post(owner=f"life {number}", worker="w0"), settings=QUICK
        ).run()

    ended = asyncio.run(live(0))
    for number, stop in enumerate([*stops[1:], None], 1):
        assert ended.limit == "pages"
        store.order("limits", "curator", 0.0, {"pages": stop})
        ended = asyncio.run(live(number))
    assert ended.ending == "finished"
    return Crawled(sites.server, store, sink, ended)


def without_sessions(url):
    return re.sub(r"sid=[0-9a-f]{8}|jsessionid=[0-9a-f]{8}", "", url)


@pytest.mark.parametrize("stops", [[30], [30, 90, 150]])
def test_session_identifiers_are_counted_over_all_lives_of_a_crawl(sites, stops):
    """Twenty per path, exactly; all others are recorded or counted as traps, and none is asked for."""
    crawled = lives(sites, "trap-resumed/", stops)
    kept = {url for url, outcome in crawled.outcomes.items() if outcome in ("fetched", "duplicate")}
    counts = Counter(without_sessions(url) for url in kept if "sid=" in url or "jsessionid=" in url)
    assert len(counts) == 10
    assert set(counts.values()) == {20}
    assert len(crawled.captured) == len(kept) == 3 + 200
    traps = [url for url, outcome in crawled.outcomes.items() if outcome == "trap"]
    assert traps
    assert crawled.page(traps[0]).reason == "its path came with 20 different session identifiers already"
    assert crawled.denied["trap growing"] >= len(traps)


def test_the_report_shows_examples_of_counted_traps(sites):
    """By rule, and as the URLs that were recorded."""
    report = sites.crawl("trap-resumed/").report
    (rule,) = (each for each in report["traps"]["rules"] if each["rule"] == "trap growing")
    assert rule["count"] > 0
    assert any("sid" in example["url"] for example in rule["examples"])
    assert report["traps"]["pages"]["total"] > 0
    assert "session identifiers" in report["traps"]["pages"]["listed"][0]["reason"]


@pytest.mark.parametrize("stops", [[25], [33, 47]])
def test_pages_that_hardly_differ_are_counted_over_all_lives_of_a_crawl(sites, stops):
    """A calendar without end ends at the same page, whether it was stopped in between or not."""
    scope = {"traps": Traps(max_calendar=10**6, max_alike=40), "exclude": (r"calendar/\d+/\d+/\d+",)}
    whole = sites.crawl("trap-resumed/calendar/2024/01", scope=scope)
    stopped = lives(sites, "trap-resumed/calendar/2024/01", stops, scope=scope)
    assert whole.denied["trap alike"] > 0
    assert sorted(stopped.outcomes) == sorted(whole.outcomes)
