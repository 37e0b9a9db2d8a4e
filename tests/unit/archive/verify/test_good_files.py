"""Files without a fault."""

import gzip
import io

import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from opilio.archive.verify.places import places
from opilio.archive.verify.verifying import verify
from opilio.archive.warc.compression import Compression, Packer
from opilio.archive.warc.sink import WarcOptions, WarcSink
from opilio.kernel.capture import Original, Revisit, RevisitProfile
from opilio.kernel.digests import digest_of
from tests.unit.archive.verify.archives import Archive, archive, good, good_arc, pack
from tests.unit.archive.warcs import START, capture, chunked


def codes(path, **options):
    return [(fault.code.value, fault.offset) for fault in verify(places([path]), **options).faults]


@pytest.mark.parametrize("packed", [True, False])
def test_a_good_file_has_no_fault(tmp_path, packed):
    """Every type of record that is used as the standard says passes."""
    path = archive(good(), packed=packed).write(tmp_path)
    found = verify(places([path]))
    assert [fault.document() for fault in found.faults] == []
    assert (found.files, found.records, found.bytes) == (1, len(good()), path.stat().st_size)


@pytest.mark.parametrize("packed", [True, False])
def test_a_good_arc_file_has_no_fault(tmp_path, packed):
    """ARC is read as well, packed or not."""
    pieces = [pack(one) if packed else one for one in good_arc()]
    path = Archive(pieces=pieces, packed=packed).write(tmp_path, "owls.arc")
    found = verify(places([path]))
    assert [fault.document() for fault in found.faults] == []
    assert found.records == len(good_arc())


@pytest.mark.parametrize("packer", list(Packer))
def test_what_our_sink_writes_passes(tmp_path, packer):
    """Odd heads, chunks, empty bodies, revisits and large bodies included."""
    level = 0 if packer is Packer.PLAIN else 2
    sink = WarcSink(tmp_path, worker="w0", options=WarcOptions(compression=Compression(packer=packer, level=level)))
    body = b"owl" * 1_000_000
    for one in (
        capture(),
        capture(head=b"", body=b"no head at all", http_version="0.9"),
        capture(head=b"HTTP/1.0 200 OK\nA: b\n\n", body=b"bare line feeds"),
        capture(head=b"HTTP/1.1 204 No Content\r\n\r\n", body=b""),
        capture(body=body),
        capture(
            head=b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            body=chunked(b"a" * 70_000),
            payload_digest=digest_of(b"a" * 70_000),
        ),
    ):
        sink.append(one)
    original = Original(url="http://example.com/", captured=START, digest=digest_of(b"<title>Owls</title>"))
    sink.append_revisit(Revisit(capture=capture(), profile=RevisitProfile.IDENTICAL, original=original))
    sink.close()
    found = verify(places([tmp_path]))
    assert [fault.document() for fault in found.faults] == []
    assert found.records > 10


def test_what_warcio_writes_passes(tmp_path):
    """WARC 1.0 of another program; both read the same records."""
    path = tmp_path / "warcio.warc.gz"
    with path.open("wb") as stream:
        writer = WARCWriter(stream, gzip=True)
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "warcio"}))
        for number in range(3):
            head = StatusAndHeaders("200 OK", [("Content-Type", "text/plain")], protocol="HTTP/1.0")
            body = io.BytesIO(b"owl" * number)
            response = writer.create_warc_record(f"http://e.org/{number}", "response", payload=body, http_headers=head)
            asked = StatusAndHeaders("GET / HTTP/1.0", [("Host", "e.org")], is_http_request=True)
            request = writer.create_warc_record(f"http://e.org/{number}", "request", http_headers=asked)
            writer.write_request_response_pair(request, response)
            request.raw_stream.close()
            response.raw_stream.close()
    assert codes(path) == []
    with path.open("rb") as stream:
        assert sum(1 for _ in ArchiveIterator(stream)) == verify(places([path])).records == 7


def test_a_gzip_header_with_a_name_is_fine(tmp_path):
    """Members may carry names, times and further fields."""
    stream = io.BytesIO()
    with gzip.GzipFile("owl.warc", "wb", fileobj=stream) as packed:
        packed.write(good()[0].bytes())
    path = tmp_path / "named.warc.gz"
    path.write_bytes(stream.getvalue())
    assert codes(path) == []


def test_ids_that_end_alike_are_different(tmp_path):
    """UUIDs made from the time and the machine differ at their beginnings only."""
    first, second = (
        good()[5].set(warc_record_id=f"<urn:uuid:{number:08x}-0000-1000-8000-0123456789ab>") for number in (1, 2)
    )
    assert codes(archive([good()[0], first, second]).write(tmp_path)) == []
