"""Review of a large result: how soon its tree opens, a preview of pruning comes, and a pruned result is derived.

A million resources on 40 hosts, with links both ways and places in WARC files, are written once. Limits are those of
the promise; a slower machine prints what it needs. OPILIO_TEST_BENCH_RESOURCES makes it smaller.
"""

import os
import resource as usage
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.machine import line
from opilio.archive.cdxj import write_cdxj
from opilio.archive.results.cdx_rows import cdx_rows
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.manifest import sha256_of, write_manifest
from opilio.archive.results.packing import pack_links
from opilio.archive.results.values import Head, Resource, ResultHost, ResultWarc
from opilio.archive.results.view import ResultView
from opilio.archive.results.writer import ResultWriter
from opilio.crawl.plan import CrawlPlan, Seed
from opilio.crawl.plan_json import to_json
from opilio.kernel.capture import Hop, Position
from opilio.kernel.page_links import PageLink
from opilio.kernel.urls import url_hash64
from opilio.works.make_result import Asked
from opilio.works.prune_preview import preview
from opilio.works.result_change import WantedChange
from opilio.works.result_picks import Pick
from opilio.works.result_tree_making import make_tree
from opilio.works.result_tree_reading import ResultTree

RESOURCES = int(os.environ.get("OPILIO_TEST_BENCH_RESOURCES", "1000000"))
HOSTS = 40
FOLDERS = 25  # on each host
LIMITS = {"tree opens": 0.3, "folder opens": 0.3, "preview of a tenth": 3.0, "derived result": 5.0}  # seconds


def main() -> None:
    """Write the result, then measure."""
    print(
        f"\n{line()}\n\n| {RESOURCES:,} resources | seconds | of the processor | limit | |\n|---|---|---|---|---|",
        flush=True,
    )
    with tempfile.TemporaryDirectory(prefix="opilio-bench-") as home:
        results = ResultsFolder(Path(home) / "crawl")
        told("written", lambda: write(results, RESOURCES))
        told("tree counted", lambda: make_tree(results, 1))
        told("tree opens", lambda: opened(results))
        told("folder opens", lambda: opened(results, "site7.example", "/part-3/"))
        told("text found", lambda: found(results, Pick(text="page-77")))
        told("expression found", lambda: found(results, Pick(text="part-[12]/.*7$", way="regex")))
        picks = [Pick(host=f"site{number}.example") for number in range(HOSTS // 10)]
        told("preview of a tenth", lambda: preview(results.crawl, 1, picks))
        asked = Asked(number=2, parent=1, change=WantedChange(remove=tuple(picks)), note="Too much.", by="curator")
        derived = told("derived result", lambda: derive_only(results, asked))
        told("its tree counted", lambda: make_tree(results, 2))
        assert derived == RESOURCES - RESOURCES // 10, derived
    most = usage.getrusage(usage.RUSAGE_SELF).ru_maxrss // 1024
    print(f"\nThe process needed {most:,} MiB at most, that of writing the result included.", flush=True)


def told(name: str, work: Callable[[], Any]) -> Any:
    """Measure, and print a line."""
    start, busy = time.perf_counter(), time.process_time()
    value = work()
    took, busy = time.perf_counter() - start, time.process_time() - busy
    limit = LIMITS.get(name)
    verdict = "" if limit is None else ("within" if took <= limit else "SLOWER")
    print(f"| {name} | {took:.3f} | {busy:.3f} | {'' if limit is None else limit} | {verdict} |", flush=True)
    return value


def opened(results: ResultsFolder, host: str = "", path: str = "") -> int:
    """What the page of the tree asks."""
    with ResultTree(results.tree(1)) as tree:
        here = tree.folder(host, path)
        tree.facets("type")
        return len(tree.folders(here, most=101)) + len(tree.leaves(here, most=101))


def found(results: ResultsFolder, pick: Pick) -> int:
    """What a filter asks: a page of it, and the count."""
    with ResultTree(results.tree(1)) as tree:
        tree.found(pick, most=101)
        return tree.counted(pick).resources


def derive_only(results: ResultsFolder, asked: Asked) -> int:
    """The new result with its index and manifest; its tree is counted afterwards."""
    from opilio.works import make_result as making

    making._derive(results, asked, making.SYSTEM, lambda *_: None)
    with ResultView(results, 2) as view:
        return sum(view.outcomes().values())


def write(results: ResultsFolder, count: int) -> None:
    """A sealed result."""
    results.path.mkdir(parents=True)
    results.warcs.mkdir()
    (results.warcs / "a.warc.gz").touch()
    plan = to_json(CrawlPlan(seeds=(Seed(url="http://site0.example/"),)))
    with ResultWriter(results.file(1)) as writer:
        writer.warcs([ResultWarc(file="a.warc.gz", size=0, sha256="")])
        writer.hosts(ResultHost(id=number, name=f"site{number}.example") for number in range(HOSTS))
        writer.resources(_resource(number) for number in range(count))
        writer.links((number, pack_links(_links(number, count))) for number in range(count))
        writer.arrange()
        writer.finish(Head(number=1, sealed="2026-01-01T00:00:00+00:00", software="Opilio", plan=plan, report={}))
    with ResultView(results, 1, unfinished=True) as view:
        write_cdxj(results.index(1), cdx_rows(view))
    write_manifest(results.manifest(1), {"results/result-1.db": sha256_of(results.file(1))})


def _url(number: int) -> str:
    host, rest = number % HOSTS, number // HOSTS
    return f"http://site{host}.example/part-{rest % FOLDERS}/page-{rest}"


def _resource(number: int) -> Resource:
    failed = number % 50 == 7
    return Resource(
        id=number, key=(number % HOSTS, url_hash64(_url(number))), url=_url(number), seed=0,
        outcome="gone" if failed else "fetched", status=404 if failed else 200,
        type="image" if number % 3 else "html", extension="png" if number % 3 else "html", size=10_000 + number % 999,
        digest=f"sha256:{number:064x}", depth=1, at=1_767_225_600.0 + number,
        place=Position(file="a.warc.gz", offset=number * 1_000, length=1_000),
    )  # fmt: skip


def _links(number: int, count: int) -> Iterator[PageLink]:
    for step in (1, HOSTS, 7 * HOSTS, 11):
        yield PageLink(Hop.LINK if step > 1 else Hop.EMBED, "a", _url((number + step) % count))
