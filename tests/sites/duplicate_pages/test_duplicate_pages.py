"""The same content under several URLs of one crawl is kept once."""

import asyncio

import pytest

from opilio.crawl.engine.settings import EngineSettings
from opilio.crawl.engine.worker import Post, Worker
from opilio.crawl.frontier.memory import MemoryStore
from opilio.crawl.frontier.values import Kept
from opilio.kernel.capture import MemorySink, Revisit
from tests.sites.again import LONG

LINKS = "".join(f'<a href="{name}.html">x</a>' for name in ("one", "two", "small", "tiny"))


@pytest.fixture
def site(again):
    again.write(index=LINKS)
    for name in ("one", "two"):
        (again.site / f"{name}.html").write_text('<title>same</title><a href="deeper/">x</a>' + LONG)
    for name in ("small", "tiny"):
        (again.site / f"{name}.html").write_text("<title>short</title>")
    return again


def test_the_second_one_refers_to_the_first(site):
    """It is read all the same: links, title, text."""
    crawled = site.crawl("out")
    pages = crawled.pages
    assert sorted(crawled.outcomes[name] for name in ("one.html", "two.html")) == ["duplicate", "fetched"]
    twin = next(page for page in pages.values() if page.outcome == "duplicate")
    first = next(pages[name] for name in ("one.html", "two.html") if pages[name] is not twin)
    assert twin.original == Kept(first.at, first.url)
    assert twin.reason == f"the content is that of {first.url}"
    assert (twin.title, twin.digest, twin.size) == (first.title, first.digest, first.size)
    record = crawled.records("revisit")[twin.url.split("/", 3)[3]]
    assert record["WARC-Profile"].endswith("/identical-payload-digest")
    original = crawled.records("response")[first.url.split("/", 3)[3]]
    assert record["WARC-Refers-To-Date"] == original["WARC-Date"]
    assert record["WARC-Payload-Digest"] == original["WARC-Payload-Digest"]
    assert crawled.index[twin.url.split("/", 3)[3]]["original_url"] == first.url


def test_short_ones_are_kept_each_time(site):
    """A record that refers is not shorter than they are."""
    crawled = site.crawl("out")
    assert {crawled.outcomes["small.html"], crawled.outcomes["tiny.html"]} == {"fetched"}


@pytest.mark.parametrize("warc", [{"duplicates": False}, {"revisits": False}])
def test_all_are_kept_on_wish(site, warc):
    """Then each capture stands alone."""
    crawled = site.crawl("out", warc=warc)
    assert crawled.records("revisit") == {}
    assert {"one.html", "two.html"} <= set(crawled.records("response"))


def test_an_original_lies_before_what_refers_to_it(site):
    """In the same file or an earlier one of the worker, so that no cut leaves a reference to nothing."""
    crawled = site.sites.crawl(f"{site.site.name}/")
    referring = [record for record in crawled.sink.records if isinstance(record, Revisit)]
    assert len(referring) == 1
    place = crawled.sink.records.index(referring[0])
    before = [record.url for record in crawled.sink.captures if crawled.sink.records.index(record) < place]
    assert referring[0].original.url in before


class Thief(MemoryStore):
    """A store in which another worker has the buckets for a moment, at the first commit of duplicates."""

    stolen = False

    def commit(self, batch):
        if not self.stolen and any(page.outcome == "duplicate" for page in batch.pages):
            self.stolen = True
            self.evict(batch.owner)
            self.claim("thief", batch.now, 60.0, 1024)
            self.evict("thief")
        return super().commit(batch)


def test_nothing_refers_to_a_capture_that_was_cut_off_again(again):
    """A fenced worker forgets what it wrote."""
    names = [f"p{number}" for number in range(12)]
    again.write(index="".join(f'<a href="{name}.html">x</a>' for name in names))
    for name in names:
        (again.site / f"{name}.html").write_text("<title>same</title>" + LONG)
    plan = again.sites.plan(f"{again.site.name}/")
    store, sink = Thief(plan), MemorySink()
    settings = EngineSettings(commit_every=0.05, commit_pages=3, pause=0.02, quiet=0.2)

    async def work():
        await Worker(plan, store=store, sink=sink, post=Post(owner="one", worker="w0"), settings=settings).run()

    asyncio.run(work())
    assert store.stolen
    kept = {(each.url, each.started) for each in sink.captures}
    referring = [(each.original.url, each.original.captured) for each in sink.records if isinstance(each, Revisit)]
    assert len(referring) >= 9
    assert set(referring) <= kept
    assert len(list(store.pages())) == 13
