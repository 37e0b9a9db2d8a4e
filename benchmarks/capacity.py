"""What a million pages cost: real pages are crawled, sealed and indexed, and what that took is scaled up.

The sites are the documentation packages of the crawl benchmark, served by nginx on loopback addresses.
OPILIO_TEST_BENCH_SITES says how many of them. The store is a file; `crawl_server` measures one on PostgreSQL.
"""

import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from benchmarks import cache, machine, names
from benchmarks.crawl.documents import sites
from benchmarks.nginx import free_port, serving
from benchmarks.usage import Usage, compiled, cores, pinned, run
from benchmarks.visits import Visits, read

SITES = int(os.environ.get("OPILIO_TEST_BENCH_SITES", "16"))
_OPILIO = (sys.executable, "-m", "opilio")


def main() -> None:
    """Crawl, index, print."""
    compiled([*_OPILIO, "crawl", "start", "--help"])
    documents, port, (own, other) = sites(SITES), free_port(), cores()
    starts = [f"http://{names.address(site.number)}:{port}{site.start}" for site in documents]
    with tempfile.TemporaryDirectory(prefix="capacity-", dir=cache.folder("scratch")) as scratch:
        place = Path(scratch)
        into = place / "crawl"
        begin = [*_OPILIO, "crawl", "start", *starts, "--into", str(into), "--preset", "own-site"]
        options = ["--scope", "host", "--allow-private", "--json"]
        with serving(documents, port=port, folder=place / "server", log=place / "visits", core=other):
            crawled = _done(pinned([*begin, *options], own), place)
        visits = read(place / "visits", len(documents))
        indexed = _done(pinned([*_OPILIO, "index", "build", str(into), "--json"], own), place)
        _tell(visits, crawled, indexed, place)


def _done(command: list[str], place: Path) -> Usage:
    usage = run(command, folder=place, log=place / "output", env={"OPILIO_HOME": str(place / "home")})
    if usage.code:
        raise SystemExit(f"{' '.join(command[:6])} … failed:\n{(place / 'output').read_text(errors='replace')[-2000:]}")
    return usage


def _tell(visits: Visits, crawled: Usage, indexed: Usage, place: Path) -> None:
    """For each page as measured, and for a million."""
    pages = len(visits.pages)
    warcs = _bytes((place / "crawl").rglob("*.warc.gz"))
    rest = _bytes((place / "crawl").rglob("*")) - warcs
    index = _bytes((place / "home").rglob("*"))
    print(f"\n{machine.line()}\n\n### the cost of a million pages, from {pages:,} with {visits.requests:,} requests\n")
    print(f"{visits.bytes / 1e6:,.0f} MB were fetched.\n")
    print("| what | each page | a million |\n|---|---|---|")
    for name, seconds in (("CPU of the crawl, sealed", crawled.cpu), ("CPU of the index", indexed.cpu)):
        print(f"| {name} | {1_000 * seconds / pages:.2f} ms | {1e6 * seconds / pages / 3_600:.1f} hours of a core |")
    for name, size in (
        ("WARC files", warcs),
        ("result, texts, links, indexes of captures", rest),
        ("generation", index),
    ):
        print(f"| {name} | {size / pages / 1_000:.1f} kB | {size / pages / 1_000:.1f} GB |")
    print(f"\nLargest process: crawl {crawled.rss / 1e6:.0f} MB, index {indexed.rss / 1e6:.0f} MB.")


def _bytes(files: Iterable[Path]) -> int:
    return sum(one.stat().st_size for one in files if one.is_file())


if __name__ == "__main__":
    main()
