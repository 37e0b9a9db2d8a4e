"""The index of a derived result, from that of its parent: without the captures that went, with those that came.

Both are in order, so that a million lines pass in seconds and in little memory. Where the parent's index is gone or
was written otherwise, the index is made from the result itself.
"""

import heapq
import itertools
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from opilio.archive.cdx.keys import key_of
from opilio.archive.cdxj import cdxj, stamp, write_cdxj
from opilio.archive.results.cdx_rows import cdx_rows, rows_of_resources
from opilio.archive.results.errors import DamagedResult
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.view import ResultView
from opilio.archive.sorting import sorted_lines
from opilio.kernel.files import writing

_MEMORY = 32 << 20  # bytes for sorting
_PORTION = 500


def write_derived_index(results: ResultsFolder, made: ResultView) -> None:
    """Write the index of a result that has just been derived."""
    path, before = results.index(made.number), results.index(made.head.parent or 1)
    if before.is_file():
        try:
            _write(path, before, made)
            return
        except (DamagedResult, ValueError, KeyError):
            pass
    write_cdxj(path, cdx_rows(made))


def _write(path: Path, before: Path, made: ResultView) -> None:
    gone = sorted_lines(_places(made), folder=path.parent, memory=_MEMORY)
    came = sorted_lines(map(cdxj, rows_of_resources(made.newest)), folder=path.parent, memory=_MEMORY)
    with before.open("rb") as lines, writing(path) as stream:
        kept = _without(lines, gone)
        stream.writelines(heapq.merge(kept, came) if made.newest.outcomes() else kept)


def _places(made: ResultView) -> Iterator[bytes]:
    """Key, time and place of every capture that went."""
    numbers = (row.resource for row in made.newest.removed())
    while part := list(itertools.islice(numbers, _PORTION)):
        for url, at, file, offset in made.places_of(part):
            moment = stamp(datetime.fromtimestamp(at, UTC), 14)
            yield f"{key_of(url)} {moment}\t{offset}\t{file}\n".encode("ascii", "backslashreplace")


def _without(lines: Iterable[bytes], gone: Iterator[bytes]) -> Iterator[bytes]:
    groups = itertools.groupby(gone, lambda line: line.partition(b"\t")[0])
    key, places = _next(groups)
    for line in lines:
        if key is None or line < key:  # most are
            yield line
            continue
        here = line[: line.find(b" ", line.find(b" ") + 1)]
        if here != key:
            raise _unlike()  # the captures of `key` were not all met
        place = _place(line)
        if place not in places:
            yield line
            continue
        places.discard(place)
        if not places:
            key, places = _next(groups)
    if key is not None:
        raise _unlike()


def _next(groups: Iterator[tuple[bytes, Iterator[bytes]]]) -> tuple[bytes | None, set[tuple[str, str]]]:
    found = next(groups, None)
    if found is None:
        return None, set()
    places = set()
    for line in found[1]:
        _, offset, file = line.decode("ascii").rstrip("\n").split("\t", 2)
        places.add((file, offset))
    return found[0], places


def _place(line: bytes) -> tuple[str, str]:
    fields = json.loads(line.split(b" ", 2)[2])
    return str(fields["filename"]), str(fields["offset"])


def _unlike() -> DamagedResult:
    return DamagedResult("the index of the parent does not have what was removed", remedy="It is made again.")
