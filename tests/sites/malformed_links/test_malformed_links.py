"""Seed C: links that are no URL are caught and reported."""


def test_links_that_are_no_url_are_counted_and_shown_with_their_page(sites):
    """The crawl goes on; links of other schemes are in order and not among them."""
    crawled = sites.crawl("malformed-links/")
    assert crawled.fetched == {"malformed-links/", "malformed-links/fine.html"}
    assert crawled.denied == {"malformed link": 4}
    (told,) = crawled.report["denials"]
    examples = {(crawled.shown(each["parent"]), each["url"]) for each in told["examples"]}
    assert ("malformed-links/", "http://[unfinished") in examples
