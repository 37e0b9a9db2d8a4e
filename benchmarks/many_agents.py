"""CPU per page and throughput of one harvest with 1, 2 and 4 agents: processes that share PostgreSQL and a work store.

`python -m benchmarks.many_agents [pages of each host]`; 16 host names, as a host always belongs to one worker. The
agents are processes of this machine: with fewer processors than agents the throughput says little, CPU per page all.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from opilio.archive.store.disk import DiskStore
from opilio.crawl.engine.settings import DEFAULTS
from opilio.works.crawl_folder import StoreAddress
from opilio.works.crawl_to_archive import Crew
from tests.acceptance.crawl.crawls import plan_for
from tests.contracts.sharing_machines import Machine
from tests.proofs.almanacs import Almanacs
from tests.servers.http_server import HttpServer
from tests.servers.postgres import running_postgres

HOSTS = 16
_AGENTS = (1, 2, 4)


def main(arguments: list[str]) -> int:
    """Measure, or be one of the agents that are measured."""
    if arguments[:1] == ["--help-with"]:
        return _help(json.loads(arguments[1]))
    pages = int(arguments[0]) if arguments else 100
    with tempfile.TemporaryDirectory(prefix="opilio-agents-") as folder, running_postgres(durable=True) as database:
        found = [_measured(Path(folder), database, count, pages) for count in _AGENTS]
    first = found[0]
    print("agents  URLs  seconds  URLs/s  ratio  CPU ms/URL  ratio")
    for one in found:
        rate, cpu = one["urls"] / one["seconds"], one["cpu"] / one["urls"] * 1000
        ratios = rate / (first["urls"] / first["seconds"]), cpu / (first["cpu"] / first["urls"] * 1000)
        print(f"{one['agents']:>6}  {one['urls']:>4}  {one['seconds']:7.1f}  {rate:6.1f}  {ratios[0]:5.2f}  "
              f"{cpu:10.2f}  {ratios[1]:5.2f}")  # fmt: skip
    return 0


def _measured(folder, database, agents, pages):
    url = database.create_database(f"agents_{agents}")
    with HttpServer() as server:
        almanacs = Almanacs(server=server, hosts=HOSTS, pages=pages)
        given = {"url": url, "store": str(folder / f"store{agents}"), "home": str(folder / f"home{agents}"),
                 "starts": almanacs.starts()}  # fmt: skip
        begun = time.monotonic()
        command = [sys.executable, "-m", "benchmarks.many_agents", "--help-with"]
        workers = [
            subprocess.Popen([*command, json.dumps({**given, "number": number})], stdout=subprocess.PIPE, text=True)
            for number in range(agents)
        ]
        cpu = [float(worker.communicate()[0]) for worker in workers]
        return {"agents": agents, "urls": len(almanacs.everything()), "seconds": time.monotonic() - begun,
                "cpu": sum(cpu)}  # fmt: skip


def _help(given):
    """One agent: the first leads; prints the CPU seconds that its part took."""
    machine = Machine(Path(given["home"]) / str(given["number"]), DiskStore(Path(given["store"])),
                      StoreAddress(url=given["url"]))  # fmt: skip
    begun, crew, over = time.process_time(), Crew(settings=DEFAULTS), Path(given["home"]) / "over"
    if given["number"] == 0:
        machine.leading(every=30.0).run(plan_for(*given["starts"]), crew)
        over.touch()
    else:
        while machine.helping(every=30.0).help(crew) is None and not over.exists():
            begun = time.process_time()
            time.sleep(0.05)
    print(time.process_time() - begun)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
