"""Harvests of machines that share a store and no disk: what a machine had not brought there is fetched again, once."""

import secrets

import pytest

from opilio.archive.store.addresses import open_store
from opilio.crawl.engine.brake import Brake
from opilio.crawl.engine.ending import Ending
from opilio.works.sealed_crawl import results_of
from tests.acceptance.crawl.crawls import plan_for, store_address
from tests.contracts.sharing_machines import HARVEST, Falls, Machine, crew
from tests.proofs.almanacs import Almanacs, require_sealed, require_sound_warcs
from tests.servers.http_server import HttpServer

pytestmark = pytest.mark.database


@pytest.fixture
def store(s3):
    name = s3.make_bucket(f"shared-{secrets.token_hex(8)}")
    return open_store(f"s3://{name}/work", s3.options())


@pytest.fixture
def server():
    with HttpServer() as running:
        yield running


@pytest.fixture
def address(database_engine):
    with store_address(database_engine) as found:
        yield found


@pytest.fixture
def almanacs(server):
    return Almanacs(server=server, hosts=4, pages=30)


def silent(step, done, total):
    """Nobody looks."""


def finished(machine, plan):
    """Lead the harvest to its end, and seal it."""
    shared = machine.leading()
    summary = shared.run(plan, crew())
    assert summary is None or summary.whole
    shared.seal(silent)
    return shared.folder


def test_a_sealed_harvest_reaches_other_machines(almanacs, store, address, tmp_path):
    """Result, index, report and captures of one machine are read on another, byte by byte the same."""
    plan = plan_for(*almanacs.starts())
    one, other = (Machine(tmp_path / name, store, address) for name in ("one", "other"))
    made = finished(one, plan)
    other.work.bring(HARVEST, captures=False)
    light = other.leading().folder
    assert light.sealed()
    assert not light.crawl.warcs.exists()
    other.work.bring(HARVEST, captures=True)
    require_sealed(light.path, almanacs.everything())
    assert light.crawl.index.read_bytes() == made.crawl.index.read_bytes()
    assert {file.name for file in light.crawl.warcs.iterdir()} == {file.name for file in made.crawl.warcs.iterdir()}
    assert not list(store.list(f"harvests/{HARVEST}/parts"))


def test_a_lost_machine_loses_one_checkpoint_at_most(almanacs, store, address, tmp_path):
    """What it had not uploaded is fetched again by the one that goes on; every page is in the result once."""
    plan, brake, lost = plan_for(*almanacs.starts()), Brake(), Machine(tmp_path / "lost", store, address)

    watch = Falls(lost, brake, checkpoint=40, end=70)
    summary = lost.leading(every=3_600).run(plan, crew(brake=brake, watch=watch))
    assert summary.ended.ending is Ending.ABORTED
    lost.lose()
    before = len(almanacs.server.log())
    taking = Machine(tmp_path / "taking", store, address)
    folder = finished(taking, plan)
    require_sealed(folder.path, almanacs.everything())
    require_sound_warcs(folder.path)
    again = len(almanacs.server.log()) - before
    assert again < len(almanacs.everything()), "the taking machine began anew"


def test_a_harvest_goes_on_while_the_store_is_away(almanacs, store, address, tmp_path):
    """The crawl does not wait for it; the last checkpoint does, and nothing is lost."""
    plan, machine, waited = plan_for(*almanacs.starts()), Machine(tmp_path / "one", store, address), []

    def wait(seconds):
        waited.append(seconds)
        machine.store.away = len(waited) < 3

    shared = machine.leading(every=0.05, wait=wait)
    summary = shared.run(plan, crew(watch=lambda progress: setattr(machine.store, "away", not waited)))
    assert summary.whole
    assert waited == [1.0, 2.0, 4.0][: len(waited)]
    assert waited
    shared.seal(silent)
    require_sealed(shared.folder.path, almanacs.everything())
    assert results_of(shared.folder.crawl).whole
