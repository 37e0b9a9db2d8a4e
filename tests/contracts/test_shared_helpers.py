"""Several machines at one harvest: each serves hosts of its own, what one loses others fetch, one seals all of it."""

import itertools
import threading
from collections import Counter

import pytest

from opilio.archive.store.disk import DiskStore
from opilio.archive.warc.names import parse_name
from opilio.crawl.engine.brake import Brake
from opilio.works.sealed_crawl import SealedCrawl, results_of
from tests.acceptance.crawl.crawls import plan_for, store_address
from tests.contracts.crawl_stores import KINDS
from tests.contracts.sharing_machines import Falls, Machine, crew
from tests.proofs.almanacs import Almanacs, closest, require_sealed, require_sound_warcs
from tests.servers.http_server import HttpServer

pytestmark = pytest.mark.database
__test__ = "postgres" in KINDS
DELAY = 0.05  # seconds between two requests to a host


@pytest.fixture
def server():
    with HttpServer() as running:
        yield running


@pytest.fixture
def almanacs(server):
    return Almanacs(server=server, hosts=8, pages=25)


@pytest.fixture
def machines(tmp_path):
    store = DiskStore(tmp_path / "store")  # the contract of stores says that S3 is no other
    with store_address("postgres") as address:
        yield [Machine(tmp_path / name, store, address) for name in ("barn", "byre", "shed")]


class Helper(threading.Thread):
    """Helps until the harvest is over, as an agent does: whenever it was not needed it looks again."""

    def __init__(self, machine, over):
        super().__init__(daemon=True)
        self._machine, self._over = machine, over
        self.error = None
        self.busy = threading.Event()
        self.start()

    def run(self):
        try:
            while not self._over.wait(0.05):
                self.busy.set()
                self._machine.helping().help(crew())
                self.busy.clear()
        except Exception as error:  # noqa: BLE001 - told by the thread that waits for it
            self.error = error
        finally:
            self.busy.clear()


def led(machine, helpers, plan, over):
    """Lead to the end with helpers; the sealed folder."""
    wait = threading.Event()

    def alone():
        over.set()
        while any(helper.busy.is_set() for helper in helpers):
            wait.wait(0.05)

    shared = machine.leading(alone=alone)
    summary = shared.run(plan, crew())
    assert summary.whole
    shared.seal(lambda *_: None)
    for helper in helpers:
        helper.join()
        assert helper.error is None, helper.error
    return shared.folder


def test_machines_share_the_hosts_of_a_harvest(almanacs, machines):
    """All of them fetch, no host hurries, and the result has every page once."""
    over, plan = threading.Event(), plan_for(*almanacs.starts(), manners={"delay": DELAY})
    helpers = [Helper(machine, over) for machine in machines[1:]]
    folder = led(machines[0], helpers, plan, over)
    require_sealed(folder.path, almanacs.everything())
    require_sound_warcs(folder.path)
    series = Counter(parse_name(path).series.worker for path in folder.crawl.warcs.iterdir())
    assert len(series) == 3, series
    assert closest(almanacs.server).seconds >= DELAY * 0.9


def test_a_page_limit_is_exact_however_many_machines_fetch(almanacs, machines):
    """Room under the limit is reserved in the store that all share."""
    over, plan = threading.Event(), plan_for(*almanacs.starts(), limits={"pages": 61})
    helpers = [Helper(machine, over) for machine in machines[1:]]
    folder = led(machines[0], helpers, plan, over)
    assert folder.figures()["status"] == "limit"
    assert counted(folder) == 61


def counted(folder):
    """How many pages the sealed report counts."""
    sealed = SealedCrawl(results_of(folder.crawl).result)
    try:
        return sum(page.counted for page in sealed.pages())
    finally:
        sealed.close()


def test_what_a_lost_helper_had_is_fetched_again(almanacs, machines):
    """It fell with captures that nobody else has: they are queued again, and no page is recorded twice."""
    leader, lost, other = machines
    over, brake, plan = threading.Event(), Brake(), plan_for(*almanacs.starts(), manners={"delay": DELAY})
    lost.store.away = True
    watch = Falls(lost, brake, checkpoint=10_000, end=20)
    fallen = Fallen(lost, over, brake, watch)
    folder = led(leader, [Helper(other, over), fallen], plan, over)
    assert fallen.lost
    require_sealed(folder.path, almanacs.everything())
    require_sound_warcs(folder.path)


class Fallen(threading.Thread):
    """A helper that dies with its disk in the middle."""

    def __init__(self, machine, over, brake, watch):
        super().__init__(daemon=True)
        self._machine, self._over, self._brake, self._watch = machine, over, brake, watch
        self.error, self.lost, self.busy = None, False, threading.Event()
        self.start()

    def run(self):
        helping = self._machine.helping(every=3_600, wait=self._dies)
        for _ in itertools.count():
            if self._over.wait(0.05) or self._brake.pulls:
                return
            try:
                helping.help(crew(brake=self._brake, watch=self._watch))
            except Died:
                self.lost = True
                self._machine.lose()
                return

    @staticmethod
    def _dies(seconds):
        raise Died


class Died(Exception):
    """Nothing more comes from it."""
