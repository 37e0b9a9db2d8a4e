"""Cookies go back to the host that set them, and to no other."""

import json

import pytest

from opilio.crawl.plan import ScopeKind, Seed

SHOWN = "/cookies/show"


@pytest.fixture
def shown(sites):
    """Crawls two hosts of one domain, the first of which sets a cookie before both are asked; what each received."""

    def crawl(attributes):
        def url(host, path):
            return sites.server.url(path, host=f"{host}.shared.localhost")

        starts = [
            url("one", f"/cookies/set?grain=rye&attributes={attributes}"),
            url("one", SHOWN),
            url("one", f"/redirect/to?url={url('two', SHOWN)}"),
        ]
        done = sites.crawl(*(Seed(url=start) for start in starts), scope={"kind": ScopeKind.ANY})
        ends = {url("one", SHOWN), url("two", SHOWN)}
        return {each.url: json.loads(each.body) for each in done.sink.captures if each.url in ends}, url

    return crawl


@pytest.mark.parametrize("attributes", ["Path=/", "Domain=shared.localhost;Path=/"])
def test_a_cookie_returns_to_the_host_that_set_it_alone(shown, attributes):
    """Also where it names the domain above: its other hosts are asked without it (decision 16)."""
    received, url = shown(attributes)
    assert received == {url("one", SHOWN): {"grain": "rye"}, url("two", SHOWN): {}}
