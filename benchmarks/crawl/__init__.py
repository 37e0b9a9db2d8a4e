"""A complete crawl of the same real pages by every crawler, one after the other, each on one core.

OPILIO_TEST_BENCH_SITES makes it smaller (of 16 sites), OPILIO_TEST_BENCH_ROUNDS repeats it (the best counts),
OPILIO_TEST_BENCH_CRAWLERS takes only programs whose names begin so, separated by semicolons.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks import cache, machine, names
from benchmarks.crawl.documents import sites, versions
from benchmarks.crawl.figures import Run, best, differences, promises, table
from benchmarks.crawl.programs import Program, Task, available
from benchmarks.nginx import Site, free_port, serving
from benchmarks.usage import compiled, cores, pinned, run
from benchmarks.visits import read

SITES = int(os.environ.get("OPILIO_TEST_BENCH_SITES", "16"))
ROUNDS = int(os.environ.get("OPILIO_TEST_BENCH_ROUNDS", "1"))
CRAWLERS = tuple(filter(None, os.environ.get("OPILIO_TEST_BENCH_CRAWLERS", "").split(";")))


def main() -> None:
    """Run all, then print tables in the form of docs/measurements.md."""
    documents = sites(SITES)
    compiled([sys.executable, "-m", "opilio", "crawl", "start", "--help"])
    programs = [each for each in available() if not CRAWLERS or each.name.startswith(CRAWLERS)]
    with tempfile.TemporaryDirectory(prefix="crawl-", dir=cache.folder("scratch")) as scratch:
        place = Path(scratch)
        before = names.prefix(names.hosts_file(place / "hosts", SITES))
        runs = [
            _crawled(program, documents, before, place / f"{number}-{index}")
            for number in range(ROUNDS)
            for index, program in enumerate(programs)
        ]
    _tell(best(runs), documents, named=bool(before))


def _crawled(program: Program, documents: Sequence[Site], before: Sequence[str], place: Path) -> Run:
    """One crawl by one program, with a server of its own."""
    own, other = cores()
    into, server, port = place / "into", place / "server", free_port()
    into.mkdir(parents=True)
    hosts = [names.name(site.number) if before else names.address(site.number) for site in documents]
    starts = [f"http://{host}:{port}{site.start}" for host, site in zip(hosts, documents, strict=True)]
    command = program.command(Task(starts=starts, hosts=hosts, into=into))
    on = (own, other) if program.workers > 1 else (own,)
    with serving(documents, port=port, folder=server, log=place / "visits", core=other):
        usage = run(
            [*before, *pinned(command, *on)],
            folder=into,
            log=place / "output",
            env={"OPILIO_HOME": str(place / "home")},
        )
    visits = read(place / "visits", len(documents))
    result = Run(name=program.name, does=program.does, usage=usage, visits=visits)
    print(f"{program.name}: {len(visits.pages):,} pages, {usage.cpu:.1f} s CPU, exit code {usage.code}", flush=True)
    if not visits.pages:
        raise SystemExit(f"{program.name} fetched nothing:\n{(place / 'output').read_text(errors='replace')[-2000:]}")
    shutil.rmtree(into)
    return result


def _tell(runs: dict[str, Run], documents: Sequence[Site], *, named: bool) -> None:
    print(f"\n{machine.line()}\n")
    print(f"{len(documents)} hosts {'by name' if named else 'by address'}: {', '.join(versions(documents))}.\n")
    for part in (table(runs), promises(runs), differences(runs)):
        print("\n".join(part) + "\n", flush=True)
