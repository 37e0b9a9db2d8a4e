"""Harvests end to end: 1,000 small ones by an agent against their bare crawls; the scheduler with 100,000 planned ones.

OPILIO_TEST_BENCH_HARVESTS divides all numbers; OPILIO_TEST_BENCH_DATABASES names sqlite, postgres or both.
"""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from benchmarks.machine import line
from opilio.crawl.plan import CrawlPlan, Fetch, Manners, Preset, Scope, ScopeKind, Seed
from opilio.works.crawl_to_archive import crawl
from tests.harvests import Yard
from tests.installations import Installations
from tests.servers.http_server import HttpServer
from tests.servers.postgres import running_postgres

DIVISOR = int(os.environ.get("OPILIO_TEST_BENCH_HARVESTS", "1"))
DATABASES = os.environ.get("OPILIO_TEST_BENCH_DATABASES", "sqlite,postgres").split(",")
HARVESTS, PAGES = max(3, 1_000 // DIVISOR), 20
CRAWLS = max(3, 20 // DIVISOR)  # bare ones, to compare with
FUTURE, DUE = max(100, 100_000 // DIVISOR), max(10, 10_000 // DIVISOR)
MOST_OVERHEAD = 0.5  # seconds for each harvest
MOST_TICK = 1.0  # seconds
#: As an installation has them, whatever tests use.
USUAL = {"OPILIO_SCHEDULER_SECONDS": "10", "OPILIO_AGENT_POLL_SECONDS": "1", "OPILIO_AGENT_LEASE_SECONDS": "60"}
_SERVERS: list[int] = []  # processes of the private server, while it runs
_TICKS = """
import json
from benchmarks.harvest_rows import fill, measure_due, measure_future
fill(future={future})
print(json.dumps({{"tick": measure_future(), "due": measure_due({due})}}))
"""


def main() -> None:
    """Measure on each database."""
    print(f"\n{line()}\n\n### harvests")
    for name in DATABASES:
        with _installed(name) as yard, _site() as site:
            print(f"\n#### {name}\n", flush=True)
            _overhead(yard, site)
        with _installed(name) as yard:
            _scheduler(yard)


@contextlib.contextmanager
def _installed(name: str) -> Iterator[Yard]:
    with tempfile.TemporaryDirectory(prefix="opilio-bench-") as folder, contextlib.ExitStack() as stack:
        if name == "postgres":
            server = stack.enter_context(running_postgres())
            os.environ["OPILIO_TEST_POSTGRES_URL"] = server.url()
            _SERVERS.append(server.process.pid)
            stack.callback(_SERVERS.pop)
        shared = Path(folder) / "shared"
        shared.mkdir()
        made = Installations(engine=name, shared=shared).make(Path(folder) / "home")
        stack.callback(made.remove)
        yield Yard(installation=made)


@contextlib.contextmanager
def _site() -> Iterator[HttpServer]:
    with tempfile.TemporaryDirectory(prefix="opilio-bench-") as folder:
        links = "".join(f"<a href='p{number}.html'>{number}</a>" for number in range(1, PAGES))
        (Path(folder) / "p0.html").write_text(f"<title>0</title>{links}")
        for number in range(1, PAGES):
            (Path(folder) / f"p{number}.html").write_text(f"<title>{number}</title>{'word ' * 1_500}")
        with HttpServer(site=Path(folder)) as server:
            yield server


def _overhead(yard: Yard, site: HttpServer) -> None:
    """One harvest after the other, so that times can be compared with those of bare crawls."""
    before = _bare(site)
    planned = yard.plan(site.url("/p0.html?h={number}"), port=site.port, count=HARVESTS)
    served = _server_cpu()
    with yard.agent(OPILIO_HARVEST_SLOTS="1", **USUAL) as agent:
        while _left(yard):
            time.sleep(1)
            if agent.poll() is not None:
                raise SystemExit(f"The agent ended before the harvests did:\n{yard.logs()[-2_000:]}")
        worked = _cpu(agent.pid)
    served = _server_cpu() - served
    bare = _mean(before, _bare(site))  # before and after, as other work on the machine comes and goes
    first, last = yard.rows("SELECT min(at), max(at) FROM harvest_event WHERE name IN ('begin', 'keep')")[0]
    ((kept,),) = yard.rows("SELECT count(*) FROM harvest WHERE state = 'harvested'")
    each = _Took(wall=_seconds(first, last) / len(planned), cpu=worked / len(planned))
    over = each.wall - bare.wall
    verdict = "" if over <= MOST_OVERHEAD else " **not reached**"
    print(f"- {kept:,} of {len(planned):,} harvests of {PAGES} pages were kept, one after the other by one agent")
    print(f"- wall: {each.wall:.2f} s for each, {over:.2f} s beyond its crawl (at most {MOST_OVERHEAD}){verdict}")
    print(f"- CPU: {each.cpu:.2f} s for each, {each.cpu - bare.cpu:.2f} s beyond its crawl, all of the agent counted")
    print(f"- a bare crawl: {bare.wall:.2f} s, {bare.cpu:.2f} s of the processor; load of the machine {_load()}")
    if served:
        print(f"- CPU of the database server: {served / len(planned):.2f} s for each harvest")
    tenth = max(1, len(planned) // 10)
    ends = [row[0] for row in yard.rows("SELECT at FROM harvest_event WHERE name = 'keep' ORDER BY at")]
    for name, some in (("first", ends[: tenth + 1]), ("last", ends[-tenth - 1 :])):
        print(f"- the {name} tenth: {_seconds(some[0], some[-1]) / tenth:.2f} s for each")


@dataclass(frozen=True, kw_only=True)
class _Took:
    """Seconds by the clock, and seconds of the processor."""

    wall: float
    cpu: float


def _bare(site: HttpServer) -> _Took:
    """One crawl of the same pages, sealed, without an installation around it."""
    begun, busy = time.perf_counter(), time.process_time()
    for number in range(CRAWLS):
        with tempfile.TemporaryDirectory(prefix="opilio-bench-") as folder:
            plan = CrawlPlan(
                seeds=(Seed(url=site.url(f"/p0.html?bare={number}")),), scope=Scope(kind=ScopeKind.HOST),
                manners=Manners(preset=Preset.OWN_SITE), fetch=Fetch(allow_private=("127.0.0.0/8",)),
            )  # fmt: skip
            crawl(plan, Path(folder) / "out")
    return _Took(wall=(time.perf_counter() - begun) / CRAWLS, cpu=(time.process_time() - busy) / CRAWLS)


def _mean(one: _Took, other: _Took) -> _Took:
    return _Took(wall=(one.wall + other.wall) / 2, cpu=(one.cpu + other.cpu) / 2)


def _load() -> str:
    return f"{os.getloadavg()[1]:.0f} in the last 5 minutes"


def _server_cpu() -> float:
    """What all processes of the private PostgreSQL used until now; 0 where there is none."""
    if not _SERVERS:
        return 0.0
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(_SERVERS[-1])], stdout=subprocess.PIPE, text=True, check=False
    )
    return sum(_cpu(int(one)) for one in (str(_SERVERS[-1]), *found.stdout.split()) if Path(f"/proc/{one}").exists())


def _cpu(process: int) -> float:
    """What a process and its children that ended used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _scheduler(yard: Yard) -> None:
    command = [sys.executable, "-m", "tests.snippet", _TICKS.format(future=FUTURE, due=DUE)]
    env = {**yard.installation.env, "PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True)
    found = json.loads(done.stdout.strip().splitlines()[-1])
    verdict = "" if found["tick"] <= MOST_TICK else " **not reached**"
    print(f"- a tick with {FUTURE:,} future harvests takes {found['tick']:.3f} s (at most {MOST_TICK:.0f}){verdict}")
    due = found["due"]
    print(
        f"- {DUE:,} due in one minute: handed over in {due['ticks']} ticks and {due['seconds']:.0f} s, "
        f"{1_000 * due['seconds'] / DUE:.1f} ms each, the longest tick {due['longest']:.1f} s, the most urgent first"
    )


def _left(yard: Yard) -> bool:
    return bool(yard.rows("SELECT 1 FROM harvest WHERE state NOT IN ('harvested', 'aborted') LIMIT 1"))


def _seconds(first: object, last: object) -> float:
    """Between two times as the databases give them."""
    times = [one if isinstance(one, datetime) else datetime.fromisoformat(str(one)) for one in (first, last)]
    return (times[1] - times[0]).total_seconds()


if __name__ == "__main__":
    main()
