"""A worker that sleeps past its lease: others do its work, and what it did is void."""

import contextlib
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from opilio.crawl.engine.settings import EngineSettings
from opilio.kernel.clock import SYSTEM
from opilio.works.crawl_folder import CrawlFolder
from opilio.works.crawl_to_archive import Crew, crawl
from tests.acceptance.crawl.crawls import plan_for, worker_processes
from tests.proofs.almanacs import Almanacs, require_once, require_sealed, require_sound_warcs

SHORT = EngineSettings(ttl=1.5, claim_every=0.3, look_every=0.2, commit_every=0.3, pause=0.05, quiet=1.0)
PATIENCE = 120.0  # seconds
DELAY = 0.05  # seconds between two pages of a host, so that there is time to stop a worker at its work
OPEN = ".warc.gz.open"
_STUCK = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'idle in transaction' AND state_change < now() - interval '0.2 s'
"""

pytestmark = [pytest.mark.database, pytest.mark.proof]


def stands_in_a_transaction(address):
    """Whether a connection has been left in the middle of a transaction, where it holds up everybody else."""
    if not address.url:
        return False
    with psycopg.connect(address.url) as connection:
        return connection.execute(_STUCK).fetchone() != (0,)


def committed(folder, address, file):
    """How many bytes of a WARC file count."""
    with contextlib.closing(CrawlFolder(folder).open(address, read_only=True)) as store:
        return {each.file: each.committed for each in store.warcs()}.get(file.name.removesuffix(".open"), 0)


def recorded(folder, address):
    with contextlib.closing(CrawlFolder(folder).open(address, read_only=True)) as store:
        return store.counts(SYSTEM.now().timestamp()).pages


def put_to_sleep(folder, address):
    """Stop a worker that has captures on the disk which it has not committed."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and not (folder / "results").exists():
        for process in worker_processes():
            process.suspend()
            time.sleep(0.3)  # what it asked of the store before is done by now
            file = next((Path(each.path) for each in process.open_files() if each.path.endswith(OPEN)), None)
            tail = file is not None and 0 < committed(folder, address, file) < file.stat().st_size
            if tail and not stands_in_a_transaction(address):
                return process, file
            process.resume()
            time.sleep(0.1)
    raise AssertionError("no worker could be stopped between a capture and its commit")


def test_stopped_past_its_lease(server, address, tmp_path, capfd):
    """The others do everything; awake again, the worker is refused, cuts its captures off and records nothing."""
    almanacs, folder = Almanacs(server=server, hosts=5, pages=60), tmp_path / "out"
    urls = almanacs.everything()
    crew = Crew(workers=3, address=address, settings=SHORT)
    with ThreadPoolExecutor(1) as threads:
        summary = threads.submit(crawl, plan_for(*almanacs.starts(), manners={"delay": DELAY}), folder, crew)
        while not (folder / "logs" / "crawl.log").exists():
            time.sleep(0.02)
        sleeper, file = put_to_sleep(folder, address)
        try:
            length, end = committed(folder, address, file), time.monotonic() + PATIENCE
            while recorded(folder, address) < len(urls) and time.monotonic() < end:
                time.sleep(0.1)
            assert recorded(folder, address) == len(urls)
            assert file.stat().st_size > length == committed(folder, address, file)
        finally:
            sleeper.resume()
        assert summary.result(PATIENCE).ended.ending == "finished"
    assert "crawl_fenced" in capfd.readouterr().err
    assert file.with_name(file.name.removesuffix(".open")).stat().st_size == length
    require_once(folder, address, urls)
    require_sealed(folder, urls)
    require_sound_warcs(folder)
