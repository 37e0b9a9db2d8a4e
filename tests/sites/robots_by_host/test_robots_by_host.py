"""Policy about robots.txt: for the whole crawl, and otherwise for single hosts."""

import pytest

from opilio.crawl.plan import RobotsPolicy
from tests.servers.robots import Rule

CLOSED = Rule(body="User-agent: *\nDisallow: /\n")


@pytest.mark.parametrize(("whole", "single"), [("obey", "ignore"), ("ignore", "obey")])
@pytest.mark.parametrize("with_port", [True, False])
def test_one_host_has_a_policy_of_its_own(sites, whole, single, with_port):
    """Named with its port or without; all other hosts go by the policy of the crawl."""
    hosts = [f"{name}-{whole}-{int(with_port)}" for name in ("robots-own", "robots-other")]
    for host in hosts:
        sites.server.set_robots(f"{host}.localhost", CLOSED)
    named = f"{hosts[0]}.localhost" + (f":{sites.server.port}" if with_port else "")
    manners = {"robots": RobotsPolicy(whole), "robots_by_host": {named: RobotsPolicy(single)}}
    crawled = sites.crawl(*(f"{host}/page" for host in hosts), manners=manners)
    obeyed, ignored = hosts if single == "obey" else reversed(hosts)
    assert crawled.outcomes == {f"{obeyed}/page": "robots-denied", f"{ignored}/page": "fetched"}
    assert [entry.target for entry in sites.asked(obeyed)] == ["/robots.txt"]
    assert [entry.target for entry in sites.asked(ignored)] == ["/page"]
