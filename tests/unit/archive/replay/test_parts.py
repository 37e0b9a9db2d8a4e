"""The small parts of replay: paths, seals, hosts, ranges, heads, documents, records that stream, patch lists."""

import gzip
import io
import zlib
from datetime import UTC, datetime, timedelta

import brotli
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from opilio.archive.cdxj import CdxRow
from opilio.archive.replay.archive_paths import archived_url, filled, parse_path, path_of
from opilio.archive.replay.archived_head import parse_head
from opilio.archive.replay.archived_headers import needed_links, served_headers
from opilio.archive.replay.banner import Banner, markup
from opilio.archive.replay.documents import Treatment, document_of, treatment_of
from opilio.archive.replay.finding import look, original_of
from opilio.archive.replay.holdings import MemoryPatchList, Source, Wish
from opilio.archive.replay.hosts import HostNames
from opilio.archive.replay.memento import accepted_datetime, http_date
from opilio.archive.replay.messages import Request
from opilio.archive.replay.patch_file import PatchFile
from opilio.archive.replay.ranges import Span, Unsatisfiable, cut, span_of
from opilio.archive.replay.references import References
from opilio.archive.replay.seals import Seals
from opilio.archive.warc.streamed import StreamedRecord
from opilio.archive.warc.streamed_payload import coding_names, known, undone
from opilio.kernel.access import Statement
from opilio.kernel.clock import ManualClock
from opilio.kernel.digests import digest_of
from opilio.kernel.errors import Damaged, InvalidInput

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("path", "url"),
    [
        ("/20260101120000/http://a.test/x?y=/z", "http://a.test/x?y=/z"),
        ("/2026/https:/a.test/x", "https://a.test/x"),
        ("/2026/a.test", "http://a.test/"),
        ("/20260101120000/http://A.test:80/%7Ex", "http://a.test/~x"),
        ("/20260101120000/http://", None),
        ("/style.css", None),
        ("/2026/", None),
        ("/123456789012345678/http://a.test/", None),
    ],
)
def test_paths_name_captures(path, url):
    """A path is a time and a URL; merged slashes are mended, and what is neither is no path."""
    found = parse_path(path)
    assert (found.url if found else None) == url


def test_times_are_filled_up():
    """Fewer digits mean the first moment that they allow; impossible ones the nearest that a calendar has."""
    assert filled("2026") == datetime(2026, 1, 1, tzinfo=UTC)
    assert filled("20260231256199") == datetime(2026, 2, 28, 23, 59, 59, tzinfo=UTC)
    assert filled("20260101120000123").microsecond == 123_000
    assert filled("0") == datetime(1990, 1, 1, tzinfo=UTC)
    assert path_of(NOON, "http://a.test/") == "/20260101120000/http://a.test/"


@settings(max_examples=30)
@given(st.text(max_size=60), st.text(alphabet="0123456789", min_size=1, max_size=17))
def test_no_path_is_too_odd(text, digits):
    """Whatever stands in a path, it is read or refused."""
    parse_path(f"/{digits}/{text}")
    archived_url(text)


def test_seals_hold_for_one_purpose_one_result_and_one_time():
    """A seal opens what it was made for, until it runs out; forged, foreign and long ones open nothing."""
    clock = ManualClock(at=NOON)
    seals = Seals(key=b"k" * 32, host="replay.localhost", clock=clock)
    token = seals.make("open", 7, seconds=60, note="plain")
    assert seals.note(token, "open", 7) == "plain"
    assert seals.note(token, "session", 7) is None
    assert seals.note(token, "open", 8) is None
    assert seals.note(token.replace("open.7", "open.8"), "open", 8) is None
    assert Seals(key=b"x" * 32, host="replay.localhost", clock=clock).note(token, "open", 7) is None
    assert Seals(key=b"k" * 32, host="replay.test.org", clock=clock).note(token, "open", 7) is None
    assert seals.note(token + "a" * 400, "open", 7) is None
    clock.advance(61)
    assert seals.note(token, "open", 7) is None


def test_host_names_stand_for_results():
    """Each result has one name below the base; others stand for none."""
    names = HostNames()
    assert names.result_of("r12.replay.localhost") == 12
    for name in (
        "replay.localhost",
        "r012.replay.localhost",
        "r1.replay.localhost.test",
        "r1.x.replay.localhost",
        "r1",
    ):
        assert names.result_of(name) is None
    assert names.local
    assert not HostNames(base="replay.example.org").local
    for base in ("localhost", "", "re play.localhost", "replay.localhost:80"):
        with pytest.raises(InvalidInput):
            HostNames(base=base)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("bytes=0-9", Span(first=0, last=9, total=100)),
        ("bytes=90-", Span(first=90, last=99, total=100)),
        ("bytes=90-500", Span(first=90, last=99, total=100)),
        ("bytes=-10", Span(first=90, last=99, total=100)),
        ("bytes=-500", Span(first=0, last=99, total=100)),
        ("bytes=100-", Unsatisfiable(total=100)),
        ("bytes=-0", Unsatisfiable(total=100)),
        ("bytes=9-3", None),
        ("bytes=0-1,3-4", None),
        ("items=0-1", None),
        ("bytes=-", None),
    ],
)
def test_ranges_are_understood_or_ignored(value, found):
    """One range of bytes is answered; nonsense and several ranges are ignored."""
    assert span_of(value, 100) == found


@settings(max_examples=30)
@given(st.lists(st.binary(max_size=9), max_size=9), st.integers(0, 40), st.integers(1, 40))
def test_cutting_is_slicing(pieces, skip, length):
    """Pieces cut are the whole sliced."""
    assert b"".join(cut(iter(pieces), skip, length)) == b"".join(pieces)[skip : skip + length]


def test_headers_are_confined():
    """Headers that say what the content is pass; those that would act are kept under another name."""
    head = parse_head(
        b"HTTP/1.1 302 Found\r\nLocation: /x\r\nSet-Cookie: a=b; Domain=test\r\n"
        b"Strict-Transport-Security: max-age=1\r\n"
        b"Content-Language: de\r\nRefresh: 0;url=//b.test/\r\nAccess-Control-Allow-Origin: *\r\nBad Name: x\r\n"
        b"Link: </s.css>; rel=stylesheet, <//b.test>; rel=preconnect\r\nX-Folded: a\r\n b\r\nnothing\r\n\r\n"
    )
    references = References(stamp="2026", url="http://a.test/d/")
    found = served_headers(head, references)
    assert head.status == 302
    assert ("location", "/2026/http://a.test/x") in found
    assert ("content-language", "de") in found
    assert ("refresh", "0;url=/2026/http://b.test/") in found
    assert ("X-Archive-Orig-Set-Cookie", "a=b; Domain=test") in found
    assert ("X-Archive-Orig-X-Folded", "a b") in found
    acting = {name.lower() for name, _ in found} & {
        "set-cookie", "strict-transport-security", "access-control-allow-origin", "link", "bad name",
    }  # fmt: skip
    assert acting == set()
    assert needed_links(head, references) == ['</2026/http://a.test/s.css>; rel="stylesheet"']


@settings(max_examples=30)
@given(st.binary(max_size=300))
def test_any_head_is_read(head):
    """Servers write anything; it is taken apart all the same, and no value can break a header."""
    for name, value in served_headers(parse_head(head), References(stamp="2026", url="http://a.test/")):
        assert not set("\r\n\0") & set(name + value)


@pytest.mark.parametrize(
    ("content_type", "destination", "start", "treatment"),
    [
        ("text/html", "document", b"<p>", Treatment.HTML),
        ("text/html", "empty", b"<p>", Treatment.HTML),
        ("text/html", "empty", b'{"a": "<p>"}', Treatment.NONE),
        ("text/html", "document", b"[1]", Treatment.NONE),
        ("text/html", "script", b"x()", Treatment.NONE),
        ("text/html", "image", b"<p>", Treatment.NONE),
        ("", "document", b"<!doctype html>", Treatment.HTML),
        ("", "document", b"%PDF", Treatment.NONE),
        ("application/xhtml+xml", "document", b"<html>", Treatment.XHTML),
        ("image/svg+xml", "image", b"<svg>", Treatment.XML),
        ("application/xml", "document", b"<urlset>", Treatment.NONE),
        ("text/xml", "document", b"<?xml-stylesheet href='x'?>", Treatment.XML),
        ("text/css", "", b"a{}", Treatment.CSS),
        ("text/plain", "style", b"a{}", Treatment.CSS),
        ("text/javascript", "script", b"x", Treatment.NONE),
        ("video/mp4", "video", b"", Treatment.NONE),
    ],
)
def test_bodies_are_treated_by_what_they_are_for(content_type, destination, start, treatment):
    """Pages and style sheets are rewritten; data that only looks like them is not."""
    assert treatment_of(content_type, destination, start) is treatment


def test_charsets_are_said_where_they_were_not():
    """A page that declares its charset itself gets it in the header, because our script moves the declaration down."""
    page = "<meta charset=iso-8859-1><p>é".encode("latin-1")
    assert document_of("text/html", "", page).content_type == "text/html; charset=windows-1252"
    assert document_of("text/html; charset=koi8-r", "", page).content_type == "text/html; charset=koi8-r"
    assert document_of("text/html", "", b"\xff\xfe<\0p\0>\0").apart
    assert document_of("text/css", "", b"a{}").content_type == "text/css"


class Index:
    """Rows in memory."""

    def __init__(self, *rows):
        self.rows = rows

    def exact(self, url):
        return iter(self.rows)

    def prefix(self, key):
        return iter(self.rows)


def row(url="http://a.test/", seconds=0, **parts):
    given = {"mime": "text/html", "status": 200, "digest": None, "file": "f", "offset": seconds, "length": 1}
    return CdxRow(url=url, at=NOON + timedelta(seconds=seconds), **{**given, **parts})


def test_nearest_capture_of_the_very_url_answers():
    """Of captures with one key those of the URL itself count first: else https would redirect to itself for ever."""
    index = Index(row("http://a.test/", 10, status=301), row("https://a.test/", 0), row("https://a.test/", 60))
    around = look(index, "https://a.test/", NOON + timedelta(seconds=12))
    assert around.chosen.url == "https://a.test/"
    assert around.chosen.offset == 0
    assert (around.neighbour(-1), around.neighbour(1)) == (None, NOON + timedelta(seconds=60))
    assert look(index, "http://www.a.test/", NOON).chosen.status == 200
    assert look(Index(), "http://a.test/", NOON).chosen is None


def test_original_is_found_by_digest_or_by_time():
    """A revisit leads to the capture with its digest, in this result or an earlier one."""
    mine, other = digest_of(b"mine"), digest_of(b"other")
    revisit = row(seconds=60, revisit=True, digest=mine, original_at=NOON)
    here = Source(index=Index(row(digest=other), row(seconds=5, digest=mine), revisit), open_at=None)
    found = original_of(revisit, (here,))
    assert found is not None
    assert found[0].offset == 5
    untold = row(seconds=60, revisit=True, original_at=NOON + timedelta(microseconds=500))
    assert original_of(untold, (Source(index=Index(row(seconds=9)), open_at=None), here))[1] is here
    assert original_of(revisit, (Source(index=Index(), open_at=None),)) is None


def test_accepted_datetimes():
    """A date as HTTP writes it is understood, anything else is not."""
    assert accepted_datetime("Thu, 01 Jan 2026 12:00:00 GMT") == NOON
    assert http_date(NOON) == "Thu, 01 Jan 2026 12:00:00 GMT"
    for bad in ("", "yesterday", "2026-01-01", "Thu, 99 Foo 2026 12:00:00 GMT"):
        assert accepted_datetime(bad) is None


def test_banner_says_whose_it_is_in_plain_ascii():
    """Statement, link and requirements stand in the banner, escaped, in any charset."""
    said = Statement(text="© Müller <b>", link="https://a.test/rights", requirements="Ask first.")
    made = markup(Banner(url="http://a.test/\"'<", at=NOON, result="Result 1", statements=(said,), scripts=False))
    assert made.isascii()
    assert b"&#169; M&#252;ller &lt;b&gt;" in made
    assert b'href="https://a.test/rights"' in made
    assert b"Ask first." in made
    assert b"Scripts are off" in made
    assert b"\"'<" not in made


def test_all_cookies_of_a_name_are_seen():
    """Others may have planted a cookie of the same name."""
    request = Request(
        method="GET", scheme="http", host="r1.replay.localhost:80", path="/", headers={"cookie": "a=1; b=2; a=3"}
    )
    assert request.cookies("a") == ["1", "3"]
    assert request.name == "r1.replay.localhost"


@pytest.fixture(params=["memory", "file"])
def patches(request, tmp_path):
    return MemoryPatchList(most=2) if request.param == "memory" else PatchFile(tmp_path / "patch.jsonl", most=2)


def test_patch_list_holds_each_url_once(patches):
    """A URL is added once, and a full list takes no more."""
    one, two = (Wish(url=f"http://a.test/{n}", at="2026-01-01T00:00:00+00:00", result=1) for n in (1, 2))
    assert patches.add(one)
    assert not patches.add(one)
    assert patches.add(two)
    assert not patches.add(Wish(url="http://a.test/3", at="", result=1))
    assert patches.wishes() == [one, two]


def test_patch_file_survives_what_others_write(tmp_path):
    """Torn and foreign lines are no wishes; the others stay."""
    path = tmp_path / "patch.jsonl"
    path.write_bytes(b'{"url": "http://a.test/", "at": "x", "result": 1}\n\xff\n{}\n[]\n{"url": "http://a.t')
    assert [wish.url for wish in PatchFile(path).wishes()] == ["http://a.test/"]


WARC = (
    b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: <http://a.test/>\r\nContent-Type: application/http\r\n"
    b"Content-Length: %d\r\n\r\n%s\r\n\r\n"
)
BLOCK = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + b"owl" * 100_000


@pytest.mark.parametrize("packed", [True, False], ids=["packed", "plain"])
def test_records_stream(packed):
    """Head and fields are at hand, the body comes in pieces, and bytes can be left out."""
    data = WARC % (len(BLOCK), BLOCK)
    data = (gzip.compress(data) if packed else data) + b"next record"
    with StreamedRecord(io.BytesIO(data)) as record:
        assert (record.kind, record.status, record.body_length) == ("response", 200, 300_000)
        assert record.fields["warc-target-uri"] == "<http://a.test/>"
        record.skip(150_001)
        pieces = list(record.pieces())
    assert b"".join(pieces) == (b"owl" * 100_000)[150_001:]
    assert max(map(len, pieces)) <= 1 << 16


def test_arc_records_stream():
    """A record of the older format has its length in its one line."""
    data = b"http://a.test/ 127.0.0.1 20040101000000 text/html %d\nHTTP/1.0 404 No\n\ngone\n" % 21
    with StreamedRecord(io.BytesIO(data)) as record:
        assert (record.kind, record.status, b"".join(record.pieces())) == ("response", 404, b"gone")


@pytest.mark.parametrize(
    "data",
    [
        b"", b"WARC/1.1\r\n\r\n", b"WARC/1.1\r\nContent-Length: x\r\n\r\n", b"\x1f\x8bnothing", b"garbage\n",
        gzip.compress(WARC % (len(BLOCK), BLOCK))[:200], (WARC % (len(BLOCK), BLOCK))[:200_000],
        b"WARC/1.1\r\n" + b"x" * 3_000_000,
    ],
)  # fmt: skip
def test_broken_records_are_refused(data):
    """What is no record, or breaks off, ends in an error that says where."""
    with pytest.raises(Damaged), StreamedRecord(io.BytesIO(data), where="f at 7") as record:
        list(record.pieces())


@settings(max_examples=30)
@given(st.binary(max_size=300))
def test_any_record_is_read_or_refused(data):
    """No bytes bring the reader down."""
    for each in (data, b"WARC/1.1\r\nContent-Length: 9\r\n\r\n" + data, gzip.compress(data)):
        try:
            with StreamedRecord(io.BytesIO(each)) as record:
                list(record.pieces())
        except Damaged:
            continue


TEXT = b"owls and other birds " * 5_000
CODED = {
    "gzip": gzip.compress(TEXT), "deflate": zlib.compress(TEXT), "br": brotli.compress(TEXT),
    "zstd": zstandard.ZstdCompressor().compress(TEXT),
    "chunked": b"5;x\r\nowls \r\n%x\r\n%b\r\n0\r\n\r\n" % (len(TEXT) - 5, TEXT[5:]),
}  # fmt: skip


@pytest.mark.parametrize("name", CODED)
@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_codings_are_undone_piece_by_piece(name, size):
    """However the bytes come, the content is the same; cut-off content ends early."""
    data = CODED[name]
    if size == 1:
        data = data[:2000] if name != "chunked" else data
    pieces = (data[at : at + size] for at in range(0, len(data), size))
    found = b"".join(undone(pieces, [name]))
    assert found == TEXT if len(data) == len(CODED[name]) else TEXT.startswith(found)


@pytest.mark.parametrize("name", CODED)
def test_what_only_claims_a_coding_passes(name):
    """Bodies that were stored without the coding which their head names are served as they are."""
    body = b"<p>plain all the same</p>" * 10
    found = b"".join(undone(iter((body,)), [name]))
    assert found == body or name == "deflate"


def test_codings_are_undone_in_order():
    """The last coding that was applied is undone first."""
    assert coding_names(["gzip, br", "identity"]) == ["br", "gzip"]
    assert known(["br", "x"]) is False
    twice = gzip.compress(brotli.compress(TEXT))
    assert b"".join(undone(iter((twice,)), coding_names(["br, x-gzip"]))) == TEXT
