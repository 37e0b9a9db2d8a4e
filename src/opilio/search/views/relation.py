"""A view in both directions: key → items in one table, item → keys in chunks of another, kept in step.

A new file is written in one sweep. In a file that grew from an earlier one, few changes are made chunk by chunk; many
lead to a new sweep over the forward table.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path

import numpy as np

from opilio.search.views.patching import insert, patch
from opilio.search.views.rows import CHUNK, Blob, Rows, blobs, joined, read
from opilio.search.views.spill import Spill

_FEW = 2_000_000  # rows and positions that are changed chunk by chunk at most
_FEW_KEYS = 1_000  # and keys; or one in 32 of a larger table
_BATCH = 1_500_000  # rows and positions of a sorted run
_AT_ONCE = 500  # keys of one question


class _Way(Enum):
    """How the inverse comes about."""

    SWEEP = "all rows were put in this build and lie sorted on the disk"
    PATCH = "few rows were put; the chunks that hold them are changed"
    AGAIN = "the forward table is read again"


class Relation:
    """Both directions of a view while it is built."""

    def __init__(
        self, connection: sqlite3.Connection, *, forward: str, inverse: str, folder: Path, fresh: bool
    ) -> None:
        self._connection = connection
        self._forward, self._inverse = forward, inverse
        self._way = _Way.SWEEP if fresh else _Way.PATCH
        self._folder = folder
        self._spill = Spill(folder)
        self._put: set[int] = set()  # keys, as long as chunks are patched
        self._gone: list[Rows] = []
        self._size = 0
        (count,) = connection.execute(f"SELECT count(*) FROM {forward}").fetchone()  # noqa: S608 - own names
        self._most_keys = max(_FEW_KEYS, count // 32)

    def close(self) -> None:
        """Leave no files behind."""
        self._spill.close()

    def clear(self) -> None:
        """Forget all rows of an earlier file."""
        self._connection.execute(f"DELETE FROM {self._forward}")  # noqa: S608 - our own names
        self._connection.execute(f"DELETE FROM {self._inverse}")  # noqa: S608 - our own names
        self._way = _Way.SWEEP

    def put(self, keys: Sequence[int], rows: Rows) -> None:
        """Let these keys have these rows (sorted) and no others."""
        new = {blob.key: blob for blob in blobs(rows)}
        old = self._stored(keys)
        changed = [key for key in keys if (new[key].data if key in new else None) != old.get(key)]
        if not changed:
            return
        if len(changed) < len(keys):
            rows = rows.taken(np.flatnonzero(np.isin(rows.keys, changed)))
        self._write(changed, new)
        self._choose(changed, rows, {key: old[key] for key in changed if key in old})
        if self._way is not _Way.AGAIN:
            self._spill.add(rows.turned())

    def finish(self) -> None:
        """Write the inverse."""
        if self._way is _Way.PATCH:
            patch(self._connection, self._inverse, joined(self._gone), joined(list(self._spill.merged())))
            return
        if self._way is _Way.AGAIN:
            self._spill.close()
            self._spill = Spill(self._folder)
            for rows in _batches(self._all()):
                self._spill.add(rows.turned())
        self._connection.execute(f"DELETE FROM {self._inverse}")  # noqa: S608 - our own names
        for rows in self._spill.merged():
            insert(self._connection, self._inverse, blobs(rows, CHUNK))

    def _choose(self, keys: Sequence[int], rows: Rows, old: Mapping[int, bytes]) -> None:
        """Decide whether the way is still the right one after this change."""
        self._size += len(rows) + len(rows.positions)
        if self._way is _Way.SWEEP and old:
            self._way = _Way.AGAIN
        if self._way is not _Way.PATCH:
            return
        self._gone += [read(key, data).turned() for key, data in old.items()]
        self._size += sum(len(rows) for rows in self._gone[-len(old) :]) if old else 0
        if self._size > _FEW or len(self._put) + len(keys) > self._most_keys or not self._put.isdisjoint(keys):
            self._way = _Way.AGAIN
            self._gone.clear()
        self._put.update(keys)

    def _write(self, keys: Iterable[int], new: Mapping[int, Blob]) -> None:
        gone = [(key,) for key in keys if key not in new]
        self._connection.executemany(f"DELETE FROM {self._forward} WHERE id = ?", gone)  # noqa: S608 - our own names
        rows = ((key, blob.rows, blob.total, blob.data) for key in keys if (blob := new.get(key)))
        self._connection.executemany(f"INSERT OR REPLACE INTO {self._forward} VALUES (?, ?, ?, ?)", rows)  # noqa: S608 - own names

    def _stored(self, keys: Sequence[int]) -> dict[int, bytes]:
        found: dict[int, bytes] = {}
        for start in range(0, len(keys), _AT_ONCE):
            part = keys[start : start + _AT_ONCE]
            marks = ",".join("?" * len(part))
            found.update(
                self._connection.execute(f"SELECT id, data FROM {self._forward} WHERE id IN ({marks})", part)  # noqa: S608 - own names
            )
        return found

    def _all(self) -> Iterator[Rows]:
        for key, data in self._connection.execute(f"SELECT id, data FROM {self._forward} ORDER BY id"):  # noqa: S608 - own names
            yield read(key, data)


def _batches(parts: Iterable[Rows]) -> Iterator[Rows]:
    """Many small sets of rows as few large ones."""
    waiting: list[Rows] = []
    size = 0
    for part in parts:
        waiting.append(part)
        size += len(part) + len(part.positions)
        if size > _BATCH:
            yield joined(waiting)
            waiting, size = [], 0
    yield joined(waiting)
