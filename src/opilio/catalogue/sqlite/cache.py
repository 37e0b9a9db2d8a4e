"""More memory for pages of the catalogue while much is written at once; PostgreSQL sees to its own."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

_KILOBYTES = 131_072


@contextmanager
def roomy_cache() -> Iterator[None]:
    """While it lasts, indexes that are written everywhere stay in memory, and go to the log once instead of often."""
    if connection.vendor != "sqlite":
        yield
        return
    usual = _asked("PRAGMA cache_size")
    _asked(f"PRAGMA cache_size = -{_KILOBYTES}")
    try:
        yield
    finally:
        _asked(f"PRAGMA cache_size = {usual}")


def _asked(statement: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        row = cursor.fetchone()
    return int(row[0]) if row else 0
