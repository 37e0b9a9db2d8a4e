"""Sites that want a key in a header."""

from opilio.crawl.logins.credential import Headers
from tests.servers.other_logins import KEY, KEY_HEADER
from tests.sites.logins import asked, book_of, outcomes, seed


def test_a_key_comes_with_every_request_for_its_pages(sites):
    """And with no other: robots.txt is asked for without it."""
    host = "login-header"
    book = book_of(sites, host, Headers(headers=((KEY_HEADER, KEY),)))
    crawled = sites.crawl(seed(sites, f"{host}/login/key"), book=book)
    assert outcomes(crawled) == {"fetched": 4}
    assert {each.header(KEY_HEADER) for each in asked(sites, host)} == {KEY}
    robots = [each for each in sites.server.log() if each.host == f"{host}.localhost" and each.target == "/robots.txt"]
    assert [each.header(KEY_HEADER) for each in robots] == [None]


def test_a_key_that_ends_is_given_up(sites):
    """After two refusals in a row nothing more is asked for."""
    host = "login-header-ends"
    book = book_of(sites, host, Headers(headers=((KEY_HEADER, KEY),)))
    starts = [seed(sites, f"{host}/login/key/{number}", append="?uses=2", depth=0) for number in range(6)]
    crawled = sites.crawl(*starts, book=book)
    assert outcomes(crawled) == {"auth-lost": 4, "fetched": 2}
    assert len(asked(sites, host)) == 4
