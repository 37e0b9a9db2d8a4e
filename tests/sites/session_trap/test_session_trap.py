"""Traps: session identifiers."""


def test_pages_that_differ_by_session_only_end(sites):
    """Twenty identifiers per path are borne, and no more."""
    crawled = sites.crawl("session-trap/")
    assert len(crawled.captured) == 2 + 5 * 20
    assert crawled.denied["trap growing"] > 0
