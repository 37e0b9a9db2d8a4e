"""Records come back from their places, and payloads are decoded within limits."""

import gzip
import zlib

import brotli
import pytest
import zstandard

from opilio.archive.warc.compression import Compression, Packer
from opilio.archive.warc.payload import payload_of
from opilio.archive.warc.reader import iterate, read_at
from opilio.archive.warc.sink import WarcOptions, WarcSink
from opilio.kernel.capture import Position
from opilio.kernel.errors import Damaged, InvalidInput, Missing
from tests.unit.archive.warcs import capture, chunked

TEXT = b"All that is gold does not glitter. " * 300
PACKINGS = [Compression(), Compression(packer=Packer.PLAIN)]


def head(*lines: bytes) -> bytes:
    return b"".join(line + b"\r\n" for line in (b"HTTP/1.1 200 OK", *lines, b""))


@pytest.mark.parametrize("compression", PACKINGS, ids=lambda compression: compression.packer)
def test_a_record_is_read_from_its_place(tmp_path, compression):
    """Also while the file is still open, and for each of several captures."""
    sink = WarcSink(tmp_path, worker="w0", options=WarcOptions(compression=compression, size=2_000))
    places = [sink.append(capture(url=f"http://example.com/{number}", body=b"%d" % number)) for number in range(10)]
    sink.sync()
    for number, place in enumerate(places):
        found = read_at(tmp_path, place)
        assert (found.url, found.body, found.status) == (f"http://example.com/{number}", b"%d" % number, 200)
        assert found.place == place
        assert found.intact
    sink.close()
    assert read_at(tmp_path, places[0]).url == "http://example.com/0"
    seen = [record.place for path in sorted(tmp_path.iterdir()) for record in iterate(path, blocks=False)]
    assert set(places) <= set(seen)


def test_headers_alone_are_read_quickly(tmp_path):
    """Without blocks nothing but the headers is kept."""
    sink = WarcSink(tmp_path, worker="w0")
    sink.append(capture())
    sink.close()
    (path,) = tmp_path.iterdir()
    assert [(record.kind, record.block) for record in iterate(path, blocks=False)] == [
        ("warcinfo", b""), ("response", b""), ("request", b""),
    ]  # fmt: skip


def test_places_that_hold_no_record(tmp_path):
    """A missing file, a wrong offset and a cut file are told apart from a good record."""
    sink = WarcSink(tmp_path, worker="w0")
    place = sink.append(capture(body=TEXT))
    sink.close()
    for name in ("gone.warc.gz", "../x.warc.gz", "", ".", "a\x00b"):
        with pytest.raises(Missing):
            read_at(tmp_path, Position(file=name, offset=0, length=10))
    for offset, length in ((place.offset + 1, place.length), (place.offset, 40), (10**9, 10)):
        with pytest.raises(Damaged):
            read_at(tmp_path, Position(file=place.file, offset=offset, length=length))


@pytest.mark.parametrize(
    "content", [b"", b"not a WARC file at all\r\n\r\n", b"\x1f\x8b\x08\x00garbage", b"WARC/1.1\r\nx"]
)
def test_files_that_are_not_warc(tmp_path, content):
    """They yield nothing or are reported as damaged, with what to do."""
    path = tmp_path / "x.warc.gz"
    path.write_bytes(content)
    if not content:
        assert list(iterate(path)) == []
        return
    with pytest.raises(Damaged) as caught:
        list(iterate(path))
    assert caught.value.remedy


@pytest.mark.parametrize("compression", PACKINGS, ids=lambda compression: compression.packer)
@pytest.mark.parametrize("blocks", [True, False])
def test_a_cut_file_is_damaged_wherever_it_was_cut(tmp_path, compression, blocks):
    """The records before the cut are read, then the damage is told; also garbage behind the last record is damage."""
    sink = WarcSink(tmp_path, worker="w0", options=WarcOptions(compression=compression))
    place = sink.append(capture(body=TEXT[:2_000]))
    sink.close()
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    cuts = range(place.offset + 1, place.offset + place.length, 97 if compression.packer is Packer.PLAIN else 11)
    for content in [*(whole[:cut] for cut in cuts), whole + b"tail", whole + whole[:9]]:
        path.write_bytes(content)
        seen = []
        with pytest.raises(Damaged):
            seen.extend(record.kind for record in iterate(path, blocks=blocks))


def test_a_record_beyond_the_limit_is_not_read(tmp_path):
    """Memory is not spent on a record that is larger than the caller allows."""
    sink = WarcSink(tmp_path, worker="w0")
    place = sink.append(capture(body=TEXT))
    sink.close()
    with pytest.raises(InvalidInput, match="higher limit"):
        read_at(tmp_path, place, most=1_000)


CODED = {
    "plain": ((), TEXT),
    "gzip": ((b"Content-Encoding: gzip",), gzip.compress(TEXT)),
    "gzip in two members": ((b"content-encoding:x-gzip",), gzip.compress(TEXT[:100]) + gzip.compress(TEXT[100:])),
    "gzip with a tail": ((b"Content-Encoding: gzip",), gzip.compress(TEXT) + b"\0\0tail"),
    "deflate": ((b"Content-Encoding: deflate",), zlib.compress(TEXT)),
    "deflate without wrapper": ((b"Content-Encoding: deflate",), zlib.compress(TEXT, wbits=-15)),
    "brotli": ((b"Content-Encoding: br",), brotli.compress(TEXT)),
    "zstd": ((b"Content-Encoding: zstd",), zstandard.compress(TEXT)),
    "chunked": ((b"Transfer-Encoding: chunked",), chunked(TEXT)),
    "chunked gzip": ((b"Transfer-Encoding: chunked", b"Content-Encoding: gzip"), chunked(gzip.compress(TEXT))),
    "gzip, chunked as transfer codings": ((b"Transfer-Encoding: gzip, chunked",), chunked(gzip.compress(TEXT))),
    "two content codings": ((b"Content-Encoding: gzip, br",), brotli.compress(gzip.compress(TEXT))),
    "chunk extensions": ((b"Transfer-Encoding: chunked",), b"3;a=b\r\nabc\r\n0;x\r\nTrailer: y\r\n\r\n"),
    "identity": ((b"Content-Encoding: identity",), TEXT),
}


@pytest.mark.parametrize(("lines", "body"), CODED.values(), ids=CODED.keys())
def test_codings_are_undone(lines, body):
    """Transfer codings first, then content codings, last applied first."""
    found = payload_of(head(*lines), body)
    assert found.complete, found.problem
    assert found.data in (TEXT, b"abc")


BROKEN = {
    "unknown coding": ((b"Content-Encoding: lzma2000",), TEXT, "unknown coding"),
    "not gzip": ((b"Content-Encoding: gzip",), TEXT, "not gzip"),
    "gzip cut": ((b"Content-Encoding: gzip",), gzip.compress(TEXT)[:-20], "breaks off"),
    "gzip damaged": ((b"Content-Encoding: gzip",), gzip.compress(TEXT)[:20] + b"\xff" * 50, "broken"),
    "brotli cut": ((b"Content-Encoding: br",), brotli.compress(TEXT)[:-9], "breaks off"),
    "brotli damaged": ((b"Content-Encoding: br",), b"\xff" * 50, "broken"),
    "zstd damaged": ((b"Content-Encoding: zstd",), TEXT, "broken"),
    "zstd cut": ((b"Content-Encoding: zstd",), zstandard.compress(TEXT)[:12], "breaks off"),
    "deflate damaged": ((b"Content-Encoding: deflate",), b"\xff" * 50, "broken"),
    "chunk size": ((b"Transfer-Encoding: chunked",), b"xyz\r\nabc", "broken chunk"),
    "chunk cut": ((b"Transfer-Encoding: chunked",), b"a\r\nabc", "missing"),
    "last chunk": ((b"Transfer-Encoding: chunked",), b"3\r\nabc\r\n", "missing"),
    "giant chunk": ((b"Transfer-Encoding: chunked",), b"fffffffffffffff\r\nabc", "missing"),
}


@pytest.mark.parametrize(("lines", "body", "problem"), BROKEN.values(), ids=BROKEN.keys())
def test_broken_codings_are_told(lines, body, problem):
    """What could be decoded is there, and the reason why it is not all."""
    found = payload_of(head(*lines), body)
    assert problem in found.problem
    assert len(found.data) <= len(TEXT)


BOMBS = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": lambda data: brotli.compress(data, quality=1),
    "zstd": zstandard.compress,
    "gzip, gzip": lambda data: gzip.compress(gzip.compress(data)),
}


@pytest.mark.parametrize("coding", BOMBS)
def test_bombs_stop_at_the_limit(coding):
    """A body that unpacks without end is cut, and says so."""
    body = BOMBS[coding](bytes(10_000_000))
    found = payload_of(head(f"Content-Encoding: {coding}".encode()), body, most=10_000)
    assert len(found.data) == 10_000
    assert "longer than 10000" in found.problem
