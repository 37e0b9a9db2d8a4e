"""Stores planned harvests by the thousand: one statement for all, without a model object for each.

Django's bulk insert prepares 29 columns of every row in Python; here those that are the same are prepared once.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection

from opilio.catalogue import identifiers
from opilio.curation.models import Harvest, HarvestState, Schedule

#: Columns that differ from row to row, in the order in which they are stored.
_VARYING = (
    "id", "abstract_target_id", "schedule_id", "planned_for", "scheduled_at", "owner_id", "agency_id",
    "allow_early_start",
)  # fmt: skip


class Planned(NamedTuple):
    """A harvest that a schedule plans."""

    target: int
    schedule: int
    at: datetime
    owner: int
    agency: int
    early: bool


def store(rows: Sequence[Planned], *, now: datetime, user: int | None) -> None:
    """Store harvests in state Scheduled; a time of a schedule that is planned already is left as it is."""
    if not rows:
        return
    names, values = _same(now, user)
    columns = [*_VARYING, *names]
    marks = ", ".join(["%s"] * len(columns))
    quoted = ", ".join(connection.ops.quote_name(name) for name in columns)
    table = connection.ops.quote_name(Harvest._meta.db_table)
    statement = f"INSERT INTO {table} ({quoted}) VALUES ({marks}) ON CONFLICT DO NOTHING"  # noqa: S608 - our own names
    moments = {at: connection.ops.adapt_datetimefield_value(at) for at in {row.at for row in rows}}
    with connection.cursor() as cursor:
        cursor.executemany(statement, [(*_own(row, moments[row.at]), *values) for row in rows])


def remember(rows: Iterable[tuple[Schedule, datetime | None, datetime | None]]) -> None:
    """Note for schedules the first time that is not planned, and the last one that is."""
    table = connection.ops.quote_name(Schedule._meta.db_table)
    statement = f"UPDATE {table} SET next_time = %s, planned_until = %s WHERE id = %s"  # noqa: S608 - our own name
    adapted = connection.ops.adapt_datetimefield_value
    given = [(adapted(following), adapted(until), row.pk) for row, following, until in rows]
    with connection.cursor() as cursor:
        cursor.executemany(statement, given)


def _own(row: Planned, at: Any) -> tuple[Any, ...]:
    return (identifiers.take(Harvest.id_kind()), row.target, row.schedule, at, at, row.owner, row.agency, row.early)


def _same(now: datetime, user: int | None) -> tuple[list[str], list[Any]]:
    """The other columns with what every row has in them."""
    plain = Harvest(
        state=HarvestState.SCHEDULED, state_since=now, created=now, updated=now, updated_by_id=user,
    )  # fmt: skip
    fields = [field for field in Harvest._meta.concrete_fields if field.column not in _VARYING]
    values = [field.get_db_prep_save(getattr(plain, field.attname), connection) for field in fields]
    return [str(field.column) for field in fields], values
