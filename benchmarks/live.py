"""The live view of one running harvest with 60 viewers: connections to the database, CPU of the process of the pages.

A writer puts a new sheet of full size into the catalogue every two seconds, as an agent does. OPILIO_TEST_BENCH_VIEWERS
and OPILIO_TEST_BENCH_LIVE_SECONDS make it smaller; OPILIO_TEST_BENCH_DATABASES names sqlite, postgres or both.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from benchmarks.machine import line
from tests.installations import Installation, environment
from tests.viewers import Pages, filled, next_event, serving

VIEWERS = int(os.environ.get("OPILIO_TEST_BENCH_VIEWERS", "60"))
SECONDS = float(os.environ.get("OPILIO_TEST_BENCH_LIVE_SECONDS", "30"))
DATABASES = os.environ.get("OPILIO_TEST_BENCH_DATABASES", "sqlite,postgres").split(",")
MOST_CONNECTIONS = 1
_ROOT = Path(__file__).parents[1]
_WRITER = "opilio-bench-writer"
_CONNECTIONS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
    "AND application_name <> %s"
)
_MIGRATE = "from django.core.management import call_command; call_command('migrate', verbosity=0)"
_WRITE = """
import time
from opilio.curation.actions import harvest_live
from opilio.crawl.frontier.rows import Counts
from opilio.crawl.plan import Limits
from opilio.crawl.report.live import HostLook, Look, UrlLook
from opilio.kernel.clock import SYSTEM
from opilio.works.live_plot import Point
from opilio.works.live_sheet import Beside, LiveSheet

start = time.time() - 600
sheet = LiveSheet(points=tuple(Point(end=start + 2 * n, span=2.0, urls=n, bytes=9000 * n) for n in range(230)))
number = 0
while True:
    number += 1
    hosts = [HostLook(name=f"host{{n}}.example", due=1.0, resting=0.0, delay=1.0, failures=0, errors=n, pages=number)
             for n in range(20)]
    recent = [UrlLook(url=f"http://host{{n}}.example/a/page-of-some-length/{{number}}/{{n}}.html", outcome="fetched",
                      reason="", status=200, size=50_000, ms=30, at=time.time()) for n in range(30)]
    counts = Counts(pages=number * 20, counted=number * 20, bytes=number * 10**6, waiting=500, hosts=20, seconds=number,
                    outcomes={{"fetched": number * 20}}, statuses={{200: number * 20}}, types={{"html": number * 20}})
    look = Look(at=time.time(), counts=counts, limits=Limits(pages=10**6), hosts=hosts, recent=recent)
    text = sheet.taken(look, Beside(log=["2026-01-01T00:00:00Z 200 50000 http://host.example/a - text/html"] * 50))
    harvest_live.write_sheet({harvest}, at=SYSTEM.now(), sheet=text)
    time.sleep(2)
"""


def main() -> None:
    """Measure on each database."""
    from tests.servers.postgres import running_postgres

    print(f"\n{line()}\n\n| database | viewers | connections | events per viewer | kB/s each | CPU of the pages |")
    print("|---|---|---|---|---|---|", flush=True)
    for name in DATABASES:
        with tempfile.TemporaryDirectory(prefix="opilio-bench-") as home:
            if name == "postgres":
                with running_postgres() as server:
                    _measure(name, installed(Path(home), server.create_database("live")))
            else:
                _measure(name, installed(Path(home), ""))


def installed(home: Path, url: str) -> Installation:
    made = Installation(home=home, env=environment(home, url), database_url=url)
    done = made.python(_MIGRATE)
    if done.returncode:
        raise SystemExit(done.stderr)
    return made


def _measure(name: str, installation: Installation) -> None:
    harvest = filled(installation)
    with serving(installation) as pages, _writing(installation, harvest):
        streams = [pages.watch(harvest) for _ in range(VIEWERS)]
        for stream in streams:
            next_event(stream)
        counts, sizes = [0] * VIEWERS, [0] * VIEWERS
        worker = pages.worker()
        before, begun = sum(worker.cpu_times()[:2]), time.perf_counter()
        threads = [
            threading.Thread(target=_read, args=(stream, number, counts, sizes), daemon=True)
            for number, stream in enumerate(streams)
        ]
        for thread in threads:
            thread.start()
        time.sleep(SECONDS)
        used, lasted = sum(worker.cpu_times()[:2]) - before, time.perf_counter() - begun
        found = _connections(pages, installation)
        each = sum(sizes) / VIEWERS / lasted / 1000
        pages.process.terminate()  # ends the streams, so that nobody reads from a connection that is closed
        for thread in threads:
            thread.join()
    print(
        f"| {name} | {VIEWERS} | {found} | {min(counts)} to {max(counts)} in {lasted:.0f} s | {each:.1f} "
        f"| {used / lasted:.1%} of one core |",
        flush=True,
    )
    if found > MOST_CONNECTIONS:
        raise SystemExit("The live view holds more than one connection to the database.")
    if not min(counts):
        raise SystemExit("A viewer was told nothing.")


def _read(stream: object, number: int, counts: list[int], sizes: list[int]) -> None:
    while event := next_event(stream):  # type: ignore[arg-type]  # a stream of http.client
        counts[number] += 1
        sizes[number] += len(event.get("data", ""))


def _connections(pages: Pages, installation: Installation) -> int:
    """Connections of the process of the pages to the database."""
    worker = pages.worker()
    if not installation.database_url:
        return sum(one.path.endswith("catalogue.db-wal") for one in worker.open_files())
    with psycopg.connect(installation.database_url) as asking:
        (number,) = asking.execute(_CONNECTIONS, [_WRITER]).fetchone() or (0,)
    return int(number)


@contextmanager
def _writing(installation: Installation, harvest: int) -> Iterator[None]:
    """Somebody who writes sheets as an agent does."""
    command = [sys.executable, "-m", "tests.snippet", _WRITE.format(harvest=harvest)]
    env = {**installation.env, "PGAPPNAME": _WRITER}
    process = subprocess.Popen(command, env=env, cwd=_ROOT)
    try:
        yield
    finally:
        process.terminate()
        process.wait()
