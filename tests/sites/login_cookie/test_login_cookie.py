"""Sites whose session was begun elsewhere, and whose cookie the credential brings."""

from opilio.crawl.logins.credential import Cookies
from tests.servers.other_logins import TICKET, TICKET_COOKIE
from tests.sites.logins import asked, book_of, outcomes, seed


def test_a_cookie_comes_with_every_request(sites):
    """It is not put into the jar that the crawl store keeps."""
    host = "login-cookie"
    book = book_of(sites, host, Cookies(cookies=((TICKET_COOKIE, TICKET),)))
    crawled = sites.crawl(seed(sites, f"{host}/login/ticket"), book=book)
    assert outcomes(crawled) == {"fetched": 4}
    assert {each.header("Cookie") for each in asked(sites, host)} == {f"{TICKET_COOKIE}={TICKET}"}
    assert TICKET.encode() not in b"".join(crawled.store.cookies(number) for number in range(3))


def test_a_redirect_to_a_login_page_is_the_end_of_it(sites):
    """Nothing can renew the cookie, so the pages are lost, and the login page is not fetched in their stead."""
    host = "login-cookie-ends"
    book = book_of(sites, host, Cookies(cookies=((TICKET_COOKIE, TICKET),)), expired_url="/login/form")
    starts = [seed(sites, f"{host}/login/ticket/{number}", append="?uses=2", depth=0) for number in range(6)]
    crawled = sites.crawl(*starts, book=book)
    assert outcomes(crawled) == {"auth-lost": 4, "fetched": 2}
    lost = [page for page in crawled.store.pages() if page.outcome == "auth-lost"]
    assert "redirected to sign in at" in lost[0].reason
    assert len(asked(sites, host)) == 4
