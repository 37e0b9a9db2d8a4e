"""Seed C: the robots exclusion standard."""

from opilio.crawl.plan import RobotsPolicy


def test_what_robots_txt_forbids_is_recorded_and_not_asked_for(sites):
    """The deciding line is kept; the longest match decides; groups of other crawlers do not concern us."""
    before = len(sites.server.log())
    crawled = sites.crawl("robots-denied/")
    denied = crawled.page("robots-denied/closed/")
    assert denied.outcome == "robots-denied"
    assert denied.robots == "Disallow: /closed/"
    assert crawled.fetched == {f"robots-denied/{page}" for page in ("", "open.html", "closed/open.html")}
    asked = [entry.target for entry in sites.server.log()[before:]]
    assert asked[0] == "/robots.txt"
    assert "/closed/" not in asked


def test_robots_txt_is_kept_as_a_capture(sites):
    """The file that decided is part of the archive."""
    crawled = sites.crawl("robots-denied/")
    kept = [each for each in crawled.sink.captures if each.url.endswith("/robots.txt")]
    assert [each.provenance.hops for each in kept] == ["P"]


def test_the_plan_may_ignore_robots_txt(sites):
    """By policy; then it is not asked for either."""
    crawled = sites.crawl("robots-denied/", manners={"robots": RobotsPolicy.IGNORE})
    assert crawled.outcomes["robots-denied/closed/"] == "fetched"
    assert not any(each.url.endswith("/robots.txt") for each in crawled.sink.captures)
