"""Which captures an index shall hold: for every URL the newest one with a text, over all sources, and the anchor texts
of the links that lead to it. Lies in a file while a generation is built, so that memory does not grow with the pages.
"""

import contextlib
import itertools
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from opilio.archive.results.view import ResultView
from opilio.archive.sorting import sorted_lines
from opilio.kernel.capture import Hop
from opilio.kernel.errors import NoSpace, OpilioError, Unavailable
from opilio.kernel.page_links import PageLink
from opilio.works.index_documents import why_not

_TABLES = (
    """CREATE TABLE chosen (
        url TEXT PRIMARY KEY, source INTEGER, number INTEGER, at REAL, extractor TEXT, page INTEGER NOT NULL DEFAULT -1,
        fingerprint INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID""",
    "CREATE TABLE content (digest TEXT PRIMARY KEY, extractor TEXT NOT NULL) WITHOUT ROWID",
)
_TAKE = """
    INSERT INTO chosen (url, source, number, at, extractor) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (url) DO UPDATE SET source = excluded.source,
    number = excluded.number, at = excluded.at, extractor = excluded.extractor WHERE excluded.at >= chosen.at
"""
_PORTION = 1_000
_SIGN = 1 << 63  # SQLite's numbers have a sign
_MEMORY = 64 << 20  # bytes for sorting anchor texts
_MOST_ANCHORS = 50  # different texts that are kept of one page
_ANCHORS = frozenset({"a", "area"})


class Chosen(NamedTuple):
    """A capture that the index shall hold."""

    url: str
    source: int  # place among the sources
    number: int  # of the resource
    extractor: str  # version that made its text
    page: int = -1  # its number in the views, once it has one


class Choice:
    """The choice, in a file of its own; gone when it is closed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._ours():
            self._database = sqlite3.connect(path)
            self._database.execute("PRAGMA journal_mode = OFF")
            self._database.execute("PRAGMA synchronous = OFF")
            for table in _TABLES:
                self._database.execute(table)

    def __enter__(self) -> "Choice":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Forget it."""
        self._database.close()
        self._path.unlink(missing_ok=True)

    def consider(self, source: int, view: ResultView) -> None:
        """Take what a result has into account; of two captures of a URL the newer counts, then the later source's."""
        with self._ours():
            self._database.execute("DELETE FROM content")
            self._database.executemany("INSERT OR REPLACE INTO content VALUES (?, ?)", view.text_keys())
            resources = iter(view.resources())
            while part := list(itertools.islice(resources, _PORTION)):
                known = self._extractors({each.digest for each in part})
                self._database.executemany(
                    _TAKE,
                    (
                        (each.url, source, each.id, each.at, known[each.digest])
                        for each in part
                        if not why_not(each, has_text=each.digest in known)
                    ),
                )
            self._database.commit()

    def chosen(self) -> Iterator[Chosen]:
        """Every chosen capture, by URL."""
        last = ""
        words = f"SELECT url, source, number, extractor, page FROM chosen WHERE url > ? ORDER BY url LIMIT {_PORTION}"  # noqa: S608 - ours
        while rows := self._rows(words, last):
            last = str(rows[-1][0])
            yield from (Chosen(*row) for row in rows)

    def find(self, url: str) -> Chosen | None:
        """The chosen capture of a URL."""
        rows = self._rows("SELECT url, source, number, extractor, page FROM chosen WHERE url = ?", url)
        return Chosen(*rows[0]) if rows else None

    def note(self, url: str, page: int, fingerprint: int) -> None:
        """Keep number and fingerprint of a chosen page until all are known."""
        words = "UPDATE chosen SET page = ?, fingerprint = ? WHERE url = ?"
        with self._ours():
            self._database.execute(words, (page, fingerprint - _SIGN, url))

    def noted(self) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        """The numbers of the chosen pages, growing, and their fingerprints."""
        with self._ours():
            rows = self._database.execute("SELECT page, fingerprint FROM chosen ORDER BY page")
            found = np.fromiter(rows, dtype=[("page", np.int64), ("print", np.int64)])
        return found["page"], found["print"].astype(np.uint64) + np.uint64(_SIGN)

    def count(self) -> int:
        """How many there are."""
        return int(self._rows("SELECT count(*) FROM chosen")[0][0])

    def with_anchors(self, links: Iterable[tuple[str, Sequence[PageLink]]]) -> Iterator[tuple[Chosen, tuple[str, ...]]]:
        """Every chosen capture, by URL, with the different anchor texts of links from other pages."""
        lines = sorted_lines(_lines(links), folder=self._path.parent, memory=_MEMORY)
        groups = itertools.groupby(lines, key=lambda line: line.partition(b"\t")[0])
        at, texts = next(groups, (None, iter(())))
        for each in self.chosen():
            key = each.url.encode("utf-8", "replace")
            while at is not None and at < key:
                at, texts = next(groups, (None, iter(())))
            yield each, _different(texts) if at == key else ()

    def _extractors(self, digests: set[str]) -> Mapping[str, str]:
        marks = ", ".join("?" * len(digests))
        rows = self._database.execute(f"SELECT digest, extractor FROM content WHERE digest IN ({marks})", [*digests])  # noqa: S608 - ours
        return dict(rows.fetchall())

    def _rows(self, words: str, *values: object) -> list[tuple[str, int, int, str, int]]:
        with self._ours():
            return self._database.execute(words, values).fetchall()

    @contextlib.contextmanager
    def _ours(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._error(error) from error

    def _error(self, error: sqlite3.Error) -> OpilioError:
        where = str(self._path)
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            return NoSpace("the disk is full", where=where, remedy="Free some space, then build again.")
        return Unavailable(f"cannot note which pages to index: {error}", where=where, remedy="Check the folder.")


def anchored(link: PageLink) -> bool:
    """Whether a link is one that readers click: what seeds and search call a link."""
    return link.hop is Hop.LINK and link.kind.partition(".")[0] in _ANCHORS


def _lines(links: Iterable[tuple[str, Sequence[PageLink]]]) -> Iterator[bytes]:
    for parent, row in links:
        for link in row:
            if link.text and link.url != parent and anchored(link):
                yield f"{link.url}\t{link.text}\n".encode("utf-8", "replace")


def _different(lines: Iterable[bytes]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for line in lines:
        if len(found) < _MOST_ANCHORS:
            found.setdefault(line.partition(b"\t")[2].decode("utf-8", "replace").rstrip("\n"))
    return tuple(found)
