"""A browser for which every name ending in .test leads to a trap, and pages that it reaches through replay."""

import shutil
from urllib.parse import urlencode

import pytest
from playwright.sync_api import sync_playwright

from tests.browser.site import _QUIET
from tests.servers.replayed import LiveWeb


@pytest.fixture(scope="module")
def live():
    """The live web: whatever leaves replay arrives here."""
    with LiveWeb() as running:
        yield running


@pytest.fixture(scope="module")
def browser(live):
    """The system's Chromium."""
    rules = f"--host-resolver-rules=MAP *.test 127.0.0.1:{live.port}"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=[*_QUIET, rules])
        try:
            yield running
        finally:
            running.close()


class Reader:
    """Somebody who came by the list of results; opens archived pages, each in a tab of its own."""

    def __init__(self, browser, server, url, **options):
        self.context = browser.new_context(reduced_motion="reduce", **options)
        self.server = server
        self.asked = []
        self.context.on("request", lambda request: self.asked.append(request.url))
        self.page = self.context.new_page()
        self.page.goto(server.entry)
        self.page.goto(f"http://replay.localhost:{server.port}/open?{urlencode({'result': 1, 'url': url})}")
        self.page.wait_for_url(lambda address: "open?" not in address)

    def address(self, url):
        """Where a capture of the first of January 2026 stands."""
        return f"http://r1.replay.localhost:{self.server.port}/20260101120000/{url}"

    def open(self, url, **options):
        """A page of the archive."""
        page = self.context.new_page()
        page.set_default_timeout(15_000)
        page.goto(self.address(url), **options)
        return page

    @property
    def outside(self):
        """What the browser asked of others than replay."""
        hosts = ("r1.replay.localhost", "replay.localhost")
        own = tuple(f"http://{host}:{self.server.port}/" for host in hosts)
        return [url for url in self.asked if not url.startswith((*own, "data:", "blob:", "about:"))]


@pytest.fixture(scope="module")
def readers(browser):
    """Makes readers."""
    made = []

    def reader(server, url, **options):
        made.append(Reader(browser, server, url, **options))
        return made[-1]

    yield reader
    for each in made:
        each.context.close()
