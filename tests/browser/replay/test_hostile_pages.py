"""Archived pages that try to get out: to the live web, to the curators' cookies, to other windows. None may."""

import http.server
import threading
from pathlib import Path

import pytest

from tests.servers.replayed import Archive, ReplayServer

pytestmark = pytest.mark.browser

HERE = Path(__file__).parent
#: Ways to leave by going elsewhere; each on a page of its own.
LEAVING = {
    "location": "location = live + 'l'",
    "href": "location.href = live + 'l'",
    "assign": "location.assign(live + 'l')",
    "replace": "location.replace(live + 'l')",
    "window.open": "window.open(live + 'l')",
    "open in this window": "window.open(live + 'l', '_self')",
    "top": "top.location = live + 'l'",
    "link": "const a = document.createElement('a'); a.href = live + 'l'; document.body.append(a); a.click()",
    "link to a new window": "const a = document.createElement('a'); a.href = live + 'l';"
    " a.target = '_blank'; a.click()",
    "link by attribute node": "const a = document.createElement('a'); a.attributes.setNamedItem(Object.assign("
    "document.createAttribute('href'), {value: live + 'l'})); a.click()",
    "download": "const a = document.createElement('a'); a.href = live + 'l'; a.download = 'x'; a.click()",
    "form": "const f = document.createElement('form'); f.action = live + 'l'; document.body.append(f); f.submit()",
    "post": "const f = document.createElement('form'); f.method = 'post'; f.action = live + 'l';"
    " document.body.append(f); f.requestSubmit()",
    "refresh": "const m = document.createElement('meta'); m.httpEquiv = 'refresh'; m.content = '0;url=' + live + 'l';"
    " document.head.append(m)",
    "written": "document.open(); document.write('<img src=\"' + live + 'l\"><script src=\"' + live + 'l\"></' +"
    " 'script>');"
    " document.close()",
    "frame": "const f = document.createElement('iframe'); document.body.append(f);"
    " f.contentWindow.top.location = live + 'l'",
    "frame by number": "document.body.append(document.createElement('iframe')); window[0].open(live + 'l')",
    "frame in markup": "</script><iframe></iframe><script>window[0].open('http://live.test/l')",
    "frame by text": "document.body.innerHTML = '<iframe></iframe>'; frames[0].open(live + 'l')",
    "document in a frame": "const f = document.createElement('iframe'); f.srcdoc = '<script>open(\"' + live +"
    " 'l\"); top.location = \"' + live + 'l\"</' + 'script>'; document.body.append(f)",
    "window of a frame": "const f = document.createElement('iframe'); document.body.append(f);"
    " f.contentWindow.open(live + 'l')",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    archive = Archive(folder=tmp_path_factory.mktemp("hostile"))
    archive.keep("http://evil.test/plain", b"<!doctype html><title>plain</title>")
    archive.keep("http://evil.test/markup", (HERE / "markup.html").read_bytes())
    archive.keep(
        "http://evil.test/attack",
        b"<!doctype html><title>x</title><body><script>" + (HERE / "attack.js").read_bytes() + b"</script>",
    )
    archive.keep("http://evil.test/sw.js", b"self.addEventListener('fetch', () => 0)", type="text/javascript")
    for name, script in LEAVING.items():
        page = f"<!doctype html><title>stays</title><body><script>const live = 'http://live.test/'; {script}</script>"
        archive.keep(f"http://evil.test/{name.replace(' ', '-')}", page.encode())
    archive.keep("http://evil.test/meta", b'<meta http-equiv=refresh content="0;url=http://live.test/refresh">')
    archive.keep("http://evil.test/header", b"x", headers=("Refresh: 0;url=http://live.test/header",))
    archive.keep("http://evil.test/moved", b"", status=302, headers=("Location: http://live.test/moved",))
    archive.keep("http://evil.test/cookies", (HERE / "cookies.html").read_bytes())
    archive.keep("http://evil.test/family", (HERE / "family.html").read_bytes())
    with ReplayServer(archive.holding()) as running:
        yield running


def test_the_trap_works(browser, live):
    """What goes to the live web is seen."""
    context = browser.new_context()
    live.visits.clear()
    context.new_page().goto("http://live.test/here")
    context.close()
    assert live.visits[0].startswith("GET /here")


@pytest.fixture(scope="module")
def reader(readers, server):
    return readers(server, "http://evil.test/plain")


@pytest.fixture(scope="module")
def scriptless(readers, server):
    return readers(server, "http://evil.test/plain", java_script_enabled=False)


@pytest.fixture(autouse=True)
def _fresh(live):
    live.visits.clear()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts on", "scripts off"])
def test_markup_asks_nobody(reader, scriptless, live, scripts):
    """Whatever an archived page embeds comes from the archive or not at all, with scripts and without."""
    used = reader if scripts else scriptless
    used.asked.clear()
    page = used.open("http://evil.test/markup")
    page.locator("#ping").click()
    page.wait_for_load_state("networkidle")
    assert live.visits == []
    assert used.outside == []
    assert any("/http://live.test/m-img" in url for url in used.asked)
    assert page.locator("p").first.inner_text() == "text"


def test_scripts_ask_nobody(reader, live):
    """Whatever scripts ask for by any means of a browser is asked of the archive or not at all."""
    page = reader.open("http://evil.test/attack")
    page.wait_for_function("document.title === 'done'")
    assert live.visits == []
    assert any("/http://live.test/fetch" in url for url in reader.asked)
    assert page.evaluate("navigator.serviceWorker.controller") is None


@pytest.mark.parametrize("name", LEAVING)
def test_nobody_is_led_away(reader, server, live, name):
    """A page that sends its reader to the live web sends him to the archive."""
    page = reader.open(f"http://evil.test/{name.replace(' ', '-')}", wait_until="commit")
    page.wait_for_load_state("networkidle")
    assert live.visits == []
    assert page.url.startswith(f"http://r1.replay.localhost:{server.port}/")


@pytest.mark.parametrize("way", ["meta", "header", "moved"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts on", "scripts off"])
def test_redirects_stay_in_the_archive(reader, scriptless, live, way, scripts):
    """Refreshes and redirects lead to the archive's own page about the missing capture."""
    page = (reader if scripts else scriptless).open(f"http://evil.test/{way}", wait_until="commit")
    page.get_by_role("heading", name="Not archived").wait_for()
    assert "/http://live.test/" in page.url
    assert live.visits == []


class Curators:
    """A server under plain `localhost` that gives every visitor a session cookie and notes what comes back."""

    def __init__(self):
        self.asked = asked = []
        self.page = b"<title>curators</title>"
        curators = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append((self.path, self.headers.get("Cookie", "")))
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Set-Cookie", "sessionid=secret; Path=/; HttpOnly")
                self.send_header("Set-Cookie", "csrftoken=token; Path=/")
                self.end_headers()
                self.wfile.write(curators.page)

            def log_message(self, *_):
                """Quiet."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://localhost:{self._server.server_address[1]}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def curators():
    running = Curators()
    yield running
    running.close()


def bare(page, script):
    """Run a script beside the page's own, where nothing of ours stands in its way."""
    session = page.context.new_cdp_session(page)
    frame = session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
    world = session.send("Page.createIsolatedWorld", {"frameId": frame})["executionContextId"]
    found = session.send("Runtime.evaluate", {"expression": script, "contextId": world, "returnByValue": True})
    return found["result"]["value"]


def test_cookies_of_others_are_out_of_reach(readers, server, curators):
    """An archived page neither reads nor plants cookies of the curators' pages, nor the one that lets its reader in."""
    reader = readers(server, "http://evil.test/plain")
    reader.page.goto(curators.url)
    page = reader.open("http://evil.test/cookies")
    assert page.title() == "mine=1"
    read = bare(page, (HERE / "plant.js").read_text())
    assert "sessionid=planted" in read  # on its own host it may
    assert "secret" not in read
    assert "session.1." not in read
    reader.page.goto(curators.url)
    assert curators.asked[-1][1] == "sessionid=secret; csrftoken=token"
    assert reader.open("http://evil.test/plain").title() == "plain"
    reader.page.goto(server.entry)
    assert reader.page.get_by_role("heading", level=1).inner_text() == "Results"


def test_window_that_opened_it_is_out_of_reach(readers, server, curators):
    """A page in another window or a frame of the curators' pages cannot touch them."""
    reader = readers(server, "http://evil.test/plain")
    address = reader.address("http://evil.test/family")
    curators.page = f"<title>curators</title><iframe src='{address}'></iframe>".encode()
    reader.page.goto(curators.url)
    with reader.context.expect_page() as opened:
        reader.page.evaluate(f"void window.open({address!r})")
    other = opened.value
    other.wait_for_function("document.title !== 'x' && document.title !== ''")
    told = other.evaluate("JSON.parse(document.title)")
    assert told["opener"] is None
    assert told["domain"] in ("SecurityError", "r1.replay.localhost")
    assert reader.page.frames[1].url.startswith(("chrome-error:", "about:"))  # it is not even shown there
    assert reader.page.evaluate("window.planted") is None


def test_banner_leads_back_to_the_results(reader, server):
    """The list of results is the one other place that a reader may go to from a page."""
    page = reader.open("http://evil.test/plain")
    page.evaluate(f"void (location.href = 'http://replay.localhost:{server.port}/')")
    page.get_by_role("heading", name="Results", exact=True).wait_for()


def test_service_worker_of_a_page_is_refused(server):
    """A script that is asked for as a service worker is not served, whatever its path."""
    answer = server.ask("/20260101120000/http://evil.test/sw.js", Service_Worker="script")
    assert answer.status == 403
    assert server.ask("/_opilio/sw.js", Service_Worker="script", session=False).status == 200
