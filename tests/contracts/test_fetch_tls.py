"""How a connection was secured is kept with every capture, also of a connection that is used again."""

import asyncio

import pytest

from opilio.archive.warc.fast import ArchiveIterator
from opilio.archive.warc.sink import WarcSink
from opilio.crawl.exchange_to_capture import capture_of, payload_of
from opilio.crawl.fetch.curl import CurlFetcher
from opilio.crawl.fetch.decode import Limits
from opilio.crawl.fetch.exchange import Ask
from opilio.crawl.fetch.guard import Guard
from opilio.crawl.fetch.raw import RawFetcher
from opilio.crawl.fetch.resolver import Resolver
from opilio.crawl.fetch.tls import Connections, Secured, secured
from opilio.kernel.capture import Provenance, TlsSummary
from opilio.kernel.digests import Algorithm
from tests.servers.http_server import HttpServer
from tests.sites.crawling import Sites
from tests.unit.archive.warcs import assert_valid, capture

LOOPBACK = Guard.allowing(["127.0.0.0/8"])


@pytest.fixture(scope="module")
def server():
    with HttpServer(tls=True) as running:
        yield running


def fetched(server, count=1, **more):
    async def run():
        fetcher = CurlFetcher(guard=LOOPBACK, ca_file=str(server.ca_file))
        try:
            return [await fetcher.fetch(Ask(url=server.url("/page"), **more)) for _ in range(count)]
        finally:
            await fetcher.close()

    return asyncio.run(run())


def test_version_and_cipher_are_known_for_every_exchange(server):
    """The second one uses the connection of the first, for which nothing is told again."""
    first, second = fetched(server, 2)
    assert first.tls.version == "TLSv1.3"
    assert first.tls.cipher.startswith("TLS_")
    assert (second.tls, second.tls.verified) == (first.tls, True)
    assert len({entry.connection for entry in server.log()[-2:]}) == 1


def test_what_is_read_byte_by_byte_knows_it_too(server):
    """The fetcher for odd servers."""

    async def run():
        fetcher = RawFetcher(guard=LOOPBACK, resolver=Resolver(), ca_file=str(server.ca_file))
        return await fetcher.fetch(Ask(url=server.url("/page")))

    answer = asyncio.run(run())
    assert answer.tls.version == "TLSv1.3"
    assert answer.tls.cipher.startswith("TLS_")


def test_a_plain_exchange_has_nothing_to_say():
    """No TLS, no summary."""
    with HttpServer() as plain:

        async def run():
            fetcher = CurlFetcher(guard=LOOPBACK)
            try:
                return await fetcher.fetch(Ask(url=plain.url("/page")))
            finally:
                await fetcher.close()

        assert asyncio.run(run()).tls is None


def written(folder, *captures):
    sink = WarcSink(folder, worker="w0")
    for one in captures:
        sink.append(one)
    sink.close()
    [file] = assert_valid(folder)
    with file.open("rb") as stream:
        return [(list(record.headers), record.reader.read()) for record in ArchiveIterator(stream, parse_http=False)]


def test_a_capture_names_version_and_cipher(server, tmp_path):
    """In the fields of its response record."""
    [answer] = fetched(server)
    made = capture_of(
        Ask(url=server.url("/page")), answer, payload_of(answer, Algorithm.SHA1, Limits()),
        Provenance(seed=server.url("/page")),
    )  # fmt: skip
    response = written(tmp_path, made)[1][0]
    assert [value for name, value in response if name == "WARC-Protocol"] == ["http/1.1", "tls/1.3"]
    assert dict(response)["WARC-Cipher-Suite"].startswith("TLS_")


@pytest.mark.parametrize("tls", [TlsSummary(version="", cipher=""), TlsSummary(version="TLSv1.2", cipher="")])
def test_what_is_not_known_is_left_out(tmp_path, tls):
    """No field is empty."""
    for headers, _ in written(tmp_path, capture(tls=tls))[1:]:
        assert all(value for _, value in headers)
        assert "WARC-Cipher-Suite" not in dict(headers)


def test_a_certificate_that_nobody_checked_is_told_of_in_the_archive(server, tmp_path):
    """In a metadata record beside the capture; of a checked one nothing is said."""
    for verify in (True, False):
        [answer] = fetched(server, verify_tls=verify)
        ask = Ask(url=server.url("/page"), verify_tls=verify)
        made = capture_of(ask, answer, payload_of(answer, Algorithm.SHA1, Limits()), Provenance(seed=ask.url))
        records = written(tmp_path / str(verify), made)
        told = [block for headers, block in records if dict(headers)["WARC-Type"] == "metadata"]
        assert [b"tls: the certificate was not verified" in block for block in told] == ([] if verify else [True])


def test_a_certificate_that_nobody_checked_is_told_of_in_the_reason(server):
    """So that `explain` and the report show it, for every page of such a host."""
    done = Sites(server).crawl("a/page", fetch={"unverified_tls": ("a.localhost",)})
    [page] = [page for page in done.store.pages() if page.url.endswith("/page")]
    assert page.outcome == "fetched"
    assert "the certificate was not verified" in page.reason


@pytest.mark.parametrize(
    ("told", "how"),
    [
        (b"SSL connection using TLSv1.3 / TLS_AES_256_GCM_SHA384 / x25519 / RSASSA-PSS\n",
         Secured("TLSv1.3", "TLS_AES_256_GCM_SHA384")),
        (b"SSL connection using TLSv1.2 / ECDHE-RSA-AES128-GCM-SHA256\n",
         Secured("TLSv1.2", "ECDHE-RSA-AES128-GCM-SHA256")),
        (b"SSL connection timeout\n", None),
        (b"SSL connection using \xff / \r\nWARC-Type: x", None),
    ],
)  # fmt: skip
def test_lines_that_libcurl_tells_are_understood_or_left(told, how):
    """Another wording in another version of libcurl gives nothing, rather than nonsense."""
    assert secured(told) == how


def test_old_connections_are_forgotten():
    """What is remembered does not grow for ever."""
    known = Connections()
    for number in range(10_000):
        known.learn(number, Secured("TLSv1.3", "X"))
    assert len(known._known) < 5_000
