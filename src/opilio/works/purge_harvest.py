"""Removes the data of a harvest that need not be kept: WARC files, texts, pictures, the crawl store. No Django.

What stays is what tells about it: results with their resources and links, indexes, plan, report, logs. Every step may
be done again; what later harvests need is never removed.
"""

import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.rewriting import rewrite_results
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import Conflict, Missing
from opilio.kernel.files import mapped, sync_folder
from opilio.kernel.locks import locked
from opilio.works.crawl_folder import CrawlFolder
from opilio.works.pack_needs import Dependent, dependents

#: Folders of a harvest that hold data.
_DATA = ("warcs", "screenshots", "patches", "imports", "compared")
_STORE = ("crawl.db", "crawl.db-wal", "crawl.db-shm", "crawl.db-journal")
_BESIDE = ("*.tree.db", "*.tree.db-*", "*.needs.jsonl")  # made from the results, and of no use without the data


class StillNeeded(Conflict):
    """Another harvest refers to captures of the one that is to be purged."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Purged:
    """What was removed."""

    files: int
    bytes: int
    results: dict[int, str]  # number → digest of its file now


def data_of(folder: Path) -> tuple[int, int]:
    """How many files and bytes a purge would remove; without the texts in results."""
    sizes = [path.stat().st_size for path in _files(folder)]
    return len(sizes), sum(sizes)


def needed_by(folder: Path, others: Sequence[Path]) -> Iterator[Dependent]:
    """The captures of other harvests that refer to this one; nothing where it has no captures any more."""
    if not CrawlFolder(folder).index.is_file() or not CrawlFolder(folder).warcs.is_dir():
        return iter(())
    return dependents(folder, [each for each in others if CrawlFolder(each).index.is_file()])


def purge(folder: Path, others: Sequence[Path], *, clock: Clock = SYSTEM) -> Purged:
    """Remove the data; `StillNeeded` when another harvest needs some of it, `Missing` when the folder is elsewhere."""
    place = CrawlFolder(folder)
    if not folder.is_dir():
        remedy = "Run an agent where the data of the harvest lies, or share the home folder."
        raise Missing("the folder of the harvest is not here", where=str(folder), remedy=remedy)
    _require_followers(folder, others)
    first = next(needed_by(folder, others), None)
    if first is not None:
        what = f"harvest {Path(first.crawl).name} needs captures of it, such as that of {first.original.url}"
        remedy = "Archive the other one self-contained and purge it first, or keep both."
        raise StillNeeded(what, where=str(folder), remedy=remedy)
    with locked(place.lock, purpose="purging", clock=clock):
        return _purged(folder)


def _require_followers(folder: Path, others: Sequence[Path]) -> None:
    """`StillNeeded` when a harvest that went by this one lies elsewhere: nobody here can tell what it refers to."""
    away = next((each for each in others if not each.is_dir()), None)
    if away is not None and ResultsFolder(folder).warcs.is_dir():
        what = f"harvest {away.name} went by it, and its data is not here, so nobody can tell what it needs"
        remedy = "Run an agent where both lie, or share the home folder."
        raise StillNeeded(what, where=str(folder), remedy=remedy)


def _purged(folder: Path) -> Purged:
    files, size = data_of(folder)
    results = ResultsFolder(folder)
    removed = {path.name: None for path in _below(results.warcs)}
    named = {name: None for number in results.numbers() for name in _warcs_of(results, number)}
    done = rewrite_results(results, _without_texts, {**named, **removed})
    _remove(folder)
    return Purged(files=files, bytes=size, results={each.number: each.after for each in done})


def _without_texts(db: sqlite3.Connection) -> None:
    db.execute("DELETE FROM content")


def _warcs_of(results: ResultsFolder, number: int) -> Iterator[str]:
    prefix = f"{results.warcs.name}/"
    for line in results.manifest(number).read_text("utf-8", "replace").splitlines():
        name = line.partition("  ")[2]
        if name.startswith(prefix):
            yield name.removeprefix(prefix)


def _remove(folder: Path) -> None:
    for name in _DATA:
        path = folder / name
        if path.is_dir():
            with mapped(path):
                shutil.rmtree(path)
    for path in (*(folder / name for name in _STORE), *_beside(folder)):
        with mapped(path):
            path.unlink(missing_ok=True)
    sync_folder(folder)


def _files(folder: Path) -> Iterator[Path]:
    for name in _DATA:
        yield from _below(folder / name)
    yield from (path for name in _STORE if (path := folder / name).is_file())
    yield from _beside(folder)


def _beside(folder: Path) -> Iterable[Path]:
    results = folder / "results"
    return [path for pattern in _BESIDE for path in sorted(results.glob(pattern))] if results.is_dir() else []


def _below(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file()) if folder.is_dir() else iter(())
