"""Seed A requirement 7: a crawl recovers from interruption without loss."""

import collections
import json
import os
import signal
import subprocess
import threading

import pytest

from opilio.works.crawl_orders import Orders
from opilio.works.crawl_to_archive import Crew, resume
from opilio.works.seal_at_end import Sealing
from tests import nursery
from tests.acceptance.crawl.crawls import responses
from tests.sites.again import Folder
from tests.sites.crawling import QUICK

NAMES = [f"page{number}" for number in range(10, 30)]
PAGES = ["", *(f"{name}.html" for name in NAMES)]


@pytest.fixture
def site(again):
    """A start with twenty pages; each has a title and a meta tag."""
    again.write(
        index="".join(f'<a href="{name}.html">x</a>' for name in NAMES),
        **{name: f'<meta name="author" content="{name}">' for name in NAMES},
    )
    return again


def killed(site, folder):
    """Crawl by command, slowly, and kill it once two pages are recorded and many wait."""
    start = site.sites.url(f"{site.site.name}/")
    options = ["--preset", "own-site", "--allow-private", "--delay", "0.3", "--scope", "host", "--keep-open"]
    command = [*nursery.OPILIO, "crawl", start, "--into", str(folder), *options]
    process = nursery.Process(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    log, tick = folder / "logs" / "crawl.log", threading.Event()
    while process.poll() is None and not (log.exists() and log.read_bytes().count(b"\n") >= 2):
        tick.wait(0.02)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL


def asked(site):
    """How often each page was asked for."""
    entries = [each for each in site.sites.server.log() if each.host == f"{site.site.name}.localhost"]
    return collections.Counter(each.target.removeprefix("/") for each in entries if each.target != "/robots.txt")


def test_a_killed_crawl_loses_nothing_and_does_nothing_twice(site, tmp_path):
    """What was stored stays as it is, with title and meta tags, and is not asked for again; the rest is fetched."""
    folder = tmp_path / "out"
    killed(site, folder)
    before = Folder(folder).pages
    assert 2 <= len(before) < len(PAGES)
    Orders(folder=folder, by="curator").delay(0)
    resume(folder, Crew(settings=QUICK, sealing=Sealing(keep_open=True)))
    after = Folder(folder)
    assert sorted(after.pages) == PAGES
    assert {path: after.pages[path] for path in before} == before
    assert {asked(site)[path] for path in before} == {1}
    records = responses(folder)
    assert {records[page.url] for page in after.pages.values()} == {1}
    pages = [after.pages[f"{name}.html"] for name in NAMES]
    assert [(page.title, json.loads(page.meta)) for page in pages] == [(name, [["author", name]]) for name in NAMES]
