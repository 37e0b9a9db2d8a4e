"""Fetching from real servers that misbehave: exact bytes, kept patience, no private address."""

import asyncio
import socket

import pytest

from opilio.crawl.fetch.curl import CurlFetcher
from opilio.crawl.fetch.exchange import Answer, Ask, Failure, Patience, Trouble
from opilio.crawl.fetch.guard import Guard
from opilio.crawl.fetch.raw import RawFetcher
from opilio.crawl.fetch.resolver import Resolved, Resolver
from opilio.kernel.capture import Inexactness, Truncated
from opilio.kernel.errors import InvalidInput, NotWritable
from tests.servers.http_server import HttpServer
from tests.servers.misbehave.bodies import long_piece
from tests.servers.raw_client import connect, read_all

LOOPBACK = Guard.allowing(["127.0.0.0/8", "::1"])
SHORT = Patience(connect=5, first_byte=1, idle=1, total=8, body=300_000, head=65_536)
HEADERS = (("User-Agent", "opilio-test"), ("Accept", "*/*"))


@pytest.fixture(scope="module")
def server():
    with HttpServer() as running:
        yield running


def fetch(url, *, guard=LOOPBACK, resolver=None, ca_file="", **ask):
    async def run():
        fetcher = CurlFetcher(guard=guard, resolver=resolver, ca_file=ca_file)
        try:
            return await fetcher.fetch(Ask(**{"url": url, "headers": HEADERS, "patience": SHORT, **ask}))
        finally:
            await fetcher.close()

    return asyncio.run(run())


def raw(url, *, guard=LOOPBACK, patience=SHORT):
    async def run():
        resolver = Resolver()
        return await RawFetcher(guard=guard, resolver=resolver).fetch(Ask(url=url, headers=HEADERS, patience=patience))

    return asyncio.run(run())


def test_headers_go_out_byte_by_byte(server):
    """A value beyond ASCII is bytes in the guise of Latin-1, as heads are read."""
    answer = fetch(server.url("/echo"), headers=(("X-Name", "Grün".encode().decode("latin-1")),))
    assert "X-Name: Grün\r\n".encode() in answer.request


def test_an_answer_holds_the_bytes_of_the_wire(server):
    """Request, head and body as they went over the network, chunks and codings in place."""
    answer = fetch(server.url("/encoded/gzip"))
    assert isinstance(answer, Answer)
    assert answer.request.startswith(b"GET /encoded/gzip HTTP/1.1\r\nHost: ")
    assert b"User-Agent: opilio-test\r\n" in answer.request
    assert answer.request.endswith(b"\r\n\r\n")
    assert answer.head.startswith(b"HTTP/1.1 200 OK\r\n")
    assert answer.head.endswith(b"\r\n\r\n")
    assert answer.body[:2] == b"\x1f\x8b"
    assert (answer.status, answer.version, answer.address, answer.notes) == (200, "1.1", "127.0.0.1", ())
    assert answer.finished >= answer.started


def test_chunks_stay_as_they_came(server):
    """Their framing belongs to the archive; the connection is used again all the same."""
    answer = fetch(server.url("/slow/body?seconds=0&pieces=3"))
    assert answer.body or answer.head
    chunked = fetch(server.url("/chunks/no-last"))
    assert chunked.truncated is Truncated.DISCONNECT
    assert b"\r\n" in chunked.body


@pytest.mark.parametrize(
    ("path", "truncated"),
    [
        ("/truncated", Truncated.DISCONNECT),
        ("/reset/body", Truncated.DISCONNECT),
        ("/endless", Truncated.LENGTH),
        ("/endless/chunks", Truncated.LENGTH),
    ],
)
def test_a_body_that_ends_early_is_kept_and_marked(server, path, truncated):
    """With what had come until then."""
    answer = fetch(server.url(path))
    assert isinstance(answer, Answer)
    assert answer.truncated is truncated
    if truncated is Truncated.LENGTH:
        assert len(answer.body) == SHORT.body


@pytest.mark.parametrize(
    ("path", "trouble"),
    [
        ("/drop", Trouble.RESET),
        ("/reset", Trouble.RESET),
        ("/slow/headers?seconds=30", Trouble.FIRST_BYTE_TIMEOUT),
        ("/bomb/header?kib=1024", Trouble.PROTOCOL),
        ("/odd/no-colon", Trouble.PROTOCOL),
        ("/odd/nul", Trouble.PROTOCOL),
        ("/odd/two-lengths", Trouble.PROTOCOL),
    ],
)
def test_trouble_is_a_value_with_its_kind(server, path, trouble):
    """Nothing is raised for what a server does."""
    failure = fetch(server.url(path))
    assert isinstance(failure, Failure)
    assert failure.trouble is trouble
    assert failure.words


def test_a_body_that_stalls_ends_with_the_patience(server):
    """What had come is kept."""
    answer = fetch(server.url("/slow/body?seconds=30&pieces=4"))
    assert isinstance(answer, Answer | Failure)
    if isinstance(answer, Answer):
        assert answer.truncated is Truncated.TIME


def test_a_header_flood_is_refused_at_its_limit(server):
    """Before it fills the memory."""
    failure = fetch(server.url("/bomb/headers?count=4000"), patience=Patience(head=20_000, total=8))
    assert (failure.trouble, failure.passing) == (Trouble.HEAD_TOO_LARGE, False)


@pytest.mark.parametrize(
    "path",
    ["/odd/no-colon", "/odd/nul", "/odd/two-lengths", "/odd/bad-length", "/odd/bad-status", "/odd/future-version"],
)
def test_what_libcurl_refuses_is_read_byte_by_byte(server, path):
    """The kept bytes are those that the server wrote."""
    answer = raw(server.url(path))
    assert isinstance(answer, Answer)
    with connect(server.port) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        assert answer.head + answer.body == read_all(connection)


def test_a_bare_body_counts_as_http_0_9(server):
    """There is no head to keep."""
    answer = fetch(server.url("/odd/http-0.9"))
    assert (answer.version, answer.head) == ("0.9", b"")
    assert answer.body


def test_interim_answers_are_noted(server):
    """They arrive merged with the final head; the capture says so."""
    answer = fetch(server.url("/odd/early-hints"))
    assert answer.status == 200
    assert Inexactness.MERGED_INTERIM in answer.notes


def test_redirects_are_not_followed(server):
    """Each is an exchange of its own, for the caller to decide about."""
    answer = fetch(server.url("/redirect/to?url=/page&status=301"))
    assert answer.status == 301
    assert len(server.answered_log(1)) >= 1


def test_connections_are_kept_and_used_again(server):
    """Many exchanges with one host go over one connection when they come one after the other."""

    async def run():
        fetcher = CurlFetcher(guard=LOOPBACK)
        try:
            for _ in range(5):
                await fetcher.fetch(Ask(url=server.url("/page?keep=1"), headers=HEADERS, patience=SHORT))
        finally:
            await fetcher.close()

    asyncio.run(run())
    used = {entry.connection for entry in server.log() if entry.target == "/page?keep=1"}
    assert len(used) == 1


def test_many_exchanges_run_at_once(server):
    """A slow one does not hold the others up."""

    async def run():
        fetcher = CurlFetcher(guard=LOOPBACK)
        try:
            asks = [Ask(url=server.url(f"/page?n={n}"), headers=HEADERS, patience=SHORT) for n in range(50)]
            return await asyncio.gather(*(fetcher.fetch(ask) for ask in asks))
        finally:
            await fetcher.close()

    assert [answer.status for answer in asyncio.run(run())] == [200] * 50


def test_a_cancelled_fetch_leaves_nothing_behind(server):
    """And the fetcher goes on."""

    async def run():
        fetcher = CurlFetcher(guard=LOOPBACK)
        try:
            slow = asyncio.create_task(fetcher.fetch(Ask(url=server.url("/slow/headers?seconds=30"), headers=HEADERS)))
            await asyncio.sleep(0.1)
            slow.cancel()
            with pytest.raises(asyncio.CancelledError):
                await slow
            return await fetcher.fetch(Ask(url=server.url("/page"), headers=HEADERS, patience=SHORT))
        finally:
            await fetcher.close()

    assert asyncio.run(run()).status == 200


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "sub.localhost", "0x7f.1", "2130706433", "[::ffff:127.0.0.1]"]
)
def test_no_spelling_of_loopback_is_reached(server, host):
    """Odd IPv4 forms, mapped IPv6 and names that resolve there."""
    failure = fetch(f"http://{host}:{server.port}/page?host={host}", guard=Guard())
    assert isinstance(failure, Failure)
    assert failure.trouble in (Trouble.PRIVATE_ADDRESS, Trouble.DNS, Trouble.NO_SUCH_HOST)
    assert not [entry for entry in server.log() if entry.target == f"/page?host={host}"]


class Rebinding(Resolver):
    """Answers with a public address first and a private one ever after, as an attacker's name server does."""

    def __init__(self):
        super().__init__()
        self.answers = iter(["93.184.216.34"])

    async def resolve(self, host):
        return Resolved(name=host, addresses=(next(self.answers, "127.0.0.1"),))


def test_a_name_that_changes_its_address_is_not_followed(server):
    """The address that was checked is the one that is connected to; the next look-up is checked again."""
    resolver = Rebinding()
    next(resolver.answers)
    failure = fetch(f"http://rebind.example:{server.port}/page", guard=Guard(), resolver=resolver)
    assert failure.trouble is Trouble.PRIVATE_ADDRESS


def test_a_mixed_answer_uses_only_what_the_guard_lets_through(server):
    """Of several addresses the private ones are dropped."""

    class Mixed(Resolver):
        async def resolve(self, host):
            return Resolved(name=host, addresses=("10.0.0.1", "127.0.0.1"))

    answer = fetch(f"http://mixed.example:{server.port}/page", resolver=Mixed())
    assert answer.address == "127.0.0.1"


def test_a_closed_port_and_an_unknown_name_are_told_apart():
    """One may pass, the other does not."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    closed = fetch(f"http://127.0.0.1:{port}/")
    assert (closed.trouble, closed.passing) == (Trouble.REFUSED, True)


def test_tls_is_verified_unless_the_plan_says_otherwise():
    """A certificate of an unknown authority is refused; with the authority it holds; the exception is per request."""
    with HttpServer(tls=True) as secure:
        refused = fetch(secure.url("/page"))
        assert refused.trouble is Trouble.TLS
        assert fetch(secure.url("/page"), ca_file=str(secure.ca_file)).status == 200
        answer = fetch(secure.url("/page"), verify_tls=False)
        assert answer.tls.verified is False


def test_a_bad_range_is_refused():
    """The message shows how ranges are written."""
    with pytest.raises(InvalidInput, match=r"10\.0\.0\.0/8"):
        Guard.allowing(["ten"])


@pytest.mark.parametrize("kind", [CurlFetcher, RawFetcher])
def test_a_large_body_that_has_no_room_is_an_error_of_ours(server, tmp_path, kind):
    """Not one of the server: it is raised, and the crawl can be resumed once there is room."""

    async def run():
        fetcher = kind(guard=LOOPBACK, resolver=Resolver(), spool=tmp_path / "missing")
        try:
            await fetcher.fetch(Ask(url=server.url("/long?mib=3"), headers=HEADERS))
        finally:
            await fetcher.close()

    with pytest.raises(NotWritable, match="cannot write"):
        asyncio.run(run())


def test_a_body_is_cut_at_its_limit_to_the_byte_also_in_a_file(server, tmp_path):
    """The end is marked."""
    most = (2 << 20) + 77
    answer = fetch(server.url("/long?mib=3"), patience=Patience(body=most))
    assert (len(answer.body), answer.truncated) == (most, Truncated.LENGTH)
    assert answer.body[most - 10 :] == (long_piece(32) * 2)[67:77]


def test_what_is_read_byte_by_byte_may_be_large(server):
    """Head and body are told apart in a file too."""
    answer = raw(server.url("/long?mib=3"), patience=Patience(idle=1))
    assert answer.head.endswith(b"\r\n\r\n")
    assert len(answer.body) == 3 << 20
    assert answer.body[: 1 << 16] == long_piece(0)
