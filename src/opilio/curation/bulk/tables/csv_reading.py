"""Reads CSV as a stream: the header decides, each bad row is told with its line, and the next one is read on."""

import csv
import io
from collections.abc import Iterator, Sequence

from opilio.curation.bulk.errors import BadTable
from opilio.curation.bulk.tables import text_lines
from opilio.curation.bulk.tables.cells import looks_like_formula, unguarded
from opilio.curation.bulk.tables.raw import LONGEST_ROW, RawRow, RawTable, quoted
from opilio.curation.bulk.tables.text_lines import TextLine

_SEPARATORS = ",;\t"
_MOST_COLUMNS = 200
_LONGEST_CELL = 131_072  # characters, the reader's own limit


class _Feed:
    """Hands lines to the reader, and remembers where they stood and whether one was cut."""

    def __init__(self, lines: Iterator[TextLine]) -> None:
        self._lines = lines
        self.number = 0  # of the line that was handed out last
        self.cut = False

    def __iter__(self) -> "_Feed":
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.number, self.cut = line.number, self.cut or line.too_long
        return '""\n' if line.too_long else line.text


def read(text: io.TextIOWrapper, *, where: str) -> RawTable:
    """The table; its rows are read when they are asked for."""
    lines = text_lines.lines(text)
    head = next((line for line in lines if line.text.strip()), None)
    if head is None:
        raise BadTable("The table is empty", where=where, remedy="Its first line names the columns.")
    fault = text_lines.fault_of(head.text)
    if fault or head.too_long:
        raise BadTable(f"The header cannot be read: {fault or 'it is too long'}", where=f"{where}, line {head.number}",
                       remedy="Its first line names the columns.")  # fmt: skip
    separator = max(_SEPARATORS, key=head.text.count)
    try:
        columns = [name.strip() for name in next(csv.reader([head.text], delimiter=separator, strict=True))]
    except csv.Error as error:
        raise BadTable(f"The header is no CSV: {error}", where=f"{where}, line {head.number}",
                       remedy="Its first line names the columns.") from error  # fmt: skip
    return RawTable(columns=columns[:_MOST_COLUMNS], rows=_rows(_Feed(lines), columns, separator, head.number))


def _rows(feed: _Feed, columns: Sequence[str], separator: str, head: int) -> Iterator[RawRow]:
    reader = csv.reader(feed, delimiter=separator, strict=True)
    feed.number = head
    while True:
        line, feed.cut = feed.number + 1, False
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield RawRow(place=line, fault=f"no CSV: {_words(error, line, feed.number)}")
            continue
        if feed.cut:
            yield RawRow(place=line, fault=f"the line is longer than {LONGEST_ROW:,} characters")
        elif any(cell.strip() for cell in cells):
            yield _row(line, columns, cells)


def _row(line: int, columns: Sequence[str], cells: Sequence[str]) -> RawRow:
    if len(cells) != len(columns):
        return RawRow(place=line, fault=f"{len(cells)} cells under {len(columns)} columns")
    found: dict[str, str] = {}
    for name, cell in zip(columns, cells, strict=True):
        fault = text_lines.fault_of(cell)
        if not fault and looks_like_formula(cell):
            fault = f"{quoted(cell)} looks like a formula; write an apostrophe before it if it is meant"
        if fault:
            return RawRow(place=line, fault=f"{name}: {fault}")
        found[name] = unguarded(cell)
    return RawRow(place=line, cells=found)


def _words(error: csv.Error, first: int, last: int) -> str:
    words = str(error)
    if "field limit" in words:
        words = f"a cell is longer than {_LONGEST_CELL:,} characters; is a quotation mark never closed?"
    elif "unexpected end of data" in words:
        words = "a quotation mark is never closed"
    return words if last <= first else f"{words} (lines {first} to {last})"
