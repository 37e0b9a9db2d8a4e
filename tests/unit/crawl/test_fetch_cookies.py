"""Cookies go where RFC 6265 lets them, and nowhere else."""

import json

import pytest

from opilio.crawl.fetch.cookies import CookieJar, loaded
from opilio.kernel.clock import ManualClock
from opilio.kernel.errors import Damaged


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def jar(clock):
    return CookieJar(clock=clock)


def test_a_cookie_goes_back_to_its_host_only(jar):
    """Without a domain attribute."""
    jar.receive("http://a.example.org/x/y", ["sid=1; Path=/"])
    assert jar.header("http://a.example.org/") == "sid=1"
    assert jar.header("http://b.a.example.org/") is None
    assert jar.header("http://example.org/") is None


def test_a_domain_cookie_goes_to_the_hosts_below(jar):
    """But not to neighbours with the same ending."""
    jar.receive("http://a.example.org/", ["d=1; Domain=.Example.org; Path=/"])
    assert jar.header("http://b.example.org/") == "d=1"
    assert jar.header("http://badexample.org/") is None


@pytest.mark.parametrize("domain", ["org", "co.uk", "other.org", "b.a.example.org", "github.io"])
def test_a_cookie_cannot_be_set_for_a_public_suffix_or_somebody_else(jar, domain):
    """It would travel to strangers."""
    jar.receive("http://a.example.org/", [f"x=1; Domain={domain}"])
    jar.receive("http://a.example.co.uk/", [f"x=1; Domain={domain}"])
    assert list(jar) == []


def test_paths_are_kept_to(jar):
    """/a covers /a and /a/b but not /ab; without an attribute it is the folder of the request."""
    jar.receive("http://x.example/a/page", ["p=1; Path=/a", "q=1"])
    assert jar.header("http://x.example/a/b") == "p=1; q=1"
    assert jar.header("http://x.example/ab") is None


def test_secure_cookies_need_https(jar):
    """Setting and sending."""
    jar.receive("http://x.example/", ["s=1; Secure"])
    assert list(jar) == []
    jar.receive("https://x.example/", ["s=1; Secure"])
    assert jar.header("http://x.example/") is None
    assert jar.header("https://x.example/") == "s=1"


def test_cookies_end_when_they_say(jar, clock):
    """Max-Age before Expires; in the past means now."""
    jar.receive("http://x.example/", ["a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "b=1"])
    assert jar.header("http://x.example/") == "a=1; b=1"
    clock.advance(61)
    assert jar.header("http://x.example/") == "b=1"
    jar.receive("http://x.example/", ["b=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"])
    assert jar.header("http://x.example/") is None


@pytest.mark.parametrize("text", ["", ";", "=", "a\x01=b", "x=" + "y" * 5_000, "a=b; Expires=never"])
def test_hostile_headers_are_ignored_or_kept_harmless(jar, text):
    """Never an exception."""
    jar.receive("http://x.example/", [text])
    assert jar.header("http://x.example/") in (None, "a=b")


def test_a_host_cannot_fill_the_jar(jar):
    """The oldest goes first."""
    jar.receive("http://x.example/", [f"c{number}=1" for number in range(500)])
    assert len(list(jar)) == 180
    assert "c499=1" in jar.header("http://x.example/")


def test_a_jar_is_kept_with_the_crawl(jar, clock):
    """It comes back the same; a broken one is named."""
    jar.receive("https://x.example/", ["a=1; Max-Age=600; Domain=x.example", "b=2; Secure"])
    kept = json.loads(json.dumps(jar.dump()))
    assert loaded(kept, clock).header("https://x.example/") == jar.header("https://x.example/")
    with pytest.raises(Damaged):
        loaded([{"name": "a"}], clock)
    with pytest.raises(Damaged):
        loaded("cookies", clock)


def test_a_new_login_starts_without_the_old_cookies(jar):
    """Of that host; others stay."""
    jar.receive("http://x.example/", ["a=1"])
    jar.receive("http://y.example/", ["a=1"])
    jar.clear("x.example")
    assert jar.header("http://x.example/") is None
    assert jar.header("http://y.example/") == "a=1"
