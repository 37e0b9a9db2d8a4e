"""A row of a table as it stood in the file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

LARGEST = 100_000_000  # bytes of a file
LONGEST_ROW = 1_000_000  # characters
MOST_TOLD = 60  # characters of a value that a message repeats


@dataclass(frozen=True, kw_only=True)
class RawRow:
    """A row: texts by column, or why it cannot be read."""

    place: int  # line of a CSV file, item of a JSON file
    cells: Mapping[str, str] = field(default_factory=dict)
    fault: str = ""


@dataclass(frozen=True, kw_only=True)
class RawTable:
    """A table under way: its columns, then its rows."""

    columns: Sequence[str]
    rows: Iterator[RawRow]


def quoted(text: str) -> str:
    """A piece of a value, for a message."""
    return repr(text if len(text) <= MOST_TOLD else f"{text[:MOST_TOLD]}…")
