"""Scripts of archived pages work: what they ask for, in whatever way, is answered from the archive."""

import base64
from pathlib import Path

import pytest

from tests.servers.replayed import Archive, ReplayServer

pytestmark = pytest.mark.browser

HERE = Path(__file__).parent
DOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
JS = "text/javascript"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    page = b"<!doctype html><title>x</title><body><script>" + (HERE / "works.js").read_bytes() + b"</script>"
    archive = Archive(folder=tmp_path_factory.mktemp("scripts"))
    archive.keep("http://site.test/dir/page.html", page)
    archive.keep("http://site.test/dir/data.txt", b"archived", type="text/plain")
    archive.keep("http://site.test/dir/dot.png", DOT, type="image/png")
    archive.keep("http://site.test/dir/dot.png?again", DOT, type="image/png")
    archive.keep("http://site.test/dir/module.js", b"export const word = 'imported'", type=JS)
    archive.keep("http://site.test/late.js", b"window.late('ran')", type=JS)
    # In a worker no script of ours runs, and without a referrer only our service worker can know who asks.
    worker = b"fetch('/dir/data.txt', {referrerPolicy: 'no-referrer'}).then((a) => a.text()).then(postMessage)"
    archive.keep("http://site.test/worker.js", worker, type=JS)
    archive.keep("http://site.test/elsewhere?x=1", b"<title>elsewhere</title>")
    with ReplayServer(archive.holding()) as running:
        yield running


def test_scripts_get_what_they_ask_for(readers, server, live):
    """By relative, root-relative and absolute URLs; by fetch, XHR, workers, pictures, scripts and modules."""
    reader = readers(server, "http://site.test/dir/page.html")
    live.visits.clear()
    page = reader.open("http://site.test/dir/page.html")
    page.wait_for_function("document.title !== 'x'")
    told = page.evaluate("JSON.parse(document.title)")
    assert told == {
        "relative": "archived", "root": "archived", "absolute": "archived", "request": "archived", "xhr": "archived",
        "worker": "archived", "image": "shown", "markup": "shown", "script": "ran", "module": "imported", "post": 405,
        "beacon": True, "refused": "SecurityError", "path": "/20260101120000/http://site.test/elsewhere",
    }  # fmt: skip
    assert live.visits == []
    assert reader.outside == []
    page.reload()
    assert page.title() == "elsewhere"
