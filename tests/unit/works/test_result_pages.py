"""The pages of a result in parts, and what they ask for in vain."""

import pytest

from opilio.kernel.capture import Hop
from opilio.kernel.page_links import PageLink
from opilio.works import missing_resources, result_pages
from tests.unit.archive import derived
from tests.unit.archive.derived import Page, first_result

SITE = "http://owls.example/"


@pytest.fixture
def folder(tmp_path):
    """Twenty pages, of which every fifth failed."""
    pages = [
        Page(f"{SITE}{number}", f"Owl {number}", outcome="gone" if number % 5 == 0 else "fetched")
        for number in range(20)
    ]
    return first_result(tmp_path / "crawl", pages).crawl


def numbers(part):
    return [page.number for page in part.pages]


def test_parts_follow_one_another(folder):
    """Each page once, in order; the last part names no next."""
    with result_pages.opened(folder, 1) as view:
        found, after = [], -1
        while after is not None:
            part = result_pages.pages(view, after=after, most=3)
            found += numbers(part)
            after = part.next
        assert found == list(range(20))
        assert numbers(result_pages.pages(view, text="OWL 1", most=50)) == [1, 10, *range(11, 20)]


def test_a_look_through_many_resources_ends_early(folder, monkeypatch):
    """And says so, so that one can go on."""
    monkeypatch.setattr(result_pages, "_WINDOW", 6)
    with result_pages.opened(folder, 1) as view:
        part = result_pages.pages(view, text="owl 19", most=5)
        assert (part.pages, part.whole) == ([], False)
        while part.next is not None:
            part = result_pages.pages(view, text="owl 19", after=part.next, most=5)
        assert numbers(part) == [19]


def test_gaps_are_what_pages_embed_and_sitemaps_name(tmp_path, monkeypatch):
    """What was fetched, or kept out by a rule, is no gap; each gap is told once, with a page that needs it."""
    links = {
        f"{SITE}a": [("E", "img", "lost"), ("E", "img", "there"), ("E", "css", "denied"), ("L", "a", "unlinked")],
        f"{SITE}b": [("E", "img", "lost"), ("E", "img", "broken"), ("L", "sitemap", "named")],
    }
    monkeypatch.setattr(
        derived, "links_of", lambda page: [PageLink(Hop(hop), kind, SITE + name) for hop, kind, name in links[page.url]]
    )
    pages = [
        Page(f"{SITE}a", "A", ("x",)), Page(f"{SITE}b", "B", ("x",)), Page(f"{SITE}there", "There"),
        Page(f"{SITE}denied", "Denied", outcome="robots-denied"), Page(f"{SITE}broken", "Broken", outcome="gone"),
    ]  # fmt: skip
    results = first_result(tmp_path / "crawl", pages)
    with result_pages.opened(results.crawl, 1) as view:
        embeds = missing_resources.failed_embeds(view, most=10)
        sitemap = missing_resources.sitemap_gaps(view, most=10)
        few = missing_resources.failed_embeds(view, most=1)
        none = missing_resources.failed_embeds(view, most=10, more=lambda: False)
    assert [(gap.url, gap.page) for gap in embeds.gaps] == [(f"{SITE}lost", f"{SITE}a"), (f"{SITE}broken", f"{SITE}b")]
    assert [gap.url for gap in sitemap.gaps] == [f"{SITE}named"]
    assert (len(few.gaps), few.whole, none.whole, none.pages) == (1, False, False, 0)
