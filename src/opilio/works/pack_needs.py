"""What a crawl needs of others, and who needs it: asked before something is deleted or handed over.

The list of one result is kept beside it, so that it can be read without an index.
"""

import os
import shlex
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from opilio.archive.cdxj import CdxRow
from opilio.archive.dedup.needs import (
    IndexedCrawl,
    Need,
    lines_of_needs,
    needs_of,
    original_of,
    write_needs,
)
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import Conflict
from opilio.works.crawl_folder import CrawlFolder
from opilio.works.pack_parcel import (
    crawl_at,
    earlier_crawls,
    indexed,
    outside,
    parents_of,
    results_at,
    sealed_result,
)

_MOST_LISTED = 1_000
_MOST_SIBLINGS = 10_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Needs:
    """What the captures of a result need."""

    result: Path
    listed_in: Path
    inside: int  # captures whose body is in the same crawl, be it pruned
    crawls: dict[str, int]  # folders of other crawls → captures that need one of theirs
    files: dict[str, int]  # their WARC files, as `folder: file` → the same
    missing: tuple[CdxRow, ...]  # the first captures whose body was found nowhere
    missing_total: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Dependent:
    """A capture of another crawl that needs one of this."""

    crawl: str
    revisit: CdxRow
    original: CdxRow


def find_needs(
    folder: Path, *, result: int | None = None, against: Sequence[Path] = (), clock: Clock = SYSTEM
) -> Needs:
    """Find out what a result needs, and keep the list beside it where that is allowed."""
    sealed = sealed_result(folder, result)
    with tempfile.TemporaryDirectory(prefix="opilio-needs-") as scratch:
        own = indexed(sealed, Path(scratch))
        others = [*parents_of(sealed, Path(scratch)), *earlier_crawls(folder), *_against(folder, against)]
        count = _Count(own)
        lines = lines_of_needs(count.passing(needs_of(own, others)), result=sealed.number, made=clock.now(), own=own)
        if os.access(sealed.needs.parent, os.W_OK):
            write_needs(sealed.needs, lines)
        else:
            for _ in lines:
                pass
    return Needs(
        result=sealed.path, listed_in=sealed.needs, inside=count.inside, crawls=dict(count.crawls),
        files=dict(count.files), missing=tuple(count.missing), missing_total=count.missing_total,
    )  # fmt: skip


def dependents(folder: Path, others: Sequence[Path]) -> Iterator[Dependent]:
    """The captures of other crawls that would lose their body with this one, wherever this one lies by now."""
    return _dependents(crawl_at(folder), others)


def _dependents(own: IndexedCrawl, others: Sequence[Path]) -> Iterator[Dependent]:
    for place in others:
        elsewhere = [each for each in earlier_crawls(place) if each.warcs.resolve() != own.warcs.resolve()]
        results = results_at(place)
        for other in results:
            for need in outside(other, [*results, *elsewhere], entire=True):
                original = original_of(need.revisit, own) if need.crawl is None else None
                if original is not None:
                    yield Dependent(crawl=str(place), revisit=need.revisit, original=original)


def require_unneeded(folder: Path, others: Sequence[Path], *, result: int = 1, files: Collection[str] = ()) -> None:
    """`Conflict` when another crawl needs this one; to be asked before it is deleted.

    With `files`, these WARC files of a result only, which are deleted with it.
    """
    with tempfile.TemporaryDirectory(prefix="opilio-needs-") as scratch:
        found = _dependents(indexed(sealed_result(folder, result), Path(scratch)), others)
        first = next((each for each in found if not files or each.original.file in files), None)
    if first is not None:
        what = f"{first.crawl} needs captures of this crawl, such as that of {first.original.url}"
        remedy = f"Keep it, or make an independent copy of the other first: {_way_out(first.crawl, folder)}."
        raise Conflict(what, where=str(folder), remedy=remedy)


def _way_out(crawl: str, needed: Path) -> str:
    """Commands that make a copy of a crawl that needs nobody."""
    package, copy = f"{crawl.rstrip('/')}.wacz", f"{crawl.rstrip('/')}-whole"
    packing = ["opilio", "archive", "pack", crawl, "--self-contained", "--against", str(needed), "--output", package]
    return f"{shlex.join(packing)} && {shlex.join(['opilio', 'archive', 'import', package, '--into', copy])}"


def siblings(folder: Path) -> list[Path]:
    """The crawls beside a crawl: those that may need it."""
    above = folder.resolve().parent
    found = (each for each in sorted(above.iterdir()) if each.is_dir() and each != folder.resolve())
    return [each for _, each in zip(range(_MOST_SIBLINGS), found, strict=False) if CrawlFolder(each).index.is_file()]


class _Count:
    """Counts needs as they pass."""

    def __init__(self, own: IndexedCrawl) -> None:
        self._own = own
        self.inside = 0
        self.crawls: Counter[str] = Counter()
        self.files: Counter[str] = Counter()
        self.missing: list[CdxRow] = []
        self.missing_total = 0

    def passing(self, needs: Iterator[Need]) -> Iterator[Need]:
        for need in needs:
            self._count(need)
            yield need

    def _count(self, need: Need) -> None:
        if need.original is None or need.crawl is None:
            self.missing_total += 1
            if len(self.missing) < _MOST_LISTED:
                self.missing.append(need.revisit)
        elif need.crawl.warcs == self._own.warcs:
            self.inside += 1
        else:
            self.crawls[need.crawl.name] += 1
            self.files[f"{need.crawl.name}: {need.original.file}"] += 1


def _against(folder: Path, against: Sequence[Path]) -> list[IndexedCrawl]:
    return [found for each in against if each.resolve() != folder.resolve() for found in results_at(each)]
