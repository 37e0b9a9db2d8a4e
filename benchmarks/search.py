"""Indexing and asking 35,000 real pages: Opilio and SQLite's FTS5 in one run.

Both get the same texts, already extracted and in memory, in the same fields with positions, stem English, keep the
texts for snippets, and end with everything on disk. FTS5 has one writer and so one core; Opilio prepares pages in two
processes, as the build of a generation does. Beside them the engine of Opilio alone with its own analysis, stemmed and
not, which tells how much of the way is the engine's. OPILIO_TEST_BENCH_PAGES is the number of pages.
"""

import gc
import multiprocessing
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import tantivy

from benchmarks import cache, machine, search_corpus, search_page
from benchmarks.archive import mark
from opilio.search.access_filter import OPEN
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.document import SearchDocument
from opilio.search.index.build import IndexBuild
from opilio.search.index.entry import Prepared, Preparer
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
STEP = 50  # pages that a process prepares at a time
_TABLE = "CREATE VIRTUAL TABLE page USING fts5(title, headings, about, body, aside, url, tokenize='porter unicode61')"
_FIELDS = ("title", "headings", "about", "body", "aside", "url")
_MEMORY = 256_000_000  # bytes that a writer of the engine has
_ASKED = (
    "SELECT rowid, title, snippet(page, 3, '<b>', '</b>', '…', 32) FROM page WHERE page MATCH ? "
    "ORDER BY bm25(page, 1.5, 0.8, 0.8, 1, 0.1, 0.3) LIMIT 10"
)
_DOCUMENTS: list[SearchDocument] = []  # inherited by the processes that prepare


def main() -> None:
    """Measure, and print a table with what was promised."""
    _DOCUMENTS[:] = search_corpus.documents()
    gc.collect()
    gc.freeze()  # the processes that prepare shall not walk over all documents
    size = sum(len(each.text.encode()) for each in _DOCUMENTS)
    with tempfile.TemporaryDirectory(prefix="search-", dir=cache.folder("scratch")) as scratch:
        place = Path(scratch)
        built = {
            "FTS5, porter": _built(place / "fts5.db", _index_fts5),
            "Opilio": _built(place / "index", _index_ours),
            "tantivy alone, English stems": _built(place / "stems", lambda folder: _index_engine(folder, "en_stem")),
            "tantivy alone, no stems": _built(place / "words", lambda folder: _index_engine(folder, "default")),
        }
        asked = _asked(place / "index", place / "fts5.db", place / "home")
    _print(size, built, asked)


def _built(path: Path, index: Callable[[Path], None]) -> tuple[float, int]:
    """Seconds that an index took, and its bytes."""
    took = _seconds(lambda: index(path))
    files = path.iterdir() if path.is_dir() else (path,)
    return took, sum(each.stat().st_size for each in files)


def _index_ours(folder: Path) -> None:
    steps = range(0, len(_DOCUMENTS), STEP)
    with multiprocessing.get_context("fork").Pool(2) as pool, IndexBuild(folder, Analyzer(), threads=2) as build:
        for start, pages in zip(steps, pool.imap(_prepared, steps), strict=True):
            for page, prepared in enumerate(pages, start):
                build.add(page, prepared)


def _prepared(start: int) -> list[Prepared]:
    return [_PREPARER.prepared(each) for each in _DOCUMENTS[start : start + STEP]]


_ANALYZER = Analyzer()
_PREPARER = Preparer(_ANALYZER)


def _index_fts5(path: Path) -> None:
    with closing(sqlite3.connect(path)) as store, store:
        store.execute(_TABLE)
        store.executemany(
            "INSERT INTO page(rowid, title, headings, about, body, aside, url) VALUES (?, ?, ?, ?, ?, ?, ?)", _rows()
        )


def _index_engine(folder: Path, tokenizer: str) -> None:
    """The engine of Opilio as it comes, with texts stored."""
    folder.mkdir()
    builder = tantivy.SchemaBuilder()
    for name in _FIELDS:
        builder.add_text_field(name, stored=True, tokenizer_name=tokenizer)
    writer = tantivy.Index(builder.build(), path=str(folder)).writer(_MEMORY, 2)
    for _, *texts in _rows():
        document = tantivy.Document()
        for name, text in zip(_FIELDS, texts, strict=True):
            document.add_text(name, str(text))
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()


def _rows() -> Iterator[tuple[object, ...]]:
    for number, each in enumerate(_DOCUMENTS):
        yield number, each.title, "\n".join(each.headings), each.description, each.main_text, each.aside_text, each.url


def _asked(folder: Path, path: Path, home: Path) -> dict[str, tuple[float, float]]:
    """Middle and 99th percentile, in milliseconds, of three random words that many pages hold."""
    index, engine = SearchIndex(folder, Analyzer()), _Engine(folder)
    chance = random.Random(20261116)
    words = [word for word in engine.snapshot.vocabulary.words[:4_000] if word.isalpha() and len(word) > 3]
    queries = [" ".join(chance.sample(words, 3)) for _ in range(QUERIES)]
    with closing(sqlite3.connect(path)) as store, search_page.asking(home, folder, _DOCUMENTS) as page:
        return {
            "Opilio, engine": _percentiles(engine.seconds, queries),
            "Opilio, 10 hits": _percentiles(lambda query: _seconds(lambda: _ours(index, query)), queries),
            "Opilio, page of results": _percentiles(page, queries[:PAGES_SHOWN]),
            "FTS5, 10 hits": _percentiles(lambda query: _seconds(lambda: _theirs(store, query)), queries[:PEER]),
        }


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


def _print(size: int, built: dict[str, tuple[float, int]], asked: dict[str, tuple[float, float]]) -> None:
    pages = len(_DOCUMENTS)
    print(f"\n{machine.line()}; {pages:,} pages, {size / 1e6:.0f} MB of text\n")
    print("| | documents/s | MB/s | index ÷ text |\n|---|---|---|---|")
    for name, (took, held) in built.items():
        print(f"| {name} | {pages / took:,.0f} | {size / 1e6 / took:.1f} | {held / size:.2f} |")
    print("\n| one of three words | p50 ms | p99 ms |\n|---|---|---|")
    for name, (middle, last) in asked.items():
        print(f"| {name} | {middle:.2f} | {last:.2f} |")
    ratio, share = built["FTS5, porter"][0] / built["Opilio"][0], built["Opilio"][1] / size
    (engine, engine_late), late = asked["Opilio, engine"], asked["Opilio, 10 hits"][1]
    page = asked["Opilio, page of results"][1]
    print(f"\n- {ratio:.2f} times the documents/s of FTS5 (wanted: 2){mark(ratio >= 2)}")
    print(f"- index ÷ text {share:.2f} (wanted: 0.8 at most){mark(share <= 0.8)}")
    print(
        f"- engine p50 {engine:.2f}, p99 {engine_late:.2f} ms (wanted: 1 and 5){mark(engine <= 1 and engine_late <= 5)}"
    )
    print(f"- ten hits with snippets p99 {late:.1f} ms (wanted: 30){mark(late <= 30)}")
    print(f"- page of results p99 {page:.1f} ms (wanted: 60){mark(page <= 60)}", flush=True)
