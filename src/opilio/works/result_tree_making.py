"""Makes the tree of a result: of a crawl's own from its resources, of a derived one from its parent's tree."""

import heapq
from collections.abc import Iterator
from pathlib import Path

from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.reader import ResultReader
from opilio.archive.sorting import sorted_lines
from opilio.kernel.locks import locked
from opilio.works.result_tree_file import TreeRow, place_of, write_tree
from opilio.works.result_tree_reading import ResultTree, is_tree

_MEMORY = 64 << 20  # bytes for sorting
_PORTION = 5_000  # rows read at a time
_READ = f"""
    SELECT id, url, status, type, outcome, size, coalesce(length, 0), at FROM resource WHERE id > ?
    ORDER BY id LIMIT {_PORTION}
"""  # noqa: S608 - ours


def make_tree(results: ResultsFolder, number: int | None = None) -> Path:
    """The tree of a result, made if it is not there; with it those of the results on the way to it.

    `Conflict` while another process makes one here.
    """
    chosen = results.require(number)
    missing = _missing(results, chosen)
    if missing:
        with locked(results.path / ".trees.lock", purpose="making the tree of a result"):
            for each in reversed(missing):
                if not has_tree(results, each):
                    _make(results, each)
    return results.tree(chosen)


def has_tree(results: ResultsFolder, number: int) -> bool:
    """Whether the tree of a result is there, and is of that result."""
    return is_tree(results.tree(number), results.digest(number))


def _missing(results: ResultsFolder, number: int) -> list[int]:
    """The results without a tree, from this one back to the first that has one."""
    found: list[int] = []
    each: int | None = number
    while each is not None and not has_tree(results, each):
        found.append(each)
        with ResultReader(results.file(results.require(each))) as reader:
            each = reader.head.parent
    return found


def _make(results: ResultsFolder, number: int) -> None:
    with ResultReader(results.file(number)) as reader:
        own = _sorted(reader, results.path)
        digest, parent = results.digest(number), reader.head.parent
        if parent is None:
            write_tree(results.tree(number), own, digest=digest)
            return
        with ResultTree(results.tree(parent)) as tree:
            kept = _kept(tree, reader)
            rows = heapq.merge(kept, own, key=lambda row: (place_of(row.url).key, row.resource))
            write_tree(results.tree(number), rows, digest=digest)


def _sorted(reader: ResultReader, folder: Path) -> Iterator[TreeRow]:
    """The resources of one file in the order of their places."""
    for line in sorted_lines(_lines(reader), folder=folder, memory=_MEMORY):
        _, _, _, _, url, resource, status, kind, outcome, size, length, at = line.decode()[:-1].split("\t")
        yield TreeRow(
            int(resource), url, int(status) if status else None, kind, outcome, int(size), int(length), float(at)
        )


def _lines(reader: ResultReader) -> Iterator[bytes]:
    last = -1
    while rows := reader.ask(_READ, (last,)):
        last = rows[-1][0]
        for number, url, status, kind, outcome, size, length, at in rows:
            told = f"{number}\t{'' if status is None else status}\t{kind}\t{outcome}\t{size}\t{length}\t{at!r}"
            yield f"{place_of(url).key}\t{number:020d}\t{url}\t{told}\n".encode("utf-8", "backslashreplace")


def _kept(tree: ResultTree, reader: ResultReader) -> Iterator[TreeRow]:
    """The rows of the parent that this result does not leave out."""
    gone = bytearray(tree.highest // 8 + 1)
    for each in reader.removed():
        if each.resource <= tree.highest:
            gone[each.resource >> 3] |= 1 << (each.resource & 7)
    return (row for row in tree.all_rows() if not gone[row.resource >> 3] >> (row.resource & 7) & 1)
