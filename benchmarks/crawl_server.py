"""The ceiling of crawl stores on one PostgreSQL: workers that fetch nothing, and commit as fast as the server takes it.

Each worker is a process with a connection of its own, as on a machine of its own: it claims buckets, takes entries and
commits batches of 100 pages, each with 50 links of which 8 are new, with its text and its place in a WARC file. What it
costs the server is told apart from what it costs the workers. OPILIO_TEST_BENCH_SECONDS is how long each round lasts,
OPILIO_TEST_BENCH_CRAWL_URL an existing database instead of a private server.
"""

import contextlib
import multiprocessing
import os
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg

from benchmarks import machine
from opilio.crawl.frontier.batch import Batch, HostUpdate, PageResult, Text
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.packing import pack_outlinks, pack_text
from opilio.crawl.frontier.postgres import PostgresStore
from opilio.crawl.frontier.values import Entry, found
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import CrawlPlan, Seed
from opilio.kernel.capture import Hop, Position
from opilio.kernel.page_links import PageLink
from opilio.kernel.page_text import PageText
from tests.servers.postgres import running_postgres

SECONDS = float(os.environ.get("OPILIO_TEST_BENCH_SECONDS", "20"))
URL = os.environ.get("OPILIO_TEST_BENCH_CRAWL_URL", "")
WORKERS = (1, 2, 4, 8)
HOSTS, BATCH, LINKS, NEW = 256, 100, 50, 8
TTL = 60.0
_WORDS = " ".join(f"word{number % 700}" for number in range(1_000))


@dataclass(frozen=True, kw_only=True)
class Round:
    """What so many workers did together."""

    workers: int
    pages: int
    wall: float
    server: float  # CPU seconds of all its processes; 0: it is not ours
    clients: float
    bytes: int  # by which the database grew


def main() -> None:
    """Rounds with more and more workers, each on a crawl of its own."""
    print(f"\n{machine.line()}\n\n### crawl stores on one PostgreSQL\n")
    print("| workers | pages | pages/s | CPU of the server, ms/page | CPU of the workers, ms/page | kB/page |")
    print("|---|---|---|---|---|---|")
    with _server() as (url, process):
        for number, workers in enumerate(WORKERS):
            print(_line(_round(url, process, f"round{number}", workers)), flush=True)


@contextlib.contextmanager
def _server() -> Iterator[tuple[str, int]]:
    if URL:
        yield URL, 0
        return
    with running_postgres() as server:
        yield server.create_database("crawls"), server.process.pid


def _round(url: str, process: int, name: str, workers: int) -> Round:
    seeds = tuple(Seed(url=f"http://h{number}.example/") for number in range(HOSTS))
    PostgresStore.create(url, name, CrawlPlan(seeds=seeds)).close()
    before, size = _cpu(process), _size(url)
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        done = pool.starmap(_work, [(url, name, f"worker {number}", SECONDS) for number in range(workers)])
    return Round(
        workers=workers, pages=sum(pages for pages, _, _ in done), wall=max(wall for _, wall, _ in done),
        server=_cpu(process) - before, clients=sum(cpu for _, _, cpu in done), bytes=_size(url) - size,
    )  # fmt: skip


def _line(made: Round) -> str:
    pages = max(1, made.pages)
    return (
        f"| {made.workers} | {made.pages:,} | {made.pages / made.wall:,.0f} | {1_000 * made.server / pages:.2f} "
        f"| {1_000 * made.clients / pages:.2f} | {made.bytes / pages / 1_000:.1f} |"
    )


def _work(url: str, name: str, owner: str, seconds: float) -> tuple[int, float, float]:
    """One worker: pages, seconds by the clock from its first claim on, CPU."""
    store = PostgresStore.open(url, name)
    begun, busy, pages, offset, claimed = time.perf_counter(), time.process_time(), 0, 0, 0.0
    leases: dict[int, int] = {}
    while time.perf_counter() - begun < seconds:
        now = time.time()
        if now - claimed > 2.0 or not leases:
            made, claimed = store.claim(owner, now, TTL, 2_000), now
            spare = dict(sorted(made.leases.items())[: made.surplus])
            store.release(owner, spare)
            leases = {bucket: epoch for bucket, epoch in made.leases.items() if bucket not in spare}
        taken = store.take(owner, leases, now, max_hosts=BATCH, per_host=4)
        entries = taken.entries[:BATCH]
        if not entries:
            time.sleep(0.05)
            continue
        results = tuple(_result(owner, entry, offset + 9_000 * number) for number, entry in enumerate(entries))
        offset += 9_000 * len(entries)
        batch = Batch(
            owner=owner, leases=leases, now=now, ttl=TTL, pages=results, warcs={_file(owner): offset},
            hosts=tuple(HostUpdate(id=host, next_due=now) for host in {entry.host for entry in entries}),
        )  # fmt: skip
        if not store.commit(batch).fenced:
            pages += len(entries)
    store.release(owner, leases)
    store.close()
    return pages, time.perf_counter() - begun, time.process_time() - busy


def _result(owner: str, entry: Entry, offset: int) -> PageResult:
    home = entry.url.split("/")[2]
    fresh = [f"http://{home}/{entry.id}-{number}" for number in range(NEW)]
    known = [f"http://{home}/{entry.id // 2}-{number % NEW}" for number in range(LINKS - NEW)]
    links = [PageLink(Hop.LINK, "a", url) for url in fresh + known]
    digest = f"sha1:{entry.id:032d}"
    text = pack_text(PageText(text=f"{entry.id} {_WORDS}"))
    return PageResult(
        entry=entry, outcome=Outcome.FETCHED, status=200, type="html", size=30_000, digest=digest,
        title=f"Page {entry.id}", at=time.time(), place=Position(file=_file(owner), offset=offset, length=9_000),
        ms=80, outlinks=pack_outlinks(links), text=Text(digest=digest, extractor="benchmark", body=text),
        found=tuple(found(url, Label(entry.label.depth + 1, entry.label.seed, 0)) for url in fresh + known[:12]),
    )  # fmt: skip


def _file(owner: str) -> str:
    return f"{owner.replace(' ', '-')}.warc.gz"


def _size(url: str) -> int:
    with psycopg.connect(url) as connection:
        ((size,),) = connection.execute("SELECT pg_database_size(current_database())").fetchall()
    return int(size)


def _cpu(process: int) -> float:
    """Of a server with all that it started, whether they live or have ended."""
    if not process:
        return 0.0
    found_ = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process)], stdout=subprocess.PIPE, text=True, check=True)
    return sum(_ticks(number) for number in (str(process), *found_.stdout.split())) / os.sysconf("SC_CLK_TCK")


def _ticks(process: str) -> int:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return 0  # its time is its parent's by now
    return sum(map(int, fields[11:15]))


if __name__ == "__main__":
    main()
