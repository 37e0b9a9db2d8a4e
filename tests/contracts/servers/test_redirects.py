"""Redirects, throttling and cookies."""

from email.utils import parsedate_to_datetime

import httpx
import pytest

from tests.servers.raw_client import ask


def location(server, target: str) -> str | None:
    return ask(server.port, target).header("Location")


def test_loops_have_no_end(server):
    """Two pages point at each other; one points at itself, with its query; no client arrives."""
    assert location(server, "/redirect/loop") == "/redirect/loop/b"
    assert location(server, "/redirect/loop/b") == "/redirect/loop/a"
    assert location(server, "/redirect/loop/a") == "/redirect/loop/b"
    assert location(server, "/redirect/self?x=1") == "/redirect/self?x=1"
    with pytest.raises(httpx.TooManyRedirects):
        httpx.get(server.url("/redirect/loop"), follow_redirects=True)


def test_chain_has_its_length(server):
    """A chain of seven takes exactly seven redirects."""
    answer = httpx.get(server.url("/redirect/chain/7"), follow_redirects=True)
    assert (answer.status_code, len(answer.history)) == (200, 7)


def test_endless_redirect_never_repeats(server):
    """Each step leads to a URL that was not there before."""
    assert location(server, "/redirect/endless") == "/redirect/endless/1"
    assert location(server, "/redirect/endless/41") == "/redirect/endless/42"


@pytest.mark.parametrize(
    ("written", "target"),
    [
        ("http%3A%2F%2F169.254.169.254%2F", "http://169.254.169.254/"),
        ("//other.example/a", "//other.example/a"),
        ("ftp%3A%2F%2Fx%2F", "ftp://x/"),
        ("javascript%3Aalert(1)", "javascript:alert(1)"),
        ("", ""),
    ],
)
def test_redirect_to_anything(server, written, target):
    """The target is sent as it is, with the status asked for."""
    answer = ask(server.port, f"/redirect/to?status=308&url={written}")
    assert (answer.status, answer.header("Location")) == (308, target)


def test_redirects_by_other_means(server):
    """A redirect without Location, a meta element and a Refresh header."""
    assert ask(server.port, "/redirect/nowhere").headers("Location") == []
    meta = ask(server.port, "/redirect/meta?url=/page%22%3E%3Cb%3E").body
    assert b'<meta http-equiv="refresh" content="0; url=/page&quot;&gt;&lt;b&gt;">' in meta
    assert ask(server.port, "/redirect/refresh?url=/page").header("Refresh") == "0; url=/page"


def test_nth_request_succeeds(server, key):
    """429 with Retry-After in seconds until the third request; another key starts afresh."""
    answers = [ask(server.port, f"/429/seconds?wait=9&nth=3&key={key}") for _ in range(4)]
    assert [answer.status for answer in answers] == [429, 429, 200, 200]
    assert [answer.header("Retry-After") for answer in answers] == ["9", "9", None, None]
    assert ask(server.port, f"/429/seconds?wait=9&nth=3&key={key}-2").status == 429


def test_counts_are_per_host(server, key):
    """The same target under another host name is counted by itself."""
    first, second = (f"{name}-{key}.localhost" for name in "ab")
    statuses = [ask(server.port, "/429/silent?nth=2", host=host).status for host in (first, second, first)]
    assert statuses == [429, 429, 200]


def test_retry_after_as_date(server, key):
    """The date lies as many seconds after the answer's own date as was asked for, give or take the moments between."""
    answer = ask(server.port, f"/429/date?wait=100&nth=2&key={key}")
    gap = parsedate_to_datetime(answer.header("Retry-After")) - parsedate_to_datetime(answer.header("Date"))
    assert answer.status == 429
    assert 60 <= gap.total_seconds() <= 100


def test_retry_after_is_missing_or_nonsense(server, key):
    """429 without a hint, and with one that means nothing."""
    assert ask(server.port, f"/429/silent?key={key}").headers("Retry-After") == []
    nonsense = ask(server.port, f"/429/nonsense?key={key}").header("Retry-After")
    assert nonsense == "after the harvest"


def test_flapping_is_up_every_third_time(server, key):
    """503 twice, then a page, and again."""
    statuses = [ask(server.port, f"/503/flapping?every=3&key={key}").status for _ in range(6)]
    assert statuses == [503, 503, 200, 503, 503, 200]


def test_cookies_travel(server):
    """Cookies that were set come back, can be shown and can be demanded."""
    with httpx.Client() as client:
        client.get(server.url("/cookies/set?grain=rye&tool=scythe"))
        assert client.get(server.url("/cookies/show")).json() == {"grain": "rye", "tool": "scythe"}
        assert client.get(server.url("/cookies/require?grain=rye")).status_code == 200
        assert client.get(server.url("/cookies/require?grain=oats")).status_code == 403
    assert ask(server.port, "/cookies/require?grain=rye").status == 403


def test_cookie_attributes_are_sent(server):
    """What stands in `attributes` follows each cookie."""
    answer = ask(server.port, "/cookies/set?a=1&b=2&attributes=Path=/x;%20Secure")
    assert answer.headers("Set-Cookie") == ["a=1; Path=/x; Secure", "b=2; Path=/x; Secure"]


def test_cookie_wall_stops_clients_without_cookies(server):
    """With cookies one redirect leads behind the wall; without, there is no end."""
    with httpx.Client(follow_redirects=True) as client:
        answer = client.get(server.url("/cookies/wall"))
    assert (answer.status_code, len(answer.history)) == (200, 1)
    first = ask(server.port, "/cookies/wall")
    assert (first.status, first.header("Location")) == (302, "/cookies/wall")
