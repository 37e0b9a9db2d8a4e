"""Backups of SQLite by its backup API: a consistent copy while other processes write."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from opilio.kernel.files import mapped
from opilio.server.backups.engine import Advance
from opilio.server.backups.manifest import TableEntry
from opilio.server.backups.rows import differences, entry
from opilio.server.errors import DamagedBackup, DamagedDatabase, DatabaseBusy

_PAGES = 2_000  # copied between two signs of progress
_PATIENCE = 30  # seconds


class SqliteEngine:
    """The catalogue in one file."""

    name = "sqlite"
    dump_name = "catalogue.sqlite"

    def __init__(self, path: Path) -> None:
        self._path = path

    def version(self) -> str:
        return sqlite3.sqlite_version

    def size(self) -> int:
        log = self._path.with_name(f"{self._path.name}-wal")
        return sum(path.stat().st_size for path in (self._path, log) if path.exists())

    def dump(self, into: Path, advance: Advance) -> Mapping[str, TableEntry]:
        with self._errors(self._path), _opened(self._path) as source, _opened(into, create=True) as copy:
            source.execute("BEGIN")
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()  # from here on, one snapshot
            source.backup(copy, pages=_PAGES, progress=lambda _, left, total: advance(total - left, total))
            source.execute("ROLLBACK")
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
            return _tables(copy)

    def tables(self) -> Mapping[str, TableEntry]:
        with self._errors(self._path), _opened(self._path) as database:
            return _tables(database)

    def check_dump(self, dump: Path, expected: Mapping[str, TableEntry]) -> None:
        try:
            with _opened(dump) as database:
                faults = [row[0].decode() for row in database.execute("PRAGMA integrity_check(5)")]
                faults = [] if faults == ["ok"] else faults
                faults += differences(expected, _tables(database))
        except sqlite3.DatabaseError as error:
            faults = [str(error)]
        if faults:
            raise DamagedBackup(
                f"The dump is damaged: {'; '.join(faults[:5])}", where=str(dump), remedy="Use another backup."
            )

    def is_empty(self) -> bool:
        if not self._path.exists():
            return True
        with self._errors(self._path), _opened(self._path) as database:
            return not _names(database)

    def refuse_company(self) -> None:
        """Others hold the lock of the installation; a transaction of theirs makes our first write wait."""

    def clear(self) -> None:
        for suffix in ("", "-wal", "-shm"):
            with mapped(self._path):
                self._path.with_name(f"{self._path.name}{suffix}").unlink(missing_ok=True)

    def restore(self, dump: Path, advance: Advance) -> None:
        """One write transaction on the target: cut short, it leaves what was there."""
        with self._errors(self._path), _opened(dump) as source, _opened(self._path, create=True) as target:
            target.execute("PRAGMA journal_mode=WAL")
            source.backup(target, pages=_PAGES, progress=lambda _, left, total: advance(total - left, total))
            target.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @contextmanager
    def _errors(self, path: Path) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            if "locked" in str(error):
                raise DatabaseBusy(
                    f"The database is locked: {error}", where=str(path), remedy="Stop the other process; try again."
                ) from error
            raise DamagedDatabase(
                f"SQLite refused it: {error}",
                where=str(path),
                remedy="Run `opilio db check`; restore a backup if need be.",
            ) from error


@contextmanager
def _opened(path: Path, *, create: bool = False) -> Iterator[sqlite3.Connection]:
    mode = "rwc" if create else "rw"
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_PATIENCE)) as connection:
        connection.text_factory = bytes  # a damaged text must not stop the reading
        yield connection


def _names(database: sqlite3.Connection) -> list[str]:
    rows = database.execute(
        r"SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'"
    )
    return sorted(row[0].decode() for row in rows)


def _tables(database: sqlite3.Connection) -> dict[str, TableEntry]:
    return {name: entry(database.execute(f"SELECT * FROM {_quoted(name)}")) for name in _names(database)}  # noqa: S608 - the name is the database's own, quoted


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
