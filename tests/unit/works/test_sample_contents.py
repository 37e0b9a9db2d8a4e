"""The sample site is what `expected` says it is: its listing, held against the lists written by hand."""

import gzip
import json
import re
from xml.etree import ElementTree

import pytest

from opilio.works.sample import expected, pages
from tests.unit.works.page_links import PageLinks, addresses, walk

ORIGIN = "http://127.0.0.1:4711"
SIGNATURES = {
    ".gif": b"GIF89a", ".jpg": b"\xff\xd8\xff", ".png": b"\x89PNG\r\n\x1a\n", ".webp": b"RIFF", ".wav": b"RIFF",
}  # fmt: skip


@pytest.fixture(scope="module")
def site():
    return pages(ORIGIN)


def html(site):
    return {path: each for path, each in site.items() if each.status == 200 and each.media_type == "text/html"}


def text(response):
    return response.body.decode("latin-1" if response.headers["Content-Type"] == "text/html" else "utf-8")


def named_anywhere(site):
    return {url for path, response in site.items() for url in addresses(response, path, ORIGIN)}


def parsed(xml):
    return ElementTree.fromstring(xml)  # noqa: S314 - our own bytes


def locations(xml):
    return [element.text for element in parsed(xml).iter() if element.tag.endswith("loc")]


def test_a_polite_walk_finds_exactly_the_declared_pages_and_files(site):
    """Following links from the front page finds the declared pages, files and redirects, and nothing else."""
    barred = expected.DENIED_BY_ROBOTS | expected.BEHIND_LOGIN
    seen, _, _ = walk(site, ORIGIN, barred=barred)
    assert seen & html(site).keys() == expected.PAGES
    assert seen == expected.PAGES | expected.FILES | expected.REDIRECTS.keys()


def test_only_the_declared_links_are_broken(site):
    """Every internal link leads somewhere but the four declared ones, also from behind login and robots."""
    named = {url.removeprefix(ORIGIN) for url in named_anywhere(site) if url.startswith(ORIGIN + "/")}
    missing = named - site.keys()
    assert missing == expected.BROKEN_LINKS


def test_barred_pages_are_linked_to(site):
    """A crawl that ignores robots and signs in finds the barred pages, so obeying makes a difference."""
    seen, _, _ = walk(site, ORIGIN)
    assert seen >= expected.DENIED_BY_ROBOTS | expected.BEHIND_LOGIN


def test_nothing_leads_away_but_the_declared_links(site):
    """The only addresses elsewhere are two reserved names, and mail and telephone links."""
    elsewhere = {url for url in named_anywhere(site) if not url.startswith(ORIGIN + "/")}
    assert {url for url in elsewhere if not url.startswith(("mailto:", "tel:"))} == expected.EXTERNAL_LINKS


def test_the_listing_holds_nothing_undeclared(site):
    """Each response of the site is in one of the declared lists."""
    declared = (
        expected.PAGES | expected.FILES | expected.FOUND_BY_SCRIPT | expected.ONLY_IN_SITEMAP | expected.SITEMAPS
        | expected.REDIRECTS.keys() | expected.DENIED_BY_ROBOTS | expected.BEHIND_LOGIN
        | {expected.ROBOTS, expected.SITEMAP_INDEX}
    )  # fmt: skip
    assert site.keys() == declared


def test_the_site_is_small_and_has_about_sixty_pages(site):
    """About sixty pages are reachable, in less than 400 kB all told."""
    assert 55 <= len(expected.PAGES) <= 70
    assert sum(len(each.body) for each in site.values()) < 400_000


def test_html_does_not_depend_on_the_origin(site):
    """The pages have the same bytes at every address, so that a second crawl finds them unchanged."""
    elsewhere = pages("http://127.0.0.1:1")
    assert {path: each.body for path, each in html(site).items()} == {
        path: each.body for path, each in html(elsewhere).items()
    }


def test_every_page_has_title_description_and_language(site):
    """Each page carries what a catalogue wants to know, and no two pages share a title but print versions."""
    titles = {}
    for path, response in html(site).items():
        page = PageLinks(text(response))
        titles[path] = re.search("<title>(.+?)</title>", text(response))[1]
        assert page.meta["description"], path
        assert page.lang == expected.OTHER_LANGUAGES.get(path, "en"), path
    assert len(set(titles.values())) == len(titles)


def test_canonical_links_name_the_page_itself_or_its_original(site):
    """A print version names its original, the map frame its page; all others name themselves."""
    others = expected.PRINT_VERSIONS | {"/visit/map-frame.html": "/visit/getting-here.html"}
    for path, response in html(site).items():
        assert PageLinks(text(response)).canonical == others.get(path, path)


def test_print_versions_repeat_their_page(site):
    """A print version holds the words of its page in other bytes."""
    for copy, original in expected.PRINT_VERSIONS.items():
        words = re.search("<h1>(.+?)</h1>", text(site[original]))[1]
        assert words in text(site[copy])
        assert site[copy].body != site[original].body


def test_meta_elements_say_noindex_refresh_and_charset(site):
    """Only the declared pages ask not to be indexed, send the reader on, or use another charset."""
    found = {path: PageLinks(text(each)) for path, each in html(site).items()}
    assert {path for path, page in found.items() if "noindex" in page.meta.get("robots", "")} == expected.NOINDEX
    refreshing = {
        path: page.meta["refresh"].partition("url=")[2] for path, page in found.items() if "refresh" in page.meta
    }
    assert refreshing == expected.META_REFRESH


def test_the_latin_1_page_says_so_only_in_its_meta_element(site):
    """The old recipe is not UTF-8, and the header leaves the charset to the page."""
    for path, charset in expected.OTHER_CHARSETS.items():
        response = site[path]
        assert response.headers["Content-Type"] == "text/html"
        assert f'<meta charset="{charset}">'.encode() in response.body
        assert "crème brûlée" in response.body.decode(charset)
        with pytest.raises(UnicodeDecodeError):
            response.body.decode("utf-8")


def test_structured_data_is_json(site):
    """The JSON-LD of the front page and of an event can be read."""
    kinds = set()
    for response in html(site).values():
        blocks = re.findall(r'<script type="application/ld\+json">(.+?)</script>', text(response), re.DOTALL)
        kinds |= {json.loads(block)["@type"] for block in blocks}
    assert kinds == {"Museum", "Event"}


@pytest.mark.parametrize(
    "marker", ["<picture>", " srcset=", "<iframe ", "<base ", "<area ", "<audio ", 'rel="nofollow"']
)
def test_the_pages_use_many_ways_to_name_a_resource(site, marker):
    """Each way of naming a resource that extraction must know occurs on some page."""
    assert any(marker in text(response) for response in html(site).values())


def test_style_sheets_import_and_embed(site):
    """The style sheet names another sheet and two pictures."""
    named = addresses(site["/css/site.css"], "/css/site.css", ORIGIN)
    assert named == {ORIGIN + path for path in ("/css/tokens.css", "/images/waves.svg", "/images/fog.svg")}


def test_feeds_are_xml_and_name_existing_pages(site):
    """Both feeds parse, and each of their entries is a page of the site."""
    for path in expected.FEEDS:
        tree = parsed(site[path].body)
        links = {
            each.text or each.get("href") for each in tree.iter() if each.tag.rpartition("}")[2] in ("link", "guid")
        }
        assert len(links) >= 4
        assert {link.removeprefix(ORIGIN) for link in links} <= site.keys()


def test_sitemaps_name_existing_public_pages(site):
    """The index names both sitemaps; together they name the public pages and the one page nobody links to."""
    assert set(locations(site[expected.SITEMAP_INDEX].body)) == {ORIGIN + path for path in expected.SITEMAPS}
    plain, packed = site["/sitemap.xml"].body, gzip.decompress(site["/sitemaps/news.xml.gz"].body)
    named = {url.removeprefix(ORIGIN) for url in locations(plain) + locations(packed)}
    left_out = expected.NOINDEX | {expected.SOFT_404} | expected.META_REFRESH.keys() | expected.PRINT_VERSIONS.keys()
    assert named == (expected.PAGES - left_out) | expected.ONLY_IN_SITEMAP


def test_robots_txt_bars_the_staff_room_but_not_its_notice_board(site):
    """robots.txt disallows, makes an exception, asks for a delay and names the sitemap index."""
    lines = site[expected.ROBOTS].body.decode().splitlines()
    assert "Disallow: /staff-room/" in lines
    assert "Allow: /staff-room/notice-board.html" in lines
    assert f"Sitemap: {ORIGIN}{expected.SITEMAP_INDEX}" in lines
    assert any(line.startswith("Crawl-delay: 0.") for line in lines)


def test_pictures_and_sounds_have_the_signature_of_their_kind(site):
    """Each picture and sound begins as its kind must; drawings are XML."""
    for path in expected.FILES:
        suffix = path[path.rfind(".") :]
        if suffix in SIGNATURES:
            assert site[path].body.startswith(SIGNATURES[suffix]), path
        elif suffix == ".svg":
            assert parsed(site[path].body).tag == "{http://www.w3.org/2000/svg}svg"
