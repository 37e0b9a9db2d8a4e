"""Writes our rows as the tables of the Web Curator Tool: a CSV file for each table, or one file of INSERTs."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TextIO
from zoneinfo import ZoneInfo

from opilio.curation.wct import id_blocks, original_seeds, sip_parts
from opilio.curation.wct.all_tables import TABLES, columns_of
from opilio.curation.wct.numbers import Originals
from opilio.curation.wct.profile_tables import SECRETS
from opilio.curation.wct.tables import Column, Table
from opilio.kernel.errors import Conflict
from opilio.kernel.files import ensure_folder, mapped

SQL_FILE = "wct.sql"
_CHUNK = 2_000


class Format(StrEnum):
    """How a dump is written."""

    CSV = "csv"
    SQL = "sql"


@dataclass(frozen=True, kw_only=True)
class Exported:
    """How many rows of each table were written."""

    folder: Path
    rows: Mapping[str, int]


def export(folder: Path, *, form: Format, zone: ZoneInfo, secrets: bool = False) -> Exported:
    """Write all tables into a folder that holds nothing yet; crawl passwords only when asked for."""
    with mapped(folder):
        ensure_folder(folder)
        if any(folder.iterdir()):
            remedy = "Name an empty folder, or one that is not there."
            raise Conflict("there is something in the folder already", where=str(folder), remedy=remedy)
        counts = _write_csv(folder, zone, secrets) if form is Format.CSV else _write_sql(folder, zone, secrets)
    return Exported(folder=folder, rows=counts)


def rows(table: Table, zone: ZoneInfo, *, secrets: bool) -> Iterator[dict[str, str | None]]:
    """The rows of a table, as they would stand over there."""
    originals: dict[str, Originals] = {}

    def original(name: str, number: int) -> str:
        if name not in originals:
            originals[name] = Originals(name)
        return str(originals[name].of(number))

    found = table.rows() if table.rows is not None else table.model._base_manager.all()
    for row in found.order_by("pk").iterator(chunk_size=_CHUNK):
        cells: dict[str, str | None] = {}
        if table.key and not table.extends:
            cells[table.key] = original(table.name, row.pk)
        for column in sorted(table.columns, key=lambda one: bool(one.ref)):
            hidden = column.name == SECRETS and not secrets
            value = None if hidden else _value(column, row)
            name = column.table_of(cells) if column.ref else ""
            cells[column.name] = (
                None if value is None else original(name, value) if name else _written(column, value, zone)
            )
        yield cells


def _value(column: Column, row: Any) -> Any:
    return column.show(row) if column.show is not None else getattr(row, column.field)


def _written(column: Column, value: Any, zone: ZoneInfo) -> str:
    return str(value) if column.show is not None else column.kind.write(value, zone)


def _write_csv(folder: Path, zone: ZoneInfo, secrets: bool) -> dict[str, int]:
    counts = {}
    for name, columns, found in _all(zone, secrets):
        with (folder / f"{name}.csv").open("x", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(columns)
            counts[name] = 0
            for row in found:
                writer.writerow(["" if row[column] is None else row[column] for column in columns])
                counts[name] += 1
    return counts


def _write_sql(folder: Path, zone: ZoneInfo, secrets: bool) -> dict[str, int]:
    counts = {}
    with (folder / SQL_FILE).open("x", encoding="utf-8", newline="\n") as stream:
        stream.write("-- Tables of the Web Curator Tool 1.4, written by Opilio\n")
        for name, columns, found in _all(zone, secrets):
            counts[name] = _insert(stream, name, columns, found)
    return counts


def _insert(stream: TextIO, name: str, columns: tuple[str, ...], found: Iterator[dict[str, str | None]]) -> int:
    count = 0
    for row in found:
        values = ", ".join(_literal(row[column]) for column in columns)
        stream.write(f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({values});\n")  # noqa: S608 - a dump, not a question
        count += 1
    return count


def _literal(value: str | None) -> str:
    return "NULL" if value is None else "'" + value.replace("'", "''") + "'"


def _all(
    zone: ZoneInfo, secrets: bool
) -> Iterator[tuple[str, tuple[str, ...], Iterator[dict[str, str | None]]]]:  # fmt: skip
    for table in TABLES:
        yield table.name, columns_of(table), rows(table, zone, secrets=secrets)
    yield original_seeds.NAME, original_seeds.COLUMNS, original_seeds.written()
    yield sip_parts.NAME, sip_parts.COLUMNS, sip_parts.written()
    blocks: list[dict[str, str | None]] = [dict(row) for row in id_blocks.written()]
    yield id_blocks.NAME, id_blocks.COLUMNS, iter(blocks)
