"""What is kept of a request with a credential shows that something was sent, and not what."""

import base64
from urllib.parse import quote_plus

from opilio.crawl.logins.credential import Cookies, Headers
from opilio.kernel.capture import Inexactness
from tests.servers.http_logins import PASSWORD, USER
from tests.servers.other_logins import KEY, KEY_HEADER, TICKET, TICKET_COOKIE
from tests.sites.logins import basic, book_of, digest, form, seed


def requests(crawled):
    return [each.request for each in crawled.sink.captures if not each.url.endswith("/robots.txt")]


def test_the_password_of_a_form_is_hidden_in_its_capture(sites):
    """The hidden fields of the page stay; session cookies do not."""
    host = "login-secrets-form"
    crawled = sites.crawl(seed(sites, f"{host}/login/inside/0", depth=0), book=book_of(sites, host, form(sites, host)))
    posted = next(each for each in crawled.sink.captures if each.method == "POST")
    assert posted.request.endswith(b"&user=%5Bhidden%5D&password=%5Bhidden%5D&go=1")
    assert b"token=" in posted.request
    assert posted.notes == (Inexactness.HIDDEN_SECRETS,)
    assert not any(quote_plus(PASSWORD).encode() in each for each in requests(crawled))
    assert b"\r\nCookie: [hidden]\r\n" in requests(crawled)[-1]


def test_what_proves_a_password_is_hidden(sites):
    """The scheme stays, so that a reader knows how it was asked for."""
    for kind, way in (("basic", basic()), ("digest/md5", digest())):
        host = f"login-secrets-{kind.partition('/')[0]}"
        crawled = sites.crawl(seed(sites, f"{host}/login/{kind}", depth=0), book=book_of(sites, host, way))
        first, last = requests(crawled)
        assert b"Authorization" not in first
        assert f"\r\nAuthorization: {kind.partition('/')[0].title()} [hidden]\r\n".encode() in last
        assert base64.b64encode(f"{USER}:{PASSWORD}".encode()) not in last


def test_keys_and_cookies_are_hidden(sites):
    """Whatever the header is called."""
    for host, area, way in (
        ("login-secrets-key", "key", Headers(headers=((KEY_HEADER, KEY),))),
        ("login-secrets-ticket", "ticket", Cookies(cookies=((TICKET_COOKIE, TICKET),))),
    ):
        crawled = sites.crawl(seed(sites, f"{host}/login/{area}", depth=0), book=book_of(sites, host, way))
        assert crawled.fetched
        (request,) = requests(crawled)
        assert b": [hidden]\r\n" in request
        assert KEY.encode() not in request
        assert TICKET.encode() not in request
