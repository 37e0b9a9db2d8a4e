"""The tree of a result and what pruning would come to, from its folder on this machine; for pages, API and commands."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from typing import Any

from opilio.archive.results.folder import ResultsFolder
from opilio.curation.harvest_folders import folder_of
from opilio.curation.models import Harvest, Result
from opilio.curation.queries.harvest_records import moment
from opilio.curation.result_jobs import tree_soon
from opilio.kernel.errors import Conflict, Unavailable
from opilio.works.harvest_records import NothingHere
from opilio.works.prune_preview import Preview
from opilio.works.prune_preview import preview as previewed
from opilio.works.result_picks import Pick
from opilio.works.result_tree_making import has_tree, make_tree
from opilio.works.result_tree_reading import Folder, Leaf, ResultTree

AT_ONCE = 50_000  # resources whose folders are counted while somebody waits
_MOST_LATER = 50  # harvests that are asked whether they stand on this one
#: Columns of exports, in their order.
LEAF_COLUMNS = ("number", "url", "outcome", "status", "type", "size", "record_bytes", "fetched")


class BeingPrepared(Unavailable):
    """What is asked for is being made in the background."""


def folder_here(row: Result) -> ResultsFolder:
    """Where the files of a result lie on this machine; `NothingHere`, with why, when they do not."""
    results = ResultsFolder(folder_of(row.harvest_id, captures=False).path)
    where = str(results.path)
    if row.harvest.purged:
        remedy = "Its record and its reports stay; look for it where it was archived."
        raise NothingHere("The data of this harvest was removed", where=where, remedy=remedy)
    if row.imported:
        raise NothingHere(
            "This result came from another catalogue without its files", where=where, remedy="Import them."
        )
    if row.number not in results.numbers():
        remedy = (
            "Look where its agent runs, or let both use the same home folder; one that is being made takes a moment."
        )
        raise NothingHere("The files of this result are not on this machine", where=where, remedy=remedy)
    return results


@contextmanager
def opened(row: Result, now: datetime) -> Iterator[ResultTree]:
    """The tree of a result for the length of a block; `BeingPrepared` while the folders of a large one are counted."""
    results = folder_here(row)
    if not has_tree(results, row.number):
        _make(results, row, now)
    with ResultTree(results.tree(row.number)) as tree:
        yield tree


def preview(row: Result, picks: Sequence[Pick], now: datetime) -> Preview:
    """What pruning would come to."""
    with opened(row, now):
        pass
    return previewed(folder_here(row).crawl, row.number, picks, [(each, folder_of(each).path) for each in _later(row)])


def every(row: Result, pick: Pick, now: datetime) -> Iterator[dict[str, Any]]:
    """All resources that are meant, for exports; what is wrong is said before the first."""
    with opened(row, now):
        pass
    return _exported(row, pick)


def leaf(one: Leaf) -> dict[str, Any]:
    """A resource by the names of columns."""
    at = moment(one.at)
    return {
        "number": one.resource, "url": one.url, "outcome": one.outcome, "status": one.status, "type": one.type,
        "size": one.size, "record_bytes": one.length, "fetched": at.isoformat(timespec="seconds") if at else None,
    }  # fmt: skip


def folder(one: Folder) -> dict[str, Any]:
    """A folder by the names of fields."""
    told = {name: value for name, value in asdict(one).items() if name not in ("id", "parent", "first", "last")}
    told |= {"record_bytes": told.pop("captured"), "statuses": {f"{n}xx": told.pop(f"s{n}") for n in (2, 3, 4, 5)}}
    return told


def _exported(row: Result, pick: Pick) -> Iterator[dict[str, Any]]:
    with ResultTree(folder_here(row).tree(row.number)) as tree:
        yield from map(leaf, tree.every(pick))


def _make(results: ResultsFolder, row: Result, now: datetime) -> None:
    if row.resources > AT_ONCE:
        tree_soon(row.pk, now)
        raise _not_ready(row)
    try:
        make_tree(results, row.number)
    except Conflict:
        raise _not_ready(row) from None


def _not_ready(row: Result) -> BeingPrepared:
    what = f"The folders of {row.resources:,} resources are being counted"
    return BeingPrepared(what, where=str(row), remedy="Look again in a moment; an agent where the files lie does it.")


def _later(row: Result) -> list[int]:
    """Harvests that went by this one, and those that went by them."""
    found: list[int] = []
    wave = [row.harvest_id]
    while wave and len(found) < _MOST_LATER:
        rows = Harvest.objects.filter(since_id__in=wave, purged=False).order_by("id").values_list("id", flat=True)
        wave = [each for each in rows[:_MOST_LATER] if each not in found]
        found += wave
    return found[:_MOST_LATER]
