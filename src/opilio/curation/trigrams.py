"""Indexes of PostgreSQL by which lists and the search find words in the middle of names, titles and URLs.

They need the extension pg_trgm, which comes with the server and which the owner of a database may add. Without it
everything is found as well, by reading whole tables; `opilio db migrate` looks for it anew each time.
"""

from typing import Any

from django.db import DatabaseError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from opilio.kernel.logs import logger

#: The columns that are looked through together. A list that asks for one more cannot use the index: it is an OR.
SEARCHED: dict[str, tuple[str, ...]] = {
    "abstract_target": ("name", "reference", "description"),
    "seed": ("url",),
    "authorisation": ("title", "order_number", "description"),
    "authorising_agent": ("name", "contact", "email"),
    "permission": ("display_name", "file_reference"),
    "schedule": ("cron",),
}
_WANTED = "CREATE EXTENSION IF NOT EXISTS pg_trgm"

_log = logger(__name__)


def after_migrations(using: str, **_: Any) -> None:
    """Make what is missing; Django calls it whenever the tables were brought up to date."""
    connection = connections[using]
    if connection.vendor == "postgresql":
        ensure(connection)


def ensure(connection: BaseDatabaseWrapper, extension: str = _WANTED) -> bool:
    """Whether the indexes are there now."""
    try:
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            cursor.execute(extension)
    except DatabaseError as error:
        _log.warning("no_trigram_indexes", reason=str(error).strip())
        return False
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))  # migrations are applied one by one
        for table, columns in SEARCHED.items():
            if table in there:
                cursor.execute(_index(table, columns))
    return True


def _index(table: str, columns: tuple[str, ...]) -> str:
    """As `icontains` asks: in capitals, and as text."""
    parts = ", ".join(f'upper("{column}"::text) gin_trgm_ops' for column in columns)
    return f"CREATE INDEX IF NOT EXISTS {table}_trigrams ON {table} USING gin ({parts})"
