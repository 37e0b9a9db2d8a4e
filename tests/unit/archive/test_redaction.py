"""Records taken out of WARC files: the others stay where they are, to the byte."""

import gzip
import io
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from opilio.archive.redaction import left_in, redact_file, stand_in
from opilio.archive.verify.header import parse_header
from opilio.kernel.errors import Damaged
from tests.review_desk import crawled

HEADER = parse_header(
    b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:625ff646-cd2c-45dc-a1aa-16e5f6d42df0>\r\n"
    b"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: http://example.org/secret\r\nContent-Length: 9"
)


@pytest.fixture
def warc(tmp_path):
    path = next((crawled().folder / "warcs").glob("*.warc.gz"))
    return shutil.copy(path, tmp_path / path.name)


@pytest.fixture
def plain(warc, tmp_path):
    path = tmp_path / "plain.warc"
    path.write_bytes(gzip.decompress(warc.read_bytes()))
    return path


def _owls(url, at):
    return url.endswith("/owls.html")


def _records(path):
    """What another reader finds: type, address and content of each record, with its place."""
    found = []
    with path.open("rb") as stream:
        records = ArchiveIterator(stream, check_digests="raise")
        for record in records:
            content = record.raw_stream.read()
            kind, url = record.rec_type, record.rec_headers.get_header("WARC-Target-URI")
            found.append((records.get_record_offset(), kind, url, content))
    return found


@pytest.mark.parametrize("form", ["warc", "plain"])
def test_the_records_go_and_the_others_stay_in_their_places(form, request):
    """Another reader finds as many records at the same places; of those that went it finds filler only."""
    path = request.getfixturevalue(form)
    before, size = _records(path), path.stat().st_size
    done = redact_file(path, _owls, "takedown 7")
    after = _records(path)
    assert path.stat().st_size == size
    assert {each.kind for each in done.taken} >= {"response"}
    assert done.before != done.after
    assert [row[0] for row in before] == [row[0] for row in after]
    gone = [new for old, new in zip(before, after, strict=True) if (old[2] or "").endswith("/owls.html")]
    assert len(gone) == len(done.taken)
    assert all(kind == "metadata" and not content.strip(b".") for _, kind, _, content in gone)
    kept = [(old, new) for old, new in zip(before, after, strict=True) if not (old[2] or "").endswith("/owls.html")]
    assert all(old == new for old, new in kept)
    assert left_in(path, _owls) == 0


def test_a_second_time_changes_nothing(warc):
    """What was taken out is not looked for again."""
    redact_file(warc, _owls, "takedown 7")
    data = warc.read_bytes()
    assert redact_file(warc, _owls, "takedown 7") is None
    assert warc.read_bytes() == data


def test_a_damaged_file_is_left(warc):
    """It must be repaired first; nothing of it is written."""
    data = bytearray(warc.read_bytes())
    data[len(data) // 2] ^= 0xFF
    warc.write_bytes(data)
    with pytest.raises(Damaged):
        redact_file(warc, lambda url, at: True, "takedown 7")
    assert warc.read_bytes() == bytes(data)


@given(st.integers(min_value=260, max_value=400_000), st.booleans())
def test_a_stand_in_has_any_length(length, packed):
    """For every length there is a record of exactly that length which another reader can read."""
    made = stand_in(HEADER, length, packed=packed, note="takedown 7")
    assert len(made) == length
    (record,) = ArchiveIterator(io.BytesIO(made))
    assert record.rec_headers.get_header("WARC-Record-ID") == f"<{HEADER.id}>"
    assert record.rec_headers.get_header("Opilio-Redacted") == "takedown 7"
    assert not record.raw_stream.read().strip(b".")


@pytest.mark.parametrize("length", [165, 170, 199, 230, 259, 300])
def test_short_records_have_one_too(length):
    """A packed record of few bytes is replaced by one that says less."""
    made = stand_in(HEADER, length, packed=True, note="takedown 7")
    (record,) = ArchiveIterator(io.BytesIO(made))
    assert record.rec_type == "metadata"


def test_what_has_no_room_is_refused():
    """A stand-in that would not fit is never written."""
    with pytest.raises(Damaged, match="too few"):
        stand_in(HEADER, 40, packed=True, note="takedown 7")
