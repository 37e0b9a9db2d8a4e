"""Seed A requirement 2: the root string bounds a crawl."""

from opilio.crawl.plan import Seed


def test_only_urls_that_begin_with_the_root_string_are_fetched(sites):
    """The start lies under the root string, as do its pages; what can be reached only from outside is not found."""
    crawled = sites.crawl(Seed(url=sites.url("root-string/docs/"), root=sites.url("root-string/docs/")))
    assert crawled.captured == ["root-string/docs/", "root-string/docs/page.html"]
    assert crawled.denied == {"scope root": 2}


def test_a_root_string_ends_anywhere(sites):
    """Without a slash at its end the root string is a prefix of names, too."""
    crawled = sites.crawl(Seed(url=sites.url("root-string/docs/"), root=sites.url("root-string/docs")))
    assert "root-string/docsheet.html" not in crawled.captured  # nothing inside links to it
    found = sites.crawl(
        Seed(url=sites.url("root-string/docs/"), root=sites.url("root-string/docs")),
        Seed(url=sites.url("root-string/docsheet.html"), root=sites.url("root-string/docs")),
    )
    assert "root-string/docsheet.html" in found.captured
