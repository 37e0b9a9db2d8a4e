"""Stores planned harvests by the thousand: one statement for all, without a model object or a tuple for each.

The database makes the rows: it is given each schedule's part once, with the list of its times, and the columns that
are the same everywhere once in all.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import IntegrityError, connection, transaction

from opilio.catalogue import identifiers
from opilio.curation.models import Harvest, HarvestState, Schedule

#: Columns that differ from row to row, in the order in which `_PLANNED` gives them.
_VARYING = (
    "id", "abstract_target_id", "schedule_id", "owner_id", "agency_id", "allow_early_start", "planned_for",
    "scheduled_at",
)  # fmt: skip
#: One row for each time of each planned harvest, from a JSON list, in the words of each database.
_PLANNED = {
    "sqlite": """
        WITH planned AS MATERIALIZED (
            SELECT value->>0 AS first, value->>1 AS target, value->>2 AS schedule, value->>3 AS owner,
                   value->>4 AS agency, value->>5 AS early, value->'$[6]' AS times FROM json_each(%s)
        ), tick AS (SELECT planned.*, moment.key AS number, moment.value AS at FROM planned, json_each(times) AS moment)
    """,
    "postgresql": """
        WITH planned AS MATERIALIZED (
            SELECT (value->>0)::bigint AS first, (value->>1)::bigint AS target, (value->>2)::bigint AS schedule,
                   (value->>3)::bigint AS owner, (value->>4)::bigint AS agency, (value->>5)::boolean AS early,
                   value->6 AS times FROM json_array_elements(%s::json)
        ), tick AS (
            SELECT planned.*, moment.number - 1 AS number, moment.at::timestamptz AS at
            FROM planned, json_array_elements_text(times) WITH ORDINALITY AS moment(at, number)
        )
    """,
}
#: A schedule with its next time and the last one that is planned, from a JSON list.
_SEEN = {
    "sqlite": "SELECT value->>0 AS id, value->>1 AS next, value->>2 AS until FROM json_each(%s)",
    "postgresql": """
        SELECT (value->>0)::bigint AS id, (value->>1)::timestamptz AS next, (value->>2)::timestamptz AS until
        FROM json_array_elements(%s::json)
    """,
}


#: From so many rows on it pays to hope that none is there: asking costs PostgreSQL a fifth of storing them.
_MANY = 1_000


class Planned(NamedTuple):
    """What a schedule plans for a target or group: a harvest at each of some times."""

    target: int
    schedule: int
    owner: int
    agency: int
    early: bool
    times: Sequence[datetime]


def store(rows: Iterable[Planned], *, now: datetime, user: int | None) -> int:
    """Store harvests in state Scheduled; a time of a schedule that is planned already is left as it is. How many."""
    pieces = list(_pieces(rows))
    if not pieces:
        return 0
    count = sum(len(piece[-1]) for piece in pieces)
    if count < _MANY or not _stored_at_once(pieces, now, user):
        _insert(pieces, now, user, known="ON CONFLICT DO NOTHING")
    return count


def _stored_at_once(pieces: Sequence[tuple[Any, ...]], now: datetime, user: int | None) -> bool:
    """Store them without asking about each time whether it is planned; False when one was, and nothing is stored."""
    try:
        with transaction.atomic():
            _insert(pieces, now, user, known="")
    except IntegrityError:
        return False
    return True


def _insert(pieces: Sequence[tuple[Any, ...]], now: datetime, user: int | None, *, known: str) -> None:
    names, values = _same(now, user)
    quoted = ", ".join(map(connection.ops.quote_name, (*_VARYING, *names)))
    table = connection.ops.quote_name(Harvest._meta.db_table)
    same = ", ".join(["%s"] * len(values))
    statement = (
        f"{_PLANNED[connection.vendor]} INSERT INTO {table} ({quoted}) "  # noqa: S608 - our own names
        f"SELECT first + number, target, schedule, owner, agency, early, at, at, {same} FROM tick WHERE true {known}"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [json.dumps(pieces), *values])


def remember(rows: Iterable[tuple[Schedule, datetime | None, datetime | None]]) -> None:
    """Note for schedules the first time that is not planned, and the last one that is."""
    table = connection.ops.quote_name(Schedule._meta.db_table)
    statement = (
        f"UPDATE {table} SET next_time = seen.next, planned_until = seen.until "  # noqa: S608 - our own names
        f"FROM ({_SEEN[connection.vendor]}) AS seen WHERE {table}.id = seen.id"
    )
    rows, adapted = list(rows), _Moments()
    for row, following, until in rows:
        row.next_time, row.planned_until = following, until
    given = [(row.pk, following and adapted[following], until and adapted[until]) for row, following, until in rows]
    with connection.cursor() as cursor:
        cursor.execute(statement, [json.dumps(given)])


class _Moments(dict[datetime, str]):
    """Times as the database writes them, each made once."""

    def __missing__(self, at: datetime) -> str:
        self[at] = text = str(connection.ops.adapt_datetimefield_value(at))
        return text


def _pieces(rows: Iterable[Planned]) -> Iterator[tuple[Any, ...]]:
    """The rows with identifiers that follow each other; where a block ends, a row becomes two."""
    moments, kind = _Moments(), Harvest.id_kind()
    for row in rows:
        times = [moments[at] for at in row.times]
        while times:
            numbers = identifiers.run(kind, len(times))
            yield numbers.start, row.target, row.schedule, row.owner, row.agency, row.early, times[: len(numbers)]
            times = times[len(numbers) :]


def _same(now: datetime, user: int | None) -> tuple[list[str], list[Any]]:
    """The other columns with what every row has in them."""
    plain = Harvest(
        state=HarvestState.SCHEDULED, state_since=now, created=now, updated=now, updated_by_id=user,
    )  # fmt: skip
    fields = [field for field in Harvest._meta.concrete_fields if field.column not in _VARYING]
    values = [field.get_db_prep_save(getattr(plain, field.attname), connection) for field in fields]
    return [str(field.column) for field in fields], values
