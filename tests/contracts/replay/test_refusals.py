"""What may not be seen, and what is not there."""

import re
from urllib.parse import urlencode

import pytest

from tests.contracts.replay.owls import T
from tests.servers.replayed import ReplayServer


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
