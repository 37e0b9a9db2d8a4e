"""A filled installation behind the real server, and a browser before it."""

import contextlib
import json
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.installations import Installation

ROOT = Path(__file__).parents[2]
PASSWORD = "four unrelated words here"
_FILL = f"import json; from tests.browser.seed import fill; print(json.dumps(fill({PASSWORD!r})))"
_PATIENCE = 120.0  # seconds
_QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-domain-reliability", "--disable-sync", "--no-first-run", "--disable-dev-shm-usage",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Site:
    """Where the pages are, and the identifiers of what was seeded."""

    url: str
    ids: Mapping[str, int]


@dataclass(kw_only=True)
class Watched:
    """A page whose complaints and outside requests are written down."""

    page: Page
    site: Site
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str) -> Page:
        """Go to one of our pages."""
        self.page.goto(f"{self.site.url}{path}", wait_until="load")
        return self.page

    def sign_in(self, username: str = "administrator") -> Page:
        """Sign in by the page, and go past the tour that somebody is shown on the first day."""
        self.open("/sign-in")
        self.page.get_by_label("User name").fill(username)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_url(re.compile(r"/(in-tray|tour)$"))
        if self.page.url.endswith("/tour"):
            self.open("/in-tray")
        return self.page


@contextmanager
def running_site(
    installation: Installation, *, application: str = "opilio.server.asgi:application", fill: str = _FILL
) -> Iterator[Site]:
    """Fill the installation, by code that prints identifiers, and serve it until the block ends."""
    filled = installation.python(fill)
    if filled.returncode:
        raise RuntimeError(f"The installation could not be filled:\n{filled.stderr}")
    port = _free_port()
    command = [sys.executable, "-m", "granian", "--interface", "asginl", "--host", "127.0.0.1", "--port", str(port)]
    server = subprocess.Popen(
        [*command, application], env=dict(installation.env), cwd=installation.home,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        _wait_until_ready(server)
        _wait_until_listening(port)
        yield Site(url=f"http://127.0.0.1:{port}", ids=json.loads(filled.stdout.strip().splitlines()[-1]))
    finally:
        server.terminate()
        server.communicate(timeout=30)


@contextmanager
def running_browser() -> Iterator[Browser]:
    """The system's Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(_QUIET))
        try:
            yield browser
        finally:
            browser.close()


def watched(context: BrowserContext, site: Site) -> Watched:
    """A new page of a context; the browser's errors and requests to other hosts are complaints."""
    page = context.new_page()
    page.set_default_timeout(45_000)
    found = Watched(page=page, site=site)
    page.on("console", lambda message: _note(found, message.type, message.text))
    page.on("pageerror", lambda error: found.complaints.append(f"error: {error}"))
    page.on("request", lambda request: _own(found, site, request.url))
    return found


def _note(found: Watched, kind: str, text: str) -> None:
    expected = re.search(r"status of (401|403|404|409|422|429)", text)  # pages that tell an error on purpose
    if kind in ("error", "warning") and not expected:
        found.complaints.append(f"{kind}: {text}")


def _own(found: Watched, site: Site, url: str) -> None:
    if not url.startswith((site.url, "data:", "blob:")):
        found.complaints.append(f"request to {url}")


def _wait_until_ready(server: "subprocess.Popen[str]") -> None:
    assert server.stdout is not None
    told = []
    for line in server.stdout:
        told.append(line)
        if "Started worker" in line:
            return
    raise RuntimeError(f"The server did not start (code {server.poll()}):\n{''.join(told)}")


def _wait_until_listening(port: int) -> None:
    """Its worker says that it started before it has loaded the pages."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise RuntimeError(f"The server does not listen on port {port}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
