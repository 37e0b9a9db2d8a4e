"""Changes rows of a chunked table: only the chunks that hold them are read and written again, many at a time."""

import sqlite3
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from opilio.search.views.rows import CHUNK, Blob, Rows, blobs, joined, read
from opilio.search.views.varints import Numbers

#: Bits of an item in the id of a chunk: id = key << ITEM_BITS | first item.
ITEM_BITS = 31
_AT_ONCE = 512  # chunks in memory


class _Groups(NamedTuple):
    """Which chunk each changed row belongs to; the rows of a key without chunks are a group too."""

    of: Numbers  # group of each changed row
    keys: Numbers  # key of each group
    ids: list[int | None]  # of the chunk of each group, if there is one


def patch(connection: sqlite3.Connection, table: str, gone: Rows, added: Rows) -> None:
    """Take rows out of the chunks that hold them, and put others in."""
    changed = np.unique(np.concatenate([_code(gone), _code(added)]))
    if not len(changed):
        return
    groups = _grouped(connection, table, changed)
    group_of_added = groups.of[np.searchsorted(changed, _code(added))]
    for first in range(0, len(groups.keys), _AT_ONCE):
        last = min(first + _AT_ONCE, len(groups.keys))
        there = [_stored(connection, table, groups, group) for group in range(first, last)]
        kept = _without(joined([rows for rows in there if rows is not None]), groups, changed)
        fresh = added.taken(np.flatnonzero((group_of_added >= first) & (group_of_added < last)))
        fresh_groups = group_of_added[(group_of_added >= first) & (group_of_added < last)]
        now = joined([kept, Rows(fresh_groups, fresh.items, fresh.counts, fresh.positions)]).sorted()
        old = [(number,) for number in groups.ids[first:last] if number is not None]
        connection.executemany(f"DELETE FROM {table} WHERE id = ?", old)  # noqa: S608 - own names
        insert(connection, table, _named(blobs(now, CHUNK), groups.keys))


def insert(connection: sqlite3.Connection, table: str, found: Iterable[Blob]) -> None:
    """Write chunks."""
    rows = ((blob.key << ITEM_BITS | blob.first, blob.rows, blob.total, blob.data) for blob in found)
    connection.executemany(f"INSERT INTO {table} VALUES (?, ?, ?, ?)", rows)  # noqa: S608 - own names


def _code(rows: Rows) -> Numbers:
    """Key and item as one number, of the form of the ids of chunks."""
    return rows.keys << ITEM_BITS | rows.items


def _grouped(connection: sqlite3.Connection, table: str, changed: Numbers) -> _Groups:
    ask = f"SELECT id FROM {table} ORDER BY id"  # noqa: S608 - own names
    ids = np.fromiter((number for (number,) in connection.execute(ask)), dtype=np.int64)
    keys = changed >> ITEM_BITS
    places = np.searchsorted(ids, changed, side="right") - 1
    before = ~_belongs(ids, places, keys)  # no chunk begins at or before the row
    places[before] += 1
    places[before & ~_belongs(ids, places, keys)] = -1
    marks = np.where(places >= 0, places, -1 - keys)  # a chunk, or a key that has none
    found, first, of = np.unique(marks, return_index=True, return_inverse=True)
    numbers = [int(ids[place]) if place >= 0 else None for place in found.tolist()]
    return _Groups(of, keys[first], numbers)


def _belongs(ids: Numbers, places: Numbers, keys: Numbers) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Whether there is a chunk of the key in that place."""
    inside = (places >= 0) & (places < len(ids))
    belongs = np.zeros(len(places), dtype=np.bool_)
    belongs[inside] = ids[places[inside]] >> ITEM_BITS == keys[inside]
    return belongs


def _stored(connection: sqlite3.Connection, table: str, groups: _Groups, group: int) -> Rows | None:
    """The rows of a chunk, keyed by its group."""
    number = groups.ids[group]
    if number is None:
        return None
    (data,) = connection.execute(f"SELECT data FROM {table} WHERE id = ?", (number,)).fetchone()  # noqa: S608 - own names
    return read(group, data)


def _without(rows: Rows, groups: _Groups, changed: Numbers) -> Rows:
    codes = groups.keys[rows.keys] << ITEM_BITS | rows.items
    places = np.minimum(np.searchsorted(changed, codes), len(changed) - 1)
    return rows.taken(np.flatnonzero(changed[places] != codes))


def _named(found: Iterable[Blob], keys: Numbers) -> Iterator[Blob]:
    return (blob._replace(key=int(keys[blob.key])) for blob in found)
