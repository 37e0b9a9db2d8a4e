"""Seed A requirement 5: sites behind digest authentication."""

import pytest

from tests.sites.logins import asked, book_of, digest, outcomes, seed


@pytest.mark.parametrize("area", ["md5", "sha-256", "both"])
def test_pages_behind_digest_authentication_are_fetched(sites, area):
    """One challenge is answered by every further request, each with its own count."""
    host = f"login-digest-{area}"
    book = book_of(sites, host, digest())
    crawled = sites.crawl(seed(sites, f"{host}/login/digest/{area}"), book=book)
    assert outcomes(crawled) == {"fetched": 4}
    headers = [each.header("Authorization") for each in asked(sites, host)]
    assert headers[0] is None
    assert [f"nc={number:08x}" in header for number, header in enumerate(headers[1:], 1)] == [True] * 4


def test_a_stale_nonce_is_renewed(sites):
    """It is no failed login, however often it happens."""
    book = book_of(sites, "login-digest-stale", digest(), tries=1)
    start = seed(sites, "login-digest-stale/login/digest/md5", append="?uses=2")
    crawled = sites.crawl(start, book=book)
    assert outcomes(crawled) == {"fetched": 4}
    assert len(asked(sites, "login-digest-stale")) == 1 + 4 + 1
    assert len(crawled.captured) == 6


def test_a_wrong_password_is_tried_twice_and_no_more(sites):
    """Each try has the new nonce of the refusal before."""
    book = book_of(sites, "login-digest-wrong", digest("chaff"))
    starts = [seed(sites, f"login-digest-wrong/login/digest/sha-256/{number}") for number in range(3)]
    crawled = sites.crawl(*starts, book=book)
    assert outcomes(crawled) == {"auth-lost": 3}
    assert len(asked(sites, "login-digest-wrong")) == 3
