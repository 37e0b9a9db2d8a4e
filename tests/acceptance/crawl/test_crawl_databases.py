"""A crawl with its store in a file and in PostgreSQL: the same set as in memory, and after its parent was killed."""

import asyncio
import os
import signal
import subprocess
import threading
from collections import Counter

import pytest

from opilio.crawl.engine.settings import EngineSettings
from opilio.crawl.engine.worker import Post, Worker
from opilio.crawl.frontier.memory import MemoryStore
from opilio.kernel.capture import MemorySink
from opilio.works.crawl_story import report
from opilio.works.crawl_to_archive import Crew, crawl, resume
from opilio.works.seal_at_end import Sealing
from tests import nursery
from tests.acceptance.crawl.crawls import CAPTURED, pages_of, plan_for, responses, store_address
from tests.nursery import OPILIO
from tests.servers.http_server import HttpServer
from tests.servers.large_site import LargeSite

pytestmark = pytest.mark.database
SITE = LargeSite(pages=60)
QUICK = EngineSettings(quiet=0.5, commit_every=0.2, pause=0.05)


@pytest.fixture
def server():
    with HttpServer() as running:
        yield running


@pytest.fixture
def address(database_engine):
    with store_address(database_engine) as found:
        yield found


def starts(server):
    return [server.url(f"{SITE.base}/", host=f"h{number}.localhost") for number in range(3)]


def everything(server):
    paths = [*SITE.page_paths(), *SITE.asset_paths()]
    return {server.url(path, host=f"h{number}.localhost") for number in range(3) for path in paths}


def in_memory(plan):
    """The rows of a crawl whose frontier is not kept anywhere, with one worker."""
    store = MemoryStore(plan)

    async def work():
        post = Post(owner="test", worker="w0")
        return await Worker(plan, store=store, sink=MemorySink(), post=post, settings=QUICK).run()

    return asyncio.run(work()), list(store.pages())


@pytest.fixture
def crawled(address, tmp_path):
    """Crawls with so many workers, in the database of this run or, without any, in memory: ending and rows."""

    def run(plan, workers):
        if not workers:
            return in_memory(plan)
        folder = tmp_path / f"with-{workers}"
        crew = Crew(workers=workers, address=address, settings=QUICK, sealing=Sealing(keep_open=True))
        return crawl(plan, folder, crew).ended, pages_of(folder, address)

    return run


def test_the_same_set_with_any_number_of_workers_on_any_frontier(server, crawled, tmp_path):
    """In memory, and in either database with one worker and with four: the same URLs at the same depths, each once."""
    plan = plan_for(*starts(server))
    found = {workers: crawled(plan, workers) for workers in (0, 1, 4)}
    assert {ended.ending for ended, _ in found.values()} == {"finished"}
    rows = {workers: Counter((page.url, page.depth) for page in pages) for workers, (_, pages) in found.items()}
    assert {url for url, _ in rows[0]} == everything(server)
    assert rows[0] == rows[1] == rows[4]
    assert all(page.outcome in CAPTURED for _, pages in found.values() for page in pages)
    for workers in (1, 4):
        records = responses(tmp_path / f"with-{workers}")
        assert {url: records[url] for url in everything(server)} == dict.fromkeys(everything(server), 1)
    assert len(server.log()) == len(found) * (len(everything(server)) + 3)  # robots.txt


def test_a_limit_of_pages_is_exact_with_any_number_of_workers_on_any_frontier(server, crawled):
    """Embeds apart."""
    plan = plan_for(*starts(server), limits={"pages": 57})
    for workers in (0, 1, 4):
        ended, pages = crawled(plan, workers)
        assert sum(page.counted for page in pages) == 57
        assert (ended.ending, ended.limit) == ("limit", "pages")


def test_a_killed_crawl_goes_on_in_either_database(server, address, tmp_path):
    """The leases of the dead run out or are ended; nothing is lost or kept twice."""
    folder = tmp_path / "out"
    command = [*OPILIO, "crawl", *starts(server), "--into", str(folder), "--preset", "own-site", "--allow-private"]
    command += ["--store", address.url] if address.url else []
    process = nursery.Process(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
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
