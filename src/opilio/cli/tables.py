"""Reads tables of people's things from CSV and JSON files, and writes them; faults are named by line and byte."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from opilio.kernel.errors import InvalidInput
from opilio.kernel.files import write_atomically
from opilio.people.actions.user_import import BadRows, ImportRow
from opilio.people.errors import BadCsv

_LARGEST = 50_000_000  # bytes
_CSV, _JSON = ".csv", ".json"


def read(path: Path, *, columns: Sequence[str], required: Sequence[str]) -> list[ImportRow]:
    """The rows of a table, each with the place where it stands."""
    text = read_text(path)
    rows = _json_rows(path, text) if _kind(path) == _JSON else _csv_rows(path, text)
    header = next(rows)
    _check_header(path, header, columns, required)
    found, faults = [], []
    for row in rows:
        fault = row if isinstance(row, str) else _fault(row, header)
        if isinstance(fault, str) and fault:
            faults.append(fault)
        elif isinstance(row, tuple):
            found.append(ImportRow(place=row[0], values=dict(zip(header, row[1], strict=True))))
    if faults:
        raise BadRows(faults, of=len(found) + len(faults), where=str(path))
    if not found:
        raise BadCsv("The table has no rows", where=str(path), remedy="Write one row per user below the header.")
    return found


def write(path: Path, *, columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a table that `read` reads back; it appears whole or not at all."""
    if _kind(path) == _JSON:
        text = json.dumps([dict(row) for row in rows], indent=2, ensure_ascii=False) + "\n"
    else:
        text = as_csv(columns, rows)
    write_atomically(path, text.encode(), mode=0o600)


def as_csv(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as CSV text."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(row.get(name)) for name in columns] for row in rows)
    return stream.getvalue()


def _kind(path: Path) -> str:
    kind = path.suffix.lower()
    if kind not in (_CSV, _JSON):
        raise InvalidInput(
            f"{path.name[:200]} is neither .csv nor .json", where=str(path), remedy="Name the file by what is in it."
        )
    return kind


def read_text(path: Path) -> str:
    """The text of a file in UTF-8, of a size that can be read."""
    try:
        size = path.stat().st_size
        if size > _LARGEST:
            raise BadCsv(f"The file has {size:,} bytes; {_LARGEST:,} are read", where=str(path), remedy="Split it.")
        data = path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"Cannot be read: {error.strerror}", where=str(path), remedy="Name a file.") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BadCsv(
            f"Not UTF-8: byte {data[error.start]:#04x} at offset {error.start}",
            where=f"{path}, line {line}",
            remedy="Save the table as UTF-8 and import it again.",
        ) from error
    if "\x00" in text:
        line = text[: text.index("\x00")].count("\n") + 1
        raise BadCsv("A NUL character", where=f"{path}, line {line}", remedy="Save the table as plain UTF-8 text.")
    return text


def _csv_rows(path: Path, text: str) -> Iterator[Any]:
    """The header, then (place, cells) of each row that is not blank."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    line = 0
    try:
        yield [name.strip() for name in next(reader, [])]
        line = reader.line_num
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield (f"line {line + 1}", cells)
            line = reader.line_num
    except csv.Error as error:
        raise BadCsv(f"Not CSV: {error}", where=f"{path}, line {line + 1}", remedy="Check the quotes there.") from error


def _json_rows(path: Path, text: str) -> Iterator[Any]:
    """The header (every name that any item has), then (place, cells) of each item, or words on its fault."""
    remedy = "Write a list of objects, one per user."
    try:
        items = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadCsv(f"Not JSON: {error}", where=str(path), remedy=remedy) from error
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise BadCsv("Not a list of objects", where=str(path), remedy=remedy)
    header = list(dict.fromkeys(name for item in items for name in item))
    yield header
    for number, item in enumerate(items, 1):
        absent = [name for name in header if name not in item]
        cells = [_from_json(item.get(name)) for name in header]
        bad = [name for name, cell in zip(header, cells, strict=True) if cell is None]
        if absent or bad:
            yield f"item {number}: {', '.join([*absent, *bad])}: must be there, as text, true, false or a list of texts"
        else:
            yield (f"item {number}", cells)


def _from_json(value: Any) -> str | None:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return "; ".join(value)
    return value if isinstance(value, str) and "\x00" not in value else None


def _check_header(path: Path, header: Sequence[str], columns: Sequence[str], required: Sequence[str]) -> None:
    if not header:
        raise BadCsv(
            "The table is empty", where=str(path), remedy=f"Its first line names the columns {_list(columns)}."
        )
    missing = [name for name in required if name not in header]
    unknown = [name[:60] for name in header if name not in columns]
    twice = sorted({name for name in header if header.count(name) > 1})
    said = [("lacks", missing), ("has unknown", unknown), ("repeats", twice)]
    faults = [f"{words} {_list(names)}" for words, names in said if names]
    if faults:
        remedy = f"Needed are {_list(required)}; known are {_list(columns)}, separated by commas."
        raise BadCsv(f"Wrong columns: the table {'; '.join(faults)}", where=f"{path}, header", remedy=remedy)


def _fault(row: tuple[str, Sequence[str]], header: Sequence[str]) -> str:
    place, cells = row
    return "" if len(cells) == len(header) else f"{place}: {len(cells)} cells under {len(header)} columns"


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "; ".join(value) if isinstance(value, list) else str(value or "")


def _list(names: Sequence[str]) -> str:
    return ", ".join(names)
