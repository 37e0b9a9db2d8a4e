"""The report says the same of every crawl store, and stays small whatever the crawl holds."""

import json
from dataclasses import replace

import pytest

from opilio.crawl.engine.ending import Ended, Ending
from opilio.crawl.frontier.batch import Denial, HostUpdate, PageResult
from opilio.crawl.frontier.packing import pack_outlinks
from opilio.crawl.frontier.values import found
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import Limits, Seed
from opilio.crawl.report import parts_of, report_of
from opilio.crawl.report.link_graph import MOST_BROKEN, MOST_PARENTS
from opilio.crawl.report.live import look_at
from opilio.crawl.report.questions import MOST_LISTED
from opilio.crawl.report.url_forms import repeat_in
from opilio.kernel.capture import Hop
from opilio.kernel.page_links import PageLink
from opilio.kernel.urls import url_hash64
from opilio.works.crawl_report_page import html_report
from tests.contracts.crawl_stores import KINDS, NOW, Worker, plan_for, step, stores_of

pytestmark = pytest.mark.database
SITEMAP = "https://a.example/sitemap.xml"
LINKS = {
    "https://a.example/": [
        PageLink(Hop.MANIFEST, "sitemap", SITEMAP),
        PageLink(Hop.LINK, "a", "https://a.example/gone"),
        PageLink(Hop.LINK, "a", "https://a.example/old"),
        PageLink(Hop.LINK, "a", "https://b.example/one"),
        PageLink(Hop.LINK, "a", "https://a.example/private"),
    ],
    SITEMAP: [
        PageLink(Hop.LINK, "sitemap", f"https://a.example/{name}") for name in ("gone", "lonely", "linked", "later")
    ]
    + [PageLink(Hop.LINK, "sitemap", "https://elsewhere.example/")],
    "https://b.example/one": [
        PageLink(Hop.LINK, "a", "https://a.example/gone"),
        PageLink(Hop.LINK, "a", "https://a.example/linked"),
    ],
    "https://a.example/lonely": [PageLink(Hop.LINK, "a", "https://a.example/lonely")],
    "https://a.example/old": [PageLink(Hop.REDIRECT, "location", "https://a.example/")],
}
RESULTS = {
    SITEMAP: {"type": "sitemap"},
    "https://a.example/": {"language": "en-GB"},
    "https://a.example/lonely": {"language": "en", "ms": 700},
    "https://b.example/one": {"language": "de", "ms": 12_000, "size": 5_000_000, "reason": "cut off: length"},
    "https://a.example/gone": {"outcome": Outcome.GONE, "status": 404, "reason": "status 404", "type": ""},
    "https://a.example/old": {"outcome": Outcome.REDIRECTED, "status": 301, "type": "", "reason": "to /"},
    "https://a.example/private": {
        "outcome": Outcome.ROBOTS_DENIED, "status": None, "type": "", "robots": "Disallow: /private",
        "reason": "disallowed by line 2", "at": 0.0, "size": 0,
    },
}  # fmt: skip


class Crawler(Worker):
    """A worker that gives the answers above; it leaves out what lies elsewhere, and the page that comes later."""

    def result(self, entry, **options):
        links = LINKS.get(entry.url, [])
        finds = tuple(
            found(link.url, step(entry.label, link.hop), f"{entry.path}{link.hop}")
            for link in links
            if "elsewhere" not in link.url
        )
        given = {"outlinks": pack_outlinks(links) if links else b"", "found": finds}
        return super().result(entry, **(given | RESULTS.get(entry.url, {}) | options))


@pytest.fixture(params=KINDS)
def stores(request, tmp_path):
    with stores_of(request.param, tmp_path) as made:
        yield made


@pytest.fixture
def store(stores):
    return stores.create(plan_for(Seed(url="https://a.example/", max_pages=50), limits=Limits(pages=100, seconds=1000)))


@pytest.fixture
def crawled(store):
    worker = Crawler(store)
    for _ in range(6):
        worker.claim()
        worker.take()
        worker.inflight = [entry for entry in worker.inflight if not entry.url.endswith("/later")]
        worker.commit(
            denials=(Denial(rule="trap calendar", url="https://a.example/2099/", parent="https://a.example/"),)
        )
        worker.now += 10
    return report_of(store, now=worker.now)


def test_broken_links_are_listed_with_their_pages(crawled):
    """A sitemap that lists the URL counts among the pages that lead to it."""
    broken = crawled["broken_links"]
    assert (broken["total"], broken["links"]) == (1, 3)
    (gone,) = broken["listed"]
    assert (gone["url"], gone["status"], gone["pages"]) == ("https://a.example/gone", 404, 3)
    assert sorted(gone["linked_from"]) == ["https://a.example/", SITEMAP, "https://b.example/one"]


def test_coverage_against_the_sitemaps(crawled):
    """Each listed URL is fetched, has another outcome, waits, or lies outside."""
    maps = crawled["coverage"]["sitemaps"]
    assert (maps["files"], maps["urls"], maps["fetched"], maps["waiting"], maps["out_of_scope"]) == (1, 5, 2, 1, 1)
    assert maps["outcomes"] == {"fetched": 2, "gone": 1}
    assert {each["url"]: each["why"] for each in maps["not_fetched"]["listed"]} == {
        "https://a.example/gone": "gone",
        "https://a.example/later": "waiting",
        "https://elsewhere.example/": "out of scope",
    }
    assert maps["not_fetched"]["total"] == 3
    assert [each["url"] for each in maps["in_no_sitemap"]["listed"]] == ["https://a.example/", "https://b.example/one"]


def test_coverage_against_the_links(crawled):
    """A page that only a sitemap leads to is an orphan, though it links to itself; known URLs include those waiting."""
    links = crawled["coverage"]["links"]
    assert (links["known"], links["recorded"], links["waiting"]) == (9, 8, 1)
    assert links["orphans"] == {"total": 1, "listed": [{"url": "https://a.example/lonely"}]}


def test_numbers_by_kind(crawled):
    """Types, languages, depths, sizes and times are counted; regions of a language go together."""
    assert {each["type"]: each["count"] for each in crawled["by_type"]} == {"html": 4, "not read": 2, "sitemap": 1}
    assert crawled["languages"] == [
        {"language": "en", "count": 2},
        {"language": "", "count": 1},
        {"language": "de", "count": 1},
    ]
    assert crawled["depths"][0] == {"depth": 0, "pages": 1, "embeds": 1}
    assert crawled["sizes"]["counts"] == [0, 6, 0, 0, 1, 0, 0]
    assert crawled["response_times"]["counts"] == [5, 0, 0, 0, 1, 0, 0, 0, 1]
    assert [each["host"] for each in crawled["response_times"]["hosts"]] == ["a.example", "b.example"]


def test_reasons_redirects_and_robots(crawled):
    """Each with what decided: the reason, the target, the line."""
    reasons = {(each["outcome"], each["reason"]): each["count"] for each in crawled["reasons"]}
    assert reasons["gone", "status 404"] == reasons["redirected", ""] == 1
    assert crawled["redirects"]["listed"] == [
        {"url": "https://a.example/old", "status": 301, "to": "https://a.example/"}
    ]
    (line,) = crawled["robots_denied"]["lines"]
    assert (line["host"], line["line"], line["count"]) == ("a.example", "Disallow: /private", 1)
    assert crawled["cut_off"]["listed"][0]["url"] == "https://b.example/one"
    assert crawled["largest"][0]["bytes"] == 5_000_000
    assert crawled["slow_hosts"][0]["host"] == "b.example"


def test_pace_over_time_adds_up(crawled):
    """Whatever the spans, all answers and bytes are in them."""
    found_ = crawled["over_time"]
    assert (sum(found_["pages"]), sum(found_["bytes"])) == (7, 5_006_000)
    assert found_["begin"] == NOW


def test_limits_and_traps(crawled):
    """Limits that are set are told with how far it came; traps come with examples."""
    assert crawled["limits"][0] == {"limit": "pages", "most": 100, "reached": 4, "hit": False}
    assert crawled["traps"]["rules"] == [
        {
            "rule": "trap calendar",
            "count": 6,
            "examples": [{"url": "https://a.example/2099/", "parent": "https://a.example/"}],
        }
    ]
    assert crawled["denials"] == []


def test_a_crawl_without_pages_has_a_report(store):
    """Numbers are 0, lists are empty, and the page can be drawn."""
    report = report_of(store, now=NOW)
    assert (report["pages"], report["waiting"], report["state"]) == (0, 1, "stopped")
    assert report["over_time"] is None
    assert report["coverage"]["sitemaps"] is None
    assert "Nothing was fetched yet." in html_report(report)


def test_the_state_follows_from_the_ending_or_the_store(store):
    """A worker that lives means that it runs; an empty queue that it is finished."""
    assert report_of(store, now=NOW, ended=Ended(ending=Ending.ABORTED))["state"] == "aborted"
    worker = Worker(store)
    worker.claim()
    assert report_of(store, now=NOW)["state"] == "running"
    worker.take()
    worker.commit()
    assert report_of(store, now=NOW + 1_000)["state"] == "finished"


def test_a_sealed_store_has_the_same_report(store, crawled):
    """Queue and hosts are dropped; what was learned from pages stays."""
    store.seal()
    again = report_of(store, now=NOW)
    for name in (
        "broken_links",
        "off_scope",
        "redirects",
        "by_host",
        "over_time",
        "languages",
        "robots_denied",
        "response_times",
    ):
        assert again[name] == crawled[name], name


def test_lists_are_bounded_and_totals_are_not(store):
    """A page with thousands of broken links, each on many pages, gives a short list and the true numbers."""
    count = MOST_BROKEN + 500
    broken = [f"https://a.example/broken/{number:06}" for number in range(count)]
    parents = [f"https://a.example/{number}" for number in range(MOST_PARENTS + 5)]
    links = pack_outlinks([PageLink(Hop.LINK, "a", url) for url in broken])
    worker = Worker(store)
    worker.claim()
    (seed,) = worker.take().entries
    pages = [worker.result(_entry(seed, url), outlinks=links) for url in parents]
    gone = [
        PageResult(entry=_entry(seed, url), outcome=Outcome.GONE, reason="status 404", status=404, at=NOW)
        for url in broken
    ]
    store.commit(worker.batch(pages=(*pages, *gone), warcs={worker.file: worker.written}))
    report = report_of(store, now=NOW)
    found_ = report["broken_links"]
    assert (found_["total"], found_["links"], len(found_["listed"])) == (count, count * len(parents), MOST_BROKEN)
    assert {(each["pages"], len(each["linked_from"])) for each in found_["listed"]} == {(len(parents), MOST_PARENTS)}
    assert (report["troubles"]["total"], len(report["troubles"]["listed"])) == (count, MOST_LISTED)
    assert f"The first {MOST_BROKEN:,} are listed." in html_report(report)


def test_hosts_outside_are_counted_with_examples(crawled):
    """Those that pages and sitemaps link to, and of which nothing was asked for."""
    found_ = crawled["off_scope"]["hosts"]
    assert found_ == {
        "total": 1,
        "listed": [
            {
                "host": "elsewhere.example", "links": 1, "pages": 1,
                "examples": [{"url": "https://elsewhere.example/", "parent": SITEMAP}],
            }
        ],
        "counted_to": None,
    }  # fmt: skip
    assert crawled["off_scope"]["links"] == 0


def test_links_that_the_scope_denied_are_summed(store):
    """Without traps, and without what is no URL."""
    worker = Worker(store)
    worker.claim()
    worker.take()
    rules = ("root", "root", "trap calendar", "malformed link")
    worker.commit(denials=tuple(Denial(rule=rule, url="https://x.example/", parent="p") for rule in rules))
    assert report_of(store, now=NOW)["off_scope"]["links"] == 2


def test_odd_urls_are_found(store):
    """Long ones by their lengths, paths that repeat themselves by their pattern, types that nobody knows."""
    long = "https://a.example/" + "l" * 300
    odd = {
        long: {}, "https://a.example/x/y/x/y/x/y/z": {}, "https://a.example/x/y/x/y": {},
        "https://a.example/shop/shop/1": {}, "https://a.example/blob": {"type": "other", "extension": "bin"},
        "https://a.example/fine": {"type": "html", "extension": "html"},
    }  # fmt: skip
    worker = Worker(store)
    worker.claim()
    (seed,) = worker.take().entries
    defaults = {"type": "html", "extension": "html"}
    pages = [worker.result(_entry(seed, url), **(defaults | given)) for url, given in odd.items()]
    store.commit(worker.batch(pages=tuple(pages), warcs={worker.file: worker.written}))
    report = report_of(store, now=NOW)
    assert report["long_urls"]["lengths"] == [[len(long), 1]]
    assert (report["long_urls"]["total"], report["long_urls"]["listed"][0]["url"]) == (1, long)
    patterns = {each["pattern"]: (each["count"], each["times"]) for each in report["repeating_patterns"]["listed"]}
    assert patterns == {"/x/y": (2, 3), "/shop": (1, 2)}
    assert (report["repeating_patterns"]["urls"], report["repeating_patterns"]["total"]) == (3, 2)
    (unknown,) = report["unknown_types"]["listed"]
    assert (unknown["url"], report["unknown_types"]["total"]) == ("https://a.example/blob", 1)
    assert report["unknown_types"]["groups"][0]["host"] == "a.example"
    media = {(each["mime"], each["type"]): each["count"] for each in report["by_mime"]}
    assert media == {("text/html", "html"): 5, ("not known", "other"): 1}


@pytest.mark.parametrize(
    ("path", "found_"),
    [
        ("a/b/c", ("", 1)),
        ("a/b/a", ("", 1)),
        ("a/a", ("/a", 2)),
        ("//", ("", 1)),
        ("a/b/a/b/a/b", ("/a/b", 3)),
        ("x?u=/a/a/a", ("", 1)),
        ("a/" * 1_000, ("/a", 1_000)),
    ],
)
def test_a_path_that_repeats_itself(path, found_):
    """At once, not somewhere; queries do not count, nor do empty segments."""
    assert repeat_in(f"https://a.example/{path}") == found_


def test_some_parts_of_a_report_are_those_of_the_whole(store, crawled):
    """And nothing else is made, but the numbers that every report begins with."""
    some = parts_of(store, {"statuses", "by_host"}, now=NOW)
    assert (some["statuses"], some["by_host"]) == (crawled["statuses"], crawled["by_host"])
    assert "broken_links" not in some
    assert some["pages"] == crawled["pages"]


def test_hostile_texts_are_made_harmless(store):
    """Titles, reasons and lines of a megabyte, with markup, controls and marks that turn the text round."""
    nasty = "</script><img src=x onerror=alert(1)>\x1b[2J\u202egnp.exe\u2066" + "x" * 1_000_000
    worker = Worker(store)
    worker.claim()
    worker.take()
    (entry,) = worker.inflight
    result = PageResult(
        entry=entry, outcome=Outcome.ROBOTS_DENIED, reason=nasty, robots=nasty, title=nasty,
        language=nasty, type=nasty[:50],
    )  # fmt: skip
    denial = Denial(rule=nasty, url=f"javascript:{nasty}", parent=nasty)
    store.commit(worker.batch(pages=(result,), denials=(denial,)))
    report = report_of(store, now=NOW)
    assert len(json.dumps(report)) < 100_000
    page = html_report(report)
    assert "<img" not in page
    assert not {char for char in page if char in "\x1b\u202e\u2066"}
    assert "⟨U+202E⟩" in page
    assert 'href="javascript' not in page


def test_a_look_tells_which_hosts_rest(store):
    """Those that rest come first, with the seconds that are left."""
    (host,) = store.hosts()
    worker = Worker(store)
    worker.claim()
    (entry,) = worker.take().entries
    update = HostUpdate(id=host.id, next_due=NOW + 3, delay=3.0, block_until=NOW + 60, failures=2)
    store.commit(worker.batch(pages=(worker.result(entry),), hosts=(update,), warcs={worker.file: worker.written}))
    look = look_at(store, store.plan.limits, NOW)
    (seen,) = look.hosts
    assert (seen.name, seen.due, seen.resting, seen.delay, seen.failures) == ("a.example", 60, 60, 3.0, 2)
    assert look.counts.pages == 1
    assert [(one.url, one.outcome, one.status) for one in look.recent] == [(entry.url, "fetched", 200)]


def _entry(seed, url):
    """An entry that the queue never had."""
    return replace(seed, id=0, url=url, hash64=url_hash64(url))


def test_a_report_of_an_earlier_version_is_still_a_page(crawled):
    """It says what was not counted then."""
    new = ("off_scope", "long_urls", "repeating_patterns", "unknown_types", "by_mime")
    older = {name: part for name, part in crawled.items() if name not in new}
    assert html_report(older).count("did not count this") == 2
    assert "did not count this" not in html_report(crawled)
