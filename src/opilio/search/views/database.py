"""The door to the SQLite file of the views. Errors of SQLite become ours here."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from opilio.kernel.errors import NoSpace, NotWritable, OpilioError, Unavailable
from opilio.search.views.errors import DamagedViews, NewerViews, NotViews, NoViews

#: Raised when the tables or their blobs change; other versions are refused and built again.
VERSION = 1
_APPLICATION = 0x4F50564D  # tells our files from other SQLite files
_CACHE = 64 * 1024  # KiB of pages kept in memory
_CLOSED = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH}
_AGAIN = "Build the generation again, or roll back to the one before."

#: `told` marks pages that were named, not only linked to. Chunked tables (word_pages, parents) have one row per key and
#: run of items: id = key << 31 | first item.
_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE page (
    id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, state INTEGER NOT NULL, told INTEGER NOT NULL DEFAULT 0,
    modified REAL NOT NULL DEFAULT 0, language TEXT NOT NULL DEFAULT '', digest TEXT NOT NULL DEFAULT '',
    words INTEGER NOT NULL DEFAULT 0, stops INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE word (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE, stem TEXT NOT NULL);
CREATE TABLE stop_word (word TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE page_words (id INTEGER PRIMARY KEY, rows INTEGER NOT NULL, total INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TABLE children (id INTEGER PRIMARY KEY, rows INTEGER NOT NULL, total INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TABLE word_pages (id INTEGER PRIMARY KEY, rows INTEGER NOT NULL, total INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TABLE parents (id INTEGER PRIMARY KEY, rows INTEGER NOT NULL, total INTEGER NOT NULL, data BLOB NOT NULL);
INSERT INTO word VALUES (0, '', '');
"""


def opened(path: Path) -> sqlite3.Connection:
    """A connection that only reads a finished file, after a look at what it is."""
    if not path.is_file():
        raise NoViews("there are no views", where=str(path), remedy="Build a generation first.")
    with mapped(path):
        place = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
        connection = sqlite3.connect(place, uri=True, isolation_level=None, check_same_thread=False)
    try:
        _check(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def made(path: Path) -> sqlite3.Connection:
    """A connection to a new file with empty tables."""
    connection = changed(path)
    with mapped(path):
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.executescript(_TABLES)
    return connection


def changed(path: Path) -> sqlite3.Connection:
    """A connection that writes. Nothing reaches the disk for certain before the caller syncs the file."""
    with mapped(path):
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute(f"PRAGMA cache_size = -{_CACHE}")
        return connection


@contextlib.contextmanager
def mapped(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into ours, naming `path`."""
    try:
        yield
    except sqlite3.Error as error:
        raise _ours(error, path) from error


@contextlib.contextmanager
def reading(path: Path) -> Iterator[None]:
    """The same for a file that may be damaged: what cannot be read as what it should be is `DamagedViews`."""
    try:
        with mapped(path):
            yield
    except (ValueError, IndexError, KeyError, TypeError, OverflowError) as error:
        raise DamagedViews(f"the views are damaged: {error}", where=str(path), remedy=_AGAIN) from error


def _check(connection: sqlite3.Connection, path: Path) -> None:
    with reading(path):
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != _APPLICATION:
        raise NotViews("the file holds no views", where=str(path), remedy="Name the views.db of a generation.")
    if version != VERSION:
        what = f"the views have version {version}, and this Opilio reads version {VERSION}"
        raise NewerViews(what, where=str(path), remedy="Use the Opilio that wrote them, or build the generation again.")
    with reading(path):
        finished = connection.execute("SELECT value FROM meta WHERE name = 'finished'").fetchone()
    if not finished:
        raise DamagedViews("the views were never finished", where=str(path), remedy=_AGAIN)


def _ours(error: sqlite3.Error, path: Path) -> OpilioError:
    where = str(path)
    kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if kind == sqlite3.SQLITE_FULL:
        return NoSpace("the disk is full", where=where, remedy="Free some space, then build again.")
    if kind == sqlite3.SQLITE_NOTADB:
        return NotViews("the file holds no views, or its beginning is damaged", where=where, remedy=_AGAIN)
    if kind in _CLOSED:
        remedy = "Let the user that runs Opilio read and write the folder."
        return NotWritable(f"the views cannot be opened: {error}", where=where, remedy=remedy)
    if kind in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM):
        return Unavailable(f"the views could not be read or written: {error}", where=where, remedy="Check the disk.")
    return DamagedViews(f"the views are damaged: {error}", where=where, remedy=_AGAIN)
