"""Seed C: broken links are reported."""


def test_broken_links_are_reported_with_the_pages_that_hold_them(sites):
    """Each with each parent."""
    crawled = sites.crawl("broken-links/")
    found = crawled.report["broken_links"]
    broken = {
        (crawled.shown(parent), crawled.shown(each["url"]))
        for each in found["listed"]
        for parent in each["linked_from"]
    }
    assert (found["total"], found["links"]) == (3, 4)
    assert broken == {
        ("broken-links/", "broken-links/missing.html"),
        ("broken-links/", "broken-links/status/410"),
        ("broken-links/fine.html", "broken-links/missing.html"),
        ("broken-links/fine.html", "broken-links/status/403"),
    }
    assert crawled.outcomes["broken-links/status/410"] == "gone"
    assert crawled.outcomes["broken-links/status/403"] == "permanent-error"
