"""Rows of a view and their form on disk: key → items, each with a count and, for words, its positions.

One form serves all four views: page → words, word → pages, parent → children, child → parents. A blob holds the rows of
one key: their number, the gaps between items, the counts, the gaps between positions, as varints; larger blobs are
compressed with zstd. The first byte tells which.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import zstandard

from opilio.search.views.varints import Numbers, decoded, encoded

#: Rows of one blob in the views that may have very many items per key.
CHUNK = 512
_ITEM_BITS = 32
_PLAIN, _PACKED = b"\0", b"\1"
_WORTH_PACKING = 256  # bytes
_MOST_UNPACKED = 1 << 30  # bytes


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Many rows of one or more keys, side by side. `positions` is empty for links."""

    keys: Numbers
    items: Numbers
    counts: Numbers
    positions: Numbers  # of each row after the other, increasing within a row

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def starts(self) -> Numbers:
        """Where the positions of each row begin, and their number at the end."""
        starts = np.zeros(len(self.counts) + 1, dtype=np.int64)
        if len(self.positions):
            np.cumsum(self.counts, out=starts[1:])
        return starts

    def sorted(self) -> "Rows":
        """By key, then item; each item is there once per key."""
        return self.taken(np.argsort(self.keys << _ITEM_BITS | self.items))

    def turned(self) -> "Rows":
        """Items as keys, sorted."""
        return Rows(self.items, self.keys, self.counts, self.positions).sorted()

    def taken(self, order: Numbers) -> "Rows":
        """Some rows, in that order, with their positions."""
        counts = self.counts[order]
        positions = self.positions
        if len(positions):
            begun = np.cumsum(counts) - counts
            positions = positions[np.repeat(self.starts[:-1][order] - begun, counts) + np.arange(int(counts.sum()))]
        return Rows(self.keys[order], self.items[order], counts, positions)


class Blob(NamedTuple):
    """Rows of one key as they are stored."""

    key: int
    first: int  # item
    rows: int
    total: int  # sum of the counts
    data: bytes


def empty() -> Rows:
    """No rows."""
    nothing = np.zeros(0, dtype=np.int64)
    return Rows(nothing, nothing, nothing, nothing)


def joined(parts: Sequence[Rows]) -> Rows:
    """All rows, in the order given."""
    if not parts:
        return empty()
    return Rows(
        np.concatenate([part.keys for part in parts]),
        np.concatenate([part.items for part in parts]),
        np.concatenate([part.counts for part in parts]),
        np.concatenate([part.positions for part in parts]),
    )


def blobs(rows: Rows, chunk: int | None = None) -> Iterator[Blob]:
    """The stored form of sorted rows, per key and, where a chunk is given, at most so many rows each."""
    if not len(rows):
        return
    begins = _begins(rows.keys, chunk)
    ends = np.append(begins[1:], len(rows))
    starts = rows.starts
    columns = [
        _cut(ends - begins, np.arange(len(begins)), np.arange(1, len(begins) + 1)),
        _cut(_gaps(rows.items, begins), begins, ends),
        _cut(rows.counts, begins, ends),
    ]
    if len(rows.positions):
        columns.append(_cut(_gaps(rows.positions, starts[:-1]), starts[begins], starts[ends]))
    squeeze = zstandard.ZstdCompressor(level=3)
    fields = zip(
        rows.keys[begins].tolist(), rows.items[begins].tolist(), (ends - begins).tolist(),
        np.add.reduceat(rows.counts, begins).tolist(), zip(*columns, strict=True), strict=True,
    )  # fmt: skip
    for key, first, size, total, parts in fields:
        yield Blob(key, first, size, total, _packed(b"".join(parts), squeeze))


def read(key: int, data: bytes) -> Rows:
    """The rows of a blob; ValueError for one that nobody wrote."""
    numbers = decoded(_unpacked(data))
    count = int(numbers[0]) if len(numbers) else -1
    if count < 0 or len(numbers) < 1 + 2 * count:
        raise ValueError("the blob is too short")
    items = np.cumsum(numbers[1 : 1 + count])
    counts = numbers[1 + count : 1 + 2 * count]
    gaps = numbers[1 + 2 * count :]
    if len(gaps) not in (0, int(counts.sum())):
        raise ValueError("the blob holds another number of positions than it says")
    keys = np.full(count, key, dtype=np.int64)
    return Rows(keys, items, counts, _summed(gaps, counts) if len(gaps) else gaps)


def _cut(values: Numbers, begins: Numbers, ends: Numbers) -> Iterator[bytes]:
    """The numbers of each blob as bytes."""
    numbers, places = encoded(values)
    data = numbers.tobytes()
    bounds = zip(places[begins].tolist(), places[ends].tolist(), strict=True)
    return (data[begin:end] for begin, end in bounds)


def _begins(keys: Numbers, chunk: int | None) -> Numbers:
    """Where each blob begins."""
    begins: Numbers = np.concatenate(([0], np.flatnonzero(np.diff(keys)) + 1))
    if chunk is None:
        return begins
    sizes = np.diff(np.append(begins, len(keys)))
    pieces = -(-sizes // chunk)
    inside = np.arange(int(pieces.sum())) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    all_begins: Numbers = np.repeat(begins, pieces) + inside * chunk
    return all_begins


def _gaps(values: Numbers, begins: Numbers) -> Numbers:
    """Each number less the one before it; where a run begins, the number itself."""
    gaps = np.diff(values, prepend=0)
    gaps[begins] = values[begins]
    return gaps


def _summed(gaps: Numbers, counts: Numbers) -> Numbers:
    """Positions from their gaps, anew in each row."""
    sums = np.cumsum(gaps)
    begins = np.cumsum(counts) - counts
    positions: Numbers = sums - np.repeat(sums[begins] - gaps[begins], counts)
    return positions


def _packed(data: bytes, squeeze: zstandard.ZstdCompressor) -> bytes:
    if len(data) < _WORTH_PACKING:
        return _PLAIN + data
    packed = _PACKED + squeeze.compress(data)
    return packed if len(packed) <= len(data) else _PLAIN + data


def _unpacked(data: bytes) -> bytes:
    if data[:1] == _PLAIN:
        return data[1:]
    if data[:1] != _PACKED:
        raise ValueError("the blob has an unknown form")
    try:
        return zstandard.ZstdDecompressor().decompress(data[1:], max_output_size=_MOST_UNPACKED)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from error
