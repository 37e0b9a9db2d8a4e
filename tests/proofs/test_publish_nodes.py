"""Publishing to three nodes while readers ask all the time: no error, no empty answer, no mixed one.

Every page of a generation bears its number, in the index and beside it; an answer must be complete and bear one.
"""

import json
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import psutil
import pytest

from opilio.search.nodes.publishing import Outcome
from tests.contracts.generations_tiny import flip, made
from tests.contracts.nodes_process import TOKEN, publishing, started
from tests.proofs.publish_readers import Readers, ask

TURNS, KILLS = 6, 4  # multiplied by the scale

pytestmark = [pytest.mark.proof, pytest.mark.timeout(7_200)]


def pause(scale):
    """Seconds between two questions of a reader: none at full counts, a little where other tests run beside."""
    return 0.02 if scale == 1 else 0.0


class Fleet:
    """Content and primary in folders, the primary with two processes; the backup behind its service; an endpoint."""

    def __init__(self, tmp_path, stack):
        self.index = tmp_path / "index"
        self.index.mkdir()
        self._stack = stack
        self._folder = tmp_path
        self.processes, self.addresses = {}, {}
        names = ("content", "primary", "backup", "primary-2")
        with ThreadPoolExecutor() as pool:
            for _ in pool.map(self.start, names):
                pass
        self._describe()
        self.made(0)
        assert publishing(self.index).publish().complete
        self.addresses["reader"] = self._begin("reader", "reader", self.index)
        for address in self.addresses.values():
            self.wait_for(address)

    def start(self, name, port=0):
        folder = self._folder / name.removesuffix("-2")
        self.addresses[name] = self._begin(name, "node", folder, TOKEN, port)

    def made(self, number):
        generations = self.index / "generations"
        newest = max((path.name for path in generations.glob("2*")), default="") if generations.exists() else ""
        return made(generations, number, parent=newest).id

    def wait_for(self, address):
        tick = threading.Event()
        while not self.ready(address):
            tick.wait(0.02)

    def ready(self, address):
        try:
            return ask(address) >= 0
        except OSError:
            return False

    def _begin(self, name, *arguments):
        process = started(*arguments, errors=self._folder / f"{name}.errors")
        self.processes[name] = process
        self._stack.enter_context(process)
        return process.address["url"]

    def _describe(self):
        places = {
            "content": str(self._folder / "content"),
            "primary": str(self._folder / "primary"),
            "backup": self.addresses["backup"],
        }
        tables = [
            f'[[node]]\nname = "{name}"\nrole = "{name}"\nplace = {json.dumps(place)}\n'
            f'reader = "{self.addresses[name]}"\n'
            for name, place in places.items()
        ]
        (self.index / "nodes.toml").write_text("\n".join(tables))


@pytest.fixture
def fleet(tmp_path):
    with ExitStack() as stack:
        yield Fleet(tmp_path, stack)


def test_readers_never_notice(fleet, proof_scale, random_number, record_property):
    """Generations come, are damaged and refused, and are rolled back; every answer is whole and of one generation."""
    chance = random.Random(random_number)
    turns, refused, published = TURNS * proof_scale, 0, {0}
    work = publishing(fleet.index)
    with Readers(fleet.addresses, pause=pause(proof_scale)) as readers:
        for turn in range(1, turns + 1):
            name = fleet.made(turn)
            if turn % 3 == 2:
                flip(fleet.index / "generations" / name / "views.txt", chance.randrange(10))
                report = work.publish()
                assert [each.outcome for each in report.nodes] == [
                    Outcome.FAILED, Outcome.UNTOUCHED, Outcome.UNTOUCHED,
                ]  # fmt: skip
                (fleet.index / "generations" / name).rename(fleet.index / f"damaged-{turn}")
                refused += 1
                continue
            report = work.publish(keep=4)
            assert report.complete, report
            published.add(turn)
            if turn % 3 == 0:
                assert work.roll_back().complete
            assert readers.faults == []
    assert readers.faults == []
    for name, seen in readers.seen.items():
        assert set(seen) <= published, name
        assert len(seen) > 1, name
    record_property("generations", len(published))
    record_property("refused", refused)
    record_property("answers", readers.answers)


def test_nodes_that_are_killed(fleet, proof_scale, random_number, record_property):
    """Whichever node is killed while generations come, readers are answered by another, and it comes back whole."""
    chance = random.Random(random_number)
    kills = KILLS * proof_scale
    with Readers({"reader": fleet.addresses["reader"]}, pause=pause(proof_scale)) as readers:
        for kill in range(1, kills + 1):
            name = chance.choice(["primary", "backup"])
            process = fleet.processes[name]
            psutil.Process(process._process.pid).kill()
            fleet.made(kill)
            process.stop()
            fleet.start(name, process.address["port"])
            fleet.wait_for(fleet.addresses[name])
            assert publishing(fleet.index).publish(keep=3).complete
            assert ask(fleet.addresses[name]) == kill
    assert readers.faults == []
    record_property("kills", kills)
    record_property("answers", readers.answers)
