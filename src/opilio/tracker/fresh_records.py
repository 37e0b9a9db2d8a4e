"""Inserts versions of records by the thousand, without a model object for each."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection

from opilio.catalogue import identifiers
from opilio.tracker.models import LoadedRecord

_COLUMNS = (
    "id", "profile", "kind", "key", "number", "current", "removed", "values", "document_id", "line", "at",
)  # fmt: skip


class Fresh(NamedTuple):
    """A version of a record that is about to be stored."""

    kind: str
    key: str
    number: int
    removed: bool
    values: Mapping[str, Any]
    document: int
    line: int | None


def inserted(rows: Sequence[Fresh], profile: str, at: datetime) -> list[int]:
    """Store versions; their identifiers, in the same order."""
    keys = [key for key, _ in zip(_identifiers(len(rows)), rows, strict=False)]
    names = ", ".join(map(connection.ops.quote_name, _COLUMNS))
    table = connection.ops.quote_name(LoadedRecord._meta.db_table)
    moment = connection.ops.adapt_datetimefield_value(at)
    statement = f"INSERT INTO {table} ({names}) VALUES ({', '.join(['%s'] * len(_COLUMNS))})"  # noqa: S608 - our names
    with connection.cursor() as cursor:
        cursor.executemany(
            statement,
            [
                (key, profile, row.kind, row.key, row.number, not row.removed, row.removed,
                 connection.ops.adapt_json_value(dict(row.values), None), row.document, row.line, moment)
                for key, row in zip(keys, rows, strict=True)
            ],
        )  # fmt: skip
    return keys


def _identifiers(number: int) -> Iterator[int]:
    """So many identifiers, from as many blocks as it takes."""
    while number > 0:
        found = identifiers.run(LoadedRecord.id_kind(), number)
        yield from found
        number -= len(found)
