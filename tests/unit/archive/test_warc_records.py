"""What the records say, and that no capture, however odd, makes a file that others cannot read."""

from datetime import UTC, datetime, timedelta

import pytest

from opilio.archive.warc.info import WarcInfo
from opilio.archive.warc.reader import iterate
from opilio.archive.warc.sink import WarcOptions, WarcSink
from opilio.kernel.capture import (
    DnsAnswer,
    Inexactness,
    MemorySink,
    Original,
    Position,
    Provenance,
    Resource,
    Revisit,
    RevisitProfile,
    TlsSummary,
    Truncated,
)
from opilio.kernel.clock import ManualClock
from opilio.kernel.digests import Algorithm, digest_of
from opilio.kernel.errors import InvalidInput
from tests.unit.archive.warcs import HEAD, START, assert_valid, capture, chunked


@pytest.fixture
def sink(tmp_path):
    """A sink whose files are checked when it is closed."""
    made = WarcSink(tmp_path / "warcs", worker="w0", clock=ManualClock())
    yield made
    made.close()
    assert_valid(tmp_path / "warcs")


def records(sink):
    """All records written so far."""
    sink.sync()
    (path,) = sink._folder.iterdir()
    return list(iterate(path))


def test_warcinfo_tells_who_and_how(tmp_path):
    """The first record names software, operator, harvest, robots policy, machine and format; line breaks vanish."""
    info = WarcInfo(
        operator="Library <web@example.org>\r\nfake: yes", is_part_of="harvest 12", robots="obey", hostname="crawler1",
        ip="192.0.2.9", user_agent="Opilio/0.1 (+https://example.org/crawl)", description="Owls",
    )  # fmt: skip
    sink = WarcSink(tmp_path, worker="w0", info=info)
    sink.append(capture())
    first, response, request = records(sink)
    text = first.block.decode()
    assert first.kind == "warcinfo"
    assert "operator: Library <web@example.org> fake: yes\r\n" in text
    for line in ("isPartOf: harvest 12", "robots: obey", "hostname: crawler1", "ip: 192.0.2.9", "description: Owls"):
        assert f"{line}\r\n" in text
    assert "format: WARC File Format 1.1\r\n" in text
    assert "conformsTo: http" in text
    assert {record.field("WARC-Warcinfo-ID") for record in (response, request)} == {f"<{first.id}>"}
    sink.close()
    assert_valid(tmp_path)


def test_request_and_response_belong_together(sink):
    """Same date and URL; the request points to the response; both have block digests and ids of their own."""
    place = sink.append(capture())
    _, response, request = records(sink)
    assert (response.kind, request.kind) == ("response", "request")
    assert response.place == place
    assert request.field("WARC-Concurrent-To") == f"<{response.id}>"
    assert response.id != request.id
    assert response.at == request.at == START
    assert response.field("WARC-Date") == "2026-01-01T12:00:00.123456Z"
    assert response.field("WARC-IP-Address") == "192.0.2.1"
    assert response.field("WARC-Protocol") == "http/1.1"
    assert response.payload_digest == capture().payload_digest
    assert (response.head, response.body, request.block) == (capture().head, capture().body, capture().request)
    assert response.intact
    assert request.intact


def test_tls_and_truncation_are_recorded(sink):
    """Protocol, cipher and the reason of a cut are named fields."""
    tls = TlsSummary(version="TLSv1.3", cipher="TLS_AES_256_GCM_SHA384")
    sink.append(capture(url="https://example.com/", tls=tls, http_version="2", truncated=Truncated.LENGTH))
    response = records(sink)[1]
    protocols = [value for name, value in response.fields if name == "WARC-Protocol"]
    assert protocols == ["h2", "tls/1.3"]
    assert response.field("WARC-Cipher-Suite") == "TLS_AES_256_GCM_SHA384"
    assert response.field("WARC-Truncated") == "length"


def test_known_inexactness_is_written_down(sink):
    """A capture with notes gets a metadata record, also when nobody asked for provenance."""
    sink.append(
        capture(
            notes=(Inexactness.UNFOLDED_HEADERS,),
            provenance=Provenance(seed="http://example.com/", via="http://example.com/a", hops="LE"),
        )
    )
    metadata = records(sink)[3]
    assert metadata.kind == "metadata"
    lines = metadata.block.decode().splitlines()
    assert "hopsFromSeed: LE" in lines
    assert "via: http://example.com/a" in lines
    assert "fetchTimeMs: 25" in lines
    assert f"note: {Inexactness.UNFOLDED_HEADERS.value}" in lines


def test_outlinks_follow_as_metadata(sink):
    """What was learned of a page is tied to its response; after the sync it is too late."""
    place = sink.append(capture())
    sink.append_metadata(place, [("outlink", "http://example.com/a L a/@href"), ("out\r\nlink", "x\r\ny")])
    metadata = records(sink)[3]
    assert metadata.field("WARC-Concurrent-To") == f"<{records(sink)[1].id}>"
    assert metadata.block == b"outlink: http://example.com/a L a/@href\r\nout-link: x y\r\n"
    with pytest.raises(InvalidInput, match="before the next sync"):
        sink.append_metadata(place, [("outlink", "x")])


def test_an_identical_body_becomes_a_revisit(sink):
    """The head is kept, the body is not; the digest and the original's URL, date and id say where it is."""
    body = b"same as ever"
    original = Original(url="http://example.com/first", captured=START, record="urn:uuid:1")
    place = sink.append_revisit(
        Revisit(capture=capture(body=body), profile=RevisitProfile.IDENTICAL, original=original)
    )
    _, revisit, request = records(sink)
    assert (revisit.kind, request.kind, revisit.place) == ("revisit", "request", place)
    assert revisit.field("WARC-Profile") == "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
    assert revisit.field("WARC-Refers-To-Target-URI") == "http://example.com/first"
    assert revisit.field("WARC-Refers-To-Date") == "2026-01-01T12:00:00.123456Z"
    assert revisit.field("WARC-Refers-To") == "<urn:uuid:1>"
    assert revisit.payload_digest == digest_of(body)
    assert revisit.block == HEAD


def test_a_304_becomes_a_revisit(sink):
    """The server's word that nothing changed is kept with the original's digest."""
    original = Original(url="http://example.com/", captured=START, digest=digest_of(b"then", Algorithm.SHA1))
    answer = capture(head=b"HTTP/1.1 304 Not Modified\r\n\r\n", body=b"", status=304)
    sink.append_revisit(Revisit(capture=answer, profile=RevisitProfile.NOT_MODIFIED, original=original))
    revisit = records(sink)[1]
    assert revisit.field("WARC-Profile") == "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
    assert revisit.payload_digest == digest_of(b"then", Algorithm.SHA1)
    assert revisit.status == 304
    assert revisit.field("WARC-Truncated") is None


def test_dns_answers_are_kept(sink):
    """A response of type text/dns with a line per record."""
    answer = DnsAnswer(
        host="example.com",
        at=START,
        server="192.0.2.53",
        records=((300, "A", "192.0.2.1"), (60, "AAAA", "::2")),
    )
    sink.append_dns(answer)
    record = records(sink)[1]
    assert (record.kind, record.url, record.field("Content-Type")) == ("response", "dns:example.com", "text/dns")
    assert record.field("WARC-IP-Address") == "192.0.2.53"
    assert record.block == (b"20260101120000\nexample.com.\t300\tIN\tA\t192.0.2.1\nexample.com.\t60\tIN\tAAAA\t::2\n")


def test_resources_are_kept(sink):
    """Something that no exchange brought has its own type and content."""
    sink.append_resource(Resource(url="urn:opilio:plan", content_type="application/json", content=b"{}", at=START))
    record = records(sink)[1]
    assert (record.kind, record.url, record.block) == ("resource", "urn:opilio:plan", b"{}")
    assert record.field("Content-Type") == "application/json"


def test_a_chunked_body_is_kept_as_it_came(sink):
    """The chunks stay; their payload digest goes into a field of ours, because checkers count chunks as payload."""
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    sink.append(capture(head=head, body=chunked(b"hello"), payload_digest=digest_of(b"hello")))
    response = records(sink)[1]
    assert response.body == b"5\r\nhello\r\n0\r\n\r\n"
    assert response.field("WARC-Payload-Digest") is None
    assert response.payload_digest == digest_of(b"hello")
    assert response.payload().data == b"hello"


ODD = {
    "HTTP/0.9": {"head": b"", "body": b"<p>hi\n\nthere", "http_version": "0.9"},
    "HTTP/0.9 that looks like HTTP": {"head": b"", "body": b"HTTP/1.1 200 OK\r\n\r\nhi", "http_version": "0.9"},
    "nothing at all": {"head": b"", "body": b"", "request": b""},
    "no body": {"body": b""},
    "no request": {"request": b""},
    "header bomb of one line": {"head": b"HTTP/1.1 200 OK\r\nX: " + b"y" * 300_000 + b"\r\n\r\n"},
    "header bomb of many lines": {"head": b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 50_000 + b"\r\n"},
    "bare line feeds": {"head": b"HTTP/1.1 200 OK\nX: y\n\n"},
    "no end of the head": {"head": b"HTTP/1.1 200 OK\r\nX: y", "body": b""},
    "an empty line inside": {"head": b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"},
    "a line of blanks inside": {"head": b"HTTP/1.1 200 OK\r\n \r\nX: y\r\n\r\n"},
    "a NUL": {"head": b"HTTP/1.1 200 OK\r\nX: \x00\r\n\r\n"},
    "no colon": {"head": b"HTTP/1.1 200 OK\r\nwhat\r\n\r\n"},
    "not HTTP": {"head": b"ICY 200 OK\r\n\r\n"},
    "bytes beyond ASCII": {"head": "HTTP/1.1 200 Gefällt\r\nX: ü\r\n\r\n".encode("latin-1")},
    "a lie about gzip": {"head": b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"},
    "broken chunks": {"head": b"HTTP/1.1 200 OK\r\nTRANSFER-ENCODING : chunked\r\n\r\n", "body": b"zz\r\nhello"},
    "cut off": {"truncated": Truncated.DISCONNECT, "body": b"x" * 1000},
    "a URL beyond ASCII": {"url": "http://example.com/münchen?q=\u2028"},
    "a URL with a line break": {"url": "http://example.com/\r\nWARC-Type: warcinfo"},
    "a URL with a lone surrogate": {"url": "http://example.com/\ud800"},
    "an IPv6 address with a zone": {"address": "fe80::1%eth0"},
    "no address": {"address": None},
    "WARC inside": {"body": b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n"},
    "the year 1": {"started": datetime(1, 1, 1, tzinfo=UTC), "finished": datetime(1, 1, 1, tzinfo=UTC)},
    "sha1": {"payload_digest": digest_of(b"<title>Owls</title>", Algorithm.SHA1)},
}


@pytest.mark.parametrize("changes", ODD.values(), ids=ODD.keys())
def test_odd_captures_are_kept_exactly(tmp_path, changes):
    """Others can check the file, and the bytes come back as they were."""
    sink = WarcSink(tmp_path, worker="w0", options=WarcOptions(provenance=True))
    odd = capture(**changes)
    sink.append(odd)
    sink.append(capture(url="http://example.com/after"))
    found = records(sink)
    sink.close()
    assert_valid(tmp_path)
    assert found[1].block == odd.head + odd.body
    assert found[1].kind == "response"
    assert found[-2].url == "http://example.com/after" or found[-3].url == "http://example.com/after"
    assert found[1].url.isascii()


def test_both_sinks_take_all_records():
    """The sink in memory keeps the same kinds, in order, and forgets them at a cut."""
    sink = MemorySink()
    place = sink.append(capture())
    committed = dict(sink.sync())
    second = sink.append_revisit(
        Revisit(
            capture=capture(), profile=RevisitProfile.IDENTICAL, original=Original(url="http://e.com/", captured=START)
        )
    )
    sink.append_metadata(second, [("outlink", "http://e.com/x")])
    sink.append_dns(DnsAnswer(host="e.com", at=START, records=((1, "A", "192.0.2.1"),)))
    sink.append_resource(Resource(url="urn:x", content_type="text/plain", content=b"x", at=START))
    assert [type(record).__name__ for record in sink.records] == [
        "Capture", "Revisit", "Metadata", "DnsAnswer", "Resource",
    ]  # fmt: skip
    with pytest.raises(InvalidInput):
        sink.append_metadata(place, [])
    sink.cut_back(committed)
    assert sink.records == [capture()]


def test_values_that_cannot_be():
    """Times must be aware, names present, addresses readable."""
    naive = datetime(2026, 1, 1)  # noqa: DTZ001 - a naive time is what is refused here
    for make in (
        lambda: Original(url="http://e.com/", captured=naive),
        lambda: DnsAnswer(host="", at=START, records=()),
        lambda: DnsAnswer(host="e.com", at=naive, records=()),
        lambda: DnsAnswer(host="e.com", at=START, records=(), server="ns1"),
        lambda: Resource(url="", content_type="", content=b"", at=START),
    ):
        with pytest.raises(InvalidInput):
            make()


def test_long_fetches_keep_their_duration(sink):
    """Milliseconds in the metadata count from the first byte sent to the last received."""
    sink.append(capture(finished=START + timedelta(seconds=90), notes=(Inexactness.MERGED_INTERIM,)))
    assert b"fetchTimeMs: 90000\r\n" in records(sink)[3].block


def test_metadata_about_nothing_is_refused(sink):
    """A place where no capture was written is an error."""
    sink.append(capture())
    with pytest.raises(InvalidInput):
        sink.append_metadata(Position(file="x", offset=0, length=1), [])
