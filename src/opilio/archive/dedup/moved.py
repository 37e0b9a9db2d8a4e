"""Where records went when WARC files were written anew: looked up by the old place."""

import sqlite3
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from opilio.archive.cdxj import CdxRow
from opilio.archive.dedup.rewriting import Moved
from opilio.archive.results.database import made, mapped
from opilio.archive.results.values import EarlierCapture, Resource
from opilio.kernel.capture import Position
from opilio.kernel.errors import Damaged

_TABLE = """
    CREATE TABLE moved (
        file TEXT, old INTEGER, start INTEGER NOT NULL, length INTEGER NOT NULL, url TEXT, at REAL, saved INTEGER,
        PRIMARY KEY (file, old)) WITHOUT ROWID
"""


class MovedRecords:
    """An open table. As a context manager it closes itself."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._db = made(path)
        with mapped(path):
            self._db.execute("BEGIN")
            self._db.execute(_TABLE)

    def __enter__(self) -> "MovedRecords":
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def add(self, file: str, moved: Moved) -> None:
        """Note one record."""
        original = moved.original
        told = (original.url, original.captured.timestamp()) if original is not None else (None, None)
        self._run(
            "INSERT INTO moved VALUES (?, ?, ?, ?, ?, ?, ?)",
            file, moved.old, moved.offset, moved.length, *told, moved.saved,
        )  # fmt: skip

    def totals(self) -> tuple[int, int, int]:
        """Records, those that became revisits, and bytes that were left out."""
        row = self._run("SELECT count(*), count(url), coalesce(sum(saved), 0) FROM moved").fetchone()
        return int(row[0]), int(row[1]), int(row[2])

    def resource(self, resource: Resource) -> Resource:
        """A resource at its new place."""
        if resource.place is None:
            return resource
        start, length, url, at = self._find(resource.place.file, resource.place.offset)
        moved = replace(resource, place=Position(file=resource.place.file, offset=start, length=length))
        return replace(moved, original_url=url, original_at=at) if url else moved

    def earlier(self, capture: EarlierCapture) -> EarlierCapture:
        """A further capture of a resource at its new place."""
        start, length, url, at = self._find(capture.place.file, capture.place.offset)
        moved = replace(capture, place=Position(file=capture.place.file, offset=start, length=length))
        return replace(moved, revisit=True, original_url=url, original_at=at) if url else moved

    def row(self, row: CdxRow) -> CdxRow:
        """A line of the index at its new place."""
        start, length, url, at = self._find(row.file, row.offset)
        moved = replace(row, offset=start, length=length)
        if not url:
            return moved
        return replace(moved, revisit=True, original_url=url, original_at=datetime.fromtimestamp(at, UTC))

    def _find(self, file: str, old: int) -> tuple[Any, ...]:
        words = "SELECT start, length, url, at FROM moved WHERE file = ? AND old = ?"
        found: tuple[Any, ...] | None = self._run(words, file, old).fetchone()
        if found is None:
            remedy = "Check the crawl: opilio archive verify."
            raise Damaged("no record begins where the crawl says", where=f"{file} at {old}", remedy=remedy)
        return found

    def _run(self, words: str, *values: object) -> sqlite3.Cursor:
        with mapped(self._path):
            return self._db.execute(words, values)
