"""Writes the tables of the tracker as CSV files, one for each of the seventeen."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opilio.deliveries.profile import DeliveryProfile
from opilio.kernel.files import ensure_folder, writing
from opilio.tracker.dump_tables import TABLES, DumpTable, PhaseNumbers
from opilio.tracker.models import PhaseRow
from opilio.tracker.secrets import opened

_PRIVATE = 0o600  # it may hold secrets
NULL = "\\N"  # how a missing value is written, apart from an empty text


@dataclass(frozen=True, kw_only=True)
class Exported:
    """How many rows each table has."""

    rows: dict[str, int]


def exported(folder: Path, profile: DeliveryProfile, *, secrets: bool = False) -> Exported:
    """Write all tables; what opens sources only if it is asked for."""
    ensure_folder(folder)
    phases = PhaseNumbers(profile)
    counts: dict[str, int] = {}
    for table in TABLES:
        with writing(folder / f"{table.name}.csv", mode=_PRIVATE) as stream:
            counts[table.name] = 0
            for line in _lines(table, phases, secrets):
                stream.write(line.encode())
                counts[table.name] += 1
            counts[table.name] -= 1  # the head
    return Exported(rows=counts)


def _lines(table: DumpTable, phases: PhaseNumbers, secrets: bool) -> Iterator[str]:
    echo = _Echo()
    writer = csv.writer(echo, lineterminator="\n")
    writer.writerow(table.columns)
    yield echo.line
    for row in rows(table, phases, secrets=secrets):
        writer.writerow([NULL if row[name] is None else row[name] for name in table.columns])
        yield echo.line


def rows(table: DumpTable, phases: PhaseNumbers, *, secrets: bool = False) -> Iterator[dict[str, str | None]]:
    """The rows of a table as text, by column."""
    found = table.model._base_manager.order_by("pk")
    if table.model is PhaseRow:
        yield from _phases(table, phases)
        return
    for row in found.iterator(chunk_size=1_000):
        yield {name: _cell(table, name, row, phases, secrets) for name in table.columns}


def _phases(table: DumpTable, phases: PhaseNumbers) -> Iterator[dict[str, str | None]]:
    ours = {row.pk: row for row in PhaseRow.objects.all()}
    for number, name in sorted(phases.names.items()):
        row = ours[phases.ours(number)]
        cells = {column: known.write(getattr(row, known.attribute)) for column, known in table.columns.items()}
        yield {**cells, "id": str(number), "short_name": name}


def _cell(table: DumpTable, name: str, row: Any, phases: PhaseNumbers, secrets: bool) -> str | None:
    column = table.columns[name]
    value = getattr(row, column.attribute)
    if column.refers == "phase" and value is not None:
        return str(phases.theirs(value))
    if name == "accesskey":
        return _key(row.pk, value) if secrets else None
    return column.write(value)


def _key(source: int, sealed: str) -> str | None:
    """A password, or else a private key."""
    found = opened(source, sealed)
    return found.get("password") or found.get("private_key")


class _Echo:
    """Keeps the line that a CSV writer makes."""

    line = ""

    def write(self, text: str) -> int:
        self.line = text
        return len(text)
