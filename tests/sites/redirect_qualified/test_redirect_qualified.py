"""Seed A requirement 6: redirects are qualified before they are followed."""

from opilio.crawl.plan import Seed


def test_a_redirect_is_followed_only_where_scope_and_exclusions_allow(sites):
    """The target is judged before it is asked for; the redirect itself is kept."""
    excluded = sites.url("redirect-qualified/excluded.html")
    crawled = sites.crawl("redirect-qualified/", scope={"excluded_urls": (excluded,)})
    outcomes = crawled.outcomes
    assert outcomes["redirect-qualified/inside.html"] == "fetched"
    assert "redirect-qualified/excluded.html" not in outcomes
    assert not any("elsewhere/" in url.partition("?")[0] for url in outcomes)
    assert outcomes["redirect-qualified/redirect/to?url=/excluded.html"] == "redirected"
    assert outcomes["redirect-qualified/redirect/loop"] == "redirected"
    assert outcomes["redirect-qualified/redirect/self"] == "redirected"
    assert outcomes["redirect-qualified/redirect/nowhere"] == "permanent-error"
    assert crawled.denied == {"excluded excluded-url": 1, "scope root": 1}


def test_a_redirect_that_leaves_the_root_string_is_not_followed(sites):
    """Not even on the same host; inside of the root string it is."""
    start = sites.url("redirect-qualified/redirect/to?url=/inside.html")
    left = sites.crawl(Seed(url=start, root=sites.url("redirect-qualified/redirect/")))
    assert left.outcomes == {"redirect-qualified/redirect/to?url=/inside.html": "redirected"}
    assert left.denied == {"scope root": 1}
    stayed = sites.crawl(Seed(url=start, root=sites.url("redirect-qualified/")))
    assert stayed.outcomes["redirect-qualified/inside.html"] == "fetched"


def test_a_chain_of_redirects_ends_at_the_limit(sites):
    """So many redirects in a row are followed, and no more."""
    crawled = sites.crawl("redirect-qualified/redirect/endless", fetch={"max_redirects": 4})
    assert list(crawled.outcomes.values()) == ["redirected"] * 5
    assert crawled.denied == {"scope redirects": 1}


def test_a_redirected_page_has_the_depth_of_its_redirect_and_counts_as_a_page(sites):
    """Depth 1 admits the target of a redirect that is linked from the start."""
    crawled = sites.crawl("redirect-qualified/", limits={"pages": 2})
    assert crawled.page("redirect-qualified/inside.html").depth == 1
    assert crawled.page("redirect-qualified/inside.html").counted


def test_a_redirected_seed_widens_the_scope_only_if_the_plan_says_so(sites):
    """With the option, the place that the seed is redirected to belongs to the crawl."""
    start = "redirect-qualified/redirect/to?url=" + sites.url("all-paths/a/b/c.html")
    assert len(sites.crawl(start).captured) == 1
    widened = sites.crawl(start, scope={"widen_by_redirect": True})
    assert "all-paths/a/side.html" in widened.captured
