"""Certificates are verified; the exception is per host."""

import pytest

from tests.servers.http_server import HttpServer
from tests.sites.crawling import Sites


@pytest.fixture(scope="module")
def secure():
    with HttpServer(tls=True) as server:
        yield Sites(server)


def test_an_exception_for_one_host_leaves_all_others_verified(secure):
    """The certificates of both are of an authority that nobody knows; only the named host is asked for anything."""
    crawled = secure.crawl("excepted/page", "strict/page", fetch={"unverified_tls": ("excepted.localhost",)})
    outcomes = {page.url: page for page in crawled.store.pages()}
    assert outcomes[secure.url("excepted/page")].outcome == "fetched"
    strict = outcomes[secure.url("strict/page")]
    assert strict.outcome == "permanent-error"
    assert "certificate" in strict.reason
    assert {entry.target for entry in secure.asked("excepted")} == {"/robots.txt", "/page"}
    assert secure.asked("strict") == []
