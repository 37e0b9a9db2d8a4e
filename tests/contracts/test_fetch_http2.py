"""HTTP/2 from a real server: exact bodies, and heads in the one spelling that archives know."""

import asyncio
import random
from dataclasses import replace

import pytest

from opilio.archive.warc.sink import WarcSink
from opilio.crawl.bandwidth import Bandwidth
from opilio.crawl.exchange_to_capture import capture_of, payload_of
from opilio.crawl.fetch import head, spelling
from opilio.crawl.fetch.curl import CurlFetcher
from opilio.crawl.fetch.decode import Limits
from opilio.crawl.fetch.exchange import Ask, Patience
from opilio.crawl.fetch.guard import Guard
from opilio.kernel.capture import Inexactness, Provenance
from opilio.kernel.clock import SYSTEM
from opilio.kernel.digests import Algorithm
from tests.contracts.telling_meter import TellingMeter
from tests.servers import nginx
from tests.unit.archive.warcs import assert_valid

PAGE = b"<title>Tides</title><p>The harbour master keeps a log.</p>"
LARGE = random.Random(5).randbytes(3_000_000)
HEADERS = (("User-Agent", "opilio-test"), ("Accept", "*/*"))

needs_nginx = pytest.mark.skipif(not nginx.is_installed(), reason=nginx.MISSING)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nginx")
    root = tmp_path_factory.mktemp("root")
    (root / "page.html").write_bytes(PAGE)
    (root / "large.bin").write_bytes(LARGE)
    with nginx.Nginx(folder, root) as running:
        yield running


def fetch(server, *paths, at_once=False, **more):
    async def run():
        fetcher = CurlFetcher(guard=Guard.allowing(["127.0.0.0/8"]), ca_file=str(server.ca_file))
        asks = [Ask(**{"url": server.url(p), "headers": HEADERS, "patience": Patience(total=20), "http2": True, **more})
                for p in paths]  # fmt: skip
        try:
            if at_once:
                return await asyncio.gather(*(fetcher.fetch(ask) for ask in asks))
            return [await fetcher.fetch(ask) for ask in asks]
        finally:
            await fetcher.close()

    return asyncio.run(run())


@needs_nginx
@pytest.mark.parametrize(
    ("path", "status", "body"), [("/page.html", 200, PAGE), ("/large.bin", 200, LARGE), ("/missing", 404, None)]
)
def test_an_answer_over_http_2_is_exact(server, path, status, body):
    """Status and body are those of the server; the note says what became of the head, and the head agrees."""
    [answer] = fetch(server, path)
    assert (answer.version, answer.status, answer.notes) == ("2", status, (Inexactness.BINARY_HEAD,))
    if body is not None:
        assert answer.body[:] == body
    assert answer.head.startswith(b"HTTP/1.1 %d" % status)
    assert answer.head.endswith(b"\r\n\r\n")
    assert answer.request.startswith(f"GET {path} HTTP/1.1\r\n".encode())
    assert head.parse(answer.head).get("server").startswith("nginx")
    assert "HTTP/1.1" in Inexactness.BINARY_HEAD.value


@needs_nginx
def test_many_answers_come_over_http_2_at_once(server):
    """None is mixed up with another."""
    answers = fetch(server, *["/page.html", "/large.bin"] * 5, at_once=True)
    assert [answer.body[:] == (LARGE if number % 2 else PAGE) for number, answer in enumerate(answers)] == [True] * 10


@needs_nginx
def test_answers_over_one_connection_are_held_up_each_for_itself(server):
    """A body that waits for bandwidth keeps no other from coming."""
    slow = Bandwidth(clock=SYSTEM, crawl=len(LARGE))
    small = Ask(url=server.url("/page.html"), headers=HEADERS, http2=True)

    async def run():
        fetcher = CurlFetcher(guard=Guard.allowing(["127.0.0.0/8"]), ca_file=str(server.ca_file))
        try:
            await fetcher.fetch(small)
            meter = TellingMeter(slow.meter("h"))
            large = asyncio.create_task(fetcher.fetch(replace(small, url=server.url("/large.bin"), meter=meter)))
            await meter.held_up.wait()
            page = await fetcher.fetch(small)
            assert not large.done()
            return page, await large
        finally:
            await fetcher.close()

    page, large = asyncio.run(run())
    assert (page.body, large.body[:] == LARGE) == (PAGE, True)
    assert large.paused > 0


@needs_nginx
def test_http_2_is_used_only_where_the_plan_asks_for_it(server):
    """Otherwise the head is that of the wire, without a note."""
    [answer] = fetch(server, "/page.html", http2=False)
    assert (answer.version, answer.notes) == ("1.1", ())
    assert answer.head.startswith(b"HTTP/1.1 200 OK\r\n")


@needs_nginx
def test_captures_over_http_2_verify(server, tmp_path):
    """Other programs read them, and find how they were made."""
    sink = WarcSink(tmp_path, worker="w0")
    for answer in fetch(server, "/page.html", "/large.bin"):
        payload = payload_of(answer, Algorithm.SHA1, Limits())
        ask = Ask(url="https://a.example/")
        sink.append(capture_of(ask, answer, payload, Provenance(seed="https://a.example/")))
    sink.close()
    [file] = assert_valid(tmp_path)
    assert file.stat().st_size > len(LARGE)


def test_interim_heads_are_spelt_as_well():
    """Every status line of a merged head, and nothing in a header that looks like one."""
    given = b"HTTP/2 103 \r\nlink: </a>\r\n\r\nHTTP/2 200 \r\nx: HTTP/2 500 \r\n\r\n"
    shown = b"HTTP/1.1 103 \r\nlink: </a>\r\n\r\nHTTP/1.1 200 \r\nx: HTTP/2 500 \r\n\r\n"
    assert spelling.head_as_text(given) == shown
    assert spelling.head_as_text(b"HTTP/3 204 \r\n\r\n") == b"HTTP/1.1 204 \r\n\r\n"


def test_a_request_is_spelt_in_its_first_line_alone():
    """A body stays as it was sent."""
    sent = b"POST /a%20b?x HTTP/2\r\nHost: h\r\n\r\nGET / HTTP/2\r\n"
    assert spelling.request_as_text(sent) == b"POST /a%20b?x HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/2\r\n"
