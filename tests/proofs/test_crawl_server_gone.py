"""A server that dies in the middle of a crawl and comes back: its hosts rest meanwhile, and nothing is missing."""

import contextlib
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from opilio.crawl.breaker import Fuse
from opilio.crawl.engine.brake import Brake
from opilio.crawl.manners import PRESETS
from opilio.crawl.plan import Preset
from opilio.works.crawl_folder import CrawlFolder
from opilio.works.crawl_to_archive import Crew, crawl, resume
from tests.acceptance.crawl.crawls import plan_for
from tests.proofs.almanacs import Almanacs, require_once, require_sealed
from tests.servers.http_server import HttpServer
from tests.sites.crawling import QUICK

PATIENCE = 120.0  # seconds
HOSTS = 3

pytestmark = pytest.mark.proof


@pytest.fixture
def short_rests(monkeypatch):
    """Rests of seconds instead of minutes."""
    pace = replace(PRESETS[Preset.OWN_SITE], backoff=0.1, fuse=Fuse(rest=2.0))
    monkeypatch.setitem(PRESETS, Preset.OWN_SITE, pace)


def until(found):
    """What is found at last."""
    end = time.monotonic() + PATIENCE
    while not (got := found()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return got


def resting(folder, address):
    """The hosts whose circuit breaker is open, by what the store was told."""
    with contextlib.closing(CrawlFolder(folder).open(address, read_only=True)) as store:
        return [host for host in store.hosts() if host.broken_until]


@pytest.mark.parametrize("stopped", [False, True], ids=["goes on", "is stopped and resumed"])
def test_a_server_that_comes_back(short_rests, address, tmp_path, stopped):
    """Its hosts rest after errors in a row; once it answers again every page is there, once."""
    folder, brake = tmp_path / "out", Brake()
    with HttpServer() as server, ThreadPoolExecutor(1) as threads:
        almanacs = Almanacs(server=server, hosts=HOSTS, pages=40)
        plan = plan_for(*almanacs.starts(), manners={"breaker": 3})
        summary = threads.submit(crawl, plan, folder, Crew(address=address, settings=QUICK, brake=brake))
        until(lambda: len(server.log()) > 60)
        server.kill()
        assert until(lambda: (folder / "crawl.db").exists() or address.url)
        until(lambda: resting(folder, address))
        if stopped:
            brake.pull()
            assert summary.result(PATIENCE).ended.ending == "stopped"
        with HttpServer(port=server.port) as again:
            ended = resume(folder, Crew(address=address, settings=QUICK)) if stopped else summary.result(PATIENCE)
            asked = len(server.log()) + len(again.log())
    urls = almanacs.everything()
    assert ended.ended.ending == "finished"
    assert asked <= len(urls) + 2 * HOSTS + HOSTS  # robots.txt, and what was under way when it died
    require_once(folder, address, urls)
    require_sealed(folder, urls)
