"""A crawl with its store in a file and in PostgreSQL: the same set, and the same after its parent was killed."""

import os
import secrets
import signal
import subprocess
import threading

import pytest

from opilio.works.crawl_folder import StoreAddress
from opilio.works.crawl_story import report
from opilio.works.crawl_to_archive import Crew, crawl, resume
from tests.acceptance.crawl.crawls import CAPTURED, OPILIO, plan_for, responses
from tests.servers.http_server import HttpServer
from tests.servers.large_site import LargeSite
from tests.servers.postgres import create_database, drop_database

pytestmark = pytest.mark.database
SITE = LargeSite(pages=60)


@pytest.fixture
def server():
    with HttpServer() as running:
        yield running


@pytest.fixture
def address(database_engine):
    if database_engine == "sqlite":
        yield StoreAddress()
        return
    place = os.environ["OPILIO_TEST_POSTGRES_URL"]
    name = f"opilio_{secrets.token_hex(8)}"
    yield StoreAddress(url=create_database(place, name))
    drop_database(place, name)


def starts(server):
    return [server.url(f"{SITE.base}/", host=f"h{number}.localhost") for number in range(3)]


def everything(server):
    paths = [*SITE.page_paths(), *SITE.asset_paths()]
    return {server.url(path, host=f"h{number}.localhost") for number in range(3) for path in paths}


@pytest.mark.parametrize("workers", [1, 2])
def test_the_same_set_in_either_database(server, address, tmp_path, workers):
    """With one worker and with two."""
    summary = crawl(plan_for(*starts(server)), tmp_path / "out", Crew(workers=workers, address=address))
    assert set(summary.report["outcomes"]) <= CAPTURED
    assert sum(summary.report["outcomes"].values()) == len(everything(server))
    records = responses(tmp_path / "out")
    assert {url: records[url] for url in everything(server)} == dict.fromkeys(everything(server), 1)


def test_a_killed_crawl_goes_on_in_either_database(server, address, tmp_path):
    """The leases of the dead run out or are ended; nothing is lost or kept twice."""
    folder = tmp_path / "out"
    command = [*OPILIO, "crawl", *starts(server), "--into", str(folder), "--preset", "own-site", "--allow-private"]
    command += ["--store", address.url] if address.url else []
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    log, tick = folder / "logs" / "crawl.log", threading.Event()
    while process.poll() is None and not (log.exists() and len(log.read_bytes().splitlines()) > 20):
        tick.wait(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    before = report(folder, address)
    assert 0 < before["pages"] < len(everything(server))
    summary = resume(folder, Crew(address=address))
    assert set(summary.report["outcomes"]) <= CAPTURED
    assert sum(summary.report["outcomes"].values()) == len(everything(server))
    records = responses(folder)
    assert {url: records[url] for url in everything(server)} == dict.fromkeys(everything(server), 1)
