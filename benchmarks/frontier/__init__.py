"""A crawl resumed on a store that knows ten thousand, then a million URLs, all of them waiting to be fetched.

It is stopped after so many pages, and then sealed; what sealing takes is told apart, because it grows with the URLs
that wait and not with the pages. OPILIO_TEST_BENCH_URLS is the large number, OPILIO_TEST_BENCH_PAGES about how many
pages each crawl fetches.
"""

import contextlib
import itertools
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks import cache, machine
from benchmarks.frontier.figures import Size, promises, table
from benchmarks.frontier.site import HOSTS, Sites
from benchmarks.nginx import free_port, serving
from benchmarks.usage import Usage, cores, pinned, run
from benchmarks.visits import read
from opilio.cli.crawl import STOPPED
from opilio.crawl.plan import CrawlPlan, Fetch, Manners, Preset, Scope, ScopeKind, Seed
from opilio.works.crawl_folder import CrawlFolder, StoreAddress
from opilio.works.crawl_orders import Orders

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
    with (
        serving(served, port=sites.port, folder=place / "server", log=place / "visits", core=other),
        _stopped_after(PAGES, folder, place / "visits"),
    ):
        usage = _run("resume", folder, place, own)
    after, sealing = _size(folder), _run("seal", folder, place, own)
    visits = read(place / "visits")
    print(f"{len(visits.pages):,} pages, {usage.cpu:.1f} s CPU, {usage.wall:.1f} s", flush=True)
    return Size(known=known, store=store, after=after, filled=filled, usage=usage, visits=visits, sealing=sealing.cpu)


def _run(verb: str, folder: CrawlFolder, place: Path, core: int) -> Usage:
    command = [sys.executable, "-m", "opilio", "crawl", verb, str(folder.path), "--json"]
    usage = run(pinned(command, core), folder=place, log=place / "output", env={"OPILIO_HOME": str(place / "home")})
    if usage.code not in (0, STOPPED):
        raise SystemExit(f"The crawl failed:\n{(place / 'output').read_text(errors='replace')[-2000:]}")
    return usage


@contextlib.contextmanager
def _stopped_after(pages: int, folder: CrawlFolder, visits: Path) -> Iterator[None]:
    """Give the order to stop once the server was asked so often."""
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.2):
            if visits.exists() and visits.read_bytes().count(b"\n") >= pages:
                Orders(folder=folder.path, by="benchmark").stop()
                return

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def _fill(folder: CrawlFolder, sites: Sites) -> None:
    """A crawl that was begun, and in which pages led to all URLs."""
    plan = CrawlPlan(
        seeds=tuple(Seed(url=url) for url in sites.starts()),
        scope=Scope(kind=ScopeKind.HOST, offsite_embeds=False),
        manners=Manners(preset=Preset.OWN_SITE),
        fetch=Fetch(allow_private=("127.0.0.0/8",)),
    )
    finds = sites.finds()
    with contextlib.closing(folder.begin(plan, StoreAddress())) as store:
        while portion := list(itertools.islice(finds, _PORTION)):
            store.insert(portion)


def _size(folder: CrawlFolder) -> int:
    return sum(file.stat().st_size for file in folder.path.glob("crawl.db*"))
