"""Four machines at one harvest, in network namespaces, with faults at random: it ends by itself as if there were none.

Beside it small harvests run, and delivery sessions over a partner's SFTP server, on the same agents.

OPILIO_TEST_PROOF_SCALE multiplies the counts; OPILIO_TEST_SEED chooses what happens when, and to whom.
"""

import random
import shutil
import signal
import subprocess
import threading
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.contracts.crawl_stores import KINDS
from tests.contracts.test_agents_apart import captured, machine
from tests.harvests import AGENT, WELL, Yard
from tests.installations import Installations
from tests.proofs import namespaces
from tests.proofs.almanacs import Almanacs, closest
from tests.proofs.parcels import Parcels, with_profile
from tests.servers.cut_wire import CutWire
from tests.servers.http_server import HttpServer
from tests.servers.large_site import LargeSite
from tests.servers.postgres import end_connections, running_postgres
from tests.servers.s3 import ACCESS_KEY, SECRET_KEY, S3Server
from tests.servers.sshd import MISSING, Sshd, is_installed

pytestmark = [pytest.mark.database, pytest.mark.proof, pytest.mark.timeout(14_400)]
__test__ = "postgres" in KINDS
MACHINES, HOSTS = 4, 16
#: Events, pages of each host, targets and deliveries beside; the latter times the scale.
SMALL, STEP = (6, 8, 2, 2), (3, 156, 10, 1)
BESIDE = LargeSite(pages=6, seed=99)  # of each target beside
DELAY = 0.1  # seconds
PATIENCE = 600  # seconds without a further request
MOST_ENDED = 20  # agents that end by themselves, because the database is away when they start
SKEW = 2.0  # seconds by which the clock of one machine is wrong
_FAULT = Path(__file__).parent / "clock_fault"


class FarmAlmanacs(Almanacs):
    """The same, under names that machines resolve to the address of the rest."""

    def _url(self, host, path):
        return self.server.url(path, host=name_of(host))


def name_of(host):
    return f"h{host}.fields.example"


class Farm:
    """The machines with their agents, and what can happen to them."""

    def __init__(self, *, yard, database, network, wires, chance, folder, outage):
        self._yard, self._network, self._wires, self._chance, self._outage = yard, network, wires, chance, outage
        self._server = database
        self._homes = [machine(yard, f"machine{number}") for number in range(MACHINES)]
        self._agents: list[subprocess.Popen | None] = [None] * MACHINES
        for home in self._homes:
            with_profile(home)
        self._clock = folder / "clock"
        self._clock.write_text("0")
        self._said = folder
        self.kills: list[float] = []
        self.ended: list[int] = []  # exit codes of agents that ended by themselves
        self._happened: list[str] = []
        for number in range(MACHINES):
            self.start(number)

    def start(self, number):
        url = urlsplit(self._yard.installation.database_url)
        at = f"{self._network.address}:{self._wires['postgres'].port}"
        database = url._replace(netloc=f"{url.username}:{url.password}@{at}").geturl()
        env = {
            **self._yard.installation.env, **WELL, "OPILIO_HOME": str(self._homes[number]),
            "OPILIO_AGENT_NAME": f"machine{number}", "OPILIO_DATABASE_URL": database,
            "OPILIO_CRAWL_DATABASE_URL": database, "OPILIO_SCHEDULER_SECONDS": "0.5",
            "OPILIO_S3_ENDPOINT": f"http://{self._network.address}:{self._wires['s3'].port}",
            "OPILIO_S3_TIMEOUT": "5", "OPILIO_AGENT_POLL_SECONDS": "0.2", "OPILIO_AGENT_LEASE_SECONDS": "10",
            "OPILIO_HARVEST_ALLOW_PRIVATE": f"{self._network.address}/32",
        }  # fmt: skip
        if number == MACHINES - 1:
            env |= {"OPILIO_TEST_CLOCK": str(self._clock), "PYTHONPATH": f"{_FAULT}:{Path.cwd()}"}
        command = self._network.machines[number].command(*AGENT)
        with (self._said / f"machine{number}.log").open("ab") as said:
            self._agents[number] = subprocess.Popen(command, env=env, stdout=said, stderr=said)

    def happen(self):
        """One event; which, and to whom. Each kind comes once before any is drawn."""
        kinds = [self._restart, self._lose, self._cut, self._bucket, self._database, self._skew]
        left = [kind for kind in kinds if kind.__name__ not in self._happened]
        what = self._chance.choice(left or [self._kill, self._kill, *kinds])
        self._happened.append(what.__name__)
        what(self._chance.randrange(MACHINES))
        return what.__name__

    def tend(self):
        """Start agents again that ended by themselves, as systemd does: one that finds no database at its start."""
        for number, agent in enumerate(self._agents):
            if agent.poll() is not None:
                self.ended.append(agent.returncode)
                self.start(number)

    def end(self):
        for number, agent in enumerate(self._agents):
            if agent is not None:
                agent.terminate()
                try:
                    agent.wait(60)
                except subprocess.TimeoutExpired:
                    agent.kill()
                    agent.wait()
                self._agents[number] = None

    def logs(self):
        return "\n".join(path.read_text(errors="replace")[-1500:] for path in sorted(self._said.glob("machine*.log")))

    def _kill(self, number):
        """Its agent dies, and is started again."""
        self._agents[number].send_signal(signal.SIGKILL)
        self._agents[number].wait()
        self.kills.append(time.monotonic())
        self.start(number)

    def _lose(self, number):
        """The same, with its disk."""
        self._agents[number].send_signal(signal.SIGKILL)
        self._agents[number].wait()
        self.kills.append(time.monotonic())
        for path in self._homes[number].iterdir():
            if path.name not in ("secrets", "delivery-profiles"):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        self.start(number)

    def _cut(self, number):
        self._network.machines[number].cut()
        _pause(self._chance.uniform(1, 15))
        self._network.machines[number].mend()

    def _database(self, _):
        """Every connection to PostgreSQL is lost, and for a while there are none."""
        self._wires["postgres"].cut()
        end_connections(self._server.url(), urlsplit(self._yard.installation.database_url).path[1:])
        _pause(2)
        self._wires["postgres"].mend()

    def _restart(self, _):
        """PostgreSQL ends without any order, and is started again."""
        self._server.stop_at_once()
        _pause(2)
        self._server.start_again()

    def _bucket(self, _):
        self._wires["s3"].cut()
        _pause(self._outage)
        self._wires["s3"].mend()

    def _skew(self, _):
        self._clock.write_text(str(self._chance.choice([-SKEW, 0, SKEW])))


def _pause(seconds):
    threading.Event().wait(seconds)


@pytest.fixture
def database():
    """A server of its own, as it is ended in between."""
    with running_postgres() as server:
        yield server


@pytest.fixture
def installation(database, tmp_path, monkeypatch):
    """An installation on it."""
    (tmp_path / "template").mkdir()
    with monkeypatch.context() as patch:
        patch.setenv("OPILIO_TEST_POSTGRES_URL", database.url())
        return Installations(engine="postgres", shared=tmp_path / "template").make(tmp_path / "home")


@pytest.fixture(scope="module")
def bucket():
    with S3Server() as server:
        server.make_bucket("acres")
        yield server


def test_machines_may_die_and_nothing_is_lost(
    make_installation, installation, database, bucket, proof_scale, random_number, tmp_path, record_property
):
    """One page set, every page once, no host hurried, all harvests end by themselves, deliveries are as undisturbed."""
    if reason := namespaces.reason_against() or ("" if is_installed() else MISSING):
        pytest.skip(reason)
    events, pages, beside, parcels = SMALL if proof_scale == 1 else (proof_scale * each for each in STEP)
    chance = random.Random(random_number)
    installation.env.update(
        OPILIO_STORE="s3://acres/opilio", OPILIO_S3_ENDPOINT=bucket.url, OPILIO_S3_ACCESS_KEY=ACCESS_KEY,
        OPILIO_S3_SECRET_KEY=SECRET_KEY, OPILIO_CRAWL_DATABASE_URL=installation.database_url,
        OPILIO_HARVEST_CHECKPOINT_SECONDS="2", OPILIO_HARVEST_SLOTS="2",
    )  # fmt: skip
    yard = Yard(installation=installation)
    with ExitStack() as stack:
        server = stack.enter_context(HttpServer())
        names = {name_of(host): "" for host in range(HOSTS + beside)}
        network = stack.enter_context(namespaces.network(MACHINES, names))
        partner = stack.enter_context(Sshd(tmp_path / "sshd"))
        ports = {"site": server.port, "s3": bucket.port, "postgres": database.port, "partner": partner.port}
        wires = {
            name: stack.enter_context(
                CutWire(port, address=network.address, own_port=port if name == "site" else 0)
            )
            for name, port in ports.items()
        }  # fmt: skip
        almanacs = FarmAlmanacs(server=server, hosts=HOSTS, pages=pages)
        planned = planned_in(yard, almanacs, beside)
        offered = Parcels(yard, tmp_path / "partner")
        offered.offer_by_sftp(partner, network.address, wires["partner"].port)
        farm = Farm(yard=yard, database=database, network=network, wires=wires, chance=chance, folder=tmp_path,
                    outage=3 if proof_scale == 1 else 30)  # fmt: skip
        stack.callback(farm.end)
        total, happened = len(almanacs.everything()), []
        for number in range(1, events + 1):
            wait_for(server, farm, lambda mark=number: len(server.log()) > mark * total * 8 // (10 * (events + 1)))
            while offered.laid < parcels * number // events:
                offered.lay()
                offered.order()
            happened.append(farm.happen())
            print(f"{number} {happened[-1]} {len(server.log())} requests", flush=True)
        wait_for(server, farm, lambda: all(yard.state(one) in ("harvested", "aborted") for one in planned))
        offered.finish()
        farm.end()
        assert {yard.state(one) for one in planned} == {"harvested"}, farm.logs()
        found, files = captured(yard, machine(yard, "front"), planned[0])
        kept = [url for url, _, outcome in found if outcome in ("fetched", "duplicate")]
        assert len(kept) == len(set(kept))
        assert set(kept) == almanacs.everything()
        assert {file for _, file, _ in found if file} <= {name for name, _ in files}
        assert closest(server, farm.kills).seconds >= DELAY * 0.9
        assert offered.outcome() == undisturbed(make_installation("calm"), tmp_path / "undisturbed", parcels)
        record_property("pages", total)
        record_property("harvests", len(planned))
        record_property("deliveries", parcels)
        counted = sorted(Counter(name.strip("_") for name in happened).items())
        record_property("events", ", ".join(f"{name} {number}" for name, number in counted))
        record_property("agents that ended by themselves", len(farm.ended))
        record_property("asked again", len(server.log()) - total)


def undisturbed(installation, folder, parcels):
    """What one session leaves of the same deliveries."""
    calm = Parcels(Yard(installation=installation), folder)
    calm.offer_by_folder()
    for _ in range(parcels):
        calm.lay()
    calm.run()
    return calm.outcome()


def planned_in(yard, almanacs, beside):
    """The large harvest first, then small ones beside it."""
    port = almanacs.server.port
    small = [almanacs.server.url(f"{BESIDE.base}/", host=name_of(HOSTS + number)) for number in range(beside)]
    yard.settings = {
        "manners": {"preset": "own-site", "delay": DELAY, "contact": "crawls@fields.example"},
        "scope": {"kind": "prefix"}, "fetch": {"agents": MACHINES},
    }  # fmt: skip
    patterns = [f"http://{name_of(host)}:{port}/*" for host in range(HOSTS + beside)]
    return yard.plan_targets([almanacs.starts(), *([start] for start in small)], patterns)


def wait_for(server, farm, condition):
    """Wait as long as there is progress."""
    seen, end = -1, time.monotonic() + PATIENCE
    while not condition():
        if (now := len(server.log())) != seen:
            seen, end = now, time.monotonic() + PATIENCE
        farm.tend()
        assert len(farm.ended) <= MOST_ENDED, farm.logs()
        assert time.monotonic() < end, f"no progress after {seen} requests: {farm.logs()}"
        _pause(0.2)
