"""Turns what the database drivers say into our errors, with the remedy."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError, InterfaceError, OperationalError

from opilio.kernel.errors import NoSpace, NotWritable, OpilioError
from opilio.server.errors import DamagedDatabase, DatabaseBusy, DatabaseUnreachable

_DAMAGED = ("malformed", "not a database", "disk image", "invalid page", "could not read block")
_BUSY = ("is locked", "deadlock", "lock timeout")
_READ_ONLY = ("readonly", "read-only", "permission denied for")
_FULL = ("is full", "no space left")


@contextmanager
def mapped_database_errors(where: str) -> Iterator[None]:
    """Inside the block, a driver's error becomes ours; `where` names the database, without its password."""
    try:
        yield
    except (DatabaseError, InterfaceError) as error:
        found = _ours(error, where)
        if found is None:
            raise
        raise found from error


def _ours(error: Exception, where: str) -> OpilioError | None:
    text = " ".join(str(error).split())
    words = text.lower()
    if any(word in words for word in _DAMAGED):
        remedy = "Run `opilio db check`; if it confirms the damage, restore a backup with `opilio db restore`."
        return DamagedDatabase(f"The database is damaged: {text}", where=where, remedy=remedy)
    if any(word in words for word in _BUSY):
        remedy = "Another process is writing for long; try again, or find it with `opilio doctor`."
        return DatabaseBusy(f"The database is locked: {text}", where=where, remedy=remedy)
    if any(word in words for word in _READ_ONLY):
        remedy = "Let the user that runs Opilio write to it."
        return NotWritable(f"The database cannot be written to: {text}", where=where, remedy=remedy)
    if any(word in words for word in _FULL):
        return NoSpace(f"The disk of the database is full: {text}", where=where, remedy="Free some space.")
    if isinstance(error, OperationalError | InterfaceError):
        remedy = "Check that it runs and that the setting database_url is right; `opilio config show` tells both."
        return DatabaseUnreachable(f"The database does not answer: {text}", where=where, remedy=remedy)
    return None
