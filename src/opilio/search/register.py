"""The search documents of an index, one row each: what decides whether a page must be indexed again, who may see it,
to which near-duplicates it belongs, and since which generation it can be found. An SQLite file beside the index.
"""

import contextlib
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import quote

from opilio.kernel.errors import Damaged, Missing, NoSpace, OpilioError, Unavailable

FORMAT = 1
_APPLICATION = 0x4F705264  # "OpRd"
_PORTION = 2_000  # rows that are read at a time
_COLUMNS = "page, url, captured, agency, target, harvest, crawl, fingerprint, family, band, digest, since, changed"
_TABLE = """
CREATE TABLE document (
    page INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    captured REAL NOT NULL,     -- seconds since 1970, UTC
    agency TEXT NOT NULL,
    target TEXT NOT NULL,
    harvest TEXT NOT NULL,
    crawl TEXT NOT NULL,        -- the result it comes from
    fingerprint INTEGER NOT NULL,  -- of its text, as a signed number
    family INTEGER NOT NULL,    -- smallest page number among its near-duplicates
    band INTEGER NOT NULL,      -- of its link rank
    digest TEXT NOT NULL,       -- of all that the index was told about it
    since TEXT NOT NULL,        -- generation in which its URL was indexed first
    changed TEXT NOT NULL,      -- generation in which it was last indexed anew
    UNIQUE (url, crawl)
)
"""
_SIGN = 1 << 63


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One search document."""

    page: int
    url: str
    captured: float
    agency: str = ""
    target: str = ""
    harvest: str = ""
    crawl: str = ""
    fingerprint: int = 0  # unsigned
    family: int = 0
    band: int = 0
    digest: str = ""
    since: str = ""
    changed: str = ""


class Register:
    """The open file. One process writes; any number read, by any number of threads."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        self._path = path
        self._lock = threading.RLock()
        if not create and not path.is_file():
            remedy = "Restore it from a copy, or build the generation again."
            raise Missing("the list of search documents is gone", where=str(path), remedy=remedy)
        with self._ours():
            mode = "rwc" if create else "ro"
            place = f"file:{quote(str(path.absolute()))}?mode={mode}"
            self._database = sqlite3.connect(place, uri=True, check_same_thread=False)
        try:
            with self._ours():
                self._prepare(new=create and not self._database.execute("PRAGMA schema_version").fetchone()[0])
        except BaseException:
            self._database.close()
            raise

    def __enter__(self) -> "Register":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file; what was not committed is void."""
        self._database.close()

    def put(self, entries: Iterable[Entry]) -> None:
        """Add documents, or replace those of the same page."""
        marks = ", ".join("?" * len(_COLUMNS.split(",")))
        with self._ours():
            self._database.executemany(
                f"INSERT OR REPLACE INTO document ({_COLUMNS}) VALUES ({marks})",  # noqa: S608 - ours
                map(_values, entries),
            )

    def drop(self, pages: Iterable[int]) -> None:
        """Take documents out."""
        with self._ours():
            self._database.executemany("DELETE FROM document WHERE page = ?", ((page,) for page in pages))

    def commit(self) -> None:
        """Make what was written durable."""
        with self._ours():
            self._database.commit()

    def entry(self, url: str) -> Entry | None:
        """The document of a canonical URL; the newest, where several crawls have one."""
        return self._one("url = ? ORDER BY captured DESC, page DESC LIMIT 1", url)

    def of(self, url: str, crawl: str) -> Entry | None:
        """The document of a canonical URL in one crawl."""
        return self._one("url = ? AND crawl = ?", url, crawl)

    def numbered(self, page: int) -> Entry | None:
        """The document of a page number."""
        return self._one("page = ?", page)

    def entries(self) -> Iterator[Entry]:
        """All documents by page number; read in portions."""
        last = -1
        words = f"SELECT {_COLUMNS} FROM document WHERE page > ? ORDER BY page LIMIT {_PORTION}"  # noqa: S608 - ours
        while rows := self._rows(words, last):
            last = rows[-1][0]
            yield from map(_entry, rows)

    def of_crawl(self, crawl: str) -> list[int]:
        """The page numbers of one crawl."""
        return [row[0] for row in self._rows("SELECT page FROM document WHERE crawl = ? ORDER BY page", crawl)]

    def next_page(self) -> int:
        """A number that no document has and that is larger than all of them."""
        ((found,),) = self._rows("SELECT coalesce(max(page), -1) + 1 FROM document")
        return int(found)

    def family(self, page: int) -> list[Entry]:
        """All near-duplicates with one name."""
        rows = self._rows(f"SELECT {_COLUMNS} FROM document WHERE family = ? ORDER BY page", page)  # noqa: S608 - ours
        return list(map(_entry, rows))

    def count(self) -> int:
        """How many documents there are."""
        ((found,),) = self._rows("SELECT count(*) FROM document")
        return int(found)

    def _one(self, where: str, *values: object) -> Entry | None:
        rows = self._rows(f"SELECT {_COLUMNS} FROM document WHERE {where}", *values)  # noqa: S608 - ours
        return _entry(rows[0]) if rows else None

    def _rows(self, words: str, *values: object) -> list[tuple[Any, ...]]:
        with self._lock, self._ours():
            return self._database.execute(words, values).fetchall()

    def _prepare(self, *, new: bool) -> None:
        if new:
            self._database.execute(f"PRAGMA application_id = {_APPLICATION}")
            self._database.execute(f"PRAGMA user_version = {FORMAT}")
            self._database.execute(_TABLE)
            self._database.execute("CREATE INDEX document_family ON document (family)")
            self._database.execute("CREATE INDEX document_crawl ON document (crawl)")
            self._database.commit()
        known = self._database.execute("PRAGMA application_id").fetchone()[0] == _APPLICATION
        version = self._database.execute("PRAGMA user_version").fetchone()[0]
        if not known or version != FORMAT:
            what = f"the list of search documents has form {version}" if known else "this is another kind of file"
            raise Damaged(what, where=str(self._path), remedy="Build the generation again from nothing.")

    @contextlib.contextmanager
    def _ours(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._error(error) from error

    def _error(self, error: sqlite3.Error) -> OpilioError:
        where, code = str(self._path), getattr(error, "sqlite_errorcode", None)
        if code == sqlite3.SQLITE_FULL:
            return NoSpace("the disk is full", where=where, remedy="Free some space, then build again.")
        if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            remedy = "Restore it from a copy, or build the generation again."
            return Damaged("the list of search documents is damaged", where=where, remedy=remedy)
        return Unavailable(f"the list of search documents cannot be used: {error}", where=where, remedy="Try again.")


def _values(entry: Entry) -> tuple[object, ...]:
    signed = entry.fingerprint - (1 << 64) if entry.fingerprint >= _SIGN else entry.fingerprint
    return (
        entry.page, entry.url, entry.captured, entry.agency, entry.target, entry.harvest, entry.crawl, signed,
        entry.family, entry.band, entry.digest, entry.since, entry.changed,
    )  # fmt: skip


def _entry(row: tuple[Any, ...]) -> Entry:
    names = [name.strip() for name in _COLUMNS.split(",")]
    values = dict(zip(names, row, strict=True))
    values["fingerprint"] = int(values["fingerprint"]) % (1 << 64)
    return Entry(**values)
