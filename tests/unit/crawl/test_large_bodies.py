"""Bodies that lie in a file: codings come off without the whole being in memory, and only so much is read."""

import gzip
import random
import zlib
from datetime import UTC, datetime

import brotli
import pytest
import zstandard

from opilio.crawl.exchange_to_capture import payload_of
from opilio.crawl.fetch.decode import Limits, dechunked, decoded
from opilio.crawl.fetch.exchange import Answer
from opilio.kernel.bodies import FileBody, Spool
from opilio.kernel.digests import Algorithm, digest_of

NOW = datetime(2026, 1, 1, tzinfo=UTC)
NOISE = random.Random(7).randbytes(1_300_000)
CODED = {
    "gzip": gzip.compress(NOISE, 1),
    "deflate": zlib.compress(NOISE, 1),
    "br": brotli.compress(NOISE, quality=0),
    "zstd": zstandard.compress(NOISE, 1),
}


@pytest.fixture
def in_file(tmp_path):
    def made(data):
        spool = Spool(tmp_path)
        spool.write(data)
        body = spool.body()
        assert isinstance(body, FileBody)
        return body

    return made


def answer(body, *headers):
    head = b"HTTP/1.1 200 OK\r\n" + b"".join(header + b"\r\n" for header in headers) + b"\r\n"
    return Answer(
        status=200, version="1.1", request=b"", head=head, body=body, started=NOW, finished=NOW, first_byte=0,
        seconds=0, address=None,
    )  # fmt: skip


@pytest.mark.parametrize("name", CODED)
def test_a_coding_comes_off_a_body_in_a_file(in_file, name):
    """As off one in memory."""
    found = decoded(in_file(CODED[name]), [name])
    assert (found.body == NOISE, found.fault) == (True, "")


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_members_may_begin_anywhere(in_file, name):
    """Also where one piece that is read ends and the next begins."""
    found = decoded(in_file(CODED[name] + CODED[name]), [name])
    assert (found.body == NOISE * 2, found.fault) == (True, "")


@pytest.mark.parametrize("name", CODED)
def test_a_cut_body_in_a_file_yields_its_beginning(in_file, name):
    """And the fault."""
    found = decoded(in_file(CODED[name][:1_200_000]), [name])
    assert found.fault
    assert len(found.body) > 1_000_000
    assert NOISE.startswith(found.body)


@pytest.mark.parametrize("size", [1_000, 700_000])
def test_chunks_come_off_a_body_in_a_file(in_file, size):
    """The payload has the digest of what they carry, and lies in a file too."""
    parts = [NOISE[at : at + size] for at in range(0, len(NOISE), size)]
    raw = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts)
    found = payload_of(answer(in_file(raw + b"0\r\n\r\n"), b"Transfer-Encoding: chunked"), Algorithm.SHA1, Limits())
    assert (found.size, found.digest, found.fault) == (len(NOISE), digest_of(NOISE, Algorithm.SHA1), "")
    assert found.content == NOISE
    cut = dechunked(in_file(raw))
    assert isinstance(cut.body, FileBody)
    assert (len(cut.body), bool(cut.fault)) == (len(NOISE), True)


def test_only_the_beginning_of_a_large_page_is_read(in_file):
    """The digest is that of the whole; the reason says how much was read."""
    found = payload_of(answer(in_file(NOISE), b"Content-Type: text/html"), Algorithm.SHA1, Limits(size=5_000))
    assert (found.size, found.content) == (len(NOISE), NOISE[:5_000])
    assert found.digest == digest_of(NOISE, Algorithm.SHA1)
    assert found.fault == "only its first 5000 bytes are read"


@pytest.mark.parametrize("kind", [b"video/mp4", b"image/png", b"audio/ogg"])
def test_of_a_film_next_to_nothing_is_read(in_file, kind):
    """Which is no fault: there is nothing in it to be read."""
    found = payload_of(answer(in_file(NOISE), b"Content-Type: " + kind), Algorithm.SHA1, Limits())
    assert len(found.content) < 100_000
    assert found.fault == ""
