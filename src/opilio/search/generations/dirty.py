"""The dirty flag of seed A: what changed since a generation was built, and since when.

Sources (a crawl, a result) are noted with a fingerprint whenever they change. What must be rebuilt is the difference
to the fingerprints in the manifest of a generation, so that a crash between the two loses nothing.
"""

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import Damaged, InvalidInput, NoSpace, Unavailable
from opilio.kernel.files import mapped

_SCHEMA = """
CREATE TABLE IF NOT EXISTS source (
    name TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,  -- empty: it is gone
    since TEXT NOT NULL         -- ISO 8601, UTC: since when it has this fingerprint
) WITHOUT ROWID
"""
_PATIENCE = 30.0  # seconds for another process
_LONGEST = 2_000  # characters of a name or fingerprint


class Change(StrEnum):
    """What happened to a source since a generation was built."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


@dataclass(frozen=True, kw_only=True, slots=True)
class DirtySource:
    """A source that a generation does not hold as it is now."""

    name: str
    change: Change
    fingerprint: str  # what it has now; empty for one that is gone
    since: datetime  # dirty since then


class DirtyFile:
    """The sources that are known, in a small SQLite file; any number of processes may note changes."""

    def __init__(self, path: Path, *, clock: Clock = SYSTEM) -> None:
        self._path = path
        self._clock = clock

    def note(self, name: str, fingerprint: str) -> bool:
        """Say what a source is now; True when that is news."""
        return bool(self.note_all({name: fingerprint}))

    def note_all(self, sources: Mapping[str, str]) -> int:
        """The same for many, in one transaction; how many were news."""
        for name, fingerprint in sources.items():
            _check(name, fingerprint)
        return self._write(sources)

    def gone(self, name: str) -> bool:
        """Say that a source is no more; True when that is news."""
        _check(name, "-")
        return bool(self._write({name: ""}))

    def sources(self) -> dict[str, str]:
        """Those that are there, with their fingerprints."""
        with self._open() as database:
            rows = database.execute("SELECT name, fingerprint FROM source WHERE fingerprint <> '' ORDER BY name")
            return dict(rows)

    def dirty(self, indexed: Mapping[str, str]) -> list[DirtySource]:
        """What a generation with these sources lacks; those that it holds and nobody noted count as sound."""
        with self._open() as database:
            rows = database.execute("SELECT name, fingerprint, since FROM source ORDER BY name").fetchall()
        return [
            DirtySource(name=name, change=change, fingerprint=fingerprint, since=datetime.fromisoformat(since))
            for name, fingerprint, since in rows
            if (change := _change(indexed.get(name, ""), fingerprint)) is not None
        ]

    def _write(self, sources: Mapping[str, str]) -> int:
        now = self._clock.now().astimezone(UTC).isoformat()
        statement = (
            "INSERT INTO source (name, fingerprint, since) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE "
            "SET fingerprint = excluded.fingerprint, since = excluded.since "
            "WHERE source.fingerprint <> excluded.fingerprint"
        )
        with self._open() as database:
            before = database.total_changes
            database.executemany(statement, [(name, mark, now) for name, mark in sorted(sources.items())])
            return database.total_changes - before

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with mapped(self._path):
                self._path.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.closing(sqlite3.connect(self._path, timeout=_PATIENCE)) as database:
                database.execute("PRAGMA synchronous = FULL")
                with database:
                    database.execute("BEGIN IMMEDIATE")
                    database.execute(_SCHEMA)
                    yield database
        except sqlite3.Error as error:
            raise self._ours(error) from error

    def _ours(self, error: sqlite3.Error) -> NoSpace | Damaged | Unavailable:
        where, code = str(self._path), getattr(error, "sqlite_errorcode", None)
        if code == sqlite3.SQLITE_FULL:
            return NoSpace("the disk is full", where=where, remedy="Free some space, then try again.")
        if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            remedy = "Remove the file and build the next generation from nothing."
            return Damaged("the list of changed sources is damaged", where=where, remedy=remedy)
        return Unavailable(f"cannot note changes: {error}", where=where, remedy="Check the folder, then try again.")


def _change(indexed: str, now: str) -> Change | None:
    if indexed == now:
        return None
    if not now:
        return Change.REMOVED
    return Change.CHANGED if indexed else Change.ADDED


def _check(name: str, fingerprint: str) -> None:
    for text in (name, fingerprint):
        if not isinstance(text, str) or not 0 < len(text) <= _LONGEST or "\x00" in text:
            remedy = f"Give a text of 1 to {_LONGEST} characters."
            raise InvalidInput(f"{str(text)[:80]!r} can be neither source nor fingerprint", remedy=remedy)
