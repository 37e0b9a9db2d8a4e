"""Ruling: the query string is kept, or a profile drops all of it or named parameters (seed C drops all)."""

import pytest

from opilio.kernel.urls import DROP_QUERY, KEEP_QUERY, drop_parameters

PAGES = {
    "kept": ["", "page.html", "page.html?sid=1", "page.html?sid=2&n=1", "page.html?n=1&sid=3", "page.html?n=2",
             "?from=here"],
    "all dropped": ["", "page.html"],
    "named dropped": ["", "page.html", "page.html?n=1", "page.html?n=2"],
}  # fmt: skip
POLICIES = {"kept": KEEP_QUERY, "all dropped": DROP_QUERY, "named dropped": drop_parameters("sid", "from")}


@pytest.mark.parametrize("name", POLICIES)
def test_urls_that_are_equal_after_the_policy_are_one_page(sites, name):
    """Asked for once, without what was dropped."""
    before = len(sites.asked("query-policy"))
    start = "query-policy/" if name == "kept" else "query-policy/?from=there"
    crawled = sites.crawl(start, scope={"query": POLICIES[name]})
    assert crawled.fetched == {f"query-policy/{page}" for page in PAGES[name]}
    asked = [entry.target for entry in sites.asked("query-policy")[before:]]
    assert sorted(asked) == sorted(["/robots.txt", *(f"/{page}" for page in PAGES[name])])
