"""Is this answer a wall, and what follows from it? Decided without a server."""

import pytest

from opilio.crawl.fetch.cookies import CookieJar
from opilio.crawl.fetch.head import Head
from opilio.crawl.logins.challenge import challenges
from opilio.crawl.logins.cookies import cookie_header
from opilio.crawl.logins.credential import Basic, Cookies, Credential, Form
from opilio.crawl.logins.reach import Reach
from opilio.crawl.logins.session import Account, Move, Session
from opilio.crawl.logins.standing import Sign, Standing, standing
from opilio.crawl.logins.ways import authenticator_of

LOGIN = "https://a.org/login"
FORM = Form(page=LOGIN, user="u", password="p")
COOKIES = Cookies(cookies=(("sid", "1"),))
BASIC = Basic(user="u", password="p")
PAGE = b"<form method=post action='%s'><input name=u><input type=password name=p></form>"


def credential(way, **more):
    return Credential(name="a", reach=Reach(hosts=("a.org",)), way=way, **more)


def seen(way, url, status=200, content=b"", location=None, kind="text/html", **more):
    headers = [("content-type", kind), *([("location", location)] if location else [])]
    head = Head(status=status, version="1.1", reason="", headers=tuple(headers))
    return standing(credential(way, **more), url, head, content).standing


@pytest.mark.parametrize("way", [FORM, COOKIES, BASIC])
def test_pages_errors_and_redirects_inside_are_answers(way):
    """Most of what comes is what was asked for."""
    assert seen(way, "https://a.org/x", content=b"<p>words</p>") is Standing.INSIDE
    assert seen(way, "https://a.org/x", status=404) is Standing.INSIDE
    assert seen(way, "https://a.org/x", status=302, location="/y") is Standing.INSIDE
    assert seen(way, "https://a.org/x", status=302) is Standing.INSIDE
    assert seen(way, "https://a.org/x", status=302, location="http://[") is Standing.INSIDE
    assert seen(way, "https://a.org/x", status=401) is Standing.CHALLENGED
    assert seen(way, "https://a.org/x", status=403) is Standing.FORBIDDEN


def test_a_redirect_to_the_form_is_a_wall():
    """Whatever its query; the form itself is none."""
    assert seen(FORM, "https://a.org/x", status=302, location="/login?next=/x") is Standing.OUTSIDE
    assert seen(FORM, "https://a.org/login?again", content=PAGE % b"/login") is Standing.INSIDE
    assert seen(BASIC, "https://a.org/x", status=302, location="/login?next=/x") is Standing.INSIDE


@pytest.mark.parametrize("path", ["/login", "/users/sign_in", "/wp-login.php", "/account/Log-In/", "/sso"])
def test_without_a_form_common_login_pages_are_known(path):
    """Unless the page that redirects is one itself."""
    assert seen(COOKIES, "https://a.org/x", status=302, location=f"{path}?to=x") is Standing.OUTSIDE
    assert seen(COOKIES, "https://a.org/signin", status=302, location=path) is Standing.INSIDE
    assert seen(COOKIES, "https://a.org/x", status=302, location="/login/help") is Standing.INSIDE


def test_a_page_to_sign_in_is_a_wall():
    """A short one, or one whose form is the credential's own; a long page with a login box is a page."""
    long = b"<p>" + b"word " * 500
    assert seen(COOKIES, "https://a.org/x", content=PAGE % b"/enter") is Standing.OUTSIDE
    assert seen(COOKIES, "https://a.org/x", content=long + PAGE % b"/enter") is Standing.INSIDE
    assert seen(FORM, "https://a.org/x", content=long + PAGE % b"/login") is Standing.OUTSIDE
    assert seen(FORM, "https://a.org/x", content=PAGE % b"/login", kind="text/plain") is Standing.INSIDE


def test_the_credential_may_say_what_tells():
    """A text on the page, or an expression for redirects."""
    assert seen(FORM, "https://a.org/x", content=b"Bye!", expired_text="Bye!") is Standing.OUTSIDE
    assert seen(BASIC, "https://a.org/x", status=302, location="/door", expired_url="/door$") is Standing.OUTSIDE


def session(way, *, tries=2, **more):
    found = credential(way, tries=tries)
    return Session(
        credential=found, account=Account(most=tries), authenticator=authenticator_of(found, "a.org"), jar=CookieJar(),
        **more,
    )  # fmt: skip


INSIDE, OUTSIDE = Sign(standing=Standing.INSIDE), Sign(standing=Standing.OUTSIDE, reason="a page to sign in")
FORBIDDEN, CHALLENGED = Sign(standing=Standing.FORBIDDEN), Sign(standing=Standing.CHALLENGED, reason="status 401")
BASIC_CHALLENGE = challenges(['Basic realm="x"'])


def test_a_form_s_session_is_renewed_when_it_was_good_before():
    """Right after a login, a wall is a loss: of the page first, then of the session."""
    found = session(FORM)
    assert found.needs_login
    found.entered(1.0)
    assert found.met(INSIDE).move is Move.TAKE
    assert found.met(OUTSIDE).move is Move.LOG_IN
    assert found.needs_login
    found.entered(2.0)
    assert found.met(OUTSIDE).move is Move.LOSE
    assert not found.lost
    assert found.met(CHALLENGED).move is Move.LOSE
    assert found.lost == "the login worked, and yet: status 401"


def test_a_403_is_doubted_once():
    """If it stays after a new login, it is meant, now and later."""
    found = session(FORM)
    found.entered(1.0)
    found.met(INSIDE)
    assert found.met(FORBIDDEN).move is Move.LOG_IN
    found.entered(2.0)
    assert found.met(FORBIDDEN).move is Move.TAKE
    found.met(INSIDE)
    assert found.met(FORBIDDEN).move is Move.TAKE
    assert session(COOKIES, inside=True).met(FORBIDDEN).move is Move.TAKE


def test_failures_in_a_row_lose_the_credential_everywhere():
    """A success in between begins the count anew."""
    found = session(BASIC, inside=True)
    assert found.met(CHALLENGED, BASIC_CHALLENGE, sent=False).move is Move.AGAIN
    assert found.met(CHALLENGED, BASIC_CHALLENGE, sent=True).move is Move.AGAIN
    assert found.met(INSIDE, sent=True).move is Move.TAKE
    assert found.quiet
    assert found.met(CHALLENGED, BASIC_CHALLENGE, sent=True).move is Move.AGAIN
    assert not found.quiet
    assert found.met(CHALLENGED, BASIC_CHALLENGE, sent=True).move is Move.LOSE
    assert "2 in a row" in found.lost
    elsewhere = Session(
        credential=found.credential, account=found.account, authenticator=found.authenticator, jar=CookieJar()
    )
    assert elsewhere.lost == found.lost


def test_a_server_that_never_stops_asking_counts_as_a_failure():
    """As one whose nonces are stale at once."""
    found = session(BASIC, tries=1)
    assert found.asked_too_often().move is Move.LOSE
    assert found.lost


def test_cookies_of_the_server_replace_those_of_the_credential():
    """By name; without any, there is no header."""
    assert cookie_header("sid=2; a=b", [("sid", "1"), ("c", "d")]) == "sid=2; a=b; c=d"
    assert cookie_header(None, [("sid", "1")]) == "sid=1"
    assert cookie_header(None, []) == ""
