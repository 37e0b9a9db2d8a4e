"""Faults, each planted by a small function into a good file, with the code and the offset that must be reported."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.unit.archive.verify.archives import (
    DATE,
    HEAD,
    URL,
    Archive,
    arc_record,
    archive,
    good,
    good_arc,
    pack,
    record,
    record_id,
    sha256,
)

INFO, RESPONSE, REQUEST, METADATA, REVISIT, RESOURCE, CHUNKED = range(7)
BOTH, GZIP, PLAIN = (True, False), (True,), (False,)


@dataclass(frozen=True, kw_only=True)
class Planted:
    """A fault in a file."""

    code: str
    data: bytes
    offset: int
    arc: bool = False
    also: frozenset[str] = frozenset()  # what follows from it, and is reported too


@dataclass(frozen=True, kw_only=True)
class Plant:
    """How a fault is made, and for which packing."""

    name: str
    make: Callable[[bool], Planted]
    packings: tuple[bool, ...]


PLANTS: list[Plant] = []


def plant(packings=BOTH):
    """Add a function that plants a fault."""

    def add(make):
        PLANTS.append(Plant(name=make.__name__, make=make, packings=packings))
        return make

    return add


#: What is left without the response that others refer to.
_ORPHANS = frozenset({"concurrent-unresolved", "revisit-unresolved"})


def _changed(code: str, number: int, change, packed: bool, also=()) -> Planted:
    """A good file with one record changed."""
    records = good()
    records[number] = change(records[number])
    made = archive(records, packed=packed)
    return Planted(code=code, data=made.bytes(), offset=made.offset(number), also=frozenset(also))


def field(name: str, code: str, number: int, also=(), **fields):
    """Plant a wrong value."""

    def make(packed: bool) -> Planted:
        return _changed(code, number, lambda one: one.set(**fields), packed, also)

    PLANTS.append(Plant(name=name, make=make, packings=BOTH))


field("no_record_id", "field-missing", RESOURCE, warc_record_id=None)
field("no_date", "field-missing", RESOURCE, warc_date=None)
field("no_type", "field-missing", RESOURCE, warc_type=None)
field("no_target_uri", "field-missing", RESOURCE, warc_target_uri=None)
field("no_profile", "field-missing", REVISIT, warc_profile=None)
field("no_payload_digest_in_a_revisit", "field-missing", REVISIT, warc_payload_digest=None)
field("two_dates", "field-repeated", RESOURCE, warc_date=[DATE, DATE])
field("two_ids", "field-repeated", RESOURCE, warc_record_id=[record_id(5), record_id(9)])
field("refers_to_in_a_response", "field-misplaced", RESPONSE, warc_refers_to=record_id(0))
field("address_in_a_warcinfo", "field-misplaced", INFO, warc_ip_address="192.0.2.1")
field("concurrent_to_in_a_warcinfo", "field-misplaced", INFO, warc_concurrent_to=record_id(1))
field("unknown_type", "type-unknown", RESOURCE, warc_type="owl")
field("id_without_brackets", "id-invalid", RESOURCE, warc_record_id=record_id(5).strip("<>"))
field("id_without_scheme", "id-invalid", RESOURCE, warc_record_id="<owl>")
field("impossible_day", "date-invalid", RESOURCE, warc_date="2026-02-30T12:00:00Z")
field("date_without_zone", "date-invalid", RESOURCE, warc_date="2026-01-01T12:00:00")
field("date_in_words", "date-invalid", RESOURCE, warc_date="Thu, 01 Jan 2026 12:00:00 GMT")
field("uri_with_a_blank", "uri-invalid", RESOURCE, warc_target_uri="http://example.com/a b")
field("uri_without_scheme", "uri-invalid", RESOURCE, warc_target_uri="/owls")
field("uri_in_brackets", "uri-brackets", RESOURCE, warc_target_uri="<urn:owl:hoot>")
field("bad_address", "address-invalid", RESPONSE, warc_ip_address="192.0.2.256")
field("short_digest", "digest-unreadable", RESOURCE, warc_block_digest="sha1:ABC")
field("digest_without_label", "digest-unreadable", RESOURCE, warc_block_digest="0123456789")
field("digest_of_another_algorithm", "digest-unknown", RESOURCE, warc_block_digest="blake3:0123")
field("unknown_profile", "profile-unknown", REVISIT, warc_profile="http://example.com/owls")
field("no_content_type", "content-type-missing", RESOURCE, content_type=None)
field("cut_off_when_captured", "truncated", RESPONSE, warc_truncated="time")
field("unknown_truncation", "truncated-unknown", RESPONSE, warc_truncated="sleep")
field("other_block_digest", "block-digest", RESOURCE, warc_block_digest=sha256(b"screech"))
field("other_payload_digest", "payload-digest", RESPONSE, warc_payload_digest=sha256(b"screech"))
field("payload_digest_with_chunks", "payload-digest-raw", CHUNKED,
      warc_payload_digest=sha256(b"5\r\nhello\r\n6\r\n owls!\r\n0\r\n\r\n"))  # fmt: skip
field("original_not_there", "revisit-unresolved", REVISIT, warc_refers_to=record_id(99),
      warc_refers_to_target_uri="http://example.com/gone")  # fmt: skip
field("original_of_another_second", "revisit-unresolved", REVISIT, warc_refers_to=None,
      warc_refers_to_date="2026-01-01T12:00:01Z")  # fmt: skip
field("original_with_another_digest", "revisit-digest", REVISIT, warc_payload_digest=f"sha1:{'A' * 32}")
field("concurrent_to_nobody", "concurrent-unresolved", REQUEST, warc_concurrent_to=record_id(99))
field("warcinfo_that_is_not_there", "warcinfo-unresolved", RESOURCE, warc_warcinfo_id=record_id(99))
field("same_id_twice", "id-repeated", RESOURCE, warc_record_id=record_id(1))
field("segment_zero", "segment-invalid", RESOURCE, ["segment-missing"], warc_segment_number="0")
field("second_segment_of_no_continuation", "segment-invalid", RESOURCE, ["segment-missing"], warc_segment_number="2")
field("segment_that_nobody_continues", "segment-missing", RESOURCE, warc_segment_number="1")


@plant()
def unknown_version(packed):
    return _changed("version-unknown", RESOURCE, lambda one: one.with_(version=b"WARC/7.0"), packed)


@plant()
def old_version(packed):
    return _changed("version-old", RESOURCE, lambda one: one.with_(version=b"WARC/0.18"), packed)


@plant()
def fraction_in_warc_1_0(packed):
    change = lambda one: one.with_(version=b"WARC/1.0").set(warc_date="2026-01-01T12:00:00.5Z")  # noqa: E731 - short
    return _changed("date-precision", RESOURCE, change, packed)


@plant()
def bare_line_feeds(packed):
    return _changed("header-line-end", RESOURCE, lambda one: one.with_(line_end=b"\n"), packed)


@plant()
def line_without_colon(packed):
    return _changed("header-syntax", RESOURCE, lambda one: one.with_(extra=b"owls everywhere\r\n"), packed)


@plant()
def control_character_in_the_header(packed):
    return _changed("header-syntax", RESOURCE, lambda one: one.with_(extra=b"X-Owl: \x07\r\n"), packed)


@plant()
def header_that_is_not_utf8(packed):
    change = lambda one: one.set(warc_target_uri=b"http://example.com/\xe9")  # noqa: E731 - short
    return _changed("header-encoding", RESOURCE, change, packed)


@plant(GZIP)
def header_without_end(packed):
    made = archive(good())
    broken = good()[RESOURCE].bytes().partition(b"\r\n\r\n")[0]
    return Planted(
        code="header-unended", data=made.change(RESOURCE, pack(broken)).bytes(), offset=made.offset(RESOURCE)
    )


@plant()
def no_content_length(packed):
    return _changed("length-invalid", RESOURCE, lambda one: one.with_(length=None), packed)


@plant()
def negative_content_length(packed):
    return _changed("length-invalid", RESOURCE, lambda one: one.with_(length="-4"), packed)


@plant()
def content_length_too_small(packed):
    return _changed("length-wrong", RESPONSE, lambda one: one.with_(length=len(one.block) - 10), packed)


@plant()
def content_length_too_large(packed):
    return _changed("length-wrong", RESPONSE, lambda one: one.with_(length=len(one.block) + 10), packed)


@plant()
def content_length_beyond_the_file(packed):
    return _changed("length-wrong", RESPONSE, lambda one: one.with_(length=8 << 30), packed)


@plant()
def one_line_end_behind_the_block(packed):
    return _changed("record-end", RESOURCE, lambda one: one.with_(end=b"\r\n"), packed)


@plant()
def no_line_end_behind_the_block(packed):
    return _changed("record-end", RESOURCE, lambda one: one.with_(end=b""), packed)


@plant()
def bare_line_ends_behind_the_block(packed):
    return _changed("record-end", RESOURCE, lambda one: one.with_(end=b"\n\n"), packed)


@plant(PLAIN)
def file_that_ends_inside_a_block(packed):
    made = archive(good(), packed=False)
    return Planted(code="record-truncated", data=made.bytes()[:-20], offset=made.offset(CHUNKED))


@plant(PLAIN)
def file_that_ends_inside_a_header(packed):
    made = archive(good(), packed=False)
    return Planted(code="record-truncated", data=made.bytes()[: made.offset(CHUNKED) + 60], offset=made.offset(CHUNKED))


@plant(GZIP)
def file_that_ends_inside_a_member(packed):
    made = archive(good())
    return Planted(code="member-truncated", data=made.bytes()[:-12], offset=made.offset(CHUNKED))


@plant(GZIP)
def file_that_ends_inside_a_trailer(packed):
    made = archive(good())
    return Planted(code="member-truncated", data=made.bytes()[:-3], offset=made.offset(CHUNKED))


@plant(GZIP)
def member_cut_off_in_the_middle_of_the_file(packed):
    made = archive(good())
    cut = made.change(RESPONSE, made.pieces[RESPONSE][:-60])
    return Planted(code="member-broken", data=cut.bytes(), offset=made.offset(RESPONSE))


@plant(GZIP)
def flipped_bits_in_a_member(packed):
    made = archive(good())
    piece = bytearray(made.pieces[RESPONSE])
    piece[40:44] = b"\xff\xff\xff\xff"
    data = made.change(RESPONSE, bytes(piece)).bytes()
    return Planted(code="member-broken", data=data, offset=made.offset(RESPONSE), also=_ORPHANS)


@plant(GZIP)
def wrong_checksum(packed):
    made = archive(good())
    piece = made.pieces[RESOURCE]
    changed = made.change(RESOURCE, piece[:-8] + bytes(4) + piece[-4:])
    return Planted(code="member-checksum", data=changed.bytes(), offset=made.offset(RESOURCE))


@plant(GZIP)
def wrong_size(packed):
    made = archive(good())
    changed = made.change(RESOURCE, made.pieces[RESOURCE][:-4] + b"\x07\x00\x00\x00")
    return Planted(code="member-size", data=changed.bytes(), offset=made.offset(RESOURCE))


@plant(GZIP)
def unknown_packing_method(packed):
    made = archive(good())
    piece = made.pieces[RESOURCE]
    changed = made.change(RESOURCE, piece[:2] + b"\x07" + piece[3:])
    return Planted(code="member-header", data=changed.bytes(), offset=made.offset(RESOURCE))


@plant(GZIP)
def empty_member(packed):
    made = archive(good())
    pieces = [*made.pieces[:RESOURCE], pack(b""), *made.pieces[RESOURCE:]]
    return Planted(code="member-empty", data=b"".join(pieces), offset=made.offset(RESOURCE))


@plant(GZIP)
def whole_file_in_one_member(packed):
    return Planted(code="one-member", data=pack(archive(good(), packed=False).bytes()), offset=0)


@plant(GZIP)
def two_records_in_a_member(packed):
    made, plain = archive(good()), archive(good(), packed=False)
    pieces = [*made.pieces[:REQUEST], pack(plain.pieces[REQUEST] + plain.pieces[METADATA]), *made.pieces[REVISIT:]]
    return Planted(code="several-records", data=b"".join(pieces), offset=made.offset(REQUEST))


@plant(GZIP)
def record_in_two_members(packed):
    made, whole = archive(good()), good()[RESPONSE].bytes()
    changed = made.change(RESPONSE, pack(whole[:700]) + pack(whole[700:]))
    return Planted(code="record-split", data=changed.bytes(), offset=made.offset(RESPONSE))


@plant(GZIP)
def record_that_is_not_packed(packed):
    made = archive(good())
    changed = made.change(RESOURCE, good()[RESOURCE].bytes())
    return Planted(code="packing-mixed", data=changed.bytes(), offset=made.offset(RESOURCE))


@plant()
def garbage_between_records(packed):
    made = archive(good(), packed=packed)
    pieces = [*made.pieces[:RESOURCE], b"\x00\x01owls\xff" * 9, *made.pieces[RESOURCE:]]
    code = "garbage"
    return Planted(code=code, data=b"".join(pieces), offset=made.offset(RESOURCE))


@plant()
def garbage_behind_the_last_record(packed):
    made = archive(good(), packed=packed)
    return Planted(code="garbage", data=made.bytes() + bytes(512), offset=len(made.bytes()))


@plant()
def garbage_before_the_first_record(packed):
    return Planted(code="garbage", data=b"owls\n" + archive(good(), packed=packed).bytes(), offset=0)


@plant(GZIP)
def member_that_holds_no_record(packed):
    made = archive(good())
    return Planted(code="garbage", data=made.bytes() + pack(b"owls, owls, owls"), offset=len(made.bytes()))


@plant()
def empty_file(packed):
    return Planted(code="file-empty", data=b"", offset=0)


@plant()
def something_else(packed):
    return Planted(code="not-an-archive", data=b"owls " * 300, offset=0, also=frozenset({"garbage"}))


@plant()
def no_warcinfo(packed):
    data = archive(good()[1:], packed=packed).bytes()
    return Planted(code="warcinfo-missing", data=data, offset=0, also=frozenset({"warcinfo-unresolved"}))


@plant()
def revisit_of_a_revisit(packed):
    again = good()[REVISIT].set(warc_record_id=record_id(8), warc_refers_to=record_id(4))
    made = archive([*good(), again], packed=packed)
    return Planted(code="revisit-chain", data=made.bytes(), offset=made.offset(CHUNKED + 1))


@plant()
def revisit_that_names_no_original(packed):
    change = lambda one: one.set(  # noqa: E731 - short
        warc_refers_to=None, warc_refers_to_target_uri=None, warc_refers_to_date=None,
        warc_payload_digest=sha256(b"nobody has this"),
    )  # fmt: skip
    return _changed("revisit-unresolved", REVISIT, change, packed)


def _http(code: str, block: bytes, packed: bool) -> Planted:
    change = lambda one: one.with_(block=block).set(  # noqa: E731 - short
        warc_block_digest=sha256(block), warc_payload_digest=None
    )
    return _changed(code, CHUNKED, change, packed)


@plant()
def body_shorter_than_the_server_said(packed):
    return _http("http-length", b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nshort", packed)


@plant()
def body_longer_than_the_server_said(packed):
    return _http("http-length", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nlonger", packed)


@plant()
def broken_chunks(packed):
    return _http("http-chunks", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nowls", packed)


@plant()
def last_chunk_missing(packed):
    return _http("http-chunks", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nowls\r\n", packed)


@plant()
def response_that_is_no_http(packed):
    return _http("http-head", b"owls", packed)


@plant()
def head_without_end(packed):
    return _http("http-head", b"HTTP/1.1 200 OK\r\nServer: owl\r\n", packed)


def _segments(total: int, numbers=(1, 2)) -> list:
    first = record("response", 7, HEAD, "application/http;msgtype=response", warc_target_uri=URL)
    made = [first.set(warc_segment_number=1)]
    for number in numbers[1:]:
        one = record("continuation", 7 + number, b"owl", None, warc_target_uri=URL)
        made.append(one.set(warc_segment_number=number, warc_segment_origin_id=record_id(7)))
    made[-1] = made[-1].set(warc_segment_total_length=total)
    return made


@plant()
def segment_that_is_not_there(packed):
    made = archive([*good(), *_segments(len(HEAD) + 3, (1, 3))], packed=packed)
    return Planted(code="segment-missing", data=made.bytes(), offset=made.offset(CHUNKED + 2))


@plant()
def segments_of_another_length(packed):
    made = archive([*good(), *_segments(len(HEAD) + 99)], packed=packed)
    return Planted(code="segment-total", data=made.bytes(), offset=made.offset(CHUNKED + 2))


def _arc(code: str, number: int, piece: bytes, packed: bool) -> Planted:
    pieces = good_arc()
    pieces[number] = piece
    made = Archive(pieces=[pack(one) if packed else one for one in pieces], packed=packed)
    return Planted(code=code, data=made.bytes(), offset=made.offset(number), arc=True, also=frozenset({"http-head"}))


@plant()
def arc_line_that_cannot_be_read(packed):
    return _arc("arc-header", 2, b"http://example.com/two owls\nno\n", packed)


@plant()
def arc_date(packed):
    return _arc("arc-date", 2, arc_record("http://example.com/two", b"no", date="20261399000000"), packed)


@plant()
def arc_address(packed):
    return _arc("arc-address", 2, arc_record("http://example.com/two", b"no", ip="owl"), packed)


@plant()
def arc_length_beyond_the_file(packed):
    block = b"HTTP/1.0 200 OK\r\n\r\nowl"
    return _arc("length-wrong", 2, arc_record("http://example.com/two", block, length=9999), packed)


@plant()
def arc_without_line_end(packed):
    return _arc("record-end", 2, arc_record("http://example.com/two", b"HTTP/1.0 200 OK\r\n\r\nowl", end=b""), packed)


@plant()
def arc_without_description(packed):
    made = Archive(pieces=[pack(one) if packed else one for one in good_arc()[1:]], packed=packed)
    return Planted(code="arc-description", data=made.bytes(), offset=0, arc=True)
