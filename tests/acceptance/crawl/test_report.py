"""The report of a real crawl of the sample site: rows, report.json, report.html, the command, the live view."""

import contextlib
import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from opilio.cli.crawl_report import report as verb
from opilio.works.crawl_folder import CrawlFolder, StoreAddress
from opilio.works.crawl_story import explain, report
from opilio.works.crawl_to_archive import Crew, crawl
from opilio.works.sample import SampleSite, expected
from tests.acceptance.crawl.crawls import pages_of, plan_for


class Crawled:
    """The crawl, and what was seen of it while it ran."""

    def __init__(self, folder):
        self.folder = folder / "out"
        self.meanwhile = []
        self.looks = []
        with SampleSite() as site:
            self.url = site.url
            crew = Crew(watch=self.watch, look=self.looks.append)
            self.summary = crawl(plan_for(f"{site.url}/", manners={"delay": 0.01}), self.folder, crew)
        self.rows = {page.url.removeprefix(self.url): page for page in pages_of(self.folder)}

    def watch(self, progress):
        if not self.meanwhile:
            self.meanwhile.append(report(self.folder))

    def paths(self, listed, name="url"):
        return {each[name].removeprefix(self.url) for each in listed}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    return Crawled(tmp_path_factory.mktemp("report"))


def test_a_page_is_recorded_with_all_that_it_says(crawled):
    """Title, meta tags as name and content, type, extension, language, time of change, entity tag."""
    page = crawled.rows["/de/"]
    assert (page.type, page.extension, page.language) == ("html", "html", "de")
    assert page.title.startswith("Das Hafenmuseum von Tidewick")
    assert ["description", "Kurze Einführung in das Museum auf Deutsch."] in json.loads(page.meta)
    assert page.last_modified == "Wed, 01 Oct 2025 12:00:00 GMT"
    assert page.etag.startswith('"')


def test_types_and_extensions_follow_the_content(crawled):
    """Not only of pages."""
    found = {path: (crawled.rows[path].type, crawled.rows[path].extension) for path in (
        "/publications/guide-to-the-harbour.pdf", "/downloads/tides-2026.csv", "/sitemaps/news.xml.gz",
        "/feeds/news.rss", "/css/site.css", "/images/knot.png", "/js/board.js", "/sounds/foghorn.wav",
    )}  # fmt: skip
    assert found == {
        "/publications/guide-to-the-harbour.pdf": ("pdf", "pdf"),
        "/downloads/tides-2026.csv": ("text", "csv"),
        "/sitemaps/news.xml.gz": ("sitemap", "xml"),
        "/feeds/news.rss": ("feed", "rss"),
        "/css/site.css": ("style", "css"),
        "/images/knot.png": ("image", "png"),
        "/js/board.js": ("script", "js"),
        "/sounds/foghorn.wav": ("audio", "wav"),
    }


def test_the_report_holds_what_is_true_of_the_site(crawled):
    """Broken links with their pages, redirects, the line of robots.txt, what no page links to."""
    found = json.loads((crawled.folder / "report.json").read_text())
    assert found == crawled.summary.report
    assert crawled.paths(found["broken_links"]["listed"]) == {*expected.BROKEN_LINKS, expected.SOFT_404}
    assert all(each["linked_from"] for each in found["broken_links"]["listed"])
    assert crawled.paths(found["redirects"]["listed"]) == {*expected.REDIRECTS, "/members/"}
    assert [each["line"] for each in found["robots_denied"]["lines"]] == ["Disallow: /staff-room/"]
    assert crawled.paths(found["coverage"]["links"]["orphans"]["listed"]) == expected.ONLY_IN_SITEMAP
    assert found["state"] == "finished"


def test_every_url_of_the_sitemaps_was_fetched(crawled):
    """And pages that no sitemap lists are named."""
    maps = crawled.summary.report["coverage"]["sitemaps"]
    assert maps["files"] == len(expected.SITEMAPS) + 1
    assert maps["fetched"] == maps["urls"] > 0
    assert maps["not_fetched"] == {"total": 0, "listed": []}
    assert crawled.paths(maps["in_no_sitemap"]["listed"]) <= expected.PAGES


def test_languages_are_counted_and_explained(crawled):
    """The report tells how many, `explain` the one."""
    counts = {each["language"]: each["count"] for each in crawled.summary.report["languages"]}
    assert (counts["de"], counts["fr"]) == (1, 1)
    story = explain(crawled.folder, f"{crawled.url}/fr/")
    assert (story["language"], story["extension"]) == ("fr", "html")
    assert story["last_modified"] == "Wed, 01 Oct 2025 12:00:00 GMT"


class Outline(HTMLParser):
    """The elements of a page, and whatever it would load."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.loads, self.ids, self.targets = [], [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append(tag)
        self.loads += [given[name] for name in ("src", "srcset", "data", "poster") if name in given]
        self.ids += [given["id"]] if "id" in given else []
        if given.get("href", "").startswith("#"):
            self.targets.add(given["href"][1:])


def test_the_page_needs_nothing_from_outside(crawled):
    """No script, no picture, no style sheet but its own; every link inside it leads somewhere."""
    outline = Outline((crawled.folder / "report.html").read_text())
    assert not {"script", "link", "img", "iframe", "object"} & set(outline.tags)
    assert outline.loads == []
    assert outline.targets <= set(outline.ids)
    assert len(outline.ids) == len(set(outline.ids))
    assert outline.tags.count("h1") == 1
    assert outline.tags.count("svg") > 8


def test_the_example_of_the_docs_has_the_fields_of_today(crawled):
    """The document that pictures and browser tests are made of."""
    example = json.loads((Path(__file__).parents[2] / "data" / "crawl_report.json").read_text("utf-8"))
    assert _shape(example) == _shape(crawled.summary.report)


def _shape(document):
    return {
        name: sorted(part) if isinstance(part, dict) and name in _FIXED else None for name, part in document.items()
    }


_FIXED = ("sizes", "over_time", "response_times", "coverage", "traps", "broken_links", "redirects", "robots_denied")


def test_the_report_of_a_running_crawl(crawled):
    """It is made from what was committed so far."""
    (meanwhile,) = crawled.meanwhile
    assert meanwhile["state"] == "running"
    assert 0 < meanwhile["pages"] < len(crawled.rows)
    assert meanwhile["waiting"] > 0


def test_whoever_watches_is_told_about_every_second(crawled):
    """Counts, limits and hosts."""
    last = crawled.looks[-1]
    assert 0 < last.counts.pages <= len(crawled.rows)
    assert last.hosts[0].name == crawled.url.removeprefix("http://")


def test_the_command_writes_the_page_where_it_is_wanted(crawled, tmp_path):
    """And says so; the numbers are those of the file."""
    page = tmp_path / "page.html"
    answer = verb(crawled.folder, html=page)
    assert ("URLs asked for, with images and styles", len(crawled.rows)) in answer.parts[0].pairs
    assert answer.parts[-1] == f"The page was written: {page}"
    assert answer.document == crawled.summary.report
    assert page.read_text().startswith("<!DOCTYPE html>")


def test_the_report_of_a_crawl_that_has_not_begun(tmp_path):
    """There is nothing to tell but the seed that waits."""
    folder = CrawlFolder(tmp_path / "out")
    with contextlib.closing(folder.begin(plan_for("http://127.0.0.1:1/"), StoreAddress())):
        pass
    found = report(folder.path)
    assert (found["pages"], found["waiting"], found["broken_links"]["total"]) == (0, 1, 0)
