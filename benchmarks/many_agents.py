"""CPU per page and throughput of one harvest with 1, 2 and 4 agents: processes that share PostgreSQL and a work store.

16 host names, as a host always belongs to one worker. OPILIO_TEST_BENCH_PAGES is how many pages each has. The agents
are processes of this machine: with fewer processors than agents the throughput says little, CPU per page all. It is
that of the agents alone, not that of the database and the site.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks import machine
from opilio.archive.store.disk import DiskStore
from opilio.crawl.engine.settings import DEFAULTS
from opilio.works.crawl_folder import StoreAddress
from opilio.works.crawl_to_archive import Crew
from tests.acceptance.crawl.crawls import plan_for
from tests.contracts.sharing_machines import Machine
from tests.proofs.almanacs import Almanacs
from tests.servers.http_server import HttpServer
from tests.servers.postgres import running_postgres

PAGES = int(os.environ.get("OPILIO_TEST_BENCH_PAGES", "100"))
HOSTS = 16
_AGENTS = (1, 2, 4)
_EVERY = 30.0  # seconds between checkpoints
_LOOK = 0.5  # seconds until a helper looks again whether it is needed


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One harvest."""

    agents: int
    urls: int
    asked: int  # requests, with robots.txt and whatever was fetched again
    seconds: float
    cpu: float  # seconds of all agents

    @property
    def rate(self) -> float:
        """URLs a second."""
        return self.urls / self.seconds

    @property
    def cost(self) -> float:
        """Milliseconds of CPU for a URL."""
        return self.cpu / self.urls * 1000


def main() -> None:
    """Measure and tell."""
    print(machine.line())
    with tempfile.TemporaryDirectory(prefix="opilio-agents-") as folder, running_postgres(durable=True) as database:
        found = [_measured(Path(folder), database, count) for count in _AGENTS]
    first = found[0]
    print("agents   URLs  requests  seconds  URLs/s  ratio  CPU ms/URL  ratio")
    for one in found:
        print(f"{one.agents:>6}  {one.urls:>5}  {one.asked:>8}  {one.seconds:7.1f}  {one.rate:6.1f}  "
              f"{one.rate / first.rate:5.2f}  {one.cost:10.2f}  {one.cost / first.cost:5.2f}")  # fmt: skip


def _measured(folder, database, agents):
    url = database.create_database(f"agents_{agents}")
    with HttpServer() as server:
        almanacs = Almanacs(server=server, hosts=HOSTS, pages=PAGES)
        home = folder / f"home{agents}"
        home.mkdir()
        given = {"url": url, "store": str(folder / f"store{agents}"), "home": str(home), "starts": almanacs.starts()}
        begun = time.monotonic()
        command = [sys.executable, "-m", "benchmarks.many_agents"]
        workers = [
            subprocess.Popen([*command, json.dumps({**given, "number": number})], stdout=subprocess.PIPE, text=True)
            for number in range(agents)
        ]
        cpu = [float(worker.communicate()[0]) for worker in workers]
        seconds = time.monotonic() - begun
        return Measured(
            agents=agents, urls=len(almanacs.everything()), asked=len(server.log()), seconds=seconds, cpu=sum(cpu)
        )


def agent(given):
    """One agent: the first leads; the CPU seconds that its part took."""
    home, number = Path(given["home"]), given["number"]
    own = Machine(home / str(number), DiskStore(Path(given["store"])), StoreAddress(url=given["url"]))
    over, begun = home / "over", time.process_time()
    if number == 0:
        shared = own.leading(every=_EVERY, alone=lambda: _alone(home, over))
        shared.run(plan_for(*given["starts"]), Crew(settings=DEFAULTS))
    else:
        _assist(own, home / f"busy{number}", over)
    return time.process_time() - begun


def _alone(home, over):
    """Wait as an agent does until helpers have left: what they captured is in the store then."""
    over.touch()
    while any(home.glob("busy*")):
        time.sleep(0.05)


def _assist(own, busy, over):
    """Help, and look again whenever there was nothing to do, until it is over."""
    while True:
        busy.touch()
        if over.exists():
            break
        own.helping(every=_EVERY).help(Crew(settings=DEFAULTS))
        busy.unlink()
        time.sleep(_LOOK)
    busy.unlink()


if __name__ == "__main__":
    print(agent(json.loads(sys.argv[1])))
