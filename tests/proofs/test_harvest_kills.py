"""Agents, scheduler and web process are killed at random: harvests end once, in a true state, with every page once.

OPILIO_TEST_PROOF_SCALE multiplies the counts; OPILIO_TEST_SEED chooses who is killed when.
"""

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field

import pytest

from tests.harvests import Yard
from tests.proofs.whole_harvests import make_site, require_whole
from tests.servers.http_server import HttpServer

AGENTS = 2
SLOTS = "3"
SETTINGS = {"manners": {"preset": "own-site", "delay": 0.1}, "scope": {"kind": "host"}}

pytestmark = [pytest.mark.proof, pytest.mark.timeout(7_200)]


@pytest.fixture
def site(tmp_path):
    with HttpServer(site=make_site(tmp_path / "site")) as server:
        yield server


@dataclass(kw_only=True)
class Victims:
    """The processes of an installation, each of which is put in its place again when it was killed."""

    yard: Yard
    stack: contextlib.ExitStack
    port: int
    agents: list[subprocess.Popen] = field(default_factory=list)
    web: subprocess.Popen | None = None
    killed: dict[str, int] = field(default_factory=dict)

    def start(self):
        """All of them."""
        self.agents = [self._agent() for _ in range(AGENTS)]
        self.web = self._web()

    def kill_one(self, chance):
        """Kill one of them, whoever it is, and start another."""
        number = chance.randrange(AGENTS + 1)
        if number == AGENTS:
            self._note("web process")
            self._end_web()
            self.web = self._web()
            return
        victim = self.agents.pop(number)
        self._note("agent with the scheduler" if self._schedules(victim) else "agent")
        victim.kill()
        victim.wait()
        self.agents.append(self._agent())

    def answers(self):
        """Whether the web process serves pages."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/sign-in", timeout=10) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def _schedules(self, victim):
        """Whether it holds the lease of the scheduler."""
        held = self.yard.rows("SELECT owner FROM lease WHERE name = 'periodic:run_scheduler'")
        mine = self.yard.rows(f"SELECT id FROM agent WHERE pid = {victim.pid}")
        return bool(held and mine) and held[0][0].endswith(f"#{mine[-1][0]}")

    def _agent(self):
        return self.stack.enter_context(self.yard.agent(OPILIO_HARVEST_SLOTS=SLOTS))

    def _web(self):
        command = [sys.executable, "-m", "opilio.server.pages_process", "127.0.0.1", str(self.port), "1"]
        with (self.yard.installation.home / "web.log").open("ab") as log:
            made = subprocess.Popen(
                command,
                env=dict(self.yard.installation.env),
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.stack.callback(self._end_web)
        return made

    def _end_web(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.web.pid, signal.SIGKILL)
        self.web.wait()
        self.web.stdin.close()

    def _note(self, who):
        self.killed[who] = self.killed.get(who, 0) + 1


def counts_of(scale):
    """Harvests and kills: few in the ordinary run; 200 and 100 at full counts."""
    return (3, 2) if scale == 1 else (10 * scale, 5 * scale)


def free_port():
    """A port of 127.0.0.1 on which nobody listens, to be used again by each web process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def done(yard):
    return yard.rows("SELECT count(*) FROM harvest WHERE state IN ('harvested', 'aborted')")[0][0]


def test_kills_leave_every_harvest_whole(installation, site, proof_scale, random_number, record_property):
    """Whoever is killed, whenever: each harvest is kept once, no page is lost or doubled, logs replay to the states."""
    chance, (count, kills) = random.Random(random_number), counts_of(proof_scale)
    yard = Yard(installation=installation, settings=SETTINGS)
    harvests = yard.plan(site.url("/p0.html?h={number}"), port=site.port, count=count)
    with contextlib.ExitStack() as stack:
        victims = Victims(yard=yard, stack=stack, port=free_port())
        victims.start()
        for kill in range(kills):
            yard.until(lambda kill=kill: done(yard) >= kill * count // (kills + 1), "nothing ends any more")
            time.sleep(chance.uniform(0.0, 1.5))
            victims.kill_one(chance)
        yard.until(lambda: done(yard) == count, "a harvest did not end")
        yard.until(victims.answers, "the web process does not answer")
    record_property("harvests", count)
    for who, number in sorted(victims.killed.items()):
        record_property(f"kills of {who}", number)
    for harvest in harvests:
        require_whole(yard, harvest)
