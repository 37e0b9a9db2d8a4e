"""kill -9 at any moment: nothing is lost, nothing is recorded twice, and the files can be cut to what counts."""

import random
import signal
import time

import pytest

from tests.contracts.crawl_store_process import LINE, SEED
from tests.contracts.crawl_store_processes import PATIENCE, cut, go_on, processes, require_complete
from tests.contracts.crawl_stores import KINDS, NOW, plan_for, stores_of

pytestmark = [pytest.mark.database, pytest.mark.proof]


@pytest.fixture(params=[kind for kind in KINDS if kind != "memory"])
def stores(request, tmp_path):
    with stores_of(request.param, tmp_path) as made:
        yield made


@pytest.fixture
def store(stores):
    made = stores.create(plan_for(SEED))
    if stores.kind == "sqlite":
        made.close()
    return made


@pytest.fixture
def start(stores, store, tmp_path):
    with processes(stores, store, tmp_path) as start:
        yield start


def test_a_kill_between_the_record_and_the_commit_loses_nothing(stores, store, start, tmp_path):
    """The record is there and does not count; it is cut off, and the page is fetched again, once."""
    process = start("first", "stop")
    for _ in range(3):
        assert process.stdout.readline() == "written\n"
        go_on(process)
    assert process.stdout.readline() == "written\n"
    process.kill()
    process.wait(PATIENCE)
    again = stores.again(store)
    (file,) = again.warcs()
    path = tmp_path / file.file
    assert path.stat().st_size > file.committed > 0
    assert again.counts(NOW).pages == file.committed // LINE
    cut(again, tmp_path)
    again.evict("first")
    start("second").wait(PATIENCE)
    require_complete(stores.again(store), tmp_path)


def test_kills_at_random_moments(stores, store, start, tmp_path, random_number, proof_scale):
    """Whenever workers are killed, the end is the same: every page once, every record once."""
    chance = random.Random(random_number)
    workers = 1 if stores.kind == "sqlite" else 3
    for turn in range(4 * proof_scale):
        processes = [start(f"w{turn}-{number}") for number in range(workers)]
        time.sleep(chance.random() * 0.4)  # the moment of the kill is the point
        for process in processes:
            process.send_signal(signal.SIGKILL)
        for process in processes:
            process.wait(PATIENCE)
        again = stores.again(store)
        cut(again, tmp_path)
        again.evict(None)
    last = start("last")
    assert last.wait(PATIENCE) == 0
    final = stores.again(store)
    cut(final, tmp_path)
    require_complete(final, tmp_path)
    final.check()
