"""Replay over real HTTP: who is let in, which capture answers, and that its bytes, status and headers are right."""

import gzip
import http.client
import json
import os
import re
import tracemalloc
from dataclasses import replace
from datetime import timedelta
from functools import partial
from urllib.parse import urlencode, urlsplit
from xml.etree import ElementTree

import pytest

from opilio.archive.replay.holdings import Holding, Source
from opilio.archive.replay.hosts import HostNames
from opilio.archive.warc.compression import Compression, Packer
from opilio.kernel.access import Decision, Statement
from opilio.kernel.capture import RevisitProfile
from opilio.kernel.clock import ManualClock
from tests.servers.replayed import NOON, Archive, ReplayServer, open_at, original
from tests.unit.archive.warcs import chunked

PAGE = b"<!doctype html><head><title>Owls</title></head><body><a href='/b'>b</a><img src=i.png></body>"
AGAIN = b"<!doctype html><title>Owls again</title><a href=/b>"
SOUND = bytes(range(256)) * 400
T = "/20260101120000/"


def access(url, captured):
    if "closed" in url:
        return Decision(allowed=False, reason="Under embargo.", rule="r7")
    if "hidden" in url:
        return Decision(allowed=False, reason="Never heard of.", rule="r8", told=False)
    if "rooms" in url:
        return Decision(allowed=False, reason="No permission opens it.")
    said = Statement(text="© The owls", link="https://rights.test/", requirements="Quote the source.")
    return Decision(allowed=True, reason="", statements=(said,) if url.endswith("/owned") else ())


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    made = Archive(folder=tmp_path_factory.mktemp("archive"))
    made.keep("http://a.test/", PAGE).keep("http://a.test/", AGAIN, at=3600).keep("http://a.test/", PAGE, at=7200)
    made.keep("http://a.test/style.css", b"@import '/x.css'; a{b:url(y.png)}", type="text/css")
    made.keep("http://a.test/app.js", b"fetch('/data')", type="text/javascript", at=5)
    made.keep("http://a.test/sound.wav", SOUND, type="audio/wav")
    made.keep("http://a.test/chunked.wav", chunked(SOUND), type="audio/wav", headers=("Transfer-Encoding: chunked",))
    packed = chunked(gzip.compress(PAGE))
    made.keep("http://a.test/packed", packed, headers=("Transfer-Encoding: chunked", "Content-Encoding: gzip"))
    made.keep("http://a.test/lying", PAGE, headers=("Transfer-Encoding: chunked", "Content-Encoding: gzip"))
    made.keep("http://a.test/gone", b"<p>gone", status=404)
    made.keep("http://a.test/moved", b"", status=301, headers=("Location: ../b?x=1",))
    made.keep("http://a.test/none", b"", status=204)
    made.keep("http://a.test/latin", "<meta charset=iso-8859-1><p>é".encode("latin-1"), type="text/html")
    made.keep("http://a.test/wide", "\ufeff<p>é<a href='/b'>".encode("utf-16-le"), type="text/html")
    made.keep("http://a.test/data", b'{"html": "<a href=\\"/x\\">"}', type="text/html")
    made.keep("http://a.test/acts", PAGE, headers=(
        "Set-Cookie: a=b", "Strict-Transport-Security: max-age=9", "Content-Security-Policy: default-src *",
        "WWW-Authenticate: Basic realm=x", "X-Frame-Options: DENY", "Clear-Site-Data: *", "Content-Language: de",
    ))  # fmt: skip
    for name in ("closed", "hidden", "rooms", "owned"):
        made.keep(f"http://a.test/{name}", PAGE)
    made.keep("https://a.test/both", b"<p>secure").keep("http://a.test/both", b"", status=301, headers=(
        "Location: https://a.test/both",))  # fmt: skip
    made.keep_revisit("http://a.test/same", original=original("http://a.test/", 0, PAGE), at=60, body=PAGE)
    made.keep_revisit(
        "http://a.test/unchanged", original=original("http://a.test/", 0, PAGE), at=60, status=304,
        profile=RevisitProfile.NOT_MODIFIED,
    )  # fmt: skip
    made.keep_revisit("http://a.test/lost", original=original("http://b.test/", 0, b"?"), at=60, body=b"?")
    return made


@pytest.fixture(scope="module")
def server(archive):
    with ReplayServer(archive.holding(access=access, seeds=("http://a.test/",))) as running:
        yield running


def open_path(server, token=None, *, url="http://a.test/", result=1):
    given = token if token is not None else server.replay.seals.make("open", result, seconds=60)
    return f"/_opilio/open?{urlencode({'token': given, 'time': '20260101120000', 'url': url})}"


# --- who is let in


def test_other_hosts_are_refused(server):
    """A request under any other host name gets nothing, whatever it brings."""
    for host in ("localhost", "127.0.0.1", "evil.test", "r1.replay.localhost.evil.test", "x.replay.localhost"):
        assert server.ask(f"{T}http://a.test/", host=host).status == 421
    assert server.ask(f"{T}http://a.test/", result=2, host=server.host(2)).status == 403


def test_nobody_comes_in_without_a_session(server):
    """Without a session there is a page that says how to get in, and nothing else."""
    for path in (f"{T}http://a.test/", "/timemap/link/http://a.test/", "/cdx?url=http://a.test/", "/_opilio/patch"):
        answer = server.ask(path, session=False)
        assert answer.status == 403
        assert "the list of results" in answer.text
        assert "Owls" not in answer.text
    assert server.ask(f"{T}http://a.test/", session=False, Authorization="Bearer session.1.9.x.y").status == 403


def test_entry_page_lists_results_to_whoever_has_the_key(server):
    """The key of the printed address brings a cookie, the cookie the list, the list a token for one result."""
    base = f"replay.localhost:{server.port}"
    assert server.ask("/", host=base, session=False).status == 403
    let_in = server.ask(urlsplit(server.entry).path + "?" + urlsplit(server.entry).query, host=base, session=False)
    cookie = let_in.headers["Set-Cookie"]
    assert (let_in.status, let_in.headers["Location"]) == (303, "/")
    assert "HttpOnly; SameSite=Lax" in cookie
    listed = server.ask("/", host=base, session=False, Cookie=cookie.partition(";")[0])
    assert "Result 1 of owls" in listed.text
    place = re.search(r'href="(/open[^"]*)"', listed.text)[1].replace("&amp;", "&")
    onward = server.ask(place, host=base, session=False, Cookie=cookie.partition(";")[0]).headers["Location"]
    assert onward.startswith(f"http://r1.replay.localhost:{server.port}/_opilio/open?token=open.1.")
    assert server.ask("/open?result=9&url=x", host=base, session=False, Cookie=cookie.partition(";")[0]).status == 404


def test_seeds_have_thumbnails_where_pictures_were_taken(archive):
    """The list shows the small picture of a seed to whoever has the key, and none where there is none."""
    pictures = {"http://a.test/": b"\xff\xd8small"}
    seeds = ("http://a.test/", "http://a.test/app.js")
    with ReplayServer(replace(archive.holding(seeds=seeds), thumbnail=pictures.get)) as server:
        base = f"replay.localhost:{server.port}"
        let_in = server.ask("/?" + urlsplit(server.entry).query, host=base, session=False)
        cookie = let_in.headers["Set-Cookie"].partition(";")[0]
        listed = server.ask("/", host=base, session=False, Cookie=cookie)
        (place,) = re.findall(r'<img src="(/thumbnail[^"]*)"', listed.text)
        assert "img-src 'self'" in listed.headers["Content-Security-Policy"]
        shown = server.ask(place.replace("&amp;", "&"), host=base, session=False, Cookie=cookie)
        assert (shown.headers["Content-Type"], shown.body) == ("image/jpeg", b"\xff\xd8small")
        assert server.ask(place.replace("&amp;", "&"), host=base, session=False).status == 403
        assert server.ask("/thumbnail?result=1&url=x", host=base, session=False, Cookie=cookie).status == 404


def test_token_becomes_a_session(server):
    """A token is exchanged for a host-only cookie and a page that starts the service worker."""
    answer = server.ask(open_path(server), session=False)
    cookie = answer.headers["Set-Cookie"]
    assert answer.status == 200
    assert cookie.startswith("opilio_replay=session.1.")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "domain" not in cookie.lower()
    assert "/_opilio/open.js" in answer.text
    assert f'content="0;url={T}http://a.test/"' in answer.text
    page = server.ask(f"{T}http://a.test/", session=False, Cookie=cookie.partition(";")[0])
    assert page.status == 200
    assert "script-src 'none'" in page.headers["Content-Security-Policy"]  # until the service worker stands


def test_forged_old_and_foreign_tokens_open_nothing(archive):
    """A token is for one result and for a short time."""
    clock = ManualClock(at=NOON)
    with ReplayServer(archive.holding(), archive.holding(2), clock=clock) as server:
        good = server.replay.seals.make("open", 1, seconds=60)
        assert server.ask(open_path(server, good), session=False).status == 200
        assert server.ask(open_path(server, good), session=False, host=server.host(2)).status == 403
        assert server.ask(open_path(server, good[:-1] + "A"), session=False).status == 403
        assert server.ask(open_path(server, ""), session=False).status == 403
        session = server.ask(open_path(server, good), session=False).headers["Set-Cookie"].partition(";")[0]
        assert server.ask(f"{T}http://a.test/", session=False, host=server.host(2), Cookie=session).status == 403
        clock.advance(61)
        assert server.ask(open_path(server, good), session=False).status == 403
        clock.advance(13 * 3600)
        assert server.ask(f"{T}http://a.test/", session=False, Cookie=session).status == 403


def test_planted_cookie_does_not_shut_out(server):
    """A cookie of the same name that somebody planted stands beside the right one."""
    right = server.replay.session_token(1)
    cookie = f"opilio_replay=planted; opilio_replay={right}"
    assert server.ask(f"{T}http://a.test/", session=False, Cookie=cookie).status == 200


def test_scripts_are_allowed_once_the_service_worker_stands(server):
    """The page that let in tells that it stands; others cannot."""
    cookie = server.ask(open_path(server), session=False).headers["Set-Cookie"].partition(";")[0]
    asked = {"method": "POST", "session": False, "Cookie": cookie, "body": b""}
    assert server.ask("/_opilio/ready", **asked, Sec_Fetch_Site="cross-site").status == 403
    assert server.ask("/_opilio/ready", **asked).status == 403
    ready = server.ask("/_opilio/ready", **asked, Sec_Fetch_Site="same-origin")
    assert ready.status == 204
    page = server.ask(f"{T}http://a.test/", session=False, Cookie=ready.headers["Set-Cookie"].partition(";")[0])
    assert "'unsafe-inline' 'unsafe-eval'" in page.headers["Content-Security-Policy"]
    shim = '<head><script src="/_opilio/shim.js" data-time="20260101120000" data-url="http://a.test/"></script>'
    assert shim in page.text


def test_without_tls_and_not_on_this_machine_scripts_are_off(archive):
    """Where browsers give no service worker, the page opens at once, without scripts, and says so."""
    with ReplayServer(archive.holding(), names=HostNames(base="replay.example.org")) as server:
        answer = server.ask(open_path(server), session=False)
        assert answer.status == 303
        assert answer.headers["Location"] == f"{T}http://a.test/"
        cookie = answer.headers["Set-Cookie"].partition(";")[0]
        ready = server.ask(
            "/_opilio/ready", method="POST", session=False, Cookie=cookie, body=b"", Sec_Fetch_Site="same-origin"
        )
        page = server.ask(f"{T}http://a.test/", session=False, Cookie=ready.headers["Set-Cookie"].partition(";")[0])
        assert "script-src 'none'" in page.headers["Content-Security-Policy"]
        assert "Scripts are off" in page.text
        assert "shim.js" not in page.text


def test_cookie_is_bound_to_its_host_under_tls(archive):
    """Behind a proxy that ends TLS the cookie has the prefix that forbids planting it."""
    with ReplayServer(archive.holding(), names=HostNames(base="replay.example.org"), https=True) as server:
        cookie = server.ask(open_path(server), session=False).headers["Set-Cookie"]
        assert cookie.startswith("__Host-opilio_replay=")
        assert "; Secure" in cookie
        plain = cookie.partition(";")[0].removeprefix("__Host-")
        assert server.ask(f"{T}http://a.test/", session=False, Cookie=plain).status == 403


# --- which capture answers


def test_address_says_what_is_shown(server):
    """Whoever goes to a page is led to its exact time and URL; parts of pages are answered at once."""
    led = server.ask("/2026/http://a.test/", Sec_Fetch_Dest="document")
    assert (led.status, led.headers["Location"]) == (302, f"{T}http://a.test/")
    assert server.ask("/20260101123100/http://www.a.test/").headers["Location"] == "/20260101130000/http://a.test/"
    part = server.ask(f"{T}http://a.test/app.js", Sec_Fetch_Dest="script")
    assert (part.status, part.body) == (200, b"fetch('/data')")
    assert part.headers["Content-Location"] == "/20260101120005/http://a.test/app.js"
    assert part.headers["Memento-Datetime"] == "Thu, 01 Jan 2026 12:00:05 GMT"


def test_redirect_between_schemes_does_not_turn_in_circles(server):
    """http and https share a key of the index; each answers for itself."""
    moved = server.ask(f"{T}http://a.test/both")
    assert (moved.status, moved.headers["Location"]) == (301, f"{T}https://a.test/both")
    assert b"<p>secure" in server.ask(moved.headers["Location"]).body


def test_revisits_have_the_body_of_their_original(server):
    """A capture without a body is shown with the body it refers to, under its own headers, or says what is missing."""
    same = server.ask("/20260101120100/http://a.test/same")
    assert same.status == 200
    assert "<title>Owls</title>" in same.text
    assert same.headers["X-Archive-Orig-X-Again"] == "yes"
    assert "<title>Owls</title>" in server.ask("/20260101120100/http://a.test/unchanged").text
    lost = server.ask("/20260101120100/http://a.test/lost")
    assert lost.status == 404
    assert "earlier capture is not in this result" in lost.text


def test_body_may_lie_in_an_earlier_crawl(tmp_path):
    """A crawl that only asked what had changed is shown with the bodies of the crawl before."""
    before = Archive(folder=tmp_path / "before").keep("http://a.test/", PAGE)
    after = Archive(folder=tmp_path / "after")
    after.keep_revisit("http://a.test/", original=original("http://a.test/", 0, PAGE), at=86_400, body=PAGE)
    with ReplayServer(after.holding(earlier=(before.source(),))) as server:
        assert "<title>Owls</title>" in server.ask("/20260102120000/http://a.test/").text


def test_bytes_status_and_type_are_those_of_the_capture(server):
    """Codings are undone, errors stay errors, redirects stay in the archive, and data stays data."""
    assert b"<title>Owls</title>" in server.ask(f"{T}http://a.test/packed").body
    assert b"<title>Owls</title>" in server.ask(f"{T}http://a.test/lying").body
    gone = server.ask(f"{T}http://a.test/gone")
    assert gone.status == 404
    assert gone.text.startswith("<p>gone")
    moved = server.ask(f"{T}http://a.test/moved")
    assert (moved.status, moved.headers["Location"]) == (301, f"{T}http://a.test/b?x=1")
    assert server.ask(f"{T}http://a.test/none").status == 204
    data = server.ask(f"{T}http://a.test/data", Sec_Fetch_Dest="empty")
    assert data.body == b'{"html": "<a href=\\"/x\\">"}'


def test_page_is_rewritten_and_framed(server):
    """Links lead to the archive and a banner stands at the end; a page in a frame has none."""
    page = server.ask(f"{T}http://a.test/")
    assert f"<a href='{T}http://a.test/b'>".encode() in page.body
    assert b"<img src=i.png>" in page.body
    assert "1 January 2026, 12:00:00 UTC" in page.text
    assert 'href="/20260101130000/http://a.test/">Next capture' in page.text
    assert "Previous capture" not in page.text
    assert b"opilio-banner" not in server.ask(f"{T}http://a.test/", Sec_Fetch_Dest="iframe").body
    css = server.ask(f"{T}http://a.test/style.css", Sec_Fetch_Dest="style")
    assert css.body == f"@import '{T}http://a.test/x.css'; a{{b:url(y.png)}}".encode()


def test_charsets_are_kept(server):
    """Bytes stay in the page's charset, and the header names it where only the page did."""
    latin = server.ask(f"{T}http://a.test/latin")
    assert latin.headers["Content-Type"] == "text/html; charset=windows-1252"
    assert b"<p>\xe9" in latin.body
    wide = server.ask(f"{T}http://a.test/wide").body
    assert wide.startswith(b"\xff\xfe")
    assert f"é<a href='{T}http://a.test/b'>" in wide.decode("utf-16")


def test_headers_of_the_site_do_not_act(server):
    """What the site told the crawler's browser is told to nobody else; it can be read under another name."""
    headers = server.ask(f"{T}http://a.test/acts").headers
    assert headers["Content-Language"] == "de"
    for name in ("Set-Cookie", "Strict-Transport-Security", "WWW-Authenticate", "X-Frame-Options", "Clear-Site-Data"):
        assert name not in headers
        assert f"X-Archive-Orig-{name}" in headers
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert headers["Content-Security-Policy"].count("default-src") == 1
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Origin-Agent-Cluster"] == "?1"
    assert headers["X-DNS-Prefetch-Control"] == "off"
    assert "sandbox" not in headers["Content-Security-Policy"]


def test_root_relative_requests_belong_to_the_page_that_asks(server):
    """What slipped through unrewritten is found by its Referer; without one there is nothing."""
    referer = f"http://{server.host()}{T}http://a.test/dir/"
    led = server.ask("/style.css?x=1", Referer=referer)
    assert (led.status, led.headers["Location"]) == (307, f"{T}http://a.test/style.css?x=1")
    assert server.ask("/cdx", Referer=referer).headers["Location"] == f"{T}http://a.test/cdx"
    assert server.ask("/style.css").status == 404
    assert server.ask("/style.css", Referer=f"http://evil.test{T}http://a.test/").status == 404


# --- parts of bodies


@pytest.mark.parametrize("name", ["sound.wav", "chunked.wav"])
def test_ranges_of_media(server, name):
    """A player can ask for any part; what lies behind the end is refused, what is nonsense ignored."""
    path = f"{T}http://a.test/{name}"
    whole = server.ask(path)
    assert (whole.status, whole.body, whole.headers["Accept-Ranges"]) == (200, SOUND, "bytes")
    part = server.ask(path, Range="bytes=1000-1999")
    assert (part.status, part.body) == (206, SOUND[1000:2000])
    assert part.headers["Content-Range"] == f"bytes 1000-1999/{len(SOUND)}"
    assert server.ask(path, Range="bytes=-3").body == SOUND[-3:]
    assert server.ask(path, Range="bytes=70000-").body == SOUND[70_000:]
    beyond = server.ask(path, Range="bytes=999999-")
    assert (beyond.status, beyond.headers["Content-Range"]) == (416, f"bytes */{len(SOUND)}")
    assert server.ask(path, Range="bytes=0-1,5-6").body == SOUND
    assert server.ask(path, Range="bytes=0-1", If_Range='"another"').status == 200


def test_head_and_conditional_requests(server):
    """HEAD has the headers alone; who has the bytes already is told so."""
    path = f"{T}http://a.test/sound.wav"
    head = server.ask(path, method="HEAD")
    assert (head.status, head.body, head.headers["Content-Length"]) == (200, b"", str(len(SOUND)))
    tag = head.headers["ETag"]
    assert server.ask(path, If_None_Match=f'W/"x", {tag}').status == 304
    assert server.ask(path, If_None_Match='"x"').status == 200


def test_methods_that_only_a_live_server_answers(server):
    """What a page sends to its server is answered by a page that says why not."""
    answer = server.ask(f"{T}http://a.test/", method="POST", body=b"a=b")
    assert answer.status == 405
    assert "no server that could answer" in answer.text


class OneCapture:
    """An index of one line."""

    def __init__(self, row):
        self.row = row

    def exact(self, url):
        return iter((self.row,))

    def prefix(self, key):
        return iter(())


def test_record_of_eight_gigabytes_streams(tmp_path, archive):
    """Its end is served at once, and parts of it without ever being in memory as a whole."""
    size, head = 8 << 30, b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n"
    with (tmp_path / "large.warc").open("wb") as stream:
        stream.write(b"WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http\r\n")
        stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(head) + size, head))
        stream.truncate(stream.tell() + size)
    row = replace(archive.rows[0], url="http://a.test/film", at=NOON, file="large.warc", offset=0, digest=None)
    source = Source(index=OneCapture(row), open_at=partial(open_at, tmp_path))
    tracemalloc.start()
    try:
        with ReplayServer(Holding(number=1, title="Large", source=source), cdx=False) as server:
            end = server.ask(f"{T}http://a.test/film", Range="bytes=-10")
            assert (end.status, end.body) == (206, b"\0" * 10)
            middle = server.ask(f"{T}http://a.test/film", Range=f"bytes={4 << 30}-{(4 << 30) + (32 << 20) - 1}")
            assert len(middle.body) == 32 << 20
            assert server.ask(f"{T}http://a.test/film", method="HEAD").headers["Content-Length"] == str(size)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 150 << 20  # what this test itself read, and little more


def test_damaged_records_are_told(tmp_path):
    """A record that is cut off or gone is told on a page, and the others are shown."""
    made = Archive(folder=tmp_path)
    made.keep("http://a.test/", PAGE).keep("http://a.test/other", PAGE)
    made.rows[1] = replace(made.rows[1], offset=3)
    with ReplayServer(made.holding()) as server:
        assert server.ask(f"{T}http://a.test/").status == 200
        answer = server.ask(f"{T}http://a.test/other")
        assert answer.status == 502
        assert "cannot be read" in answer.text


def test_body_that_breaks_off_is_not_taken_for_whole(tmp_path):
    """A record whose file ends early is an error, before the answer or in the middle of it."""
    made = Archive(folder=tmp_path, compression=Compression(packer=Packer.PLAIN))
    made.keep("http://a.test/soon", bytes(200_000), type="video/mp4")
    made.keep("http://a.test/late", bytes(3_000_000), type="video/mp4")
    soon, late = made.rows
    holding = made.holding()
    (path,) = tmp_path.glob("*.warc*")
    with ReplayServer(holding) as server:
        os.truncate(path, late.offset + 2_000_000)
        with pytest.raises((http.client.IncompleteRead, ConnectionError)):
            server.ask(f"{T}http://a.test/late")
        os.truncate(path, soon.offset + 150_000)
        broken = server.ask(f"{T}http://a.test/soon")
        assert broken.status == 502
        assert "not a whole record" in broken.text


def test_urls_as_others_write_them(tmp_path):
    """An index of other programs may spell URLs differently, or not in ASCII; nobody is sent in circles."""
    made = Archive(folder=tmp_path).keep("http://a.test/~owl", PAGE).keep("http://a.test/caf%C3%A9", PAGE)
    made.keep("http://a.test/%E9", PAGE)
    made.rows[0] = replace(made.rows[0], url="http://a.test/%7Eowl")
    made.rows[1] = replace(made.rows[1], url="http://a.test/café")
    with ReplayServer(made.holding()) as server:
        assert server.ask(f"{T}http://a.test/~owl").status == 200
        assert server.ask("/2026/http://a.test/%7Eowl").headers["Location"] == f"{T}http://a.test/%7Eowl"
        assert server.ask(f"{T}http://a.test/%7Eowl").status == 200
        assert server.ask("/2026/http://a.test/caf%C3%A9").headers["Location"] == f"{T}http://a.test/caf%C3%A9"
        assert server.ask(f"{T}http://a.test/caf%C3%A9").status == 200
        assert server.ask(f"{T}http://a.test/%E9").status == 200


def test_xhtml_stays_well_formed(tmp_path):
    """Script and banner of ours do not break what is read as XML."""
    head = b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head>'
    page = head + b'<body><a href="/b"/></body></html>'
    made = Archive(folder=tmp_path).keep("http://a.test/?a=1&b=2", page, type="application/xhtml+xml")
    with ReplayServer(made.holding()) as server:
        answer = server.ask(f"{T}http://a.test/?a=1&b=2")
        tree = ElementTree.fromstring(answer.body)  # noqa: S314 - our own server
        assert "Archived copy" in "".join(tree.itertext())
        assert tree.find(".//{*}a").get("href") == f"{T}http://a.test/b"


# --- who may see what


def test_closed_captures_say_why(server):
    """A capture under a rule is closed with its reason; one that must not be known of is not archived."""
    closed = server.ask(f"{T}http://a.test/closed")
    assert closed.status == 451
    assert "Under embargo." in closed.text
    assert "Owls" not in closed.text
    rooms = server.ask(f"{T}http://a.test/rooms")
    assert (rooms.status, "No permission opens it." in rooms.text) == (403, True)
    hidden = server.ask(f"{T}http://a.test/hidden")
    assert hidden.status == 404
    assert "Never heard of" not in hidden.text
    for name in ("closed", "hidden"):
        assert server.ask(f"/timemap/link/http://a.test/{name}").status == 404
        assert server.ask(f"/timegate/http://a.test/{name}").status == 404
    assert "/hidden" not in server.ask(f"{T}http://a.test/nothing").text


def test_banner_carries_the_statement(server):
    """Copyright, its link and special requirements stand beside what they are about."""
    text = server.ask(f"{T}http://a.test/owned").text
    assert "&#169; The owls" in text
    assert 'href="https://rights.test/"' in text
    assert "Quote the source." in text
    assert "The owls" not in server.ask(f"{T}http://a.test/").text


# --- what is not there


def test_missing_page_offers_the_patch_list(archive):
    """A URL without a capture can be wished for, once, and only by pressing the button."""
    holding = archive.holding()
    with ReplayServer(holding) as server:
        missing = server.ask(f"{T}http://a.test/missing?x=1")
        assert missing.status == 404
        assert f'<a href="{T}http://a.test/style.css"' not in missing.text
        assert f'href="{T}http://a.test/"' in missing.text
        fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', missing.text))
        assert fields["url"] == "http://a.test/missing?x=1"
        body = urlencode(fields).encode()
        sent = {"method": "POST", "body": body, "Sec_Fetch_Site": "same-origin"}
        assert server.ask("/_opilio/patch", **{**sent, "Sec_Fetch_Site": "cross-site"}).status == 403
        assert server.ask("/_opilio/patch", **sent, Sec_Fetch_Mode="cors").status == 403
        other = urlencode({**fields, "url": "http://a.test/other"}).encode()
        assert server.ask("/_opilio/patch", **{**sent, "body": other}).status == 403
        assert holding.patches.wishes() == []
        assert server.ask("/_opilio/patch", **sent, Sec_Fetch_Mode="navigate").status == 303
        old = {"method": "POST", "body": body}  # a browser that tells its origin only
        assert server.ask("/_opilio/patch", **old, Origin="http://evil.test").status == 403
        assert server.ask("/_opilio/patch", **old, Origin=f"http://{server.host()}").status == 303
        assert [wish.url for wish in holding.patches.wishes()] == ["http://a.test/missing?x=1"]
        assert "It is on the patch list" in server.ask(f"{T}http://a.test/missing?x=1").text
        quiet = server.ask(f"{T}http://a.test/missing.png", Sec_Fetch_Dest="image")
        assert (quiet.status, quiet.body) == (404, b"Not archived.\n")


@pytest.mark.parametrize(
    "path", [f"{T}http://[", f"{T}http://", "/2026/%00", "/x" * 20_000, f"{T}http://a.test/%zz", "/%ff"]
)
def test_odd_paths_are_answered(server, path):
    """Whatever stands in a path, the answer is a page."""
    assert server.ask(path).status in (404, 414)


# --- Memento


def test_timegate_leads_to_the_nearest_capture(server):
    """Without a time to the last one, with one to the nearest, with nonsense to an error."""
    assert server.ask("/timegate/http://a.test/").headers["Location"] == "/20260101140000/http://a.test/"
    asked = server.ask("/timegate/http://a.test/", Accept_Datetime="Thu, 01 Jan 2026 12:50:00 GMT")
    assert (asked.status, asked.headers["Location"]) == (302, "/20260101130000/http://a.test/")
    assert asked.headers["Vary"] == "accept-datetime"
    assert 'rel="original"' in asked.headers["Link"]
    assert server.ask("/timegate/http://a.test/", Accept_Datetime="soon").status == 400
    assert server.ask("/timegate/http://a.test/unknown").status == 404


def test_timemaps_list_the_captures(server):
    """As links and as JSON, oldest first."""
    links = server.ask("/timemap/link/http://a.test/")
    assert links.headers["Content-Type"] == "application/link-format"
    assert re.findall(r'rel="([a-z ]*memento)"', links.text) == ["first memento", "memento", "last memento"]
    listed = json.loads(server.ask("/timemap/json/http://a.test/").body)
    assert [each["datetime"] for each in listed["mementos"]["list"]] == [
        (NOON + timedelta(hours=hours)).isoformat() for hours in range(3)
    ]
    assert server.ask("/timemap/xml/http://a.test/").status == 400


def test_captures_name_their_neighbours(server):
    """Each answer links to its URL, its lists, and the captures around it."""
    link = server.ask("/20260101130000/http://a.test/").headers["Link"]
    base = f"http://{server.host()}"
    assert f'<{base}/20260101120000/http://a.test/>; rel="first prev memento"' in link
    assert f'<{base}/20260101130000/http://a.test/>; rel="memento"' in link
    assert f'<{base}/20260101140000/http://a.test/>; rel="next last memento"' in link
    assert '<http://a.test/>; rel="original"' in link


def test_cdx_server_is_mounted(server):
    """Programs ask for captures in pywb's way, within the same access."""
    lines = server.ask("/cdx?url=http://a.test/").text.splitlines()
    assert [line.split()[1] for line in lines] == ["20260101120000", "20260101130000", "20260101140000"]
    assert server.ask("/cdx?url=http://a.test/hidden").body == b""
