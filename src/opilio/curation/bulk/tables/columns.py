"""Columns of tables: each reads a cell into the form in which it is also written, and gives it to an action."""

import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from opilio.curation.bulk.tables.json_reading import BETWEEN
from opilio.curation.bulk.tables.raw import quoted
from opilio.people.errors import InvalidFields

_FLAGS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LARGEST = 2**31 - 1
_MOST_PARTS = 5_000


@dataclass(frozen=True, kw_only=True)
class TableColumn:
    """One column."""

    name: str
    read: Callable[[str], Any]  # cell → as it is written; ValueError with words
    use: Callable[[Any], Any] = lambda value: value  # as it is written → as an action takes it
    required: bool = False
    grows: bool = False  # a list to which an import adds, and from which it takes nothing away


def given(columns: Sequence[TableColumn], cells: Mapping[str, str]) -> dict[str, Any]:
    """The cells as they are written, or `InvalidFields` with a word for each column at fault."""
    by_name = {column.name: column for column in columns}
    faults = {name[:60]: ["There is no such column."] for name in cells if name not in by_name}
    found: dict[str, Any] = {}
    for column in columns:
        text = cells.get(column.name, "").strip()
        try:
            if column.required and not text:
                raise ValueError("This is needed.")
            if column.name in cells:
                found[column.name] = column.read(text)
        except ValueError as error:
            faults[column.name] = [str(error)]
    if faults:
        raise InvalidFields(faults, where="table")
    return found


def text(longest: int = 255) -> Callable[[str], str]:
    """A text of at most so many characters."""

    def read(cell: str) -> str:
        if len(cell) > longest:
            raise ValueError(f"It has {len(cell):,} characters; at most {longest:,} can be kept.")
        if _CONTROL.search(cell):
            raise ValueError("It holds control characters.")
        return cell

    return read


def flag(cell: str) -> bool | None:
    """Yes or no; an empty cell says nothing."""
    if not cell:
        return None
    found = _FLAGS.get(cell.lower())
    if found is None:
        raise ValueError(f"Write yes or no, not {quoted(cell)}.")
    return found


def number(cell: str) -> int | None:
    """A whole number; empty: none."""
    if not cell:
        return None
    if not cell.isascii() or not cell.isdecimal() or len(cell) > 18 or int(cell) > _LARGEST:
        raise ValueError(f"Write a whole number up to {_LARGEST:,}, not {quoted(cell)}.")
    return int(cell)


def identifier(cell: str) -> str:
    """The number of a row; empty: a new one."""
    if cell and (not cell.isascii() or not cell.isdecimal() or len(cell) > 18):
        raise ValueError(f"Write the number of a row, not {quoted(cell)}.")
    return cell


def day(cell: str) -> str:
    """A day as 2026-01-31; empty: none."""
    try:
        return datetime.date.fromisoformat(cell).isoformat() if cell else ""
    except ValueError as error:
        raise ValueError(f"Write a day as 2026-01-31, not {quoted(cell)}.") from error


def moment(cell: str) -> str:
    """A time with its zone as 2026-01-31T12:00:00Z; empty: none."""
    if not cell:
        return ""
    try:
        found = datetime.datetime.fromisoformat(cell)
        if found.tzinfo is None:
            raise ValueError("no zone")
        return written(found)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"Write a time as 2026-01-31T12:00:00Z, not {quoted(cell)}.") from error


def written(at: datetime.datetime | None) -> str:
    """A time as tables write it."""
    return at.astimezone(datetime.UTC).isoformat().replace("+00:00", "Z") if at else ""


def name(longest: int = 255) -> Callable[[str], str | None]:
    """The name of another row; an empty cell says nothing."""
    return lambda cell: text(longest)(cell) or None


def choice(words: Mapping[str, Any]) -> Callable[[str], str | None]:
    """One of some words, however it is capitalised; empty: says nothing."""
    known = {word.casefold(): word for word in words}

    def read(cell: str) -> str | None:
        if cell and cell.casefold() not in known:
            raise ValueError(f"Write one of {', '.join(words)}, not {quoted(cell)}.")
        return known.get(cell.casefold())

    return read


def lines(part: Callable[[str], str]) -> Callable[[str], list[str]]:
    """A list, one part on each line of the cell."""

    def read(cell: str) -> list[str]:
        parts = [one.strip() for one in cell.replace("\r\n", BETWEEN).split(BETWEEN)]
        if len(parts) > _MOST_PARTS:
            raise ValueError(f"It has more than {_MOST_PARTS:,} lines.")
        return list(dict.fromkeys(part(one) for one in parts if one))

    return read


def checked(check: Callable[[str], str], longest: int = 2_048) -> Callable[[str], str]:
    """A text that another module brings into its form, with its faults as words."""

    def read(cell: str) -> str:
        try:
            return check(text(longest)(cell)) if cell else ""
        except InvalidFields as error:
            raise ValueError("; ".join(word for words in error.messages.values() for word in words)) from error

    return read
