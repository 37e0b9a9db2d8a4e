"""Directives of pages: nofollow."""


def test_links_that_a_page_asks_not_to_follow_are_counted_and_left(sites):
    """By rel and by meta robots; embeds come along."""
    crawled = sites.crawl("nofollow/")
    assert crawled.fetched == {f"nofollow/{page}" for page in ("", "kept.html", "meta.html", "pic.png")}
    assert crawled.denied == {"scope nofollow": 2}


def test_the_plan_may_follow_them(sites):
    """By option."""
    crawled = sites.crawl("nofollow/", manners={"obey_nofollow": False})
    assert {"nofollow/rel.html", "nofollow/behind.html"} <= crawled.fetched
