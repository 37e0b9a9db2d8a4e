"""Writes rows as CSV or JSON, in pieces, so that reading them gives the same texts."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from opilio.curation.bulk.tables.cells import guarded
from opilio.curation.bulk.tables.json_reading import as_text

Values = Mapping[str, Any]  # texts, numbers, yes and no, lists of texts, None
_EVERY = 500  # rows of a piece
_BOM = "\ufeff"  # spreadsheets take the file for UTF-8 only with it


def as_csv(columns: Sequence[str], rows: Iterable[Values]) -> Iterator[bytes]:
    """Pieces of a CSV file."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\r\n")
    sheet.write(_BOM)
    writer.writerow(columns)
    for number, row in enumerate(rows, 1):
        writer.writerow([guarded(as_text(row.get(name)) or "") for name in columns])
        if number % _EVERY == 0:
            yield _taken(sheet)
    yield _taken(sheet)


def as_json(columns: Sequence[str], rows: Iterable[Values]) -> Iterator[bytes]:
    """Pieces of a JSON file."""
    before = "["
    for row in rows:
        yield f"{before}\n{json.dumps({name: row.get(name) for name in columns}, ensure_ascii=False)}".encode()
        before = ","
    yield b"[]\n" if before == "[" else b"\n]\n"


def _taken(sheet: io.StringIO) -> bytes:
    text = sheet.getvalue()
    sheet.seek(0)
    sheet.truncate()
    return text.encode("utf-8")
