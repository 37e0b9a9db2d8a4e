"""Builds the indexes that the benchmark of search compares: from the same texts in memory, each durable at its end.

FTS5 gets one transaction, which is the quickest way to load it, and is measured as it then is and merged into one part
by `optimize`, as its documentation advises for a table that was filled and is then only asked. It has one writer and so
one core. Opilio prepares pages in the thread that adds them, while two threads of the engine write.
"""

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import tantivy

from opilio.search.analysis.analyzer import Analyzer
from opilio.search.document import SearchDocument
from opilio.search.index.build import IndexBuild
from opilio.search.index.entry import Prepared, Preparer
from opilio.search.index.opening import open_index

#: What is built, in the order in which it is built and told.
LOADED, MERGED = "FTS5, porter, as loaded", "FTS5, porter, optimized"
OURS, FED = "Opilio", "Opilio's index alone, pages prepared before"
STEMS, WORDS = "tantivy alone, English stems", "tantivy alone, no stems"
_TABLE = "CREATE VIRTUAL TABLE page USING fts5(title, headings, about, body, aside, url, tokenize='porter unicode61')"
_FILLED = "INSERT INTO page(rowid, title, headings, about, body, aside, url) VALUES (?, ?, ?, ?, ?, ?, ?)"
_FIELDS = ("title", "headings", "about", "body", "aside", "url")
_MEMORY = 256_000_000  # bytes that a writer of the engine has


@dataclass(frozen=True, kw_only=True, slots=True)
class Built:
    """What an index took, and what came of it."""

    took: float  # seconds
    cpu: float  # seconds of processor time, of all threads
    size: int  # bytes
    parts: int  # segments that a question has to look into


class Builds:
    """Builds every index in a folder of its own, some rounds in turn; the best of each counts."""

    def __init__(self, documents: Sequence[SearchDocument], place: Path) -> None:
        self._documents = documents
        self._place = place
        self._prepared: list[Prepared] = []

    def path(self, name: str) -> Path:
        """Where an index of the last round lies."""
        return self._place / "".join(letter for letter in name if letter.isalnum())

    def measured(self, rounds: int) -> dict[str, Built]:
        """The best of some rounds."""
        found: dict[str, Built] = {}
        for _ in range(rounds):
            for name, build, parts in self._ways():
                if name == FED:
                    preparer = Preparer(Analyzer())
                    self._prepared = [preparer.prepared(each) for each in self._documents]
                done = self._built(self.path(name), build, parts)
                found[name] = min(done, found.get(name, done), key=lambda each: each.took)
                self._prepared = []
        return found

    def _ways(self) -> Iterator[tuple[str, Callable[[Path], None], Callable[[Path], int]]]:
        yield LOADED, lambda path: self._fts5(path, optimize=False), _parts_of_fts5
        yield OURS, lambda path: self._ours(path, self._documents), _parts_of_ours
        yield MERGED, lambda path: self._fts5(path, optimize=True), _parts_of_fts5
        yield FED, lambda path: self._ours(path, self._prepared), _parts_of_ours
        yield STEMS, lambda path: self._engine(path, "en_stem"), _parts_of_engine
        yield WORDS, lambda path: self._engine(path, "default"), _parts_of_engine

    def _built(self, path: Path, build: Callable[[Path], None], parts: Callable[[Path], int]) -> Built:
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        os.sync()  # nobody waits for what another wrote
        begun, cpu = time.perf_counter(), time.process_time()
        build(path)
        took, cpu = time.perf_counter() - begun, time.process_time() - cpu
        files = path.iterdir() if path.is_dir() else (path,)
        return Built(took=took, cpu=cpu, size=sum(each.stat().st_size for each in files), parts=parts(path))

    def _ours(self, folder: Path, pages: Sequence[SearchDocument | Prepared]) -> None:
        with IndexBuild(folder, Analyzer(), threads=2) as build:
            for number, page in enumerate(pages):
                build.add(number, page)

    def _fts5(self, path: Path, *, optimize: bool) -> None:
        with closing(sqlite3.connect(path)) as store, store:
            store.execute(_TABLE)
            store.executemany(_FILLED, self._rows())
            if optimize:
                store.execute("INSERT INTO page(page) VALUES ('optimize')")

    def _engine(self, folder: Path, tokenizer: str) -> None:
        """The engine of Opilio as it comes, with texts stored."""
        folder.mkdir()
        builder = tantivy.SchemaBuilder()
        for name in _FIELDS:
            builder.add_text_field(name, stored=True, tokenizer_name=tokenizer)
        writer = tantivy.Index(builder.build(), path=str(folder)).writer(_MEMORY, 2)
        for _, *texts in self._rows():
            document = tantivy.Document()
            for name, text in zip(_FIELDS, texts, strict=True):
                document.add_text(name, str(text))
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for number, each in enumerate(self._documents):
            headings = "\n".join(each.headings)
            yield number, each.title, headings, each.description, each.main_text, each.aside_text, each.url


def _parts_of_fts5(path: Path) -> int:
    with closing(sqlite3.connect(path)) as store:
        found: tuple[int] = store.execute("SELECT count(DISTINCT segid) FROM page_idx").fetchone()
        return found[0]


def _parts_of_ours(folder: Path) -> int:
    return open_index(folder, Analyzer().fingerprint).searcher().num_segments


def _parts_of_engine(folder: Path) -> int:
    return tantivy.Index.open(str(folder)).searcher().num_segments
