"""A report on a harvest as text: cells for people, CSV for spreadsheets, values for programs."""

import csv
import io
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from opilio.works.harvest_reports.declared import Cell, Cells, Column, Form, HarvestReport

_BOM = "\ufeff"  # spreadsheets take the file for UTF-8 only with it
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def moment(seconds: float) -> str:
    """UTC, to the second."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def plain(column: Column, cell: Cell) -> Any:
    """A cell as JSON carries it."""
    if cell is None:
        return None
    if column.form is Form.MOMENT and isinstance(cell, int | float):
        return moment(cell)
    if column.form is Form.SHARE and isinstance(cell, float):
        return round(cell, 6)
    return list(cell) if isinstance(cell, tuple) else cell


def as_values(report: HarvestReport, rows: Iterable[Cells]) -> list[dict[str, Any]]:
    """The rows by the names of their columns."""
    return [
        {column.name: plain(column, cell) for column, cell in zip(report.columns, cells, strict=True)} for cells in rows
    ]


def as_csv(report: HarvestReport, rows: Iterable[Cells]) -> Iterator[str]:
    """The table for spreadsheets, in pieces; no cell is taken for a formula."""
    yield _BOM + _line([column.label for column in report.columns])
    for cells in rows:
        yield _line([_text(plain(column, cell)) for column, cell in zip(report.columns, cells, strict=True)])


def _line(cells: list[str]) -> str:
    sheet = io.StringIO()
    csv.writer(sheet, lineterminator="\r\n").writerow(cells)
    return sheet.getvalue()


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return _harmless(" ".join(value))
    return _harmless(value) if isinstance(value, str) else str(value)


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text
