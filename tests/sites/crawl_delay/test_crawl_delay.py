"""Crawl-delay counts for every request."""

import itertools


def gaps(sites, host):
    times = sorted(entry.at for entry in sites.server.log() if entry.host == f"{host}.localhost")
    return [later - earlier for earlier, later in itertools.pairwise(times)]


def test_requests_keep_the_crawl_delay_of_robots_txt(sites):
    """Pages and embeds alike, up to the cap of the plan."""
    crawled = sites.crawl("crawl-delay/", manners={"preset": "own-site", "crawl_delay_cap": 0.2})
    assert len(crawled.captured) == 4
    assert min(gaps(sites, "crawl-delay")) >= 0.19
