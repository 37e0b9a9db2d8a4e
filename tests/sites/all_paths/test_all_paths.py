"""Seed A requirement 1: all pages below the start are found."""


def test_every_path_that_links_reach_is_fetched_once(sites):
    """Relative, absolute and query links are followed; fragments and other schemes are no pages of their own."""
    crawled = sites.crawl("all-paths/")
    pages = ["", "a/b/c.html", "a/b/x.html", "a/side.html", "d/", "d/?q=1", "d/?q=2"]
    assert crawled.captured == [f"all-paths/{page}" for page in pages]
