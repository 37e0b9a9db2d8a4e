"""Writes drafts as rows, many at once; also rows of two tables, which Django itself writes one by one."""

import datetime
from collections.abc import Sequence
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Model
from django.db.models.sql import InsertQuery

from opilio.catalogue.curated import Curated
from opilio.curation.wct.drafts import Draft
from opilio.curation.wct.tables import Table

CHILD = "child"  # key in a draft's values: the row of the second table that goes with a new row


def insert(table: Table, drafts: list[Draft], *, at: datetime.datetime, by: int | None) -> None:
    """Make rows."""
    rows = []
    for draft in drafts:
        values = {name: value for name, value in draft.values.items() if name != CHILD}
        row = table.model(**values)
        if draft.identifier is not None:
            row.pk = draft.identifier
        _stamp(row, values, at, by)
        rows.append(row)
    table.model._base_manager.bulk_create(rows)
    children = [(draft.identifier, draft.values[CHILD]) for draft in drafts if CHILD in draft.values]
    insert_children(children)


def insert_children(children: Sequence[tuple[int | None, type[Model]]]) -> None:
    """Make the second, plain rows of targets and groups: the columns that `bulk_create` refuses to write."""
    for model in {model for _, model in children}:
        link = next(iter(model._meta.parents.values()))
        if link is None:
            continue
        rows = [model(**{link.attname: pk}) for pk, wanted in children if wanted is model]
        insert_rows(model, rows)


def insert_rows(model: type[Model], rows: Sequence[Model]) -> None:
    """Insert only the columns of the model's own table."""
    fields = model._meta.local_concrete_fields
    size = max(1, connections[DEFAULT_DB_ALIAS].ops.bulk_batch_size(fields, rows))
    for start in range(0, len(rows), size):
        query = InsertQuery(model)
        query.insert_values(fields, list(rows[start : start + size]))
        query.get_compiler(DEFAULT_DB_ALIAS).execute_sql()


def change(table: Table, drafts: list[Draft], *, at: datetime.datetime, by: int | None) -> None:
    """Change rows to what the drafts say."""
    if not drafts:
        return
    rows = {row.pk: row for row in table.model._base_manager.filter(pk__in=[draft.identifier for draft in drafts])}
    names: set[str] = set()
    for draft in drafts:
        row = rows[draft.identifier]
        for name, value in draft.values.items():
            if name != CHILD:
                setattr(row, name, value)
                names.add(name)
    own = {field.attname: field.name for field in table.model._meta.local_concrete_fields}
    if not table.extends and issubclass(table.model, Curated):
        for row in rows.values():
            _touch(row, at, by)
        names |= {"updated", "updated_by_id", "version"}
    fields = sorted(own[name] for name in names if name in own and name != "id")
    if fields:
        table.model._base_manager.bulk_update(list(rows.values()), fields, batch_size=200)


def _touch(row: Any, at: datetime.datetime, by: int | None) -> None:
    row.updated, row.updated_by_id, row.version = at, by, row.version + 1


def _stamp(row: Model, values: dict[str, Any], at: datetime.datetime, by: int | None) -> None:
    if isinstance(row, Curated):
        row.created = values.get("created") or at
        row.updated, row.updated_by_id = at, by
        row.version = values.get("version") or 1
