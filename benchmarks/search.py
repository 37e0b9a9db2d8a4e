"""Indexing and asking 35,000 real pages: Opilio and SQLite's FTS5 in one run.

Both get the same texts, already extracted and in memory, in the same fields with positions, stem English, keep the
texts for snippets, and end with everything on disk; `search_build` says how. Beside them Opilio's index fed with pages
that were prepared before, which is the least that this engine can take, and the engine with its own analysis, stemmed
and not. OPILIO_TEST_BENCH_PAGES is the number of pages.
"""

import gc
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from benchmarks import cache, machine, search_corpus, search_page
from benchmarks.archive import mark
from benchmarks.search_build import LOADED, MERGED, OURS, Builds, Built
from opilio.search.access_filter import OPEN
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.document import SearchDocument
from opilio.search.index.opening import open_index
from opilio.search.query.builder import Builder
from opilio.search.query.parser import parse
from opilio.search.query.profile import FULL
from opilio.search.request import Request
from opilio.search.search_index import SearchIndex
from opilio.search.snapshot import Snapshot

QUERIES = 1_000
PEER = 200  # queries that the slower peer is asked
PAGES_SHOWN = 300  # pages of results that are fetched
ROUNDS = 2  # in which each index is built; the better counts
_ASKED = (
    "SELECT rowid, title, snippet(page, 3, '<b>', '</b>', '…', 32) FROM page WHERE page MATCH ? "
    "ORDER BY bm25(page, 1.5, 0.8, 0.8, 1, 0.1, 0.3) LIMIT 10"
)
_ANALYZER = Analyzer()


def main() -> None:
    """Measure, and print a table with what was promised."""
    documents = search_corpus.documents()
    gc.collect()
    gc.freeze()  # nobody shall walk over all documents again and again
    with tempfile.TemporaryDirectory(prefix="search-", dir=cache.folder("scratch")) as scratch:
        place = Path(scratch)
        builds = Builds(documents, place)
        built = builds.measured(ROUNDS)
        asked = _asked(builds, place / "home", documents)
    _print(len(documents), sum(len(each.text.encode()) for each in documents), built, asked)


def _asked(builds: Builds, home: Path, documents: list[SearchDocument]) -> dict[str, tuple[float, float]]:
    """Middle and 99th percentile, in milliseconds, of three random words that many pages hold."""
    folder = builds.path(OURS)
    index, engine = SearchIndex(folder, Analyzer()), _Engine(folder)
    chance = random.Random(20261116)
    words = [word for word in engine.snapshot.vocabulary.words[:4_000] if word.isalpha() and len(word) > 3]
    queries = [" ".join(chance.sample(words, 3)) for _ in range(QUERIES)]
    with search_page.asking(home, folder, documents) as page:
        found = {
            "Opilio, engine": _percentiles(engine.seconds, queries),
            "Opilio, 10 hits": _percentiles(lambda query: _seconds(lambda: _ours(index, query)), queries),
            "Opilio, page of results": _percentiles(page, queries[:PAGES_SHOWN]),
        }
    return found | {f"{name}, 10 hits": _fts5(builds.path(name), queries[:PEER]) for name in (LOADED, MERGED)}


def _fts5(path: Path, queries: list[str]) -> tuple[float, float]:
    with closing(sqlite3.connect(path)) as store:
        return _percentiles(lambda query: _seconds(lambda: _theirs(store, query)), queries)


class _Engine:
    """The engine alone: what it takes to rank and count, once the query is built."""

    def __init__(self, folder: Path) -> None:
        index = open_index(folder, Analyzer().fingerprint)
        self.snapshot = Snapshot(index.schema, index.searcher())

    def seconds(self, query: str) -> float:
        snapshot, analyzer = self.snapshot, _ANALYZER
        builder = Builder(
            schema=snapshot.schema, analyzer=analyzer, languages=snapshot.languages, lexicon=snapshot.known(OPEN),
            profile=FULL,
        )  # fmt: skip
        built = builder.asked(parse(query).node).query
        return _seconds(lambda: snapshot.searcher.search(built, FULL.rescored))


def _ours(index: SearchIndex, query: str) -> None:
    index.search(Request(query=query, facets=False), OPEN)


def _theirs(store: sqlite3.Connection, query: str) -> None:
    store.execute(_ASKED, (" OR ".join(query.split()),)).fetchall()


def _percentiles(measure: Callable[[str], float], queries: list[str]) -> tuple[float, float]:
    for query in queries[:50]:
        measure(query)
    times = [1000 * measure(query) for query in queries]
    return statistics.median(times), statistics.quantiles(times, n=100, method="inclusive")[-1]


def _seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _print(pages: int, size: int, built: dict[str, Built], asked: dict[str, tuple[float, float]]) -> None:
    print(f"\n{machine.line()}; {pages:,} pages, {size / 1e6:.0f} MB of text, the better of {ROUNDS} rounds\n")
    print("| | documents/s | MB/s | CPU s | index ÷ text | parts |\n|---|---|---|---|---|---|")
    for name, each in built.items():
        speeds = f"{pages / each.took:,.0f} | {size / 1e6 / each.took:.1f} | {each.cpu:.1f}"
        print(f"| {name} | {speeds} | {each.size / size:.2f} | {each.parts} |")
    print("\n| one of three words | p50 ms | p99 ms |\n|---|---|---|")
    for name, (middle, last) in asked.items():
        print(f"| {name} | {middle:.2f} | {last:.2f} |")
    ours, share = built[OURS], built[OURS].size / size
    ratio, loaded = built[MERGED].took / ours.took, built[LOADED].took / ours.took
    (engine, engine_late), late = asked["Opilio, engine"], asked["Opilio, 10 hits"][1]
    page = asked["Opilio, page of results"][1]
    print(
        f"\n- {ratio:.2f} times the documents/s of FTS5 optimized, {loaded:.2f} times those of FTS5 as loaded "
        f"(wanted: 2){mark(loaded >= 2)}"
    )
    print(f"- index ÷ text {share:.2f} (wanted: 0.8 at most){mark(share <= 0.8)}")
    print(
        f"- engine p50 {engine:.2f}, p99 {engine_late:.2f} ms (wanted: 1 and 5){mark(engine <= 1 and engine_late <= 5)}"
    )
    print(f"- ten hits with snippets p99 {late:.1f} ms (wanted: 30){mark(late <= 30)}")
    print(f"- page of results p99 {page:.1f} ms (wanted: 60){mark(page <= 60)}", flush=True)
