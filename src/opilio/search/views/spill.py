"""Sorts more rows than fit into memory: sorted runs on disk, then merged by ranges of keys."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from opilio.kernel.files import mapped
from opilio.search.views.rows import Rows, joined
from opilio.search.views.varints import Numbers

_AT_ONCE = 2_000_000  # rows and positions of a range that is merged


class _Run(NamedTuple):
    path: Path
    rows: int


class Spill:
    """Rows in any order in, sorted rows out, all rows of a key together."""

    def __init__(self, folder: Path) -> None:
        self._place = folder
        with mapped(folder):
            self._folder = tempfile.TemporaryDirectory(prefix=".opilio-rows-", dir=folder)
        self._runs: list[_Run] = []
        self._weights = np.zeros(0, dtype=np.int64)

    def close(self) -> None:
        """Remove what lies on the disk."""
        self._folder.cleanup()

    def add(self, rows: Rows) -> None:
        """Take in rows that are sorted by key."""
        if not len(rows):
            return
        path = Path(self._folder.name) / f"{len(self._runs)}"
        with mapped(self._place), path.open("wb") as stream:
            for column in (rows.keys, rows.items, rows.counts, rows.starts, rows.positions):
                stream.write(column.astype(np.uint32).tobytes())
        self._runs.append(_Run(path, len(rows)))
        self._weigh(rows)

    def merged(self) -> Iterator[Rows]:
        """All rows, sorted by key and item, in pieces; the rows of a key are in one piece."""
        for first, last in self._ranges():
            parts = [part for run in self._runs if (part := _slice(run, first, last)) is not None]
            yield joined(parts).sorted()

    def _weigh(self, rows: Rows) -> None:
        weights = np.bincount(rows.keys, weights=rows.counts if len(rows.positions) else None).astype(np.int64)
        weights += np.bincount(rows.keys)
        if len(weights) > len(self._weights):
            self._weights = np.concatenate([self._weights, np.zeros(len(weights) - len(self._weights), dtype=np.int64)])
        self._weights[: len(weights)] += weights

    def _ranges(self) -> Iterator[tuple[int, int]]:
        """First key and the one after the last of each piece."""
        sums = np.cumsum(self._weights)
        first, done = 0, 0
        while first < len(sums):
            last = max(first + 1, int(np.searchsorted(sums, done + _AT_ONCE, side="right")))
            yield first, last
            first, done = last, int(sums[last - 1])


def _slice(run: _Run, first: int, last: int) -> Rows | None:
    """The rows of a run whose keys are from `first` to before `last`."""
    size = run.rows
    numbers = np.memmap(run.path, dtype=np.uint32, mode="r")
    keys, items, counts = numbers[:size], numbers[size : 2 * size], numbers[2 * size : 3 * size]
    starts, positions = numbers[3 * size : 4 * size + 1], numbers[4 * size + 1 :]
    begin, end = np.searchsorted(keys, [first, last])
    if begin == end:
        return None
    among = positions[int(starts[begin]) : int(starts[end])]
    return Rows(_wide(keys[begin:end]), _wide(items[begin:end]), _wide(counts[begin:end]), _wide(among))


def _wide(numbers: NDArray[np.uint32]) -> Numbers:
    return numbers.astype(np.int64)
