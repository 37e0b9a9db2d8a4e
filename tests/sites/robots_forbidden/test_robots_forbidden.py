"""RFC 9309 §2.3.1.3: a robots.txt that may not be read is none, unless the plan takes it as a closed door."""

import pytest

from tests.servers.robots import Rule


@pytest.mark.parametrize("status", [401, 403])
def test_a_forbidden_robots_txt_allows_everything(sites, status):
    """As every other status from 400 to 499."""
    sites.server.set_robots(f"robots-open-{status}.localhost", Rule(status=status))
    assert sites.crawl(f"robots-open-{status}/page").fetched == {f"robots-open-{status}/page"}


@pytest.mark.parametrize("status", [401, 403])
def test_with_the_option_a_forbidden_robots_txt_closes_the_host(sites, status):
    """Nothing but robots.txt is asked for, once; a file that is missing still closes nothing."""
    closed, missing = f"robots-closed-{status}", f"robots-none-{status}"
    sites.server.set_robots(f"{closed}.localhost", Rule(status=status))
    sites.server.set_robots(f"{missing}.localhost", Rule(status=404))
    crawled = sites.crawl(
        f"{closed}/page", f"{closed}/echo", f"{missing}/page", manners={"forbidden_robots_deny": True}
    )
    assert crawled.outcomes == {
        f"{closed}/page": "robots-denied",
        f"{closed}/echo": "robots-denied",
        f"{missing}/page": "fetched",
    }
    assert str(status) in crawled.page(f"{closed}/page").reason
    assert [entry.target for entry in sites.asked(closed)] == ["/robots.txt"]
