"""Who is let in to a replay, and with which cookies and scripts."""

import re
from dataclasses import replace
from urllib.parse import urlsplit

from opilio.archive.replay.hosts import HostNames
from opilio.kernel.clock import ManualClock
from tests.contracts.replay.owls import T, open_path
from tests.servers.replayed import NOON, ReplayServer


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
