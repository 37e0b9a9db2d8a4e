"""From the records of WARC and ARC files to the rows of an index, whoever wrote them."""

import gzip
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opilio.archive.indexing.captures import captures
from opilio.archive.warc.reader import iterate, read_at
from opilio.archive.warc.sink import WarcOptions, WarcSink
from opilio.kernel.capture import Position, Resource
from opilio.kernel.digests import Algorithm, digest_of
from tests.unit.archive.cdx.lines import AT
from tests.unit.archive.indexing.records import ANSWER, DESCRIPTION, arc_record, packed, warc_record
from tests.unit.archive.warcs import START, capture

BODY = ANSWER.partition(b"\r\n\r\n")[2]


def indexed(path, content=None):
    """Rows and flaws of a file."""
    if content is not None:
        path.write_bytes(content)
    flaws = []
    return list(captures(path, flaws)), flaws


def test_what_our_crawls_write(tmp_path):
    """Responses, revisits and resources have rows with exact places; requests and notes have none."""
    sink = WarcSink(tmp_path, worker="w0", options=WarcOptions())
    first = capture(url="http://example.org/ä b")
    places = [sink.append(first), sink.append_resource(_screenshot())]
    sink.append_metadata(places[0], [("seed", "http://example.org/")])
    sink.sync()
    sink.close()
    (path,) = tmp_path.glob("*.warc.gz")
    rows, flaws = indexed(path)
    assert flaws == []
    assert [Position(file=each.file, offset=each.offset, length=each.length) for each in rows] == places
    assert (rows[0].status, rows[0].type, rows[0].digest, rows[0].at) == (200, "text/html", first.payload_digest, START)
    assert (rows[1].status, rows[1].type, rows[1].url) == (None, "image/png", "urn:screenshot:1")
    assert all(read_at(tmp_path, place).url for place in places)


def _screenshot():
    return Resource(url="urn:screenshot:1", content_type="image/png", content=b"png", at=START)


@pytest.mark.parametrize("pack", [packed, lambda *records: b"".join(records)], ids=["packed", "plain"])
def test_places_are_those_of_the_reader(tmp_path, pack):
    """Offset and length of each capture are what the reader needs."""
    dice = random.Random(1)
    records = [warc_record(url=b"http://example.org/%d" % n, block=ANSWER + dice.randbytes(n * 50)) for n in range(30)]
    records[5] = warc_record(b"request", block=b"GET / HTTP/1.1\r\n\r\n")
    rows, flaws = indexed(tmp_path / "x.warc.gz", pack(*records))
    assert flaws == []
    expected = [each for each in iterate(tmp_path / "x.warc.gz") if each.kind == "response"]
    assert [(each.offset, each.length, each.url) for each in rows] == [
        (each.place.offset, each.place.length, each.url) for each in expected
    ]


def test_revisits_name_their_originals(tmp_path):
    """With address and time, and the digest that was recorded."""
    digest = digest_of(BODY, Algorithm.SHA1)
    record = warc_record(
        b"revisit", block=ANSWER[:-11], WARC_Refers_To_Target_URI=b"<http://example.org/first>",
        WARC_Refers_To_Date=b"2025-01-01T00:00:00Z", WARC_Payload_Digest=digest.base32.encode(),
    )  # fmt: skip
    ((row,), flaws) = indexed(tmp_path / "x.warc", record)
    assert (row.revisit, row.type, row.digest, row.status, flaws) == (True, "warc/revisit", digest, 200, [])
    assert (row.original_url, row.original_at.year) == ("http://example.org/first", 2025)


@pytest.mark.parametrize(
    ("block", "payload"),
    [
        (ANSWER, BODY),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", b"hi"),
        (b"HTTP/1.0 404 Not Found\n\nx", b"x"),
    ],
)
def test_digests_that_are_missing_are_made(tmp_path, block, payload):
    """Of the payload without transfer coding, as the standard has it."""
    ((row,), _) = indexed(tmp_path / "x.warc.gz", packed(warc_record(block=block)))
    assert row.digest == digest_of(payload, Algorithm.SHA1)


def test_records_of_other_kinds(tmp_path):
    """DNS answers and resources have the type of the record; notes about records are no captures."""
    records = [
        warc_record(url=b"dns:example.org", block=b"20260101\n", content_type=b"text/dns"),
        warc_record(b"resource", b"file:///x", b"{}", b"application/json"),
        warc_record(b"metadata", b"http://example.org/", b"via: x\r\n", b"application/warc-fields"),
        warc_record(b"metadata", b"metadata://example.org/", b"{}", b"application/json"),
        warc_record(b"warcinfo", b"", b"software: x\r\n", b"application/warc-fields"),
        warc_record(b"conversion", b"http://example.org/", b"x", b"text/plain"),
    ]
    rows, flaws = indexed(tmp_path / "x.warc.gz", packed(*records))
    assert [each.type for each in rows] == ["text/dns", "application/json", "application/json"]
    assert flaws == []


def test_odd_heads(tmp_path):
    """Brackets, bytes that are not UTF-8, heads without end, answers that are no HTTP."""
    records = [
        warc_record(url=b"<http://example.org/bracket>"),
        warc_record(url=b"http://example.org/\xe4"),
        warc_record(url=b"http://example.org/long", block=b"HTTP/1.1 200 OK\r\nX: " + b"y" * 50_000 + b"\r\n\r\nhi"),
        warc_record(url=b"http://example.org/bare", block=b"garbage"),
    ]
    rows, flaws = indexed(tmp_path / "x.warc.gz", packed(*records))
    assert [each.url[19:] for each in rows] == ["bracket", "ä", "long", "bare"]
    assert ([each.status for each in rows], flaws) == ([200, 200, 200, None], [])


def test_records_without_address_or_date(tmp_path):
    """They cannot be found, and are named."""
    records = [warc_record(url=b""), warc_record(WARC_Date=b"yesterday"), warc_record()]
    rows, flaws = indexed(tmp_path / "x.warc.gz", packed(*records))
    assert len(rows) == 1
    assert ["no address" in each.what or "no date" in each.what for each in flaws] == [True, True]


def test_files_that_were_packed_as_a_whole(tmp_path):
    """No record but the first can be read alone, which is told of the others."""
    rows, flaws = indexed(tmp_path / "x.warc.gz", gzip.compress(warc_record() * 3))
    assert [each.offset for each in rows] == [0]
    assert ["alone" in str(each) for each in flaws] == [True, True]


def test_what_follows_damage_is_found(tmp_path):
    """A broken record costs itself; those before and behind it have rows."""
    records = [gzip.compress(warc_record(url=b"http://example.org/%d" % number)) for number in range(6)]
    broken = records[2][:40] + b"\x00\x00\x00\x00" + records[2][44:]
    rows, flaws = indexed(tmp_path / "x.warc.gz", b"".join([*records[:2], broken, *records[3:]]))
    assert [each.url[-1] for each in rows] == ["0", "1", "3", "4", "5"]
    assert flaws[0].offset == len(records[0] + records[1])
    assert all(read_at(tmp_path, Position(file=e.file, offset=e.offset, length=e.length)).url == e.url for e in rows)


def test_a_torn_end_is_told(tmp_path):
    """The last record is left out when it is not whole."""
    whole = packed(warc_record(), warc_record(url=b"http://example.org/2"))
    rows, flaws = indexed(tmp_path / "x.warc.gz", whole[:-5])
    assert ([each.url for each in rows], len(flaws)) == (["http://example.org/"], 1)


@pytest.mark.parametrize("pack", [packed, lambda *records: b"".join(records)], ids=["packed", "plain"])
def test_arc_files(tmp_path, pack):
    """Status, type, time and digest as from WARC files; the description is no capture."""
    records = [DESCRIPTION, arc_record(), arc_record(b"dns:example.org", b"x\n", kind=b"text/dns")]
    rows, flaws = indexed(tmp_path / "x.arc.gz", pack(*records))
    assert flaws == []
    assert [(each.url, each.status, each.type, each.at) for each in rows] == [
        ("http://example.org/", 200, "text/html", AT), ("dns:example.org", None, "text/dns", AT),
    ]  # fmt: skip
    assert rows[0].digest == digest_of(BODY, Algorithm.SHA1)
    assert rows[0].offset == len(pack(DESCRIPTION))


@settings(max_examples=60)
@given(st.binary(max_size=300), st.booleans(), st.booleans())
def test_any_bytes_can_be_a_file(tmp_path_factory, content, begun, is_packed):
    """Nonsense gives rows or flaws, never an error of its own."""
    path = tmp_path_factory.getbasetemp() / "any.warc.gz"
    data = (warc_record()[:150] if begun else b"") + content
    indexed(path, gzip.compress(data) if is_packed else data)
