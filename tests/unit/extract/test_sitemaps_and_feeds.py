"""Sitemaps and feeds, good, bad and hostile."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.extract import LinkKind, Options, PageType, extract
from opilio.extract.feed import read_feed
from opilio.extract.sitemap import read_sitemap
from tests.unit.extract.pages import DATA, URL, urls

_LAUGHS = b'<!DOCTYPE urlset [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>'


def _data(name):
    return (DATA / name).read_bytes()


def test_a_sitemap_with_everything():
    """Locations, dates, images and other namespaces are told apart."""
    found = read_sitemap(_data("sitemap.xml"))
    assert [entry.ref for entry in found.entries] == ["http://example.org/", "http://example.org/a?b=1&c=2"]
    assert found.entries[0].last_modified == "2026-03-01"
    assert found.entries[0].change_frequency == "weekly"
    assert found.entries[0].images == ("http://example.org/i.png",)
    assert found.problem == ""


def test_a_sitemap_index():
    """The sitemaps of an index are children, and links with the rel sitemap."""
    body = b"<sitemapindex><sitemap><loc>/1.xml</loc></sitemap><sitemap><loc>/2.xml.gz</loc></sitemap></sitemapindex>"
    assert [child.ref for child in read_sitemap(body).children] == ["/1.xml", "/2.xml.gz"]
    assert {link.rel for link in extract(body, url=URL, content_type="text/xml").links} == {"sitemap"}


def test_a_gzipped_sitemap():
    """gzip is unpacked, in several members too."""
    body = gzip.compress(b"<urlset><url><loc>/1</loc></url>") + gzip.compress(b"<url><loc>/2</loc></url></urlset>")
    assert [entry.ref for entry in read_sitemap(body).entries] == ["/1", "/2"]


def test_a_text_sitemap():
    """One URL per line; lines that are none are passed over. The caller says that it is a sitemap."""
    body = b"\xef\xbb\xbfhttp://example.org/1\r\n\r\n# note\nhttp://example.org/2\n"
    found = extract(body, url=URL, content_type="text/plain", expect=PageType.SITEMAP)
    assert urls(found) == ["/1", "/2"]
    assert extract(body, url=URL, content_type="text/plain").links == ()


@pytest.mark.parametrize(
    ("body", "refs", "problem"),
    [
        (b"<urlset><url><loc>/1</loc></url><url><loc>/2", ["/1"], "not well-formed XML"),
        (b"<urlset><url><loc>/1</loc></url><url><loc>a & b</loc>", ["/1"], "not well-formed XML"),
        (b"<urlset><url><lastmod>x</lastmod></url></urlset>", [], ""),
        (b"<html></html>", [], "it is no sitemap"),
        (b"no URL here", [], "it holds no URL"),
        (_LAUGHS, [], "it has a DOCTYPE with declarations"),
        (b"<!DOCTYPE urlset SYSTEM 'http://x/y.dtd'><urlset><url><loc>/1</loc></url></urlset>", ["/1"], ""),
        (b"<urlset>" + b"<a>" * 300, [], "elements are nested more than 200 deep"),
        (
            gzip.compress(b"<urlset><url><loc>/1</loc></url></urlset>", mtime=0)[:-12],
            [],
            "the gzip stream ends too early",
        ),
        (b"\x1f\x8b\x08nonsense-nonsense", [], "the gzip stream is damaged"),
        (b"", [], ""),
    ],
)
def test_bad_sitemaps(body, refs, problem):
    """What came before the break counts, and the reason is told."""
    found = read_sitemap(body)
    assert [entry.ref for entry in found.entries] == refs or body[:2] == b"\x1f\x8b"
    assert found.problem.startswith(problem)


def test_limits_of_sitemaps():
    """Entries above the limit are counted, bytes above it not unpacked."""
    body = b"<urlset>" + b"<url><loc>/x</loc></url>" * 20 + b"</urlset>"
    assert (len(read_sitemap(body, options=Options(max_sitemap_entries=5)).entries)) == 5
    assert read_sitemap(body, options=Options(max_sitemap_entries=5)).dropped == 15
    bomb = gzip.compress(b"<urlset>" + b" " * 1_000_000)
    assert read_sitemap(bomb, options=Options(max_sitemap_bytes=1_000)).problem == "it is larger than 1000 bytes"


@pytest.mark.parametrize("name", ["rss.xml", "atom.xml", "rdf.xml"])
def test_feeds(name):
    """RSS 2.0, RSS 1.0 and Atom give the same entries."""
    found = read_feed(_data(name))
    links = [(link.ref, link.text) for link in found.references if link.text and link.kind is LinkKind.LINK]
    assert found.title == "Harbour news"
    assert links[:2] == [("http://example.org/1", "Bell returns"), ("http://example.org/2", "Lens & lamp")]
    assert found.entries == 2
    assert "A bell came home." in found.text
    assert found.problem == ""


def test_enclosures_are_embeds():
    """What a feed attaches comes along with it."""
    found = extract(_data("rss.xml"), url=URL, content_type="application/rss+xml")
    assert urls(found, LinkKind.EMBED) == ["/bell.mp3"]
    assert (found.page_type, found.language) == (PageType.FEED, "en")


def test_json_feed():
    """JSON Feed is recognised by its version, whatever its MIME type."""
    feed = {
        "version": "https://jsonfeed.org/version/1.1", "title": "T", "home_page_url": "/home",
        "items": [{"url": "/1", "title": "One", "content_html": "<p>x</p>", "image": "/1.png",
                   "attachments": [{"url": "/a.mp3"}, 7]}, 3, {"url": 5}],
    }  # fmt: skip
    found = extract(json.dumps(feed).encode(), url=URL, content_type="application/json")
    assert found.page_type is PageType.FEED
    assert urls(found) == ["/home", "/1", "/1.png", "/a.mp3"]
    assert found.text == "T\nOne\nx"


def test_a_broken_feed_gives_what_came_before():
    """The break is a note; a feed of which nothing could be read is unparsable."""
    found = extract(_data("broken-rss.xml"), url=URL, content_type="application/rss+xml")
    assert urls(found) == ["/1"]
    assert found.notes[0].startswith("Reading stopped early: not well-formed XML")
    assert extract(b"<rss", url=URL, content_type="application/rss+xml").unparsable


def test_a_manifest():
    """A web application manifest gives its start page, shortcuts and icons."""
    body = b'{"start_url": "/app", "id": "/no", "icons": [{"src": "i.png"}], "shortcuts": [{"url": "/s"}]}'
    found = extract(body, url=URL, content_type="application/manifest+json")
    assert urls(found) == ["/app", "/dir/i.png", "/s"]


@given(st.one_of(st.binary(max_size=200), st.text(alphabet="<>/urlset loc=\"'&;![]-?xmlrssfeeditem", max_size=200)))
def test_any_document_can_be_read(data):
    """Whatever comes as sitemap, feed or JSON is read without an error."""
    body = data if isinstance(data, bytes) else data.encode()
    for content_type in ("application/xml", "application/rss+xml", "application/json", "application/manifest+json"):
        extract(body, url=URL, content_type=content_type, options=Options(script_strings=True))
    read_sitemap(body)
    read_feed(body)


def test_deep_json_is_refused():
    """JSON nested without end gives nothing."""
    assert extract(b"[" * 100_000 + b"]" * 100_000, url=URL, content_type="application/manifest+json").links == ()
