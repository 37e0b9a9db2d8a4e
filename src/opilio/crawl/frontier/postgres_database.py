"""The door to a PostgreSQL database: one connection, restored when it is lost; transactions tried again for minutes.

A transaction may be run again after its answer was lost, so what it does must be recognisable (see `committing`).
"""

import contextlib
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import psycopg
from psycopg import errors
from psycopg.types.numeric import Int8BinaryDumper

from opilio.crawl.errors import CorruptCrawlStore, CrawlStoreUnavailable
from opilio.crawl.frontier.database import TABLES, UNLIKE, Both, Bulk, Key, Row, Sql, T
from opilio.crawl.frontier.sql_schema import NAMESPACE
from opilio.kernel.errors import NoSpace, OpilioError
from opilio.kernel.logs import logger

log = logger(__name__)

PATIENCE = 300.0  # seconds for which a lost server is waited for
OPENING = 30.0  # seconds for which a server is waited for that may be the wrong one
_FIRST_PAUSE = 0.05  # seconds; doubled each time
_LONGEST_PAUSE = 10.0
_CONNECT = 10  # seconds
#: A machine that vanished is noticed after a minute, on both ends; nobody waits for the lock of one that stands still.
_LIVELY: dict[str, Any] = {
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}
_SESSION = "-c synchronous_commit=on -c lock_timeout=60s -c idle_in_transaction_session_timeout=60s"
_AGAIN = (
    psycopg.OperationalError,  # lost connection, server starting or stopping, deadlock, serialisation
    psycopg.InterfaceError,  # the connection is closed
    errors.InvalidSqlStatementName,  # a prepared statement that went with its connection
)
_NOT_AGAIN = (errors.DiskFull, errors.InsufficientResources, errors.InvalidPassword, errors.InvalidCatalogName)
_BETTER = f"""
    WITH k(host, hash64, depth, seed, hops) AS ({{keys}})
    SELECT k.host, k.hash64 FROM k CROSS JOIN {{seen}} AS s WHERE s.host = k.host AND s.hash64 = k.hash64 AND {UNLIKE}
"""  # noqa: S608 - names are ours
_MEET = """
    INSERT INTO {seen} (host, hash64, depth, seed, hops, entry)
    SELECT * FROM unnest(?::int8[], ?::int8[], ?::int4[], ?::int4[], ?::int4[], ?::int8[])
    ON CONFLICT (host, hash64) DO NOTHING RETURNING host, hash64
"""


class PostgresDatabase:
    """One connection, for one crawl or (crawl 0) for the tables of all."""

    shared = True

    def __init__(
        self, url: str, crawl: int = 0, *, patience: float = PATIENCE, pause: Callable[[float], None] = time.sleep
    ) -> None:
        self._url = url
        self._patience = patience
        self._pause = pause
        self._names = _names(crawl)
        self._texts: dict[Sql, str] = {}
        self._sequence = f"{NAMESPACE}.entry_{crawl}"
        self._connection: psycopg.Connection[Row] | None = None
        self._depth = 0  # of transactions

    @property
    def where(self) -> str:
        """The database, for messages; without the password."""
        with contextlib.suppress(psycopg.Error):
            parts = psycopg.conninfo.conninfo_to_dict(self._url)
            host, port = parts.get("host", "localhost"), parts.get("port", 5432)
            return f"PostgreSQL database {parts.get('dbname', '')} at {host}, port {port}"
        return "PostgreSQL"

    def write(self, work: Callable[[], T]) -> T:
        return self._again(work)

    def read(self, work: Callable[[], T]) -> T:
        return work() if self._depth else self._again(work)

    def rows(self, sql: Sql, values: Sequence[object] = ()) -> list[Row]:
        return self._cursor(sql, values).fetchall()

    def execute(self, sql: Sql, values: Sequence[object] = ()) -> int:
        return self._cursor(sql, values).rowcount

    def many(self, bulk: Bulk, rows: Sequence[Row]) -> None:
        if rows:
            self._cursor(bulk.words, _transposed(rows))

    def keyed(self, sql: Sql, keys: Sequence[Row], types: str) -> list[Row]:
        if not keys:
            return []
        arrays = ", ".join(f"?::{kind}[]" for kind in types.split())
        given = f"SELECT * FROM unnest({arrays})"  # noqa: S608 - types are ours
        words = (sql.postgres if isinstance(sql, Both) else sql).replace("{keys}", given)
        return self.rows(words, _transposed(keys))

    def entry_ids(self, count: int) -> list[int]:
        found = self.rows(f"SELECT nextval('{self._sequence}') FROM generate_series(1, ?)", (count,))  # noqa: S608 - ours
        return [number for (number,) in found]

    def meet(self, rows: Sequence[Row]) -> tuple[set[Key], set[Key]]:
        if not rows:
            return set(), set()
        fresh = {(host, hash64) for host, hash64 in self.rows(_MEET, _transposed(rows))}
        rest = [row[:5] for row in rows if row[:2] not in fresh]
        better = self.keyed(_BETTER, rest, "int8 int8 int4 int4 int4")
        return fresh, {(host, hash64) for host, hash64 in better}

    def script(self, statements: Sequence[str]) -> None:
        """Run statements without values."""
        for statement in statements:
            self._open().execute(statement.encode())

    def named(self, crawl: int) -> "PostgresDatabase":
        """The same connection, in the same transaction, for the tables of one crawl."""
        other = PostgresDatabase(self._url, crawl, patience=self._patience, pause=self._pause)
        other._connection = self._connection
        return other

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _cursor(self, sql: Sql, values: Sequence[object]) -> psycopg.Cursor[Row]:
        text = self._texts.get(sql)
        if text is None:
            words = sql.postgres if isinstance(sql, Both) else sql
            text = self._texts[sql] = words.replace("?", "%s").format_map(self._names)
        given = [_array(value) if isinstance(value, list) else value for value in values]
        return self._open().execute(text.encode(), given)

    def _open(self) -> psycopg.Connection[Row]:
        if self._connection is None:
            self._connection = psycopg.connect(
                self._url,
                autocommit=True,
                connect_timeout=_CONNECT,
                application_name="opilio crawl store",
                options=f"{psycopg.conninfo.conninfo_to_dict(self._url).get('options', '')} {_SESSION}",
                **_LIVELY,
            )
            # One type for whole numbers: else every mix of small and large ones would be a statement of its own.
            self._connection.adapters.register_dumper(int, Int8BinaryDumper)
        return self._connection

    def _again(self, work: Callable[[], T]) -> T:
        """Run a transaction until it succeeds or the patience ends."""
        end = time.monotonic() + self._patience
        pause = _FIRST_PAUSE
        while True:
            try:
                return self._once(work)
            except psycopg.Error as error:
                if isinstance(error, _NOT_AGAIN) or not isinstance(error, _AGAIN) or time.monotonic() > end:
                    raise self._ours(error) from error
                if self._connection is not None and self._connection.closed:
                    self._connection = None
                log.warning("crawl_store_retry", where=self.where, error=_line(error), pause=pause)
            self._pause(pause * (0.5 + random.random()))  # noqa: S311 - spreads workers that collided
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _once(self, work: Callable[[], T]) -> T:
        self._depth += 1
        try:
            with self._open().transaction():
                return work()
        finally:
            self._depth -= 1

    def _ours(self, error: psycopg.Error) -> OpilioError:
        if isinstance(error, errors.DiskFull):
            return NoSpace(
                "the server's disk is full", where=self.where, remedy="Free some space, then resume the crawl."
            )
        if isinstance(error, errors.DataCorrupted | errors.IndexCorrupted):
            remedy = "Restore the database, or crawl again; the WARC files are not harmed."
            return CorruptCrawlStore(f"the crawl store is damaged: {error}", where=self.where, remedy=remedy)
        remedy = "Check that the server runs and that the address is right, then resume the crawl."
        return CrawlStoreUnavailable(f"the crawl store cannot be used: {_line(error)}", where=self.where, remedy=remedy)


def _transposed(rows: Sequence[Row]) -> list[object]:
    return [list(column) for column in zip(*rows, strict=True)]


def _array(column: list[object]) -> object:
    """Values as one array. Numbers are written out: it is quicker, and leaves their type to the statement."""
    sample = next((value for value in column if value is not None), 0)
    if isinstance(sample, int):
        return f"{{{','.join(['NULL' if value is None else str(value) for value in column])}}}"
    return column


def _names(crawl: int) -> dict[str, str]:
    end = f"_{crawl}" if crawl else ""
    return {**{table: f"{NAMESPACE}.{table}{end}" for table in TABLES}, "lock": "FOR UPDATE OF s"}


def _line(error: psycopg.Error) -> str:
    return " ".join(str(error).split())[:300].rstrip("?.!")
