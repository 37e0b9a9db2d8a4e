"""Captures whose bodies lie in files are written piece by piece, and read like any other."""

import random
from dataclasses import replace

import pytest

from opilio.archive.warc.compression import Compression, Packer
from opilio.archive.warc.fast import ArchiveIterator
from opilio.archive.warc.sink import WarcOptions, WarcSink
from opilio.kernel.bodies import FileBody, Spool, digest_of_body
from opilio.kernel.digests import Algorithm
from opilio.kernel.errors import Unavailable
from tests.unit.archive.warcs import assert_valid, capture

BODY = random.Random(3).randbytes(1 << 16) * 24 + b"<p>end</p>"
PACKED = [Compression(), Compression(packer=Packer.ZLIB, level=6), Compression(packer=Packer.PLAIN)]


def in_file(folder):
    spool = Spool(folder)
    spool.write(BODY)
    return spool.body()


def large(folder):
    body = in_file(folder)
    digest = digest_of_body(body, Algorithm.SHA256)
    return replace(capture(), url="http://example.com/large", body=body, payload_digest=digest)


@pytest.mark.parametrize("compression", PACKED, ids=lambda one: one.packer.value)
def test_a_large_capture_is_written_like_a_small_one(tmp_path, compression):
    """Other programs verify it, its place is right, and what follows is whole."""
    warcs = tmp_path / "warcs"
    sink = WarcSink(warcs, worker="w0", options=WarcOptions(compression=compression))
    sink.append(capture())
    place = sink.append(large(tmp_path))
    after = sink.append(capture(url="http://example.com/after"))
    sink.close()
    [file] = assert_valid(warcs)
    with file.open("rb") as stream:
        stream.seek(place.offset)
        record = next(iter(ArchiveIterator(stream, verify_digests=True)))
        assert record.headers["WARC-Target-URI"] == "http://example.com/large"
        assert record.reader.read() == BODY
    data = file.read_bytes()
    alone = tmp_path / f"alone{compression.suffix}"
    alone.write_bytes(data[place.offset : place.offset + place.length])
    with alone.open("rb") as stream:
        assert [r.record_id for r in ArchiveIterator(stream, parse_http=False)] == [record.record_id]
    assert after.offset > place.offset + place.length


def test_a_large_capture_that_fails_half_way_leaves_no_trace(tmp_path, monkeypatch):
    """The file is as long as before, and goes on."""
    warcs = tmp_path / "warcs"
    sink = WarcSink(warcs, worker="w0")
    sink.append(capture())
    before = sink.sync()
    whole = FileBody.pieces
    seen = []

    def torn(self, begin=0, end=None):
        seen.append(begin)
        for number, piece in enumerate(whole(self, begin, end)):
            if len(seen) > 1 and number == 2:  # the first reading is for the digest
                raise Unavailable("the disk is gone", where="here")
            yield piece

    made = large(tmp_path)
    monkeypatch.setattr(FileBody, "pieces", torn)
    with pytest.raises(Unavailable, match="the disk is gone"):
        sink.append(made)
    monkeypatch.undo()
    assert sink.sync() == before
    assert {path.stat().st_size for path in warcs.iterdir()} == set(before.values())
    sink.append(made)
    sink.close()
    assert_valid(warcs)


def test_a_large_capture_can_be_cut_back(tmp_path):
    """To the length that was reported before it."""
    warcs = tmp_path / "warcs"
    sink = WarcSink(warcs, worker="w0")
    sink.append(capture())
    before = sink.sync()
    sink.append(large(tmp_path))
    assert sum(sink.sync().values()) > sum(before.values()) + len(BODY) // 30
    sink.cut_back(before)
    assert sink.sync() == before
    sink.close()
    assert_valid(warcs)
