"""When a login does not work any more, its pages are lost, the account is left in peace, and the reason is told."""

import pytest

from tests.sites.logins import book_of, form, outcomes, seed, targets


def test_a_wrong_password_in_a_form_is_tried_twice_and_no_more(sites):
    """All pages of the seed are lost without being asked for."""
    host = "login-lost-wrong"
    book = book_of(sites, host, form(sites, host, password="chaff"))
    starts = [seed(sites, f"{host}/login/inside/{number}") for number in range(5)]
    crawled = sites.crawl(*starts, book=book)
    assert outcomes(crawled) == {"auth-lost": 5}
    assert targets(sites, host) == ["GET /login/form", "POST /login/form"] * 2
    reason = crawled.page(f"{host}/login/inside/0").reason
    assert reason.startswith("the login form came again: user or password was not accepted; 2 in a row")


@pytest.mark.parametrize("tries", [1, 3])
def test_the_credential_says_how_often(sites, tries):
    """Up to five times."""
    host = f"login-lost-{tries}"
    book = book_of(sites, host, form(sites, host, password="chaff"), tries=tries)
    sites.crawl(seed(sites, f"{host}/login/inside/0"), book=book)
    assert targets(sites, host).count("POST /login/form") == tries


def test_a_login_that_stops_working_loses_what_is_left(sites):
    """What was fetched before stays fetched."""
    host = "login-lost-later"
    book = book_of(sites, host, form(sites, host, "?lasts=3&logins=2"))
    crawled = sites.crawl(seed(sites, f"{host}/login/inside/0"), book=book)
    assert outcomes(crawled) == {"auth-lost": 2, "fetched": 4}
    assert targets(sites, host).count("POST /login/form") == 4


def test_pages_that_stay_closed_after_each_login_end_it(sites):
    """A login that works and opens nothing is not repeated for ever."""
    host = "login-lost-helpless"
    book = book_of(sites, host, form(sites, host, "?lasts=1"))
    starts = [seed(sites, f"{host}/login/inside/{number}", depth=0) for number in range(6)]
    crawled = sites.crawl(*starts, book=book)
    assert outcomes(crawled) == {"auth-lost": 6}
    assert targets(sites, host).count("POST /login/form") == 1
    assert "the login worked, and yet" in crawled.page(f"{host}/login/inside/5").reason


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        ("/page", "there is no form with a password"),
        ("/status/404", "status 404"),
        ("/redirect/endless", "the redirects of the login lead nowhere"),
        ("/redirect/to?url=http://elsewhere.localhost/", "where the credential may not be sent"),
    ],
)
def test_a_login_page_without_its_form_loses_the_pages(sites, page, reason):
    """The reason tells what came instead; no secret was sent."""
    host = f"login-lost-{len(page)}"
    way = form(sites, host)
    way = type(way)(page=sites.url(f"{host}{page}"), user=way.user, password=way.password)
    crawled = sites.crawl(seed(sites, f"{host}/login/inside/0"), book=book_of(sites, host, way))
    assert outcomes(crawled) == {"auth-lost": 1}
    assert reason in crawled.page(f"{host}/login/inside/0").reason
    assert not any(each.startswith("POST") for each in targets(sites, host))


def test_a_login_page_that_is_not_there_now_is_tried_later(sites):
    """A server that cannot answer says nothing about the credential."""
    host = "login-lost-503"
    way = form(sites, host)
    way = type(way)(page=sites.url(f"{host}/status/503"), user=way.user, password=way.password)
    crawled = sites.crawl(seed(sites, f"{host}/login/inside/0"), book=book_of(sites, host, way), manners={"tries": 1})
    assert outcomes(crawled) == {"transient-error": 1}
