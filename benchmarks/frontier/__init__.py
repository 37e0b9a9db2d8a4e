"""A crawl resumed on a store that knows ten thousand, then a million URLs, all of them waiting to be fetched.

OPILIO_TEST_BENCH_URLS is the large number, OPILIO_TEST_BENCH_PAGES how many pages each crawl fetches.
"""

import contextlib
import itertools
import os
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import cache, machine
from benchmarks.frontier.figures import Size, promises, table
from benchmarks.frontier.site import HOSTS, Sites
from benchmarks.nginx import free_port, serving
from benchmarks.usage import cores, pinned, run
from benchmarks.visits import read
from opilio.crawl.plan import CrawlPlan, Fetch, Limits, Manners, Preset, Scope, ScopeKind, Seed
from opilio.works.crawl_folder import CrawlFolder, StoreAddress

FEW = 10_000
MANY = int(os.environ.get("OPILIO_TEST_BENCH_URLS", "1000000"))
PAGES = int(os.environ.get("OPILIO_TEST_BENCH_PAGES", "8000"))
_PORTION = 20_000  # URLs inserted at a time


def main() -> None:
    """Measure both sizes, then print them."""
    sizes = []
    for known in (FEW, MANY):
        with tempfile.TemporaryDirectory(prefix="frontier-", dir=cache.folder("scratch")) as scratch:
            sizes.append(_measured(known, Path(scratch)))
    print(f"\n{machine.line()}\n")
    for part in (table(sizes), promises(sizes)):
        print("\n".join(part) + "\n", flush=True)


def _measured(known: int, place: Path) -> Size:
    sites = Sites(known=known, port=free_port())
    served = sites.write(place / "sites", min(known // HOSTS, PAGES // HOSTS * 5 // 4 + 1))
    folder = CrawlFolder(place / "crawl")
    begun = time.perf_counter()
    _fill(folder, sites)
    filled, store = time.perf_counter() - begun, _size(folder)
    print(f"{known:,} URLs are in the store, after {filled:.0f} s.", flush=True)
    own, other = cores()
    command = [sys.executable, "-m", "opilio", "crawl", "resume", str(folder.path), "--json"]
    with serving(served, port=sites.port, folder=place / "server", log=place / "visits", core=other):
        usage = run(
            pinned(command, own), folder=place, log=place / "output", env={"OPILIO_HOME": str(place / "home")}
        )  # fmt: skip
    if usage.code:
        raise SystemExit(f"The crawl failed:\n{(place / 'output').read_text(errors='replace')[-2000:]}")
    visits = read(place / "visits")
    print(f"{len(visits.pages):,} pages, {usage.cpu:.1f} s CPU, {usage.wall:.1f} s", flush=True)
    return Size(known=known, store=store, after=_size(folder), filled=filled, usage=usage, visits=visits)


def _fill(folder: CrawlFolder, sites: Sites) -> None:
    """A crawl that was begun, and in which pages led to all URLs."""
    plan = CrawlPlan(
        seeds=tuple(Seed(url=url) for url in sites.starts()),
        scope=Scope(kind=ScopeKind.HOST, offsite_embeds=False),
        limits=Limits(pages=PAGES),
        manners=Manners(preset=Preset.OWN_SITE),
        fetch=Fetch(allow_private=("127.0.0.0/8",)),
    )
    finds = sites.finds()
    with contextlib.closing(folder.begin(plan, StoreAddress())) as store:
        while portion := list(itertools.islice(finds, _PORTION)):
            store.insert(portion)


def _size(folder: CrawlFolder) -> int:
    return sum(file.stat().st_size for file in folder.path.glob("crawl.db*"))
