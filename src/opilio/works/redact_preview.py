"""Finds the captures that an order reaches, before it is given: by the indexes of a harvest, bounded. No Django."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from opilio.archive.cdxj import CdxFile, CdxRow
from opilio.archive.results.folder import ResultsFolder
from opilio.works.redact_reach import RedactionOrder

MOST = 100_000  # lines of one index that are looked at
_SHOWN = 10  # URLs


@dataclass(frozen=True, kw_only=True, slots=True)
class Reached:
    """What an order reaches in one harvest."""

    captures: int  # in all its results together, each once
    results: dict[int, int]  # number of a result → captures in it
    urls: tuple[str, ...]  # the first few
    more: bool = False  # whether there may be more than were counted


def reached(folder: Path, order: RedactionOrder, *, most: int = MOST) -> Reached:
    """Count the captures in each result of a harvest."""
    results = ResultsFolder(folder)
    places: set[tuple[str, int]] = set()
    urls: dict[str, None] = {}
    counts: dict[int, int] = {}
    more = False
    for number in results.numbers():
        index = results.index(number)
        looked = list(islice(_looked_at(index, order), most)) if index.is_file() else []
        more = more or len(looked) == most
        rows = [row for row in looked if order.holds(row.url, row.at)]
        counts[number] = len(rows)
        places |= {(row.file, row.offset) for row in rows}
        urls |= dict.fromkeys(row.url for row in rows[:_SHOWN])
    return Reached(captures=len(places), results=counts, urls=tuple(urls)[:_SHOWN], more=more)


def _looked_at(index: Path, order: RedactionOrder) -> Iterator[CdxRow]:
    file = CdxFile(index)
    for key in sorted({*order.where.keys, *order.where.exact}):
        yield from file.prefix(key)
