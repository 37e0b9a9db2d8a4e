"""Replay over real HTTP: which capture answers, and that its bytes, status and headers are right."""

from tests.contracts.replay.owls import PAGE, T
from tests.servers.replayed import Archive, ReplayServer, original


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
