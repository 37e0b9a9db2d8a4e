"""Writes WARC files anew without the records of captures that a result left out.

Those are the records of its captures, all others of URLs of which nothing is left, and requests, metadata, conversions
and continuations that belong to them. What stays is copied byte by byte. Memory use does not grow with the files.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from opilio.archive.cdxj import CdxRow
from opilio.archive.dedup.rewriting import Moved, copied, damaged, refuse
from opilio.archive.results.database import made, mapped
from opilio.archive.verify.faults import Fault
from opilio.archive.verify.framing import State
from opilio.archive.verify.header import Header
from opilio.archive.verify.scanning import scan

_TABLES = (
    "CREATE TABLE place (file TEXT, start INTEGER, PRIMARY KEY (file, start)) WITHOUT ROWID",
    "CREATE TABLE url (url TEXT PRIMARY KEY) WITHOUT ROWID",
    "CREATE TABLE id (id TEXT PRIMARY KEY) WITHOUT ROWID",
)
_ATTENDING = frozenset({"request", "metadata", "conversion", "continuation"})  # records that belong to another
_LINKS = frozenset({"warc-concurrent-to", "warc-refers-to", "warc-segment-origin-id"})


class PrunedRecords:
    """Knows what is left out. As a context manager it closes itself."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._db = made(path)
        with mapped(path):
            self._db.execute("BEGIN")
            for words in _TABLES:
                self._db.execute(words)

    def __enter__(self) -> "PrunedRecords":
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def __bool__(self) -> bool:
        return self._has("SELECT 1 FROM place LIMIT 1")

    def expect(self, rows: Iterable[CdxRow]) -> None:
        """Captures of a result that the one in hand is derived from."""
        for row in rows:
            self._run("INSERT OR IGNORE INTO place VALUES (?, ?)", row.file, row.offset)
            self._run("INSERT OR IGNORE INTO url VALUES (?)", row.url)

    def keep(self, rows: Iterable[CdxRow]) -> None:
        """Captures that the result in hand has."""
        for row in rows:
            self._run("DELETE FROM place WHERE file = ? AND start = ?", row.file, row.offset)
            self._run("DELETE FROM url WHERE url = ?", row.url)

    def concern(self, path: Path, name: str) -> bool:
        """Whether records of a file are left out; what belongs to them is known from then on."""
        found = False
        for scanned in scan(path, _unheard):
            if self._is_pruned(name, scanned.offset, scanned.header):
                found = True
                for each in (scanned.header.id, *_linked(scanned.header)):
                    self._run("INSERT OR IGNORE INTO id VALUES (?)", each)
        return found

    def write(self, path: Path, name: str, stream: BinaryIO) -> Iterator[Moved]:
        """Write the records that stay to a stream; where each of them went."""
        at = 0
        for scanned in scan(path, refuse):
            if scanned.end is None or scanned.within or scanned.state is not State.WHOLE:
                raise damaged(f"{path} at {scanned.offset}", "a record is not packed by itself")
            if self._is_pruned(name, scanned.offset, scanned.header) or self._belongs(scanned.header):
                continue
            length = copied(path, scanned, stream)
            yield Moved(scanned.offset, at, length)
            at += length

    def _is_pruned(self, name: str, offset: int, header: Header) -> bool:
        url = header.named.get("warc-target-uri", "").strip("<>")
        return self._has("SELECT 1 FROM place WHERE file = ? AND start = ?", name, offset) or (
            bool(url) and self._has("SELECT 1 FROM url WHERE url = ?", url)
        )

    def _belongs(self, header: Header) -> bool:
        """Whether a record belongs to one that is left out."""
        if header.kind not in _ATTENDING:
            return False
        return any(self._has("SELECT 1 FROM id WHERE id = ?", each) for each in (header.id, *_linked(header)) if each)

    def _has(self, words: str, *values: object) -> bool:
        return self._run(words, *values).fetchone() is not None

    def _run(self, words: str, *values: object) -> sqlite3.Cursor:
        with mapped(self._path):
            return self._db.execute(words, values)


def _linked(header: Header) -> list[str]:
    """The ids of other records that a record names."""
    return [value.strip().strip("<>") for name, value in header.fields if name.lower() in _LINKS]


def _unheard(fault: Fault) -> None:
    """A fault matters only in a file that is written anew; then it is met again."""
