"""Seed A requirement 10: a crawl never loops for ever, though pages link to each other."""


def test_circles_of_links_end(sites):
    """Each page is asked for once, however often it is linked to."""
    crawled = sites.crawl("circular-links/")
    pages = ["", "b.html", "c.html", "index.html"]
    assert crawled.captured == [f"circular-links/{page}" for page in pages]
    assert crawled.ended.ending == "finished"
