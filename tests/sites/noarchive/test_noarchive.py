"""Directives of pages: noarchive."""

NOT_KEPT = "A sentence that shall not be kept."
SITE = {
    "index": '<a href="closed.html">closed</a> <a href="open.html">open</a>',
    "closed": f'<meta name="robots" content="noarchive"><p>{NOT_KEPT}</p><a href="behind.html">on</a>',
    "open": "<p>May be kept.",
    "behind": "<p>Behind the closed page.",
}


def test_nothing_is_kept_of_a_page_that_asks_not_to_be_archived(again):
    """Its outcome says so, no file of the crawl holds its text, and its links are followed."""
    again.write(**SITE)
    crawled = again.crawl("out")
    closed = crawled.pages["closed.html"]
    assert (closed.outcome, closed.reason.partition(";")[0]) == ("excluded", "the page asks not to be archived")
    assert crawled.outcomes["behind.html"] == "fetched"
    assert set(crawled.records("response")) == set(crawled.records("request")) == {
        "", "robots.txt", "open.html", "behind.html"
    }  # fmt: skip
    assert "closed.html" not in crawled.index
    assert closed.digest not in crawled.texts


def test_the_plan_may_keep_it_all_the_same(again):
    """The directive is recorded."""
    again.write(**SITE)
    crawled = again.crawl("out", manners={"obey_noarchive": False})
    assert crawled.outcomes["closed.html"] == "fetched"
    assert "noarchive" in crawled.pages["closed.html"].reason
    assert NOT_KEPT.encode() in crawled.records("response")["closed.html"]["block"]
