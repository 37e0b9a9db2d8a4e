"""kill -9 at random moments of build, publish and rollback: every node serves one whole generation each time."""

import contextlib
import json
import random
import subprocess
import sys
import threading
import time
from contextlib import ExitStack

import pytest

from opilio.search.generations.library import Generations
from opilio.search.generations.verify import verify
from tests import nursery
from tests.contracts.generations_tiny import TinyContents
from tests.contracts.nodes_process import publishing
from tests.proofs.publish_readers import PATIENCE, Readers, ask
from tests.proofs.test_publish_nodes import Fleet, pause
from tests.servers.process import ROOT

KILLS = 8  # multiplied by the scale
WORKS = ("build", "publish", "rollback")
ROLES = ("content", "primary", "backup")
UNFINISHED = (".building-", ".copying-", ".removing-", ".link-")

pytestmark = [pytest.mark.proof, pytest.mark.timeout(7_200)]


class Mortal:
    """A process whose children build, publish and roll back, and die on the way."""

    def __init__(self, index, errors):
        self._index = index
        command = [sys.executable, "-m", "tests.contracts.nodes_process", "mortal"]
        self._process = nursery.Process(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
        )

    def order(self, work, number, *, event=None, seconds=None):
        order = {"work": work, "index": str(self._index), "number": number, "event": event, "seconds": seconds}
        print(json.dumps(order), file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())

    def close(self):
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()


@pytest.fixture
def fleet(tmp_path):
    with ExitStack() as stack:
        yield Fleet(tmp_path, stack)


@pytest.fixture
def mortal(fleet, tmp_path):
    with (tmp_path / "mortal.errors").open("wb") as errors:
        found = Mortal(fleet.index, errors)
        yield found
        found.close()


def require_sound(fleet):
    """Every node serves a generation that verifies, and answers from it."""
    for each in publishing(fleet.index).status():
        assert each.generation, each
        if each.node != "backup":
            folder = fleet.index.parent / each.node / "current"
            assert verify(folder.resolve(), TinyContents()).id == each.generation
    for name, address in fleet.addresses.items():
        assert ask(address) >= 0, name
    generations = Generations(fleet.index / "generations")
    for name in generations.ids():
        verify(generations.path(name), TinyContents())


def wait_for(fleet, number):
    """Until every process answers from the generation; the second one of a node follows a moment later."""
    end, tick = time.monotonic() + PATIENCE, threading.Event()
    while {ask(address) for address in fleet.addresses.values()} != {number}:
        assert time.monotonic() < end
        tick.wait(0.02)


def leftovers(folder):
    return [path for path in folder.rglob(".*") if path.name.startswith(UNFINISHED)]


def test_kills_leave_whole_generations(fleet, mortal, tmp_path, proof_scale, random_number, record_property):
    """After each kill every node serves; then the same work is done to its end, and nothing is left over."""
    chance = random.Random(random_number)
    kills, killed, number = KILLS * proof_scale, 0, 0
    events, spent = {}, {"build": 0.1, "publish": 0.6, "rollback": 0.4}
    for work in WORKS:
        number += 1
        said = mortal.order(work, number)
        assert said["code"] == 0, (tmp_path / "mortal.errors").read_text()
        events[work] = said["events"]
    with Readers(fleet.addresses, pause=pause(proof_scale)) as readers:
        while killed < kills:
            work = chance.choice(WORKS)
            number += 1
            if work != "build":
                assert mortal.order("build", number)["code"] == 0
            if work == "rollback":
                assert mortal.order("publish", number)["code"] == 0
            if chance.random() < 0.7:
                said = mortal.order(work, number, event=chance.randint(1, events[work]))
            else:
                said = mortal.order(work, number, seconds=chance.random() * spent[work])
            assert said["code"] in (0, -9), (tmp_path / "mortal.errors").read_text()
            killed += said["code"] == -9
            require_sound(fleet)
            assert readers.faults == []
            again = "build" if work == "build" else "publish"
            assert mortal.order(again, number)["code"] == 0, (tmp_path / "mortal.errors").read_text()
            assert mortal.order("publish", number)["code"] == 0, (tmp_path / "mortal.errors").read_text()
            assert leftovers(tmp_path) == []
            wait_for(fleet, number)
    assert readers.faults == []
    record_property("kills", killed)
    record_property("answers", readers.answers)


def test_kills_before_each_step(tmp_path, proof_scale, random_number, record_property):
    """Without services: killed before anything that it does to a file, no work leaves a broken generation or link."""
    index = tmp_path / "index"
    index.mkdir()
    tables = [f'[[node]]\nname="{role}"\nrole="{role}"\nplace="{tmp_path / role}"\n' for role in ROLES]
    (index / "nodes.toml").write_text("\n".join(tables))
    killed, number, chance = 0, 0, random.Random(random_number)
    with (tmp_path / "mortal.errors").open("wb") as errors, contextlib.closing(Mortal(index, errors)) as mortal:
        for work in ("build", "publish", *WORKS):
            number += 1
            said = mortal.order(work, number)
            assert said["code"] == 0, (tmp_path / "mortal.errors").read_text()
        steps = {"build": mortal.order("build", number)["events"], "publish": mortal.order("publish", number)["events"]}
        for work, total in steps.items():
            stride = max(1, total // (12 * proof_scale))
            for event in range(1 + chance.randrange(stride), total + 1, stride):
                number += 1
                if work == "publish":
                    assert mortal.order("build", number)["code"] == 0
                killed += mortal.order(work, number, event=event)["code"] == -9
                require_whole(index, *(tmp_path / role for role in ROLES))
                assert mortal.order("publish", number)["code"] == 0, (tmp_path / "mortal.errors").read_text()
                assert leftovers(tmp_path) == []
    record_property("kills", killed)


def require_whole(index, *nodes):
    """Everything that bears the name of a generation is one, and every node serves one."""
    for folder in (index, *nodes):
        generations = Generations(folder / "generations")
        for name in generations.ids():
            verify(generations.path(name), TinyContents())
    for folder in nodes:
        assert verify((folder / "current").resolve(), TinyContents())
