"""The door to the SQLite file of a result. Errors of SQLite become ours here."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from opilio.archive.results.errors import DamagedResult, NotAResult
from opilio.kernel.errors import NoSpace, NotWritable, OpilioError, Unavailable

_CLOSED = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH}
_CACHE = 32 * 1024  # KiB of pages kept in memory
_RESTORE = "Restore the file from a copy; its digest is in the file beside it that ends in .sha256."


def opened(path: Path) -> sqlite3.Connection:
    """A connection that only reads; nobody changes the file any more, so that no lock is needed."""
    with mapped(path):
        place = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
        return sqlite3.connect(place, uri=True, isolation_level=None, check_same_thread=False)


def made(path: Path) -> sqlite3.Connection:
    """A connection to a new file. Nothing reaches the disk for certain before the caller syncs the file."""
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


def _ours(error: sqlite3.Error, path: Path) -> OpilioError:
    where = str(path)
    kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if kind == sqlite3.SQLITE_FULL:
        return NoSpace("the disk is full", where=where, remedy="Free some space, then do it again.")
    if kind == sqlite3.SQLITE_NOTADB:
        return NotAResult("the file is no result, or its beginning is damaged", where=where, remedy=_RESTORE)
    if kind in _CLOSED:
        remedy = "Let the user that runs Opilio read and write the folder."
        return NotWritable(f"the result cannot be opened: {error}", where=where, remedy=remedy)
    if kind in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM):
        return Unavailable(f"the result could not be read or written: {error}", where=where, remedy="Check the disk.")
    return DamagedResult(f"the result is damaged: {error}", where=where, remedy=_RESTORE)
