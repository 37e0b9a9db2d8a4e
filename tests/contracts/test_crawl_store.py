"""What every crawl store promises to those who fetch and to those who ask."""

import threading
from dataclasses import replace

import pytest

from opilio.crawl.errors import SealedCrawlStore
from opilio.crawl.frontier import committing
from opilio.crawl.frontier.batch import Denial, HostUpdate, Text
from opilio.crawl.frontier.counting import EXAMPLES
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.packing import pack_text, unpack_text
from opilio.crawl.frontier.seen_cache import SeenCache
from opilio.crawl.frontier.store import CrawlStore
from opilio.crawl.frontier.terms import terms_of
from opilio.crawl.frontier.values import Robots, found
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import Limits, Order, Seed
from opilio.kernel.capture import Hop, Position
from opilio.kernel.page_text import PageText
from tests.contracts.crawl_stores import KINDS, NOW, Worker, plan_for, stores_of, urls

pytestmark = pytest.mark.database

SITE = {
    "https://a.example/": [
        (Hop.LINK, "https://a.example/one"),
        (Hop.LINK, "https://b.example/two"),
        (Hop.EMBED, "https://a.example/logo.png"),
    ],
    "https://a.example/one": [(Hop.LINK, "https://b.example/two"), (Hop.LINK, "https://a.example/three")],
}


@pytest.fixture(params=KINDS)
def stores(request, tmp_path):
    with stores_of(request.param, tmp_path) as made:
        yield made


@pytest.fixture
def store(stores):
    return stores.create()


@pytest.fixture
def worker(store):
    made = Worker(store, SITE)
    made.claim()
    return made


def numbered(count, host="a.example"):
    return [f"https://{host}/{number:04}" for number in range(count)]


def ending(end):
    return lambda entry: f"it ends with {end}" if entry.url.endswith(end) else ""


def test_it_is_a_crawl_store(store):
    """All three kinds have the whole interface."""
    asked: CrawlStore = store
    assert asked.plan == plan_for("https://a.example/")


def test_seeds_wait_at_depth_0(stores):
    """A new store has its active seeds in the queue, in canonical form, and nothing else."""
    store = stores.create(plan_for("HTTPS://A.example:443/x#y", Seed(url="https://b.example/", active=False)))
    (entry,) = store.waiting()
    assert (entry.url, entry.depth, entry.seed, entry.tries) == ("https://a.example/x", 0, 0, 0)


def test_a_taken_entry_comes_again_until_it_is_committed(worker):
    """Taking alone changes nothing; what is in flight is not given twice; a commit removes it."""
    (entry,) = worker.take().entries
    assert worker.take().entries == ()
    worker.inflight = []
    assert worker.take().entries == (entry,)
    worker.commit()
    assert "https://a.example/" not in urls(worker.store.waiting())


def test_discovered_and_known(worker):
    """A URL is new once; finding it again adds nothing."""
    worker.take()
    assert worker.commit().new == 3
    worker.claim()
    taken = worker.take()
    assert set(urls(taken.entries)) == {
        "https://a.example/one",
        "https://a.example/logo.png",
        "https://b.example/two",
    }
    assert worker.commit().new == 1


def test_an_entry_knows_how_it_was_found(worker):
    """It carries its parent, the hops from the seed and its label."""
    worker.take()
    worker.commit()
    worker.claim()
    logo = next(entry for entry in worker.take().entries if entry.url.endswith("logo.png"))
    assert (logo.parent, logo.path, logo.labels) == ("https://a.example/", "E", (Label(0, 0, 1),))


def test_pages_are_numbered_from_0_in_the_order_of_their_commit(worker):
    """Numbers are dense, and a page keeps its own when it is recorded again."""
    worker.run(max_hosts=1, per_host=1)
    pages = list(worker.store.pages())
    assert [page.id for page in pages] == list(range(5))
    assert pages[0].url == "https://a.example/"
    assert list(worker.store.pages(after=2)) == pages[3:]
    again = Worker(worker.store, SITE, now=NOW + 1)
    worker.store.rewind(worker.file, 0)
    again.run()
    assert {page.url: page.id for page in worker.store.pages()} == {page.url: page.id for page in pages}


def test_a_page_keeps_everything_that_was_learned(worker):
    """All columns come back as they were given."""
    (entry,) = worker.take().entries
    given = {
        "outcome": Outcome.GONE,
        "reason": "404 Not Found",
        "status": 404,
        "type": "html",
        "extension": "html",
        "size": 12_345_678_901,
        "digest": "sha1:AAAA",
        "title": "Nicht da – 無",
        "meta": '{"robots": "noindex"}',
        "last_modified": "Mon, 01 Jan 2024 00:00:00 GMT",
        "etag": 'W/"1"',
        "at": NOW + 0.25,
        "place": Position(file="x.warc.gz", offset=5_000_000_000, length=77),
        "ms": 321,
        "robots": "Allow: / (line 3)",
    }
    result = worker.result(entry, **given)
    worker.store.commit(worker.batch(pages=(result,), warcs={"x.warc.gz": 5_000_000_077}))
    page = worker.store.page("https://a.example/")
    assert {name: getattr(page, name) for name in given} == given
    assert (page.depth, page.seed, page.tries, page.epoch) == (0, 0, 1, 1)
    assert page.counted is False


@pytest.mark.parametrize("hostile", ["a\x00b", "\ud800", "x" * 100_000, "\U0001f577"])
def test_hostile_texts_do_not_stop_a_commit(worker, hostile):
    """NUL, lone surrogates and endless texts from servers are kept as far as a database can."""
    (entry,) = worker.take().entries
    result = worker.result(entry, title=hostile, meta=hostile, etag=hostile, reason=hostile, last_modified=hostile)
    worker.store.commit(worker.batch(pages=(result,), denials=(Denial(rule=hostile, url=hostile, parent=hostile),)))
    page = worker.store.page("https://a.example/")
    assert 1 <= len(page.title) <= 8_000
    assert "\x00" not in page.title


def test_a_page_that_was_never_fetched_says_so(stores):
    """A URL purged from the queue has a number and an outcome, and no time."""
    store = stores.create(plan_for(*numbered(3)))
    assert store.purge(ending("1"), Outcome.EXCLUDED) == 1
    (page,) = store.pages()
    assert (page.id, page.at, page.last_modified, page.outcome, page.tries) == (0, 0.0, "", Outcome.EXCLUDED, 0)
    assert page.reason == "it ends with 1"
    assert store.counts(NOW).waiting == 2
    assert store.counts(NOW).outcomes == {"excluded": 1}


def test_a_purged_url_is_not_queued_again(stores):
    """It stays known."""
    store = stores.create(plan_for(*numbered(3)))
    store.purge(lambda entry: "all", Outcome.EXCLUDED)
    assert store.insert([found(url, Label(1, 0, 0)) for url in numbered(3)]) == 0
    assert list(store.waiting()) == []


def test_a_purge_goes_through_a_long_queue(stores):
    """It works in portions, and drops exactly what matches."""
    store = stores.create()
    store.insert([found(url, Label(1, 0, 0)) for url in numbered(5_000)])
    assert store.purge(ending("7"), Outcome.EXCLUDED) == 500
    assert sum(1 for _ in store.waiting()) == 4_501


@pytest.mark.parametrize(("order", "first"), [(Order.BREADTH, "shallow"), (Order.DEPTH, "deep")])
def test_the_order_inside_a_host(stores, order, first):
    """Priority first, then depth as the plan says, then insertion."""
    store = stores.create(plan_for("https://z.example/", order=order))
    finds = [("shallow", 1, 0), ("deep", 5, 0), ("deep-later", 5, 0), ("urgent", 3, -5), ("last", 1, 9)]
    store.insert([found(f"https://a.example/{name}", Label(depth, 0, 0), "", rank) for name, depth, rank in finds])
    worker = Worker(store)
    worker.claim()
    names = [entry.url.rpartition("/")[2] for entry in worker.take().entries if "a.example" in entry.url]
    rest = {"shallow": ["shallow", "deep", "deep-later"], "deep": ["deep", "deep-later", "shallow"]}[first]
    assert names == ["urgent", *rest, "last"]


def test_a_huge_host_does_not_starve_others(stores):
    """Hosts take turns, whoever was served longest ago first."""
    store = stores.create(plan_for("https://a.example/"))
    hosts = [f"h{number}.example" for number in range(6)]
    store.insert([found(url, Label(1, 0, 0)) for url in numbered(300, "huge.example")])
    store.insert([found(f"https://{host}/{n}", Label(1, 0, 0)) for host in hosts for n in (1, 2)])
    worker = Worker(store)
    worker.claim()
    served = []
    for _ in range(8):
        (entry,) = worker.take(max_hosts=1, per_host=1).entries
        served.append(entry.name)
        worker.commit()
    assert len(set(served)) == 8


def test_no_more_than_asked_for(stores):
    """At most `max_hosts` hosts, and `per_host` entries of each; busy hosts are left out."""
    store = stores.create(plan_for(*[url for n in range(5) for url in numbered(4, f"h{n}.example")]))
    worker = Worker(store)
    worker.claim()
    first = worker.take(max_hosts=2, per_host=3)
    assert sorted(len([e for e in first.entries if e.host == host]) for host in first.hosts) == [3, 3]
    second = worker.take(busy=first.hosts)
    assert len(second.hosts) == 3
    assert not set(second.hosts) & set(first.hosts)


def test_a_host_waits_for_its_delay_even_after_reopening(stores):
    """next_due, block_until and the breaker hold, and are kept; the store says when to ask again."""
    store = stores.create(plan_for("https://a.example/", "https://b.example/", "https://c.example/"))
    worker = Worker(store, {f"https://{host}.example/": [(Hop.LINK, f"https://{host}.example/x")] for host in "abc"})
    worker.claim()
    entries = {entry.name[0]: entry for entry in worker.take().entries}
    hosts = (
        HostUpdate(id=entries["a"].host, next_due=NOW + 5, delay=5.0, failures=2),
        HostUpdate(id=entries["b"].host, next_due=NOW + 5, block_until=NOW + 100),
        HostUpdate(id=entries["c"].host, next_due=NOW, broken_until=NOW + 1000),
    )
    worker.commit(hosts=hosts)
    store.release(worker.owner, worker.leases)
    later = Worker(stores.again(store), now=NOW + 4)
    later.claim()
    assert later.take().due == NOW + 5
    later.now = NOW + 6
    taken = later.take()
    assert urls(taken.entries) == ["https://a.example/x"]
    (host,) = taken.hosts.values()
    assert (host.delay, host.failures, host.pages, host.bytes) == (5.0, 2, 1, 1000)
    later.commit()
    later.now = NOW + 2000
    later.ttl = 10_000
    later.claim()
    assert set(urls(later.take().entries)) == {"https://b.example/x", "https://c.example/x"}


def test_robots_and_cookies_are_kept(stores):
    """They come back after reopening, and stay when an update does not mention them."""
    store = stores.create()
    worker = Worker(store)
    worker.claim()
    (entry,) = worker.take().entries
    assert store.robots(entry.host) is None
    robots = Robots(evidence="200, 3 rules", body=b"User-agent: *\n\xff", expires=NOW + 86_400)
    worker.commit(hosts=(HostUpdate(id=entry.host, next_due=NOW, robots=robots, cookies=b"jar\x00"),))
    store.commit(worker.batch(hosts=(HostUpdate(id=entry.host, next_due=NOW + 1),)))
    again = stores.again(store)
    assert again.robots(entry.host) == robots
    assert again.cookies(entry.host) == b"jar\x00"


def test_a_requeued_entry_waits_and_counts_its_tries(worker):
    """It is not given before its time, and then with the number of tries."""
    (entry,) = worker.take().entries
    worker.requeue(entry, not_before=NOW + 30)
    taken = worker.take()
    assert (taken.entries, taken.due) == ((), NOW + 30)
    worker.now = NOW + 31
    (entry,) = worker.take().entries
    assert entry.tries == 1
    worker.requeue(entry, tried=False)
    (entry,) = worker.take().entries
    assert entry.tries == 1
    worker.commit()
    assert worker.store.page(entry.url).tries == 2


def test_texts_are_kept_once_per_payload_and_extractor(worker):
    """Two pages with one payload share a text; another version of the extractor adds its own."""
    worker.take()
    worker.commit()
    worker.claim()
    versions, same = ["1", "1", "2"], pack_text(PageText(text="gleich\n" * 9))
    pages = [
        worker.result(entry, text=Text(digest="sha1:SAME", extractor=version, body=same))
        for entry, version in zip(worker.take().entries, versions, strict=True)
    ]
    worker.store.commit(worker.batch(pages=tuple(pages)))
    texts = list(worker.store.texts())
    assert [(digest, extractor) for digest, extractor, _ in texts] == [("sha1:SAME", "1"), ("sha1:SAME", "2")]
    assert unpack_text(texts[0][2]).text == "gleich\n" * 9


def test_lists_and_counts(worker):
    """Pages by outcome and host, hosts, links by kind, broken links with their parents."""
    worker.take()
    worker.commit()
    worker.claim()
    pages = [
        worker.result(entry, outcome=Outcome.GONE, status=404) if "two" in entry.url else worker.result(entry)
        for entry in worker.take().entries
    ]
    worker.store.commit(worker.batch(pages=tuple(pages), counts={"links": 7}))
    store = worker.store
    assert urls(store.pages(outcome=Outcome.GONE)) == ["https://b.example/two"]
    assert len(list(store.pages(host="a.example"))) == 3
    assert list(store.pages(host="unknown.example")) == []
    assert urls(store.waiting(host="a.example")) == ["https://a.example/three"]
    assert sorted(host.name for host in store.hosts()) == ["a.example", "b.example"]
    assert sorted(store.broken_links()) == [
        ("https://a.example/", "https://b.example/two"),
        ("https://a.example/one", "https://b.example/two"),
    ]
    assert store.link_kinds() == {"a": 4, "img": 1}
    counts = store.counts(NOW)
    assert (counts.pages, counts.counted, counts.waiting, counts.hosts, counts.workers) == (4, 2, 1, 2, 1)
    assert counts.outcomes == {"fetched": 3, "gone": 1}
    assert counts.statuses == {200: 3, 404: 1}
    assert (counts.types, counts.bytes, counts.seeds, counts.others) == ({"html": 4}, 4000, {0: 2}, {"links": 7})


def test_outlinks_come_back_in_the_order_of_the_page(worker):
    """With their kind and hop, by the number of their page."""
    worker.run()
    number, links = next(worker.store.outlinks())
    assert number == 0
    assert [(link.hop, link.url) for link in links] == SITE["https://a.example/"]


def test_the_story_of_a_url(worker):
    """Its labels, its place in the queue or its page, its host, and the way to it."""
    worker.take()
    worker.commit()
    worker.claim()
    worker.take()
    worker.commit()
    waiting = worker.store.story("https://a.example/three#fragment")
    assert waiting.waiting.url == "https://a.example/three"
    assert waiting.page is None
    assert waiting.labels == (Label(2, 0, 0),)
    assert waiting.parents == ("https://a.example/", "https://a.example/one")
    done = worker.store.story("https://a.example/one")
    assert (done.waiting, done.page.status, done.host.name) == (None, 200, "a.example")
    assert worker.store.story("https://nowhere.example/").labels == ()
    assert worker.store.page("https://nowhere.example/") is None


def test_denials_are_counted_and_some_are_kept(worker):
    """The number is exact, the examples are few."""
    denials = [Denial(rule="scope root", url=url, parent="https://a.example/") for url in numbered(100)]
    worker.store.commit(worker.batch(denials=tuple(denials[:50])))
    worker.store.commit(worker.batch(denials=(*denials[50:], Denial(rule="trap calendar", url="https://c.example/"))))
    assert worker.store.counts(NOW).denials == {"scope root": 100, "trap calendar": 1}
    kept = [denial for denial in worker.store.denials() if denial.rule == "scope root"]
    assert 1 <= len(kept) <= EXAMPLES


def test_rewinding_queues_what_was_lost(stores):
    """Pages whose records lie beyond are fetched again, others stay; nothing is counted twice."""
    site = {"https://a.example/": [(Hop.LINK, url) for url in numbered(10)]}
    store = stores.create(plan_for("https://a.example/", limits=Limits(pages=11)))
    worker = Worker(store, site)
    worker.run(per_host=1)
    assert store.rewind(worker.file, 550) == 6
    counts = store.counts(NOW)
    assert (counts.waiting, counts.pages, counts.counted, counts.bytes) == (6, 5, 5, 5000)
    lost = [page for page in store.pages() if page.outcome is None]
    assert len(lost) == 6
    assert all(page.at == 0 and page.place is None for page in lost)
    assert [(file.file, file.committed) for file in store.warcs()] == [(worker.file, 550)]
    again = Worker(store, site, now=NOW + 2 * worker.ttl)
    again.run()
    assert store.counts(NOW).outcomes == {"fetched": 11}
    assert store.counts(NOW).counted == 11


def test_commands_reach_every_worker_in_order(stores):
    """They are numbered, kept, replayed into one state, and done once."""
    store = stores.create()
    other = stores.again(store)
    assert store.control().state == "running"
    orders = [
        ("pause", {}),
        ("limits", {"pages": 7, "bytes": None}),
        ("delay", {"seconds": 3}),
        ("delay", {"seconds": 9, "host": "a.example"}),
        ("bandwidth", {"bytes_per_second": 1000}),
        ("exclude", {"patterns": ["x$"], "urls": ["https://a.example/"]}),
    ]
    numbers = [store.order(what, "curator", NOW, arguments) for what, arguments in orders]
    assert numbers == [1, 2, 3, 4, 5, 6]
    control = other.control()
    assert (control.state, control.limits.pages, control.delay) == ("paused", 7, 3.0)
    assert (control.host_delays, control.bandwidth) == ({"a.example": 9.0}, 1000)
    assert (control.exclude, control.excluded_urls) == (("x$",), ("https://a.example/",))
    store.order("resume", "curator", NOW)
    assert other.control().state == "running"
    store.order("stop", "curator", NOW)
    assert other.control().state == "stopping"
    store.order("abort", "curator", NOW)
    assert other.control().state == "aborting"
    assert [command.what for command in other.commands(after=6)] == ["resume", "stop", "abort"]
    assert other.done(1, NOW + 1) is True
    assert store.done(1, NOW + 2) is False
    assert store.commands()[0].done == NOW + 1


def test_limits_changed_by_command_hold_at_once(stores):
    """A new limit counts from the next take on; lifting it goes on."""
    site = {"https://a.example/": [(Hop.LINK, url) for url in numbered(10)]}
    store = stores.create()
    worker = Worker(store, site)
    store.order("limits", "curator", NOW, {"pages": 4})
    assert worker.run(per_host=2).reached == "pages"
    assert store.counts(NOW).counted == 4
    store.order("limits", "curator", NOW, {"pages": None})
    assert worker.run(per_host=2).reached == ""
    assert store.counts(NOW).counted == 11


def test_a_commit_whose_answer_was_lost_is_not_done_twice(worker):
    """The same commit with the same token gives the same answer and changes nothing."""
    worker.take()
    store, db = worker.store, worker.store._db
    page = worker.result(worker.inflight[0])
    batch = worker.batch(pages=(page,), warcs={worker.file: 100})
    hosts = {"a.example": page.entry.host}
    terms = terms_of(store.plan)
    store.insert([found("https://b.example/two", Label(1, 0, 0))])
    hosts["b.example"] = next(host.id for host in store.hosts() if host.name == "b.example")
    db.write(lambda: committing.make_warcs(db, worker.owner, [worker.file]))
    first = db.write(lambda: committing.commit(db, terms, batch, hosts, "token", False))
    again = db.write(lambda: committing.commit(db, terms, batch, hosts, "token", False))
    assert first == again
    assert store.counts(NOW).pages == 1


def test_a_failed_commit_leaves_nothing_behind(worker, monkeypatch):
    """Whatever breaks in the middle, all of the batch is undone, and the next commit works."""
    worker.take()
    before = worker.store.counts(NOW)

    def broken(*_):
        raise ZeroDivisionError

    batch = worker.batch(pages=(worker.result(worker.inflight[0]),))
    with monkeypatch.context() as patch:
        patch.setattr("opilio.crawl.frontier.counting.record_denials", broken)
        with pytest.raises(ZeroDivisionError):
            worker.store.commit(batch)
    assert replace(worker.store.counts(NOW), hosts=1) == before  # a host may have its number already
    assert list(worker.store.pages()) == []
    assert worker.commit().new == 3
    worker.run()
    assert worker.store.counts(NOW).pages == 5


def test_a_sealed_store_keeps_what_was_learned_and_takes_nothing(stores):
    """Queue, seen URLs, hosts and buckets are gone; pages, links, texts and counts stay."""
    store = stores.create()
    worker = Worker(store, SITE)
    worker.claim()
    worker.take()
    worker.commit()
    store.seal()
    for opened in (store, stores.again(store)):
        assert urls(opened.pages()) == ["https://a.example/"]
        assert opened.page("https://a.example/").status == 200
        assert next(opened.outlinks())[0] == 0
        assert (list(opened.waiting()), list(opened.hosts())) == ([], [])
        assert opened.counts(NOW).outcomes == {"fetched": 1}
        with pytest.raises(SealedCrawlStore):
            opened.claim("late", NOW, 60, 1)
        with pytest.raises(SealedCrawlStore):
            opened.insert([])


def test_a_store_may_be_used_by_several_threads(stores):
    """One after the other; nothing is lost or mixed up."""
    store = stores.create()
    names = [f"t{number}" for number in range(4)]

    def insert(name):
        for url in numbered(50, f"{name}.example"):
            store.insert([found(url, Label(1, 0, 0))])

    threads = [threading.Thread(target=insert, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.counts(NOW).waiting == 201


def test_uploads_are_noted(worker):
    """So that one knows what a lost machine would take with it."""
    worker.take()
    worker.commit()
    worker.store.uploaded(worker.file, 60)
    (file,) = worker.store.warcs()
    assert (file.file, file.owner, file.committed, file.uploaded) == (worker.file, worker.owner, 100, 60)


def test_checking_a_sound_store_finds_nothing(worker):
    """A crawl through all its parts leaves it sound."""
    worker.run()
    worker.store.check()


def test_the_seen_cache_is_exact():
    """It knows what it learned, at the same or a worse label, and forgets the oldest when it is full."""
    cache = SeenCache((0, 0, 2), capacity=4)
    known = found("https://a.example/1", Label(2, 1, 0))
    assert not cache.known(known)
    cache.learn(known)
    assert cache.known(known)
    assert cache.known(known._replace(label=Label(3, 0, 1)))
    assert not cache.known(known._replace(label=Label(1, 1, 0)))
    assert not cache.known(known._replace(label=Label(2, 0, 0)))
    assert not cache.known(known._replace(label=Label(5, 2, 0)))
    assert not cache.known(known._replace(host="b.example"))
    for url in numbered(10):
        cache.learn(found(url, Label(0, 0, 0)))
    assert len(cache) <= 4
    assert not cache.known(known)
    assert cache.known(found(numbered(10)[-1], Label(0, 0, 0)))
