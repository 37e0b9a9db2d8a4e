"""Requests through real proxies: who looks names up, what is kept of credentials, who is to blame."""

import asyncio
import json
import socket

import pytest

from opilio.crawl.errors import BadPlan
from opilio.crawl.fetch.curl import CurlFetcher
from opilio.crawl.fetch.exchange import Answer, Ask, Failure, Patience, Proxy, Trouble
from opilio.crawl.fetch.guard import Guard
from opilio.crawl.plan import CrawlPlan, Fetch, Seed
from opilio.crawl.plan_json import to_json
from opilio.crawl.proxies import Proxies, parsed
from opilio.kernel.capture import Inexactness
from tests.servers.http_server import HttpServer
from tests.servers.proxies import HttpProxy, SocksProxy
from tests.sites.crawling import QUICK, Sites

LOOPBACK = Guard.allowing(["127.0.0.0/8", "::1"])
SHORT = Patience(connect=5, first_byte=5, idle=5, total=8)
HEADERS = (("User-Agent", "opilio-test"), ("Cookie", "site=1"))


@pytest.fixture(scope="module")
def server():
    with HttpServer() as running:
        yield running


@pytest.fixture(scope="module")
def secure():
    with HttpServer(tls=True) as running:
        yield running


@pytest.fixture(params=[HttpProxy, SocksProxy], ids=["http", "socks5"])
def proxy(request):
    with request.param() as running:
        yield running


def fetch(url, proxy, *, guard=LOOPBACK, ca_file="", **ask):
    async def run():
        fetcher = CurlFetcher(guard=guard, ca_file=ca_file)
        try:
            return await fetcher.fetch(Ask(url=url, headers=HEADERS, patience=SHORT, proxy=proxy, **ask))
        finally:
            await fetcher.close()

    return asyncio.run(run())


def through(server, **more):
    return Proxy(url=server.url, **more)


def unused_port():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


def test_the_proxy_is_told_the_address_that_was_checked(server, proxy):
    """Not the name, which it would look up where nobody can check it."""
    answer = fetch(server.url("/page", host="a.localhost"), through(proxy))
    assert isinstance(answer, Answer)
    assert proxy.targets == [f"127.0.0.1:{server.port}"]
    assert server.log()[-1].host == "a.localhost"
    assert (answer.status, answer.address) == (200, "127.0.0.1")


def test_what_is_kept_is_what_the_server_got_and_said(server, proxy):
    """The tunnel leaves no trace in request and head; the site's headers do not reach the proxy."""
    answer = fetch(server.url("/page?kept", host="a.localhost"), through(proxy))
    assert answer.request.startswith(b"GET /page?kept HTTP/1.1\r\nHost: a.localhost")
    assert answer.head.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"X-Proxy" not in answer.head
    assert answer.notes == ()
    assert b"site=1" in answer.request
    assert all(b"site=1" not in each.head for each in proxy.asked)


def test_tls_goes_through_with_the_name_of_the_site(secure, proxy):
    """The certificate is checked against it."""
    url = secure.url("/page", host="a.localhost")
    answer = fetch(url, through(proxy), ca_file=str(secure.ca_file))
    assert (answer.status, answer.tls.verified) == (200, True)
    assert proxy.targets == [f"127.0.0.1:{secure.port}"]
    failure = fetch(secure.url("/page", host="expired.localhost"), through(proxy), ca_file=str(secure.ca_file))
    assert failure.trouble is Trouble.TLS


def test_private_addresses_are_refused_before_the_proxy_hears_of_them(server, proxy):
    """Also by other spellings, and where the proxy looks names up."""
    for host in ("127.0.0.1", "a.localhost", "[::ffff:127.0.0.1]"):
        for resolves in (False, True):
            failure = fetch(server.url("/page", host=host), through(proxy, resolves_names=resolves), guard=Guard())
            assert failure.trouble is Trouble.PRIVATE_ADDRESS
    assert proxy.asked == []


def test_a_proxy_that_looks_names_up_gets_the_name(server):
    """Plain requests go to an HTTP proxy as browsers send them; SOCKS5 gets a host name."""
    with HttpProxy() as web, SocksProxy(scheme="socks5h") as socks:
        for each in (web, socks):
            answer = fetch(server.url("/page", host="name.invalid"), through(each, resolves_names=True))
            assert answer.status == 200
            assert each.targets == [f"name.invalid:{server.port}"]
            assert answer.address is None
        assert web.asked[0].how == "GET"


@pytest.mark.parametrize("kind", [HttpProxy, SocksProxy])
def test_credentials_reach_the_proxy_and_nothing_else(server, kind):
    """Neither the kept request nor a representation of the request shows them."""
    with kind(user="curator", password="s3cret word") as each:
        asked = through(each, username="curator", password="s3cret word")
        answer = fetch(server.url("/page", host="a.localhost"), asked)
        assert answer.status == 200
        assert b"Proxy-Authorization" not in answer.request
        assert "proxy-authorization" not in repr(server.log()[-1].headers).lower()
        assert "s3cret" not in repr(asked)


def test_credentials_are_cut_out_of_plain_requests(server):
    """The capture says that something was left out."""
    with HttpProxy(user="curator", password="s3cret") as each:
        asked = through(each, username="curator", password="s3cret", resolves_names=True)
        answer = fetch(server.url("/page", host="a.invalid"), asked)
    assert answer.request.startswith(f"GET http://a.invalid:{server.port}/page HTTP/1.1\r\n".encode())
    assert b"Proxy-Authorization" not in answer.request
    assert Inexactness.HIDDEN_PROXY_CREDENTIALS in answer.notes


@pytest.mark.parametrize(
    ("kind", "scheme", "resolves"),
    [
        (HttpProxy, "http", False),
        (HttpProxy, "http", True),
        (SocksProxy, "socks5", False),
        (SocksProxy, "socks5h", True),
    ],
)
def test_wrong_credentials_are_the_proxys_trouble(server, kind, scheme, resolves):
    """It may pass, and the words name the proxy, not the password."""
    with kind(user="curator", password="right", scheme=scheme) as each:
        asked = through(each, username="curator", password="wr0ng", resolves_names=resolves)
        failure = fetch(server.url("/page", host="a.invalid" if resolves else "a.localhost"), asked)
        assert isinstance(failure, Failure)
        assert (failure.trouble, failure.passing) == (Trouble.PROXY, True)
        assert each.url in failure.words
        assert "wr0ng" not in failure.words
        assert b"Proxy-Authorization" not in failure.request


@pytest.mark.parametrize("scheme", ["http", "https", "socks5"])
def test_a_dead_proxy_is_named(server, scheme):
    """It is not the host's fault."""
    failure = fetch(server.url("/page"), Proxy(url=f"{scheme}://127.0.0.1:{unused_port()}"))
    assert failure.trouble is Trouble.PROXY
    assert f"the proxy {scheme}://127.0.0.1:" in failure.words


@pytest.mark.parametrize(("kind", "refusal"), [(HttpProxy, 403), (SocksProxy, 2)])
def test_a_proxy_that_does_not_want_to_connect_is_named(server, kind, refusal):
    """As those that allow tunnels to port 443 only."""
    with kind(refusal=refusal) as each:
        failure = fetch(server.url("/page"), through(each))
        assert failure.trouble is Trouble.PROXY
        assert f"{each.url} refused to connect" in failure.words


def test_a_host_that_the_proxy_cannot_reach_is_the_hosts_trouble(proxy):
    """So that its circuit breaker works as without a proxy."""
    failure = fetch(f"http://127.0.0.1:{unused_port()}/", through(proxy))
    assert failure.trouble is Trouble.REFUSED
    assert "could not reach the host" in failure.words


def test_the_environment_has_no_say(server, proxy, monkeypatch):
    """Neither a proxy nor an exception to one comes from it."""
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{unused_port()}")
    assert fetch(server.url("/page"), through(proxy)).status == 200
    assert len(proxy.asked) == 1
    assert fetch(server.url("/page"), None).status == 200


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("ftp://proxy.example:21", "is no proxy"),
        ("proxy.example:3128", "is no proxy"),
        ("http://", "is no proxy"),
        ("http://proxy.example:99999", "is no proxy"),
        ("http://proxy.example:3128/path", "is no proxy"),
        ("http://proxy.example:3128?x", "is no proxy"),
        ("http://[::1", "is no proxy"),
        ("http://pro xy:1", "is no proxy"),
        ("socks5h://proxy.example:1080", "lets the proxy look names up"),
        ("http://curator:s3cret@proxy.example:3128", "holds a password"),
        ("http://curator:s3cret@proxy.example:x", "is no proxy"),
    ],
)
def test_a_plan_with_a_bad_proxy_is_refused(url, words):
    """And no message shows a password."""
    with pytest.raises(BadPlan) as error:
        Fetch(proxies={"*": url})
    assert words in str(error.value)
    assert "s3cret" not in str(error.value)


def test_hosts_have_proxies_of_their_own():
    """The name of a host comes before the star, and may be asked directly."""
    plan = {"a.example": "http://one:1", "b.example": "direct", "*": "socks5://two"}
    found = Proxies(plan, {})
    assert found.of("a.example").url == "http://one:1"
    assert found.of("b.example") is None
    assert found.of("c.example").url == "socks5://two:1080"
    assert parsed("http://[::1]:3128").address == "http://[::1]:3128"
    with pytest.raises(BadPlan, match="is no host"):
        Fetch(proxies={"A.example:80": "direct"})


def test_secrets_come_from_the_environment():
    """The plan names the variable; one that is not set is named."""
    text = "http://${WHO}:${WORD}@one:1"
    plan = CrawlPlan(seeds=(Seed(url="https://a.example/"),), fetch=Fetch(proxies={"*": text}))
    assert json.loads(to_json(plan))["fetch"]["proxies"] == {"*": text}
    found = Proxies(plan.fetch.proxies, {"WHO": "curator", "WORD": "p@ss:w%41"}).of("a.example")
    assert (found.username, found.password) == ("curator", "p@ss:w%41")
    with pytest.raises(BadPlan, match="the variable WHO"):
        Proxies(plan.fetch.proxies, {"WORD": "x"})


def test_a_crawl_goes_through_its_proxy(server, proxy, monkeypatch):
    """robots.txt too; another host is asked directly."""
    monkeypatch.setenv("PROXY_WORD", "unused")
    sites = Sites(server)
    user = "" if proxy.scheme == "http" else "curator@"
    proxies = {"a.localhost": proxy.url.replace("://", f"://{user}")}
    crawled = sites.crawl("a/page", "b/page", scope={"kind": "page"}, fetch={"proxies": proxies})
    assert crawled.fetched == {"a/page", "b/page"}
    proxied = [entry.host for entry in server.log() if entry.host.startswith("a.") and entry.target == "/robots.txt"]
    assert proxied
    assert set(proxy.targets) == {f"127.0.0.1:{server.port}"}
    assert len(proxy.asked) >= 1
    with pytest.raises(BadPlan, match="socks5h"):
        sites.plan("a/page", fetch={"proxies": {"*": "socks5h://127.0.0.1:1"}})


@pytest.mark.parametrize("robots", ["obey", "ignore"])
def test_a_dead_proxy_ends_in_transient_errors_that_name_it(server, robots):
    """The host is not blamed: no circuit breaker rests it."""
    dead = f"http://127.0.0.1:{unused_port()}"
    crawled = Sites(server).crawl(
        "a/page", settings=QUICK, manners={"tries": 2, "robots": robots, "breaker": 1, "delay": 0},
        fetch={"proxies": {"*": dead}}, scope={"kind": "page"},
    )  # fmt: skip
    page = crawled.page("a/page")
    assert page.outcome.value == "transient-error"
    assert f"the proxy {dead} cannot be reached" in page.reason
    assert [host.broken_until for host in crawled.store.hosts()] == [0.0]
