"""Crawling again: only what changed is fetched, the rest is asked about, and its links lead on."""

import shutil
import sqlite3

import pytest

from opilio.crawl.errors import NewerCrawlStore, NoCrawlStore, NotACrawlStore
from opilio.crawl.frontier.migrations import SCHEMA_VERSION
from opilio.crawl.plan import Extract, Seed
from opilio.kernel.digests import Algorithm
from opilio.kernel.errors import Conflict
from opilio.kernel.locks import locked
from tests.sites.again import LONG

NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
IDENTICAL = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"


@pytest.fixture
def site(again):
    """Three pages; only the first leads to the second, and only that to the third."""
    again.write(
        index='<html lang="en"><meta name="subject" content="sheep"><a href="second.html">2</a>' + LONG,
        second='<a href="third.html">3</a>' + LONG,
        third=LONG,
    )
    return again


@pytest.mark.parametrize(("sealed", "workers"), [(False, 1), (True, 1), (True, 2)])
def test_what_did_not_change_is_not_sent_again_and_its_links_lead_on(site, sealed, workers):
    """The rows tell what the earlier crawl read; the records refer to its captures."""
    first = site.crawl("first", sealed=sealed)
    site.write(third=LONG + "changed")
    second = site.crawl("second", since="first", workers=workers)
    assert second.outcomes == {"": "unchanged", "second.html": "unchanged", "third.html": "fetched"}
    before, after = first.pages[""], second.pages[""]
    for name in ("title", "meta", "type", "extension", "language", "size", "digest", "etag", "last_modified"):
        assert getattr(after, name) == getattr(before, name)
    assert (after.title, after.status, "sheep" in after.meta) == ("index", 304, True)
    assert after.digest in second.texts
    assert after.original == (before.at, before.url)
    record, original = second.records("revisit")[""], first.records("response")[""]
    assert record["WARC-Profile"] == NOT_MODIFIED
    assert record["WARC-Refers-To-Target-URI"] == original["WARC-Target-URI"]
    assert record["WARC-Refers-To-Date"] == original["WARC-Date"]
    assert record["WARC-Payload-Digest"] == original["WARC-Payload-Digest"]
    assert record["block"].startswith(b"HTTP/1.1 304 ")
    assert set(second.records("response")) == {"robots.txt", "third.html"}


def test_the_index_says_where_the_body_is(site):
    """A line of a revisit names URL and time of the original."""
    first = site.crawl("first")
    line = site.crawl("second", since="first").index["second.html"]
    assert (line["mime"], line["original_url"]) == ("warc/revisit", first.pages["second.html"].url)
    assert line["original_time"].startswith(first.records("response")["second.html"]["WARC-Date"][:4])


def test_a_third_crawl_refers_to_the_first(site):
    """A revisit is no original."""
    first = site.crawl("first")
    site.crawl("second", since="first", sealed=True)
    third = site.crawl("third", since="second")
    assert set(third.outcomes.values()) == {"unchanged"}
    assert third.pages["third.html"].digest in third.texts
    for path in ("", "second.html", "third.html"):
        refers, original = third.records("revisit")[path], first.records("response")[path]
        assert refers["WARC-Refers-To-Date"] == original["WARC-Date"]


def test_the_same_bytes_are_known_by_their_digest(site):
    """A server that gives no validators sends all again; the body is not kept twice."""
    first = site.crawl("first", start="page")
    second = site.crawl("second", start="page", since="first")
    assert second.outcomes == {"page": "unchanged"}
    page, record = second.pages["page"], second.records("revisit")["page"]
    assert (page.status, page.reason) == (200, "the digest is that of the earlier crawl")
    assert record["WARC-Profile"] == IDENTICAL
    assert record["WARC-Refers-To-Date"] == first.records("response")["page"]["WARC-Date"]
    assert record["block"].endswith(b"\r\n\r\n")
    assert page.digest in second.texts


def test_another_digest_algorithm_is_no_hindrance(site):
    """What is unchanged keeps the digest of its original; what is new has the new one."""
    first = site.crawl("first", start="page")
    second = site.crawl("second", start="page", since="first", warc={"digest": Algorithm.SHA256})
    assert second.outcomes == {"page": "unchanged"}
    assert second.pages["page"].digest == first.pages["page"].digest
    assert second.pages["page"].digest in second.texts
    refers, original = second.records("revisit")["page"], first.records("response")["page"]
    assert refers["WARC-Payload-Digest"] == original["WARC-Payload-Digest"]
    assert refers["WARC-Payload-Digest"].startswith("sha1:")
    assert refers["WARC-Block-Digest"].startswith("sha256:")


def test_pages_are_read_anew_when_the_plan_reads_otherwise(site):
    """Then nothing is asked on a condition, and the digest decides."""
    site.crawl("first")
    second = site.crawl("second", since="first", extract=Extract(scripts=True))
    assert {page.status for page in second.pages.values()} == {200}
    assert set(second.outcomes.values()) == {"unchanged"}
    assert len(second.records("revisit")) == 3


def test_bodies_are_kept_again_on_wish(site):
    """So that the WARC files stand alone."""
    site.crawl("first")
    second = site.crawl("second", since="first", warc={"revisits": False})
    assert set(second.outcomes.values()) == {"unchanged"}
    assert second.records("revisit") == {}
    assert set(second.records("response")) == {"", "robots.txt", "second.html", "third.html"}
    assert {page.original for page in second.pages.values()} == {None}


def test_bytes_that_were_not_sent_do_not_count_under_the_limit(site):
    """The size of a page is that of the page all the same."""
    site.crawl("first")
    second = site.crawl("second", since="first", limits={"bytes": 100})
    assert set(second.outcomes.values()) == {"unchanged"}
    assert len(second.outcomes) == 3


def test_another_append_string_makes_other_pages(site):
    """What was asked for under another URL is not compared."""
    site.crawl("first")
    second = site.crawl(
        "second", start=Seed(url=site.sites.url(f"{site.site.name}/"), append="?print=1"), since="first"
    )
    assert set(second.outcomes.values()) == {"fetched"}


def test_a_truncated_page_is_no_original(site):
    """Nor is one whose WARC file is gone."""
    site.crawl("first", fetch={"max_body": 300})
    second = site.crawl("second", since="first")
    assert second.outcomes[""] == "fetched"
    shutil.rmtree(site.folder / "second" / "warcs")
    assert set(site.crawl("third", since="second").outcomes.values()) == {"fetched"}


def test_a_304_that_nobody_asked_for_is_an_error(site):
    """There is nothing that it could mean."""
    found = site.crawl("first", start="status/304")
    assert found.outcomes == {"status/304": "permanent-error"}


def test_an_earlier_crawl_that_cannot_be_used_is_refused_before_anything_is_made(site, tmp_path):
    """With the place and what to do."""
    first = site.crawl("first")
    (tmp_path / "empty").mkdir()
    (tmp_path / "foreign").mkdir()
    sqlite3.connect(tmp_path / "foreign" / "crawl.db").execute("CREATE TABLE x (y)").connection.close()
    shutil.copytree(first.path, tmp_path / "newer")
    with sqlite3.connect(tmp_path / "newer" / "crawl.db") as database:
        database.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    database.close()
    for name, error in (
        ("nowhere", NoCrawlStore), ("empty", NoCrawlStore), ("foreign", NotACrawlStore), ("newer", NewerCrawlStore),
    ):  # fmt: skip
        with pytest.raises(error) as raised:
            site.crawl("second", since=name)
        assert name in raised.value.where
        assert raised.value.remedy
    with locked(first.path / "lock", purpose="crawl"), pytest.raises(Conflict, match="still runs"):
        site.crawl("second", since="first")
    with pytest.raises(Conflict, match="by itself"):
        site.crawl("first", since="first")
    assert not (tmp_path / "second").exists()


def test_the_earlier_crawl_is_not_changed(site):
    """Not a byte of it."""
    first = site.crawl("first")
    before = {path: path.read_bytes() for path in sorted(first.path.rglob("*")) if path.is_file()}
    site.crawl("second", since="first")
    assert {path: path.read_bytes() for path in before} == before
