"""RFC 9309 §2.3.1.4: an unreachable robots.txt forbids everything."""

from opilio.crawl.plan import Preset
from tests.servers.robots import Rule


def asked_of(sites, host):
    return [entry.target for entry in sites.server.log() if entry.host == f"{host}.localhost"]


def test_nothing_is_fetched_while_robots_txt_answers_with_an_error(sites):
    """It is tried as often as the plan allows; then the URLs of the host count as failed."""
    sites.server.set_robots("robots-unavailable.localhost", Rule(status=500))
    crawled = sites.crawl("robots-unavailable/", manners={"preset": Preset.OWN_SITE, "tries": 3})
    assert asked_of(sites, "robots-unavailable") == ["/robots.txt"] * 3
    assert crawled.outcomes == {"robots-unavailable/": "transient-error"}
    assert "robots.txt is unreachable: status 500" in crawled.page("robots-unavailable/").reason


def test_a_missing_robots_txt_allows_everything(sites):
    """404 means that nothing is forbidden."""
    sites.server.set_robots("robots-missing.localhost", Rule(status=404))
    assert sites.crawl("robots-missing/page").fetched == {"robots-missing/page"}
