"""The generated site: the same every time, and exactly as large as it says."""

import struct
import zlib
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from tests.servers.large_site import LargeSite, picture, site_of
from tests.servers.raw_client import ask


class Links(HTMLParser):
    """The URLs that a page links to and embeds."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: list[str] = []
        self.embeds: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if tag == "a":
            self.anchors.append(values["href"])
        elif tag in ("img", "script", "link"):
            self.embeds.append(values.get("src") or values["href"])


def crawled(client: httpx.Client, start: str) -> tuple[set[str], set[str]]:
    """Paths of all pages and embeds reached from a URL, on its own host."""
    host, pages, embeds, waiting = urlsplit(start).netloc, set(), set(), [start]
    while waiting:
        url = waiting.pop()
        if urlsplit(url).path in pages or urlsplit(url).netloc != host:
            continue
        answer = client.get(url)
        assert answer.status_code == 200, url
        pages.add(urlsplit(url).path)
        found = Links(answer.text)
        embeds |= {urljoin(url, target) for target in found.embeds}
        waiting += [urljoin(url, target).partition("#")[0] for target in found.anchors]
    return pages, embeds


@pytest.mark.parametrize("key", ["1", "2", "9", "120", "120-7"])
def test_every_page_is_reached(server, key):
    """Following links from the front page gives exactly the pages and embedded files that the site names."""
    site = site_of(key)
    with httpx.Client() as client:
        pages, embeds = crawled(client, server.url(f"/large/{key}/"))
        assert pages == set(site.page_paths())
        assert {urlsplit(url).path for url in embeds} == set(site.asset_paths())
        assert {client.get(url).status_code for url in embeds} == {200}
    assert len(pages) == site.pages


def test_links_are_known_without_fetching():
    """The links a page is said to have are those in its markup; their number is that of real pages."""
    site = LargeSite(pages=5000)
    for number in (0, 1, 77, 4999):
        base = f"http://a{site.path(number)}"
        anchors = [urljoin(base, target) for target in Links(site.markup(number)).anchors]
        inside = {urlsplit(url).path for url in anchors if urlsplit(url).netloc == "a"}
        assert inside == site.links(number)
        assert 20 <= len(anchors) <= 60
        assert sum("elsewhere.example" in url for url in anchors) == 1


def test_site_is_the_same_every_time(server):
    """The same numbers give the same bytes; another seed gives another site of the same size."""
    one, other = LargeSite(pages=300), LargeSite(pages=300, seed=2)
    assert one.markup(5) == LargeSite(pages=300).markup(5)
    assert ask(server.port, one.path(5)).body == one.markup(5).encode()
    assert len(set(one.page_paths())) == len(set(other.page_paths())) == 300
    assert not set(one.page_paths()) & set(other.page_paths())
    assert one.markup(5) != other.markup(5)


def test_foreign_paths_are_missing(server):
    """Only the exact path of a page exists."""
    site = LargeSite(pages=100)
    right = site.path(7)
    wrong = [right.replace("-7.", "-8."), right.replace("-7.", "-07."), right + "x", "/large/100/-7.html"]
    wrong += ["/large/100", "/large/100/assets/50.png", "/large/100/assets/", "/large/7-1/x/y-7.html"]
    assert ask(server.port, right).status == 200
    assert [ask(server.port, path).status for path in wrong] == [404] * len(wrong)


def test_huge_site_costs_nothing(server):
    """A page of a site with a hundred million pages is made on the spot."""
    site = LargeSite(pages=100_000_000)
    assert ask(server.port, site.path(99_999_999)).status == 200


def test_pages_have_validators(server):
    """A second visit with the ETag gets 304."""
    path = LargeSite(pages=100).path(3)
    tag = ask(server.port, path).header("ETag")
    assert ask(server.port, path, headers={"If-None-Match": tag}).status == 304


def test_pictures_are_real():
    """A picture is a PNG of 16 × 16 whose pixels unpack."""
    data = picture(3)
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", data[16:24]) == (16, 16)
    length = struct.unpack(">I", data[33:37])[0]
    assert len(zlib.decompress(data[41 : 41 + length])) == 16 * 49
