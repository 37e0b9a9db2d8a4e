"""Moves the catalogue to another database, from SQLite to PostgreSQL or back, and compares every row."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, DatabaseError, DataError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import CharField, Model

from opilio.kernel.settings import Settings
from opilio.server import occupancy, place
from opilio.server.backups.work import Step, engine_of
from opilio.server.database_errors import mapped_database_errors
from opilio.server.databases import database_at
from opilio.server.errors import CopyDiffers, NotEmpty, SameDatabase, Untransferable

TARGET = "target"  # the name under which Django knows the other database
_ROWS = 1_000  # copied with one statement

Table = type[Model]


@dataclass(frozen=True, kw_only=True)
class Copied:
    """What was copied, and where it lies now."""

    source: str
    target: str
    tables: Mapping[str, int]  # rows of each


def copy(settings: Settings, url: str, *, replace: bool, step: Step) -> Copied:
    """Copy every table to the database at `url`; until all rows were compared, that database has none of them."""
    with occupancy.alone(settings.home), _target(url) as target:
        source = connections[DEFAULT_DB_ALIAS]
        _refuse_same(source, target)
        connections.close_all()  # our own connections are no company
        engine_of(source).refuse_company()
        _make_room(target, replace=replace)
        step("Making the tables")
        call_command("migrate", database=TARGET, verbosity=0, interactive=False)
        with _one_snapshot(source), transaction.atomic(using=TARGET):
            rows = _fill(source, target, step)
            _compare(rows, step)
        return Copied(source=place.where(source), target=place.where(target), tables=rows)


@contextmanager
def _target(url: str) -> Iterator[BaseDatabaseWrapper]:
    told = database_at(url, "TARGET")
    connections.settings[TARGET] = connections.configure_settings({DEFAULT_DB_ALIAS: {}, TARGET: told})[TARGET]
    target = connections[TARGET]
    try:
        with mapped_database_errors(place.where(target)):
            yield target
    finally:
        target.close()
        del connections[TARGET]
        del connections.settings[TARGET]


def _refuse_same(source: BaseDatabaseWrapper, target: BaseDatabaseWrapper) -> None:
    if place.where(source) == place.where(target) or _is_one(source, target):
        raise SameDatabase(
            "Source and target are the same database", where=place.where(source), remedy="Name another target."
        )


def _is_one(source: BaseDatabaseWrapper, target: BaseDatabaseWrapper) -> bool:
    """Whether two addresses lead to one database: a linked file, or another name of the same server."""
    if source.vendor != target.vendor:
        return False
    if source.vendor == "sqlite":
        ours, theirs = Path(str(source.settings_dict["NAME"])), Path(str(target.settings_dict["NAME"]))
        return theirs.exists() and ours.samefile(theirs)
    key = secrets.randbits(62)  # what one holds locked, the other cannot lock in the same database
    with target.cursor() as holding, source.cursor() as trying:
        holding.execute("SELECT pg_advisory_lock(%s)", [key])
        trying.execute("SELECT pg_try_advisory_lock(%s)", [key])
        return not trying.fetchone()[0]


def _make_room(target: BaseDatabaseWrapper, *, replace: bool) -> None:
    engine = engine_of(target)
    if engine.is_empty():
        return
    if not replace:
        raise NotEmpty(
            "The target holds tables", where=place.where(target), remedy="Name an empty one, or --replace to empty it."
        )
    engine.refuse_company()
    engine.clear()


@contextmanager
def _one_snapshot(source: BaseDatabaseWrapper) -> Iterator[None]:
    """Nobody changes what is copied: SQLite locks out writers, PostgreSQL shows one moment."""
    with transaction.atomic():
        if source.vendor == "postgresql":
            with source.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


def tables() -> list[Table]:
    """Every table of the catalogue, those between two others too; an inherited one after the one it stands on."""
    found = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    found = [model for model in found if not model._meta.proxy]
    return sorted(found, key=lambda model: (len(model._meta.get_parent_list()), model._meta.db_table))


def _fill(source: BaseDatabaseWrapper, target: BaseDatabaseWrapper, step: Step) -> dict[str, int]:
    found = tables()
    for model in reversed(found):
        _empty(model, target)
    advance, copied = step("Copying rows"), {}
    for number, model in enumerate(found):
        advance(number, len(found))
        copied[model._meta.db_table] = _copy_table(model, target)
    with target.cursor() as cursor:
        for statement in target.ops.sequence_reset_sql(no_style(), found):
            cursor.execute(statement)
    return copied


def _empty(model: Table, target: BaseDatabaseWrapper) -> None:
    """Remove the rows with which migrations fill lists; tables that only grow are empty, and refuse to be emptied."""
    with target.cursor() as cursor:
        name = target.ops.quote_name(model._meta.db_table)
        cursor.execute(f"SELECT 1 FROM {name} LIMIT 1")  # noqa: S608 - the name is the model's own, quoted
        if cursor.fetchone():
            cursor.execute(f"DELETE FROM {name}")  # noqa: S608 - as above


def _copy_table(model: Table, target: BaseDatabaseWrapper) -> int:
    fields = model._meta.local_concrete_fields
    quoted = target.ops.quote_name
    columns = ", ".join(quoted(name) for name in _columns(model))
    holes = ", ".join(["%s"] * len(fields))
    statement = f"INSERT INTO {quoted(model._meta.db_table)} ({columns}) VALUES ({holes})"  # noqa: S608 - names are quoted
    count, rows = 0, _rows(model, DEFAULT_DB_ALIAS)
    while portion := list(islice(rows, _ROWS)):
        ready = [
            tuple(field.get_db_prep_save(value, target) for field, value in zip(fields, row, strict=True))
            for row in portion
        ]
        _insert(model, target, statement, ready)
        count += len(portion)
    return count


def _insert(model: Table, target: BaseDatabaseWrapper, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
    try:
        with transaction.atomic(using=TARGET), target.cursor() as cursor:
            cursor.executemany(statement, rows)
    except (DataError, ValueError):
        for row in rows:  # which one was it?
            try:
                with transaction.atomic(using=TARGET), target.cursor() as cursor:
                    cursor.execute(statement, row)
            except (DatabaseError, ValueError) as error:
                raise Untransferable(
                    f"A row does not fit into the target: {' '.join(str(error).split())[:300]}",
                    where=f"table {model._meta.db_table}, row {_key(model, row)}",
                    remedy="Correct the row in the source; nothing was changed in either database.",
                ) from error
        raise


def _key(model: Table, row: Sequence[Any]) -> str:
    return str(row[_columns(model).index(str(model._meta.pk.column))])


def _columns(model: Table) -> list[str]:
    return [str(field.column) for field in model._meta.local_concrete_fields]


def _rows(model: Table, alias: str) -> Iterator[tuple[Any, ...]]:
    names = [field.attname for field in model._meta.local_concrete_fields]
    rows = model._base_manager.using(alias).values_list(*names)
    if isinstance(model._meta.pk, CharField):  # the two databases put words in different orders
        return iter(sorted(rows.order_by(), key=lambda row: _key(model, row)))
    return iter(rows.order_by("pk").iterator(chunk_size=_ROWS))


def _compare(expected: Mapping[str, int], step: Step) -> None:
    """Each row of the source beside that of the target, value by value."""
    found, advance = tables(), step("Comparing rows")
    for number, model in enumerate(found):
        advance(number, len(found))
        name, count = model._meta.db_table, 0
        for ours, theirs in zip_longest(_rows(model, DEFAULT_DB_ALIAS), _rows(model, TARGET)):
            if ours != theirs:
                raise CopyDiffers(
                    f"A row differs after copying: {_difference(model, ours, theirs)}",
                    where=f"table {name}, row {_key(model, ours or theirs or ())}",
                    remedy="Nothing was kept in the target; report this with the table's name.",
                )
            count += 1
        if count != expected[name]:
            raise CopyDiffers(
                f"{count} rows are there instead of {expected[name]}",
                where=f"table {name}",
                remedy="Nothing was kept in the target; see that nobody works with either database, and try again.",
            )


def _difference(model: Table, ours: tuple[Any, ...] | None, theirs: tuple[Any, ...] | None) -> str:
    if ours is None or theirs is None:
        return "it is missing" if theirs is None else "the source does not have it"
    return ", ".join(name for name, one, other in zip(_columns(model), ours, theirs, strict=True) if one != other)
