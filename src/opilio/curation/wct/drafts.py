"""A row of a dump on its way to being one of ours: its cells are read, its references found, its values filled."""

import functools
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Model

from opilio.curation.wct.errors import Refused
from opilio.curation.wct.report import Entry, Report, What
from opilio.curation.wct.rows import RawRow
from opilio.curation.wct.tables import Column, Table
from opilio.curation.wct.values import NUMBER, TEXT


@dataclass(kw_only=True)
class Draft:
    """One row under way."""

    table: Table
    row: RawRow
    cells: dict[str, str | None]
    number: int | None = None  # what it was called there
    identifier: int | None = None  # what it is called here
    values: dict[str, Any] = field(default_factory=dict)  # by attribute
    refs: dict[str, tuple[str, int]] = field(default_factory=dict)  # by column: table and number there

    def entry(self, what: What, reason: str, column: str = "") -> Entry:
        """A line of the report about this row."""
        number = str(self.number) if self.number is not None else ""
        return Entry(
            what=what, table=self.table.name, column=column, number=number, file=self.row.file, line=self.row.line,
            reason=reason,
        )  # fmt: skip


def read(table: Table, row: RawRow, zone: ZoneInfo, report: Report) -> Draft:
    """The draft of a row, without its references; `Refused` says what is wrong with it."""
    draft = Draft(table=table, row=row, cells=table.cells(row.cells))
    if table.key:
        draft.number = _number(draft, table.key)
    for column in table.columns:
        text = draft.cells.get(column.name)
        if column.ref:
            _refer(draft, column, text)
        elif column.field:
            draft.values[column.field] = _value(draft, column, text, zone, report)
        elif text and column.note:
            report.tell(draft.entry(What.CELL, column.note, column.name))
    return draft


def _number(draft: Draft, column: str) -> int:
    text = draft.cells.get(column)
    try:
        found: int = NUMBER.read(text or "", ZoneInfo("UTC"))
    except ValueError as error:
        raise Refused(str(error) if text else "it has no number", column=column) from error
    return found


def _refer(draft: Draft, column: Column, text: str | None) -> None:
    if text is not None and text.strip():
        table = column.table_of(draft.cells)
        number = _number(draft, column.name)
        if table:
            draft.refs[column.name] = (table, number)
    elif column.need:
        raise Refused("it is empty", column=column.name)


def _value(draft: Draft, column: Column, text: str | None, zone: ZoneInfo, report: Report) -> Any:
    if text is None or (text == "" and column.kind is not TEXT) or (text == "NULL" and column.kind is not TEXT):
        if column.need:
            raise Refused("it is empty", column=column.name)
        return column.blank
    try:
        value = column.kind.read(text, zone)
        value = _coded(column, value) if column.codes else value
    except ValueError as error:
        if column.need:
            raise Refused(str(error), column=column.name) from error
        report.tell(draft.entry(What.CELL, f"{error}; left empty", column.name))
        return column.blank
    if value is None or (value == "" and column.need):
        if column.need:
            raise Refused("it is empty", column=column.name)
        return column.blank
    return _fitting(draft, column, value, report)


def _coded(column: Column, value: Any) -> Any:
    found = column.codes.get(str(value).strip(), column.codes.get(str(value).strip().lower()))
    if found is None:
        raise ValueError(f"{str(value)[:40]!r} is none of {', '.join(column.codes)}")
    return found


def _fitting(draft: Draft, column: Column, value: Any, report: Report) -> Any:
    """A text that fits its column here; a negative number never fits one that counts."""
    longest = _longest(draft.table.model, column.field)
    if isinstance(value, str) and longest is not None and len(value) > longest:
        if column.need:
            raise Refused(f"it has {len(value)} characters; here it has at most {longest}", column=column.name)
        reason = f"cut from {len(value)} characters to {longest}"
        report.tell(draft.entry(What.CELL, reason, column.name))
        return value[:longest]
    return value


@functools.cache
def _longest(model: type[Model], name: str) -> int | None:
    fields = {one.attname: one for one in model._meta.concrete_fields}
    found = fields.get(name)
    return None if found is None else getattr(found, "max_length", None)
