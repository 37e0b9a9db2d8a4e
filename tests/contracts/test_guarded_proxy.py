"""The browser's way to the live web: it leads where the guard allows, through the proxy of the plan."""

import http.client
import socket

import pytest

from opilio.crawl.fetch.guard import Guard
from opilio.crawl.proxies import Proxies
from opilio.works.guarded_proxy import GuardedProxy
from tests.browser.screenshots_archive.small_site import SmallSite
from tests.servers.proxies import HttpProxy, SocksProxy


@pytest.fixture(scope="module")
def site():
    with SmallSite({"/": ("text/plain", b"hello"), "/a/b?c=d": ("text/plain", b"query")}) as running:
        yield running


@pytest.fixture
def door():
    with GuardedProxy(Guard.allowing(["127.0.0.1"]), Proxies({}, {})) as running:
        yield running


def _ask(door, method, url, body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", int(door.url.rpartition(":")[2]), timeout=20)
    connection.request(method, url, body, headers)
    answer = connection.getresponse()
    found = answer.status, answer.read()
    connection.close()
    return found


def _tunnel(door, place):
    connection = socket.create_connection(("127.0.0.1", int(door.url.rpartition(":")[2])), timeout=20)
    connection.sendall(f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n\r\n".encode())
    return connection, connection.recv(4096).split(b"\r\n", 1)[0]


def test_plain_requests_are_handed_on(door, site):
    """With their path, their body and their headers, but not with those meant for a proxy."""
    assert _ask(door, "GET", f"{site.url}/") == (200, b"hello")
    assert _ask(door, "GET", f"{site.url}/a/b?c=d", **{"Proxy-Authorization": "Basic x", "X-Mine": "y"}) == (
        200,
        b"query",
    )
    headers = site.seen[-1][1]
    assert headers["X-Mine"] == "y"
    assert "Proxy-Authorization" not in headers
    assert _ask(door, "POST", f"{site.url}/", b"x" * 200_000) == (200, b"hello")


def test_tunnels_carry_both_ways(door, site):
    """What goes in comes out."""
    connection, line = _tunnel(door, site.url.removeprefix("http://"))
    with connection:
        assert line == b"HTTP/1.1 200 Connection established"
        connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
        data = b""
        while piece := connection.recv(4096):
            data += piece
    assert data.endswith(b"hello")


_PRIVATE = (
    "127.0.0.2:80", "[::1]:80", "169.254.169.254:80", "0x7f000002:80", "2130706434:80", "[::ffff:10.0.0.1]:80",
)  # fmt: skip
_NONSENSE = (
    b"nonsense\r\n\r\n",
    b"GET ftp://127.0.0.1/ HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET http://127.0.0.1:99999/ HTTP/1.1\r\n\r\n",
    b"\x16\x03\x01\r\n\r\n",
)


@pytest.mark.parametrize("place", _PRIVATE)
def test_private_addresses_are_refused(door, place):
    """In every spelling that the machine's resolver understands; by tunnel and by plain request."""
    connection, line = _tunnel(door, place)
    connection.close()
    assert line == b"HTTP/1.1 403 Forbidden"
    assert _ask(door, "GET", f"http://{place}/")[0] == 403
    assert len(door.refused) == 2


def test_a_name_with_one_private_address_is_refused(door, site, monkeypatch):
    """Whoever owns a name could choose which of its addresses is taken."""
    port = int(site.url.rpartition(":")[2])
    answers = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in ("127.0.0.1", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answers)
    assert door.connected("mixed.example", port) is None
    assert "10.0.0.1 is private" in door.refused[0]


@pytest.mark.parametrize("data", _NONSENSE)
def test_what_is_no_request_is_answered_so(door, data):
    """And harms nobody."""
    with socket.create_connection(("127.0.0.1", int(door.url.rpartition(":")[2])), timeout=20) as connection:
        connection.sendall(data)
        assert connection.recv(100).startswith(b"HTTP/1.1 400")


def test_a_host_that_does_not_answer_is_a_bad_gateway(door):
    """Nobody listens on that port."""
    assert _ask(door, "GET", "http://127.0.0.1:9/")[0] == 502


@pytest.mark.parametrize("kind", [HttpProxy, SocksProxy])
@pytest.mark.parametrize("user", ["", "owl"])
def test_the_proxy_of_the_plan_is_asked_for_the_checked_address(site, kind, user):
    """With its password; what it refuses is a bad gateway."""
    with kind(user=user, password="barn" if user else "") as proxy:
        url = proxy.url.replace("://", f"://{user}:${{SECRET}}@") if user else proxy.url
        proxies = Proxies({"*": url}, {"SECRET": "barn"})
        with GuardedProxy(Guard.allowing(["127.0.0.1"]), proxies) as door:
            assert _ask(door, "GET", f"{site.url}/") == (200, b"hello")
            assert _ask(door, "GET", "http://127.0.0.2/")[0] == 403
            assert proxy.targets == [site.url.removeprefix("http://")]
            proxy.refusal = 403 if kind is HttpProxy else 2
            assert _ask(door, "GET", f"{site.url}/")[0] == 502


def test_a_wrong_password_is_a_bad_gateway(site):
    """Both kinds of proxies say no."""
    for kind in (HttpProxy, SocksProxy):
        with kind(user="owl", password="barn") as proxy:
            url = proxy.url.replace("://", "://owl:${SECRET}@")
            with GuardedProxy(Guard.allowing(["all"]), Proxies({"*": url}, {"SECRET": "x"})) as door:
                assert _ask(door, "GET", f"{site.url}/")[0] == 502
