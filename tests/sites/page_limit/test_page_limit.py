"""A crawl point's maximum of pages (seed A §3.1) is exact."""

import pytest


@pytest.mark.parametrize("limit", [1, 5, 12])
def test_exactly_so_many_pages_are_fetched(sites, limit):
    """The limit is met and never exceeded; embeds of fetched pages come along and do not count."""
    crawled = sites.crawl("page-limit/", limits={"pages": limit})
    pages = [url for url in crawled.captured if not url.endswith(".png")]
    pictures = {url for url in crawled.captured if url.endswith(".png")}
    assert len(pages) == limit
    assert pictures == {url.replace(".html", ".png") for url in pages if url.endswith(".html")}
    assert crawled.ended.limit == "pages"


def test_zero_means_no_limit(sites):
    """A limit of 0 is none."""
    assert len(sites.crawl("page-limit/", limits={"pages": 0}).captured) == 25
