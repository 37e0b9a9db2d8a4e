"""What every CaptureSink promises; a new sink joins by adding its maker to SINKS."""

import itertools
from datetime import UTC, datetime

import pytest

from opilio.archive.warc.compression import Compression, Packer
from opilio.archive.warc.sink import WarcOptions, WarcSink
from opilio.kernel.capture import (
    Capture,
    DnsAnswer,
    MemorySink,
    Original,
    Provenance,
    Resource,
    Revisit,
    RevisitProfile,
)
from opilio.kernel.clock import ManualClock
from opilio.kernel.digests import digest_of
from opilio.kernel.errors import Damaged, InvalidInput, OpilioError


def warc(**options):
    """The maker of a WARC sink whose files are named by a clock that stands still."""
    return lambda folder: WarcSink(folder, worker="w0", options=WarcOptions(**options), clock=ManualClock())


SINKS = [
    pytest.param(lambda _: MemorySink(), id="memory"),
    pytest.param(lambda _: MemorySink(file_size=200), id="memory, small files"),
    pytest.param(warc(), id="warc"),
    pytest.param(warc(size=3_000), id="warc, small files"),
    pytest.param(warc(size=1), id="warc, a file per capture"),
    pytest.param(warc(compression=Compression(packer=Packer.PLAIN)), id="warc, plain"),
    pytest.param(warc(compression=Compression(packer=Packer.ZLIB, level=6), size=3_000), id="warc, zlib"),
]


@pytest.fixture(params=SINKS)
def sink(request, tmp_path):
    """A fresh sink of each kind."""
    made = request.param(tmp_path)
    yield made
    made.close()


def capture(number: int) -> Capture:
    body = b"x" * (number % 7 * 10)
    return Capture(
        url=f"http://example.com/{number}",
        request=b"GET / HTTP/1.1\r\nHost: example.com\r\n\r\n",
        head=b"HTTP/1.1 200 OK\r\n\r\n",
        body=body,
        started=datetime(2026, 1, 1, tzinfo=UTC),
        finished=datetime(2026, 1, 1, tzinfo=UTC),
        address="192.0.2.1",
        status=200,
        http_version="1.1",
        payload_digest=digest_of(body),
        provenance=Provenance(seed="http://example.com/"),
    )


def test_captures_lie_one_after_another(sink):
    """Positions never overlap, and grow in the order of writing within a file."""
    places = [sink.append(capture(number)) for number in range(20)]
    for before, after in itertools.pairwise(places):
        assert after.file != before.file or after.offset >= before.offset + before.length
    assert len({(place.file, place.offset) for place in places}) == 20


def test_sync_covers_all_that_was_written(sink):
    """The offsets of a sync reach beyond every capture written before it."""
    places = [sink.append(capture(number)) for number in range(20)]
    offsets = sink.sync()
    assert all(place.offset + place.length <= offsets[place.file] for place in places)


def test_a_fresh_sink_can_be_synced(sink):
    """Before the first capture nothing counts, and nothing fails."""
    assert sum(sink.sync().values()) == 0


def test_cutting_back_forgets_what_came_later(sink):
    """After a cut the sink is as it was at that sync, and writing goes on from there."""
    for number in range(5):
        sink.append(capture(number))
    committed = dict(sink.sync())
    lost = [sink.append(capture(number)) for number in range(5, 12)]
    sink.cut_back(committed)
    assert dict(sink.sync()) == committed
    again = [sink.append(capture(number)) for number in range(5, 12)]
    assert again[0].file == lost[0].file
    assert again[0].offset == committed.get(again[0].file, again[0].offset)


def test_cutting_back_twice_changes_nothing(sink):
    """A cut may be repeated, as after a crash during recovery."""
    sink.append(capture(1))
    committed = dict(sink.sync())
    sink.append(capture(2))
    sink.cut_back(committed)
    sink.cut_back(committed)
    assert dict(sink.sync()) == committed


def test_cutting_back_to_nothing_empties_the_sink(sink):
    """Files that no commit names do not count."""
    sink.append(capture(1))
    sink.sync()
    sink.cut_back({})
    assert sum(sink.sync().values()) == 0


def test_offsets_beyond_the_end_are_damage(sink):
    """Committed bytes that are not there are reported, and nothing is cut."""
    place = sink.append(capture(1))
    sink.append(capture(2))
    before = dict(sink.sync())
    for offsets in ({place.file: 10**9}, {"no-such-file": 1}):
        with pytest.raises(Damaged) as caught:
            sink.cut_back(offsets)
        assert caught.value.remedy
    assert dict(sink.sync()) == before


def test_nothing_is_written_after_closing(sink):
    """A closed sink refuses captures and may be closed again."""
    sink.append(capture(1))
    sink.close()
    sink.close()
    with pytest.raises(OpilioError):
        sink.append(capture(2))


def every_kind(sink, number):
    """One record of each kind; their places."""
    taken = capture(number)
    original = Original(url=taken.url, captured=taken.started)
    place = sink.append(taken)
    return [
        place,
        sink.append_metadata(place, [("outlink", "http://example.com/next")]),
        sink.append_revisit(Revisit(capture=taken, profile=RevisitProfile.IDENTICAL, original=original)),
        sink.append_dns(DnsAnswer(host="example.com", at=taken.started, records=((60, "A", "192.0.2.1"),))),
        sink.append_resource(Resource(url="urn:x", content_type="text/plain", content=b"x", at=taken.started)),
    ]


def test_all_records_keep_the_promises_of_captures(sink):
    """Revisits, DNS answers, metadata and resources lie in order, are covered by a sync and dropped by a cut."""
    places = every_kind(sink, 1)
    committed = dict(sink.sync())
    assert all(place.offset + place.length <= committed[place.file] for place in places)
    assert len({(place.file, place.offset) for place in places}) == 5
    every_kind(sink, 2)
    sink.cut_back(committed)
    assert dict(sink.sync()) == committed


def test_metadata_follows_its_capture_before_the_sync(sink):
    """Afterwards, and after a cut, the sink no longer knows which record is meant."""
    place = sink.append(capture(1))
    committed = sink.sync()
    with pytest.raises(InvalidInput):
        sink.append_metadata(place, [("outlink", "http://example.com/")])
    later = sink.append(capture(2))
    sink.cut_back(committed)
    with pytest.raises(InvalidInput):
        sink.append_metadata(later, [("outlink", "http://example.com/")])


def test_ids_of_captures_are_known_until_the_sync(sink):
    """Each has its own; by it a revisit names its original."""
    places = [sink.append(capture(number)) for number in range(3)]
    ids = [sink.record_of(place) for place in places]
    assert None not in ids
    assert len(set(ids)) == 3
    sink.sync()
    assert [sink.record_of(place) for place in places] == [None] * 3
