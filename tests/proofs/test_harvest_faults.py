"""Faults around harvests, with real agents: two schedulers, a place that cannot be written to, a full disk, a database
that is away, a clock that jumps. Each harvest ends once, whole, without anybody's repair.
"""

import contextlib
import random
import sqlite3
import subprocess
import sys
import time
from urllib.parse import urlsplit

import pytest

from tests import nursery
from tests.harvests import Yard
from tests.proofs.small_disk import SmallDisk
from tests.proofs.test_crawl_clock import WallClock
from tests.proofs.whole_harvests import PAGES, events_of, make_site, require_whole
from tests.servers.cut_wire import CutWire
from tests.servers.http_server import HttpServer

BACK = 6 * 3_600  # seconds
AWAY = 4.0  # seconds without a database, longer than the lease of these agents; five minutes at full counts
SLOW = {"manners": {"preset": "own-site", "delay": 0.2}, "scope": {"kind": "host"}}

pytestmark = [pytest.mark.proof, pytest.mark.timeout(7_200)]

_TICKS = """
import time
from pathlib import Path
from opilio.curation import scheduler
from opilio.curation.harvest_plan import Network
from opilio.people.actor import system
network = Network(allow_private=("127.0.0.0/8",))
while not Path({gate!r}).exists():
    time.sleep(0.001)
for _ in range(3):
    scheduler.tick(system(name="scheduler"), network, should_stop=lambda: False)
"""


@pytest.fixture
def site(tmp_path):
    with HttpServer(site=make_site(tmp_path / "site")) as server:
        yield server


@pytest.fixture
def yard(installation):
    return Yard(installation=installation, settings=SLOW)


def test_two_schedulers_at_once_hand_each_harvest_over_once(yard, site, tmp_path, proof_scale):
    """As when a lease was lost without its holder knowing: one event and one job for each."""
    harvests = yard.plan(site.url("/p0.html?h={number}"), port=site.port, count=10 * proof_scale)
    gate = tmp_path / "gate"
    command = [sys.executable, "-m", "tests.snippet", _TICKS.format(gate=str(gate))]
    env = dict(yard.installation.env)
    schedulers = [nursery.Process(command, env=env, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    gate.touch()
    told = [process.communicate(timeout=600)[1] for process in schedulers]
    assert [process.returncode for process in schedulers] == [0, 0], told
    for harvest in harvests:
        assert yard.events(harvest) == ["queue"]
    assert yard.rows("SELECT count(*) FROM job WHERE kind = 'curation.run_harvest'") == [(len(harvests),)]


@pytest.fixture
def disk(installation):
    found = SmallDisk(installation.home / "harvests")
    yield found
    found.remove()


def trouble(yard, harvest):
    """What its log tells of trouble."""
    query = f"SELECT reason FROM harvest_event WHERE harvest_id = {harvest} AND name = 'trouble' ORDER BY number"
    return [reason for (reason,) in yard.rows(query)]


def test_a_place_that_cannot_be_used_and_a_full_disk(yard, disk, tmp_path, random_number):
    """The log names place and remedy; put off without losing an attempt, the harvest goes on once there is room."""
    filling = random.Random(random_number).randbytes(100_000)
    disk.path.write_text("something lies where harvests should")
    with HttpServer(site=make_site(tmp_path / "site", filling=filling)) as site:
        (harvest,) = yard.plan(site.url("/p0.html"), port=site.port)
        with yard.agent():
            yard.until(lambda: trouble(yard, harvest), "nothing was told")
            disk.path.unlink()
            disk.make(1_000_000)
            yard.until(lambda: len(trouble(yard, harvest)) == 2, "the disk was never full")
            disk.grow()
            yard.wait_for(harvest, "harvested", "aborted")
        require_whole(yard, harvest)
    unusable, full = trouble(yard, harvest)
    assert "harvests" in unusable
    assert "the disk is full" in full.lower()
    assert "Free some space" in full
    assert yard.rows("SELECT state, attempts FROM job WHERE kind = 'curation.run_harvest'") == [("done", 1)]


@contextlib.contextmanager
def on_a_wire(yard):
    """The environment of an agent whose database can be taken away, and how to do that for so many seconds."""
    url = yard.installation.database_url
    if not url:
        yield {}, lambda seconds: locked_out(yard.installation.home / "catalogue.db", seconds)
        return
    parts = urlsplit(url)
    with CutWire(parts.port) as wire:
        there = parts._replace(netloc=parts.netloc.replace(f":{parts.port}", f":{wire.port}"))

        def away(seconds):
            wire.cut()
            time.sleep(seconds)
            wire.mend()

        yield {"OPILIO_DATABASE_URL": there.geturl()}, away


def locked_out(path, seconds):
    """Let nobody write to a SQLite database for so long."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None, timeout=60)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        time.sleep(seconds)
        connection.execute("ROLLBACK")


def test_a_database_that_is_away(yard, site, proof_scale, record_property):
    """Longer than leases last, while harvests run: they end whole, each once, when it is back."""
    seconds = AWAY if proof_scale == 1 else 15.0 * proof_scale
    record_property("seconds away", seconds)
    harvests = yard.plan(site.url("/p0.html?h={number}"), port=site.port, count=2)
    with on_a_wire(yard) as (env, away), yard.agent(**env) as agent:
        for harvest in harvests:
            yard.wait_for(harvest, "running")
        away(seconds)
        for harvest in harvests:
            yard.wait_for(harvest, "harvested", "aborted")
        assert agent.poll() is None, yard.logs()[-3000:]
    for harvest in harvests:
        require_whole(yard, harvest)


def test_a_clock_that_jumps(yard, site, tmp_path):
    """Back by hours while it runs, then ahead: the harvest is run once, and the log stays in order."""
    clock = WallClock(tmp_path / "clock")
    (harvest,) = yard.plan(site.url("/p0.html"), port=site.port)
    with yard.agent(**clock.env):
        yard.wait_for(harvest, "running")
        yard.until(lambda: len(site.log()) > PAGES // 4)
        clock.set(-BACK)
        yard.until(lambda: len(site.log()) > PAGES // 2)
        clock.set(BACK)
        yard.wait_for(harvest, "harvested", "aborted")
    require_whole(yard, harvest)
    assert [one.name for one in events_of(yard, harvest)].count("begin") == 1
