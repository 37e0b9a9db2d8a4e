"""Reads a table of known columns from a file: its kind by its name, its header checked before its rows."""

from collections.abc import Sequence
from typing import BinaryIO

from opilio.curation.bulk.errors import BadTable
from opilio.curation.bulk.tables import csv_reading, json_reading, text_lines
from opilio.curation.bulk.tables.raw import RawTable

FORMATS = ("csv", "json")


def format_of(name: str) -> str:
    """The format that a file's name tells."""
    ending = name.rpartition(".")[2].lower()
    if ending not in FORMATS:
        raise BadTable(
            f"{name[:120]} is neither .csv nor .json", where=name[:120], remedy="Name the file by what is in it."
        )
    return ending


def read(stream: BinaryIO, *, form: str, where: str, columns: Sequence[str], required: Sequence[str]) -> RawTable:
    """The table, or `BadTable` when its header, or the file itself, cannot be used."""
    text = text_lines.opened(stream, where)
    table = json_reading.read(text, where=where) if form == "json" else csv_reading.read(text, where=where)
    check_columns(table.columns, columns=columns, required=required, where=where)
    return table


def check_columns(given: Sequence[str], *, columns: Sequence[str], required: Sequence[str], where: str) -> None:
    """Refuse a table that lacks, repeats or invents columns."""
    missing = [name for name in required if name not in given]
    unknown = [name[:60] for name in given if name not in columns]
    twice = sorted({name[:60] for name in given if given.count(name) > 1})
    said = [("lacks", missing), ("has unknown", unknown), ("repeats", twice)]
    faults = [f"{words} {', '.join(names[:20])}" for words, names in said if names]
    if faults:
        raise BadTable(
            f"Wrong columns: the table {'; '.join(faults)}", where=f"{where}, header",
            remedy=f"Needed are {', '.join(required)}; known are {', '.join(columns)}.",
        )  # fmt: skip
