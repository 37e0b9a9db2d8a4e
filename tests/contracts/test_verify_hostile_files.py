"""Whatever a file holds, verifying comes to an end, raises nothing and needs little memory."""

import gzip
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from opilio.archive.verify.faults import Code
from opilio.archive.verify.listing import Wish, list_records
from opilio.archive.verify.places import places
from opilio.archive.verify.recovering import recover
from opilio.archive.verify.verifying import verify
from tests.unit.archive.verify.archives import archive, good, good_arc, pack, record, sha256

FILES = [
    archive(good()).bytes(),
    archive(good(), packed=False).bytes(),
    b"".join(good_arc()),
    b"".join(map(pack, good_arc())),
    pack(archive(good(), packed=False).bytes()),
]
PIECES = [
    b"\x1f\x8b\x08",
    b"WARC/1.0\r\n",
    b"\r\n\r\n",
    b"Content-Length: 99999999999\r\n",
    b"\0" * 9,
    b"http://a 1 2 3 4\n",
]


@st.composite
def mangled(draw):
    """A file with pieces changed, cut out, doubled and moved."""
    data = bytearray(draw(st.sampled_from(FILES)))
    for _ in range(draw(st.integers(1, 5))):
        at, size = draw(st.integers(0, len(data))), draw(st.integers(0, 40))
        new = draw(st.sampled_from([b"", bytes(data[at : at + size]) * 3, *PIECES]) | st.binary(max_size=8))
        data[at : at + draw(st.sampled_from([0, size]))] = new
    return bytes(data[: draw(st.integers(0, len(data)))] if draw(st.booleans()) else data)


def everything(path, data, folder):
    """All that reads a file, on these bytes."""
    path.write_bytes(data)
    found = verify(places([path]))
    assert all(0 <= fault.offset <= len(data) for fault in found.faults)
    list(list_records([path], Wish()))
    made = recover(path, folder / "new")
    if made.output is not None:
        made.output.unlink()
    return found


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=300) | mangled())
def test_any_bytes_are_survived(tmp_path, data):
    """Every byte string is a file that can be verified, listed and recovered."""
    everything(tmp_path / "x.warc", data, tmp_path)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(0, len(FILES[0])))
def test_a_file_cut_anywhere_loses_the_last_record_only(tmp_path, cut):
    """All whole members before the cut are read, and the one that is cut is told at its offset."""
    made = archive(good())
    starts = [made.offset(number) for number in range(len(good()) + 1)]
    found = everything(tmp_path / "x.warc.gz", made.bytes()[:cut], tmp_path)
    whole = sum(1 for start in starts[1:] if start <= cut)
    torn = [one.offset for one in found.faults if one.code in (Code.MEMBER_TRUNCATED, Code.GARBAGE)]
    assert torn == ([] if cut in starts else [starts[whole]])


def _peak(work):
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_record_of_8_gb_that_is_not_packed_is_passed_without_reading_it(tmp_path):
    """A sparse file: its block is skipped when no digest is wanted, and found whole."""
    path = tmp_path / "huge.warc"
    size = 8 << 30
    head = record("resource", 1, b"", "text/plain", warc_target_uri="urn:owl").with_(length=size, end=b"")
    with path.open("wb") as stream:
        stream.write(head.bytes())
        stream.seek(size, 1)
        stream.write(b"\r\n\r\n")
    assert [one.size for one in list_records([path], Wish())] == [size]


@pytest.mark.parametrize("packed", [True, False])
def test_a_large_record_is_streamed(tmp_path, packed):
    """24 MB in one record need a few: both digests are made as it passes."""
    body = bytes(24 << 20)
    block = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    fields = {"warc_target_uri": "http://example.com/", "warc_payload_digest": sha256(body)}
    one = record("response", 1, block, "application/http;msgtype=response", **fields)
    data = one.bytes()
    path = tmp_path / ("large.warc.gz" if packed else "large.warc")
    path.write_bytes(gzip.compress(data, 1) if packed else data)
    del body, block, data, one
    found = []
    peak = _peak(lambda: found.append(verify(places([path]))))
    assert [fault.code.value for fault in found[0].faults] == ["warcinfo-missing"]
    assert peak < 12 << 20


def test_a_lying_length_of_8_gb_costs_nothing(tmp_path):
    """The next record is found at once."""
    records = good()
    records[1] = records[1].with_(length=8 << 30)
    for packed in (True, False):
        path = archive(records, packed=packed).write(tmp_path)
        found = verify(places([path]))
        assert [fault.code for fault in found.faults if fault.code is Code.LENGTH_WRONG] == [Code.LENGTH_WRONG]
        assert found.records == len(good())


@pytest.mark.parametrize(
    "data",
    [
        b"\x1f\x8b\x08\x00" * 5_000,
        b"WARC/1.0\n" * 20_000,
        b"WARC/1.0\r\nContent-Length: 9999999\r\n\r\n" * 2_000,
        b"http://a.example/ 192.0.2.1 20260101000000 text/html 99999999\n" * 2_000,
        (pack(b"WARC/1.0\r\nContent-Length: 5\r\n\r\n")[:-9]) * 500,
    ],
    ids=["gzip headers", "version lines", "lying lengths", "lying ARC lengths", "cut members"],
)
def test_hostile_repetition_ends_soon(tmp_path, data):
    """No input makes the work grow with the square of its length; the time limit of the tests would end it."""
    path = tmp_path / "x.warc"
    path.write_bytes(data)
    assert not verify(places([path])).whole
