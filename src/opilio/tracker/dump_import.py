"""Reads the tables of a tracker from CSV files into an installation that has none of those rows yet.

Rows keep their identifiers. Rows of reference tables are ours already and are found by their names. All or nothing.
"""

import csv
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db.models import Model

from opilio.catalogue import identifiers
from opilio.catalogue.models import IdBlock
from opilio.deliveries.profile import DeliveryProfile
from opilio.tracker import secrets
from opilio.tracker.dump_export import NULL
from opilio.tracker.dump_tables import TABLES, DumpTable, PhaseNumbers
from opilio.tracker.errors import BadTrackerDump
from opilio.tracker.models import Offering, PhaseRow

_LARGEST_FIELD = 1 << 24  # characters
_AT_ONCE = 500

Cells = Mapping[str, str | None]


@dataclass(kw_only=True)
class Importing:
    """One import under way."""

    profile: DeliveryProfile
    agency: int
    by: str
    phases: PhaseNumbers
    ours: dict[str, dict[int, int]] = field(default_factory=dict)  # reference table → number there → number here
    counts: dict[str, int] = field(default_factory=dict)


def imported(folder: Path, work: Importing) -> dict[str, int]:
    """Read all tables; the caller is in a transaction. How many rows each had."""
    csv.field_size_limit(_LARGEST_FIELD)
    for table in TABLES:
        where = f"{table.name}.csv"
        lines = list(_lines(folder / where, table))
        if table.reference:
            _refer(table, lines, work, where)
        else:
            _insert(table, lines, work, where)
        work.counts[table.name] = len(lines)
    return work.counts


def _lines(path: Path, table: DumpTable) -> Iterator[tuple[int, Cells]]:
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            reader = csv.DictReader(stream, strict=True)
            missing = sorted(set(table.columns) - set(reader.fieldnames or ()))
            if missing:
                raise BadTrackerDump(f"The column {missing[0]} is missing", where=path.name)
            for row in reader:
                cells = {name: None if row[name] in (NULL, None) else row[name] for name in table.columns}
                yield reader.line_num, cells
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadTrackerDump(f"The table {table.name} cannot be read: {error}", where=path.name) from error


def _refer(table: DumpTable, lines: list[tuple[int, Cells]], work: Importing, where: str) -> None:
    """Rows of a reference table: found by name, made where it grows, with their texts and times."""
    known = work.ours.setdefault(table.name, {})
    for line, cells in lines:
        values = _values(table, cells, work, f"{where}, line {line}")
        number, name = values.pop("pk"), values.pop("short_name")
        row = _reference(table, number, name, work, f"{where}, line {line}")
        known[number] = row.pk
        table.model._base_manager.filter(pk=row.pk).update(**values)


def _reference(table: DumpTable, number: int, name: str, work: Importing, where: str) -> Any:
    if table.model is PhaseRow:
        if work.phases.names.get(number) != name:
            remedy = f"The profile {work.profile.name} has: {', '.join(work.phases.names.values())}."
            raise BadTrackerDump(f"There is no phase {number} {name!r}", where=where, remedy=remedy)
        return PhaseRow.objects.get(pk=work.phases.ours(number))
    found = table.model._base_manager.filter(short_name=name).first()
    if found is not None:
        return found
    if table.name in ("a_status", "resource_state"):
        raise BadTrackerDump(f"{table.name} has no {name!r} here", where=where)
    free = not table.model._base_manager.filter(pk=number).exists() and number < identifiers.BLOCK
    made = table.model(short_name=name, **({"id": number} if free else {}))
    made.save(force_insert=True)
    return made


def _insert(table: DumpTable, lines: list[tuple[int, Cells]], work: Importing, where: str) -> None:
    numbers: set[int] = set()
    found: list[dict[str, Any]] = []
    for line, cells in lines:
        values = _values(table, cells, work, f"{where}, line {line}")
        if values["pk"] in numbers:
            raise BadTrackerDump(f"The row {values['pk']} is there twice", where=f"{where}, line {line}")
        numbers.add(values["pk"])
        found.append(values)
    _require_free(table.model, numbers, where)
    stamp = table.columns["last_update"].attribute
    beside = _Beside(work)
    for values in found:
        row = table.model(**{**beside.of(table, values), **values})
        if table.name == "file_source" and values["access_key"]:
            row.access_key = secrets.sealed(values["pk"], password=values["access_key"])  # type: ignore[attr-defined]  # a source
        row.save(force_insert=True)
        table.model._base_manager.filter(pk=row.pk).update(**{stamp: values[stamp]})


def _values(table: DumpTable, cells: Cells, work: Importing, where: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, column in table.columns.items():
        cell = cells[name]
        if cell is None or cell == "":
            if column.needed:
                raise BadTrackerDump(f"{name} is empty", where=where)
            optional = table.model._meta.get_field(_field(column.attribute)).null
            values[column.attribute] = None if optional else ""
            continue
        try:
            value = column.read(cell)
            if column.refers in work.ours and column.refers != "phase":
                value = work.ours[column.refers][value]
            elif column.refers == "phase":
                value = work.phases.ours(value)
        except (ValueError, KeyError, OverflowError) as error:
            raise BadTrackerDump(f"{name} cannot be read: {cell[:100]!r} ({error})", where=where) from error
        values[column.attribute] = value
    return values


def _field(attribute: str) -> str:
    return "id" if attribute == "pk" else attribute


def _require_free(model: type[Model], numbers: set[int], where: str) -> None:
    """Identifiers that nobody has, and that nobody will be given."""
    wanted = sorted(numbers)
    for start in range(0, len(wanted), _AT_ONCE):
        taken = model._base_manager.filter(pk__in=wanted[start : start + _AT_ONCE]).values_list("pk", flat=True).first()
        if taken is not None:
            remedy = "Import into an installation that has no deliveries yet."
            raise BadTrackerDump(f"There is a row {taken} already", where=where, remedy=remedy)
    if not wanted or wanted[-1] < identifiers.BLOCK:
        return
    kind, block = model.id_kind(), wanted[-1] // identifiers.BLOCK  # type: ignore[attr-defined]  # all are Identified
    row, _ = IdBlock.objects.select_for_update().get_or_create(kind=kind)
    first = next(number for number in wanted if number >= identifiers.BLOCK) // identifiers.BLOCK
    if row.value > first:
        remedy = "Import before anything else is made in the installation."
        raise BadTrackerDump(f"Identifiers from {first * identifiers.BLOCK} on are in use", where=where, remedy=remedy)
    IdBlock.objects.filter(kind=kind).update(value=block + 1)


class _Beside:
    """What our tables have beside the columns of the dump."""

    def __init__(self, work: Importing) -> None:
        self._work = work
        self._documents: dict[int, int] = {}

    def of(self, table: DumpTable, values: Mapping[str, Any]) -> dict[str, Any]:
        """The other columns of a row."""
        profile = self._work.profile.name
        plain: dict[str, dict[str, Any]] = {
            "centre": {"agency_id": self._work.agency, "profile": profile},
            "zip_action": {"profile": profile},
            "crawling_session": {"profile": profile, "owner": "import", "by": self._work.by[:150]},
        }
        made: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
            "file_source": lambda row: {"name": f"{row['hostname']} {row['pk']}"[:64]},
            "zip_action": lambda row: {"first_seen": row["last_update"]},
            "xml_file": self._document,
            "zip_log": self._log,
        }
        more = made[table.name](values) if table.name in made else {}
        return {**plain.get(table.name, {}), **more}

    def _document(self, values: Mapping[str, Any]) -> dict[str, Any]:
        attempt = values["attempt_id"]
        number = self._documents.get(attempt, 0) + 1
        self._documents[attempt] = number
        codes = frozenset(self._work.profile.centres)
        kind, _ = self._work.profile.kind_of(values["fname"], codes)
        return {"number": number, "kind": kind.name if kind else ""}

    def _log(self, values: Mapping[str, Any]) -> dict[str, Any]:
        rows = Offering.objects.filter(attempts__pk=values["attempt_id"])
        delivery = rows.values_list("delivery_id", flat=True).first()
        if delivery is None:
            raise BadTrackerDump(f"The download {values['attempt_id']} is not there", where="zip_log.csv")
        return {"delivery_id": delivery, "active": False}
