"""What an import did: counts for each table, and every table, column and row that was not taken over as it was."""

import csv
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, TextIO

from opilio.kernel.files import mapped

KEPT = 500  # entries in a summary; the file has all
HEADER = ("what", "table", "column", "number", "file", "line", "reason")


class What(StrEnum):
    """What was not taken over as it was."""

    TABLE = "table"  # no row of it
    COLUMN = "column"  # no value in it
    ROW = "row"
    CELL = "cell"  # the row was, with another value there
    SAME = "joined"  # the row is one that was here already


class Done(StrEnum):
    """What became of a row."""

    MADE = "made"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REFUSED = "refused"


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One line of the report."""

    what: What
    table: str
    column: str = ""
    number: str = ""
    file: str = ""
    line: int = 0
    reason: str

    @property
    def cells(self) -> tuple[str, ...]:
        """As a line of the file."""
        place = str(self.line) if self.line else ""
        return (self.what.value, self.table, self.column, self.number, self.file, place, self.reason)


@dataclass(kw_only=True)
class Report:
    """The ledger of one import; entries beyond the first are counted, and go to the file only."""

    dry_run: bool
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    told: int = 0
    failure: str = ""
    _stream: TextIO | None = None

    def count(self, table: str, done: Done, number: int = 1) -> None:
        """Note what became of rows."""
        if number:
            self.counts.setdefault(table, Counter())[done.value] += number

    def tell(self, entry: Entry) -> None:
        """Note something that was not taken over as it was."""
        self.told += 1
        if len(self.entries) < KEPT:
            self.entries.append(entry)
        if self._stream is not None:
            csv.writer(self._stream).writerow([_harmless(cell) for cell in entry.cells])

    def write_to(self, path: Path) -> None:
        """Let every entry go to a CSV file as well, from now on."""
        with mapped(path):
            self._stream = path.open("w", encoding="utf-8", newline="")
        csv.writer(self._stream).writerow(HEADER)

    def close(self) -> None:
        """Finish the file."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def total(self, done: Done) -> int:
        """How many rows of all tables became that."""
        return sum(counts[done.value] for counts in self.counts.values())

    def as_json(self) -> dict[str, Any]:
        """The summary that is kept and shown."""
        return {
            "dry_run": self.dry_run,
            "tables": {table: dict(counts) for table, counts in self.counts.items()},
            "totals": {done.value: self.total(done) for done in Done},
            "told": self.told,
            "entries": [dict(zip(HEADER, entry.cells, strict=True)) for entry in self.entries],
        }


def _harmless(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell
