"""Bodies that are kept already, by their payload digest: those of earlier crawls, and those met on the way.

An SQLite file, because there may be millions. A digest that was met in an index is believed once its record was read.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from opilio.archive.cdxj import CdxRow, stamp
from opilio.archive.results.database import made, mapped
from opilio.kernel.capture import Original
from opilio.kernel.digests import Digest

_TABLE = """
    CREATE TABLE kept (
        digest TEXT PRIMARY KEY, url TEXT NOT NULL, at REAL NOT NULL, record TEXT NOT NULL, sha256 TEXT NOT NULL,
        crawl INTEGER, file TEXT NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL) WITHOUT ROWID
"""
_OK = 200


@dataclass(frozen=True, slots=True)
class Kept:
    """A body that is kept."""

    original: Original
    sha256: str  # hex; empty: nobody read it yet
    crawl: int | None  # number of the earlier crawl; None: this one
    file: str
    start: int
    length: int


class KeptBodies:
    """An open table. As a context manager it closes itself."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._db = made(path)
        with mapped(path):
            self._db.execute("BEGIN")
            self._db.execute(_TABLE)
            self._db.execute("CREATE TABLE referred (url TEXT, at TEXT, PRIMARY KEY (url, at)) WITHOUT ROWID")

    def __enter__(self) -> "KeptBodies":
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def expect(self, rows: Iterable[CdxRow], crawl: int) -> int:
        """Note the captures of an earlier crawl that have a body; how many."""
        values = (
            (row.digest.base32, row.url, row.at.timestamp(), "", "", crawl, row.file, row.offset, row.length)
            for row in rows
            if row.digest is not None and not row.revisit and row.status == _OK
        )
        with mapped(self._path):
            cursor = self._db.executemany("INSERT OR IGNORE INTO kept VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
        return max(cursor.rowcount, 0)

    def refer(self, revisits: Iterable[CdxRow]) -> None:
        """Note what captures of this crawl refer to: a revisit must not refer to another."""
        values = ((row.original_url or row.url, _second(row.original_at)) for row in revisits)
        with mapped(self._path):
            self._db.executemany("INSERT OR IGNORE INTO referred VALUES (?, ?)", values)

    def is_referred(self, url: str, at: datetime) -> bool:
        """Whether a capture of this crawl refers to another one of it; without a time, any of that URL may be meant."""
        words = "SELECT 1 FROM referred WHERE url = ? AND at IN (?, '')"
        return self._run(words, url, _second(at)).fetchone() is not None

    def find(self, digest: Digest) -> Kept | None:
        """The body with a digest."""
        row = self._run("SELECT * FROM kept WHERE digest = ?", digest.base32).fetchone()
        if row is None:
            return None
        _, url, at, record, sha256, crawl, file, start, length = row
        original = Original(url=url, captured=datetime.fromtimestamp(at, UTC), digest=digest, record=record or None)
        return Kept(original, sha256, crawl, file, start, length)

    def learn(self, digest: Digest, original: Original, sha256: str, place: tuple[str, int, int]) -> None:
        """Note a body of this crawl that was read."""
        values = (digest.base32, original.url, original.captured.timestamp(), original.record or "", sha256, *place)
        self._run("INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?, ?, NULL, ?, ?, ?)", *values)

    def confirm(self, digest: Digest, kept: Kept) -> None:
        """Note what the record of an earlier crawl told."""
        values = (kept.original.url, kept.original.captured.timestamp(), kept.original.record or "", kept.sha256)
        self._run("UPDATE kept SET url = ?, at = ?, record = ?, sha256 = ? WHERE digest = ?", *values, digest.base32)

    def forget(self, digest: Digest) -> None:
        """A body that turned out to be another."""
        self._run("DELETE FROM kept WHERE digest = ?", digest.base32)

    def _run(self, words: str, *values: object) -> sqlite3.Cursor:
        with mapped(self._path):
            return self._db.execute(words, values)


def _second(at: datetime | None) -> str:
    return stamp(at, 14) if at is not None else ""
