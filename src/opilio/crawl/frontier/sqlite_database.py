"""The door to an SQLite file: one connection, write-ahead log, every commit on the disk before it counts.

Errors of SQLite become ours here: a full disk `NoSpace`, a damaged file `CorruptCrawlStore`, a held one
`CrawlStoreBusy`.
"""

import contextlib
import itertools
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from opilio.crawl.errors import CorruptCrawlStore, CrawlStoreBusy, CrawlStoreUnavailable
from opilio.crawl.frontier.database import TABLES, UNLIKE, Both, Bulk, Key, Row, Sql, T
from opilio.kernel.errors import NoSpace, NotWritable, OpilioError

_SIZES = (512, 64, 8)  # keys in one question; few sizes, so that statements stay prepared
_PATIENCE = 60.0  # seconds to wait for another process that writes
_CACHE = 48 * 1024  # KiB of pages kept in memory
_LOG = 16_384  # pages of the log (64 MB) that are folded back into the file at once
_NAMES = {**{table: table for table in TABLES}, "lock": ""}
_MISSING = f"""
    WITH k(host, hash64, depth, seed, hops) AS ({{keys}})
    SELECT k.host, k.hash64, s.host FROM k LEFT JOIN {{seen}} AS s ON s.host = k.host AND s.hash64 = k.hash64
    WHERE k.host IS NOT NULL AND (s.host IS NULL OR {UNLIKE})
"""  # noqa: S608 - names are ours
_MEET = "INSERT INTO seen (host, hash64, depth, seed, hops, entry) VALUES (?, ?, ?, ?, ?, ?)"
_FULL = {sqlite3.SQLITE_FULL}
_CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_ERROR}  # our SQL fits the tables we made
_HELD = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_CLOSED = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH}


class SqliteDatabase:
    """A file, or a database in memory when there is no path."""

    shared = False

    def __init__(self, path: Path | None, *, read_only: bool = False) -> None:
        self._where = str(path) if path else "memory"
        self._texts: dict[tuple[Sql, int], str] = {}
        with self.mapped():
            self._connection = self._connect(path, read_only)

    @property
    def where(self) -> str:
        """The file, for messages."""
        return self._where

    def write(self, work: Callable[[], T]) -> T:
        with self.mapped():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                found = work()
                self._connection.execute("COMMIT")
            except BaseException:
                self._roll_back()
                raise
            return found

    def read(self, work: Callable[[], T]) -> T:
        with self.mapped():
            if self._connection.in_transaction:
                return work()
            self._connection.execute("BEGIN")
            try:
                return work()
            finally:
                self._roll_back()

    def rows(self, sql: Sql, values: Sequence[object] = ()) -> list[Row]:
        return self._connection.execute(self._text(sql), values).fetchall()

    def execute(self, sql: Sql, values: Sequence[object] = ()) -> int:
        return self._connection.execute(self._text(sql), values).rowcount

    def many(self, bulk: Bulk, rows: Sequence[Row]) -> None:
        if rows:
            self._connection.executemany(self._text(bulk.words), rows)

    def keyed(self, sql: Sql, keys: Sequence[Row], types: str) -> list[Row]:
        width = len(types.split())
        rows: list[Row] = []
        start = 0
        for size in _SIZES:
            while len(keys) - start >= size or (size == _SIZES[-1] and start < len(keys)):
                part = keys[start : start + size]
                start += size
                values = list(itertools.chain.from_iterable(part))
                values += [None] * (size * width - len(values))  # NULL joins nothing
                rows += self._connection.execute(self._text(sql, size, width), values)
        return rows

    def entry_ids(self, count: int) -> list[int]:
        (last,) = self._connection.execute("SELECT value FROM counter WHERE slot = -1 AND name = 'entry'").fetchone()
        self._connection.execute("UPDATE counter SET value = ? WHERE slot = -1 AND name = 'entry'", (last + count,))
        return list(range(last + 1, last + count + 1))

    def meet(self, rows: Sequence[Row]) -> tuple[set[Key], set[Key]]:
        found = self.keyed(_MISSING, [row[:5] for row in rows], "int8 int8 int4 int4 int4")
        fresh = {(host, hash64) for host, hash64, known in found if known is None}
        self._connection.executemany(_MEET, [row for row in rows if row[:2] in fresh])
        return fresh, {(host, hash64) for host, hash64, known in found if known is not None}

    def script(self, statements: Sequence[str]) -> None:
        """Run statements without values."""
        with self.mapped():
            for statement in statements:
                self._connection.execute(statement)

    def pragma(self, name: str) -> list[Row]:
        """What a pragma answers."""
        with self.mapped():
            return self._connection.execute(f"PRAGMA {name}").fetchall()

    def close(self) -> None:
        self._connection.close()

    @contextlib.contextmanager
    def mapped(self) -> Iterator[None]:
        """Turn errors of SQLite into ours."""
        try:
            yield
        except sqlite3.Error as error:
            raise self._ours(error) from error

    def _connect(self, path: Path | None, read_only: bool) -> sqlite3.Connection:
        place = f"file:{quote(str(path.absolute()))}{'?mode=ro' if read_only else ''}" if path else ":memory:"
        connection = sqlite3.connect(
            place, uri=path is not None, isolation_level=None, check_same_thread=False, timeout=_PATIENCE
        )
        try:
            connection.execute(f"PRAGMA cache_size = -{_CACHE}")
            if not read_only:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = FULL")
                connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG}")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def _text(self, sql: Sql, size: int = 0, width: int = 0) -> str:
        found = self._texts.get((sql, size))
        if found is None:
            words = sql.sqlite if isinstance(sql, Both) else sql
            row = f"({', '.join('?' * width)})"
            keys = f"VALUES {', '.join([row] * size)}" if size else ""
            found = self._texts[sql, size] = words.format_map({**_NAMES, "keys": keys})
        return found

    def _ours(self, error: sqlite3.Error) -> OpilioError:
        code = getattr(error, "sqlite_errorcode", 0)
        kind = code & 0xFF
        if kind in _FULL:
            return NoSpace("the disk is full", where=self._where, remedy="Free some space, then resume the crawl.")
        if kind == sqlite3.SQLITE_NOTADB:
            what = "the file is no database, or its beginning is damaged"
            return CorruptCrawlStore(what, where=self._where, remedy=REBUILD)
        undecodable = code == 0 and isinstance(error, sqlite3.OperationalError)
        if kind in _CORRUPT or undecodable:
            return CorruptCrawlStore(f"the crawl store is damaged: {error}", where=self._where, remedy=REBUILD)
        if kind in _HELD:
            remedy = "Stop the other process that crawls into this folder."
            return CrawlStoreBusy("another process holds the crawl store", where=self._where, remedy=remedy)
        if kind in _CLOSED:
            remedy = "Let the user that runs Opilio write to the file and its folder."
            return NotWritable(f"the crawl store cannot be opened: {error}", where=self._where, remedy=remedy)
        remedy = f"Check the disk, then resume the crawl. {REBUILD}" if kind == sqlite3.SQLITE_IOERR else REBUILD
        return CrawlStoreUnavailable(f"the crawl store failed: {error}", where=self._where, remedy=remedy)


REBUILD = "Its WARC files are not harmed; make the store again from them: opilio crawl rebuild DIR."
