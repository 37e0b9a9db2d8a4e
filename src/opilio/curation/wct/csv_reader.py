"""Reads rows from the CSV file of one table: a header with the names of the columns, then a row on each line."""

import csv
import re
from collections.abc import Iterator
from typing import TextIO

from opilio.curation.wct.rows import BadLine, RawRow

LONGEST_FIELD = 1 << 24  # characters
_DELIMITERS = ",;\t|"
_NULL = r"\N"


def table_of(name: str) -> str:
    """The table that a file holds, by its name: `DB_WCT.TARGET.csv`, `3fa9-target.csv`."""
    return re.split(r"[./\\-]", name)[-2].strip().upper() if "." in name else name.upper()


def read(stream: TextIO, *, file: str) -> Iterator[RawRow | BadLine]:
    """All rows of the file; an empty cell and `\\N` are NULL."""
    table = table_of(file)
    first = stream.readline()
    stream.seek(0)
    csv.field_size_limit(LONGEST_FIELD)
    lines = csv.reader(stream, delimiter=max(_DELIMITERS, key=first.count), strict=True)
    header: list[str] | None = None
    while True:
        before = lines.line_num
        try:
            cells = next(lines)
        except StopIteration:
            return
        except csv.Error as error:
            yield BadLine(table=table, file=file, line=before + 1, reason=f"it is no CSV: {error}")
            continue
        if header is None:
            header = [cell.strip().strip('"').lstrip("\ufeff").upper() for cell in cells]
        elif cells:
            yield _row(table, file, before + 1, header, cells)


def _row(table: str, file: str, line: int, header: list[str], cells: list[str]) -> RawRow | BadLine:
    if len(cells) != len(header):
        reason = f"it has {len(cells)} values for {len(header)} columns"
        return BadLine(table=table, file=file, line=line, reason=reason)
    found = {name: None if cell in ("", _NULL) else cell for name, cell in zip(header, cells, strict=True)}
    return RawRow(table=table, file=file, line=line, cells=found)
