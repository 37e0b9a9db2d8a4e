"""Seats at the door of replay: so many browsers at once, known by a cookie; programs without cookies take none."""

import asyncio
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from opilio.archive.replay.messages import plain
from opilio.kernel.access_file import AccessFile, write_rules
from opilio.kernel.access_keys import checking_key, make_keys, signing_key
from opilio.kernel.access_rules import Rule, Says
from opilio.kernel.access_seats import KEPT_FOR
from opilio.kernel.clock import ManualClock
from opilio.works.replay_access import RuledAccess
from opilio.works.replay_seats import COOKIE, SeatedReplay

START = datetime(2026, 5, 1, tzinfo=UTC)
URL = "http://site.example/"


@pytest.fixture
def clock():
    return ManualClock(at=START)


@pytest.fixture
def ask(tmp_path, clock):
    """Asks replay for the page as a browser with a cookie: whether it is shown, and the cookie that came."""
    make_keys(tmp_path / "private", tmp_path / "public")
    rule = Rule(id="two", says=Says.SEATS, seats=2)
    write_rules(tmp_path / "rules", [rule], signing_key(tmp_path / "private"), sequence=1, made=START)
    fresh = timedelta(days=1)
    file = AccessFile(tmp_path / "rules", checking_key(tmp_path / "public"), clock=clock, fresh_for=fresh)
    access = RuledAccess(file, clock=clock)
    shown = SimpleNamespace(answer=lambda request: plain(200 if access(URL, START).allowed else 403, "."))
    app = SeatedReplay(shown)

    def ask(cookie="", scheme="http"):
        sent = []

        async def send(message):
            sent.append(message)

        headers = [(b"host", b"r1.replay.localhost"), *([(b"Cookie", cookie.encode("latin-1"))] if cookie else [])]
        scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": headers,
                 "scheme": scheme}  # fmt: skip
        asyncio.run(app(scope, None, send))
        given = [value.decode() for name, value in sent[0]["headers"] if name == b"set-cookie"]
        return sent[0]["status"] == 200, given[0] if given else ""

    return ask


def test_so_many_browsers_at_once(ask, clock):
    """The third waits until one of the others was away long enough; who reads on keeps the seat."""
    first, second, third = (ask()[1].partition(";")[0] for _ in range(3))
    assert [ask(each)[0] for each in (first, second, third, first)] == [True, True, False, True]
    clock.advance(seconds=KEPT_FOR - 1)
    assert ask(first)[0]
    clock.advance(seconds=2)
    assert [ask(each)[0] for each in (third, second, first)] == [True, False, True]


def test_the_cookie_is_given_once_and_safely(ask):
    """With the first answer, out of reach of archived scripts; a browser that has one keeps it."""
    shown, cookie = ask()
    assert not shown, "a program that keeps no cookies takes no seat"
    assert cookie.startswith(f"{COOKIE}=")
    assert "HttpOnly; SameSite=Lax" in cookie
    assert "Secure" not in cookie
    assert "Secure" in ask(scheme="https")[1]
    assert ask(cookie.partition(";")[0]) == (True, "")


@pytest.mark.parametrize("cookie", [f"{COOKIE}=", f"{COOKIE}=short", f"{COOKIE}={'x' * 5_000}", f"{COOKIE}={'é' * 22}!",
                                    "other=1; =; ;;", f"x{COOKIE}={'a' * 22}"])  # fmt: skip
def test_cookies_that_we_never_gave_count_for_nothing(ask, cookie):
    """They take no seat, and a fresh one is given."""
    shown, given = ask(cookie)
    assert not shown
    assert given
