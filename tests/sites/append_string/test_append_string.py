"""Ruling: the append string."""

from opilio.crawl.plan import Seed


def test_the_append_string_is_added_to_what_is_asked_for_and_to_nothing_else(sites):
    """Scope and identity go by the URL without it; the capture has the URL that was asked for."""
    crawled = sites.crawl(Seed(url=sites.url("append-string/"), append="?view=text"))
    pages = ["", "a.html?x=1", "b.html"]
    assert sorted(crawled.outcomes) == [f"append-string/{page}" for page in pages]
    asked = ["?view=text", "a.html?x=1&view=text", "b.html?view=text"]
    assert crawled.captured == [f"append-string/{url}" for url in asked]
    assert "asked for as" in crawled.page("append-string/b.html").reason
