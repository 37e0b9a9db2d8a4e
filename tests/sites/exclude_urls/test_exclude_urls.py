"""Seed A requirement 4: excluded URLs."""


def test_an_excluded_url_is_that_page_only(sites):
    """The same path with a query is another page."""
    crawled = sites.crawl("exclude-urls/", scope={"excluded_urls": (sites.url("exclude-urls/drop.html"),)})
    assert "exclude-urls/drop.html" not in crawled.captured
    assert "exclude-urls/drop.html?a=1" in crawled.captured
    assert crawled.denied == {"excluded excluded-url": 1}


def test_include_expressions_take_back_from_the_exclusions(sites):
    """Exclude expressions first, then the exceptions."""
    crawled = sites.crawl("exclude-urls/", scope={"exclude": ("/print/", "drop"), "include": ("/print/2",)})
    pages = ["", "keep.html", "print/2.html"]
    assert crawled.captured == [f"exclude-urls/{page}" for page in pages]
