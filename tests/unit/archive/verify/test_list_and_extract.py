"""Listing records, and taking one capture out."""

import gzip
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from opilio.archive.cdxj import CdxRow, write_cdxj
from opilio.archive.verify.extracting import Part, extract
from opilio.archive.verify.listing import Wish, list_records
from opilio.archive.verify.places import places
from opilio.kernel.errors import InvalidInput, Missing
from tests.unit.archive.verify.archives import (
    BODY,
    HEAD,
    URL,
    Archive,
    archive,
    good,
    good_arc,
    pack,
    record,
    record_id,
)
from tests.unit.archive.verify.planted import CHUNKED, RESPONSE, REVISIT

WEB = "application/http;msgtype=response"


def taken(given, url, part=Part.CONTENT, **options):
    return b"".join(extract(given, url, **options).pieces(part))


def test_records_are_listed_with_their_places(tmp_path):
    """Offset, type, time, status, type of the content, size and URL."""
    made = archive(good())
    path = made.write(tmp_path)
    found = list(list_records([path], Wish()))
    assert [one.offset for one in found] == [made.offset(number) for number in range(len(good()))]
    response = found[RESPONSE]
    assert (response.kind, response.status, response.mime, response.size, response.url) == (
        "response", 200, "text/html", len(HEAD + BODY), URL,
    )  # fmt: skip
    assert response.at == datetime(2026, 1, 1, 12, tzinfo=UTC)
    assert found[0].status is None


@pytest.mark.parametrize(
    ("wish", "numbers"),
    [
        (Wish(kind="response"), [RESPONSE, CHUNKED]),
        (Wish(status=200), [RESPONSE, REVISIT, CHUNKED]),
        (Wish(status=404), []),
        (Wish(url="http://example.com/chunks"), [CHUNKED]),
        (Wish(url="http://example.com/ch*"), [CHUNKED]),
    ],
)
def test_only_wanted_records_are_listed(tmp_path, wish, numbers):
    """By type, status, URL or its beginning."""
    made = archive(good())
    path = made.write(tmp_path)
    assert [one.offset for one in list_records([path], wish)] == [made.offset(number) for number in numbers]


def test_a_body_is_taken_out_without_its_codings(tmp_path):
    """Or with its content coding; or only heads; or the record as it stands."""
    packed = gzip.compress(b"owls at night", mtime=0)
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
    one = record("response", 9, head + b"%x\r\n%b\r\n0\r\n\r\n" % (len(packed), packed), WEB, warc_target_uri=URL)
    given = places([archive([one]).write(tmp_path)])
    assert taken(given, URL) == b"owls at night"
    assert taken(given, URL, Part.PAYLOAD) == packed
    assert taken(given, URL, Part.HEADERS) == one.bytes().partition(b"\r\n\r\n")[0] + b"\r\n\r\n" + head
    assert taken(given, URL, Part.RAW) == one.bytes()[:-4]


def test_the_capture_nearest_to_a_time_is_taken(tmp_path):
    """Without a time, the newest."""
    records = [
        record("response", day, b"HTTP/1.0 200 OK\r\n\r\n%d" % day, WEB, warc_target_uri=URL).set(
            warc_date=f"2026-01-{day:02d}T00:00:00Z"
        )
        for day in (1, 9, 20)
    ]
    given = places([archive(records).write(tmp_path)])
    assert taken(given, URL) == b"20"
    assert taken(given, URL, at=datetime(2026, 1, 7, tzinfo=UTC)) == b"9"
    assert taken(given, URL, at=datetime(2025, 1, 7, tzinfo=UTC)) == b"1"


@pytest.mark.parametrize("how", ["by id", "by place"])
def test_a_revisit_has_the_body_of_its_original(tmp_path, how):
    """Whichever way the original is named; the heads are its own."""
    again = good()[REVISIT].set(warc_date="2026-06-01T00:00:00Z")
    again = again.set(warc_refers_to_date=None) if how == "by id" else again.set(warc_refers_to=None)
    given = places([archive([*good()[:2], again]).write(tmp_path)])
    assert taken(given, URL) == BODY
    assert b"WARC-Type: revisit" in taken(given, URL, Part.HEADERS)


def test_a_revisit_without_its_original_is_refused(tmp_path):
    """With a word on what to do; the revisit itself can be had."""
    given = places([archive([good()[REVISIT]]).write(tmp_path)])
    with pytest.raises(Missing) as refused:
        taken(given, URL)
    assert "--against" in refused.value.remedy
    assert b"revisit" in taken(given, URL, Part.RAW, body=False)


def test_an_index_is_used_where_there_is_one(tmp_path):
    """It leads to the record; where it lies, the files are read."""
    made = archive(good())
    path = made.write(tmp_path)
    index = tmp_path / "index.cdxj"
    row = CdxRow(
        url=URL, at=datetime(2026, 1, 1, 12, tzinfo=UTC), mime="text/html", status=200, digest=None, file=path.name,
        offset=made.offset(RESPONSE), length=len(made.pieces[RESPONSE]),
    )  # fmt: skip
    write_cdxj(index, [row])
    found = extract(places([tmp_path]), URL)
    assert found.capture.scanned.offset == made.offset(RESPONSE)  # reading all would have found the revisit as well
    write_cdxj(index, [replace(row, offset=5)])
    assert taken(places([tmp_path]), URL) == BODY
    assert taken(places([tmp_path]), "http://example.com/chunks") == b"hello owls!"


def test_records_of_arc_files_and_of_shared_members_are_taken_out(tmp_path):
    """Also where a record cannot be read alone."""
    arc = Archive(pieces=list(map(pack, good_arc()))).write(tmp_path, "owls.arc")
    assert taken(places([arc]), URL) == BODY
    whole = tmp_path / "whole.warc.gz"
    whole.write_bytes(pack(archive(good(), packed=False).bytes()))
    assert taken(places([whole]), "http://example.com/chunks") == b"hello owls!"


def test_what_is_not_there_or_cannot_be_decoded_is_refused(tmp_path):
    """The message names the URL or the place."""
    one = record("response", 9, b"HTTP/1.1 200 OK\r\nContent-Encoding: owl\r\n\r\nhoot", WEB, warc_target_uri=URL)
    given = places([archive([one]).write(tmp_path)])
    with pytest.raises(InvalidInput) as refused:
        taken(given, URL)
    assert "owl" in refused.value.what
    assert taken(given, URL, Part.PAYLOAD) == b"hoot"
    with pytest.raises(Missing) as missing:
        taken(given, "http://example.com/none")
    assert missing.value.where == "http://example.com/none"


def test_urls_that_are_none_are_found_as_they_are(tmp_path):
    """A URN has no key in an index."""
    given = places([archive(good()).write(tmp_path)])
    assert taken(given, "urn:owl:hoot") == b"hoot"
    assert extract(given, "urn:owl:hoot").capture.scanned.header.id == record_id(5).strip("<>")
