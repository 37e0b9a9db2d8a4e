"""What is handed over of a crawl: one of its results with WARC files, index, plan and report; and what these need.

The originals that its revisits refer to in other crawls are copied into a WARC file of their own on wish.
"""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from opilio.archive.cdxj import CdxRow, cdxj, write_cdxj
from opilio.archive.dedup.needs import IndexedCrawl, Need, needs_of
from opilio.archive.dedup.originals import OriginalsFile
from opilio.archive.packing.parcel import Parcel, ParcelFile, Told, changed, silent
from opilio.archive.results.cdx_rows import cdx_rows
from opilio.archive.results.folder import ResultsFolder, require_folder
from opilio.archive.results.manifest import read_manifest, sha256_of
from opilio.archive.results.values import ResultWarc
from opilio.archive.results.view import ResultView
from opilio.archive.warc.compression import Compression
from opilio.archive.warc.names import find
from opilio.kernel.clock import Clock
from opilio.kernel.errors import Missing
from opilio.kernel.files import mapped
from opilio.works.crawl_folder import CrawlFolder
from opilio.works.crawls_stood_on import STANDS_ON, stood_on


@dataclass(frozen=True, kw_only=True, slots=True)
class SealedResult:
    """A result of a crawl."""

    place: CrawlFolder
    number: int

    @property
    def results(self) -> ResultsFolder:
        """All results of the crawl."""
        return ResultsFolder(self.place.path)

    @property
    def path(self) -> Path:
        """The result itself."""
        return self.results.file(self.number)

    @property
    def needs(self) -> Path:
        """The list of the captures that its captures need."""
        return self.results.needs(self.number)

    def opened(self) -> ResultView:
        """The result with all that it is derived from."""
        return ResultView(self.results, self.number)


def sealed_result(folder: Path, number: int | None = None) -> SealedResult:
    """A result of a crawl, the newest if none is named; `NoResult` when it is not there."""
    return SealedResult(place=CrawlFolder(folder), number=ResultsFolder(folder).require(number))


def parcel_of(sealed: SealedResult, scratch: Path) -> Parcel:
    """A result to hand over; `scratch` is a folder for what must be made first. `Damaged` when it was changed."""
    with sealed.opened() as view:
        warcs, sealed_at = view.warcs(), view.head.sealed
        numbers = [each.number for each in view.lineage()]
    _require_unchanged(sealed.results, numbers)
    index = index_of(sealed, scratch)
    return Parcel(
        name=sealed.place.path.resolve().name or "crawl",
        pages=sealed.opened,
        warcs=tuple(_warc(sealed.place, warc) for warc in warcs),
        documents=tuple(_documents(sealed, numbers)),
        lines=lambda: index_lines(index),
        sealed=sealed_at,
    )


def indexed(sealed: SealedResult, scratch: Path) -> IndexedCrawl:
    """A result as others look for captures in it."""
    return IndexedCrawl(str(sealed.place.path), sealed.place.warcs, index_of(sealed, scratch))


def parents_of(sealed: SealedResult, scratch: Path) -> list[IndexedCrawl]:
    """The results that a result is derived from, as others look for captures in them; the newest first."""
    with sealed.opened() as view:
        numbers = [each.number for each in view.lineage()[:-1]]
    return [indexed(replace(sealed, number=number), scratch) for number in reversed(numbers)]


def earlier_crawls(folder: Path) -> list[IndexedCrawl]:
    """The crawls that a crawl stands on, the nearest first; those that are gone are left out."""
    return [crawl_at(each) for each in stood_on(folder)]


def crawl_at(folder: Path) -> IndexedCrawl:
    """A crawl by its folder; `Missing` when it has no index."""
    place = CrawlFolder(folder)
    require_folder(folder)
    if not place.index.is_file():
        remedy = "Give the folder of a sealed crawl; `opilio archive index` makes an index anew."
        raise Missing("there is no index of captures", where=str(place.index), remedy=remedy)
    return IndexedCrawl(str(folder), place.warcs, place.index)


def results_at(folder: Path) -> list[IndexedCrawl]:
    """A crawl as its own result has it, then as those do that are derived from it and may have further WARC files."""
    own, results = crawl_at(folder), ResultsFolder(folder)
    derived = [results.index(number) for number in results.numbers() if number > 1]
    return [own, *(replace(own, index=index) for index in derived if index.is_file())]


def outside(own: IndexedCrawl, others: Sequence[IndexedCrawl], *, entire: bool = False) -> Iterator[Need]:
    """What a result needs of others; `entire`: its WARC files are taken with all that was pruned from it."""
    for need in needs_of(own, others):
        inside = need.crawl is not None and need.crawl.warcs == own.warcs
        if need.crawl is not own and not (entire and inside):
            yield need


def with_originals(
    parcel: Parcel, own: IndexedCrawl, others: Sequence[IndexedCrawl], *, scratch: Path, clock: Clock,
    entire: bool = False, told: Told = silent,
) -> tuple[Parcel, int]:  # fmt: skip
    """The parcel with a WARC file more, which holds what its captures need of others; how many that are."""
    name = f"{parcel.name}-originals.warc.gz"
    path = scratch / name
    with mapped(path), path.open("xb") as stream:
        file = OriginalsFile(
            stream, name, at=clock.now(), description=f"captures that {parcel.name} refers to", packing=Compression()
        )
        rows = list(_copied(file, outside(own, others, entire=entire), told))
    if not rows:
        path.unlink()
        return parcel, 0
    extra = sorted(cdxj(row) for row in rows)
    added = ParcelFile(name=name, path=path, size=path.stat().st_size)

    def lines() -> Iterator[bytes]:
        return heapq.merge(parcel.lines(), extra)

    return replace(parcel, warcs=(*parcel.warcs, added), lines=lines), len(rows)


def _copied(file: OriginalsFile, needs: Iterator[Need], told: Told) -> Iterator[CdxRow]:
    """Each original once, as it lies in the new file."""
    passed: set[tuple[str, str, int]] = set()
    for need in needs:
        if need.original is None or need.crawl is None:
            raise _lost(need)
        key = (need.crawl.name, need.original.file, need.original.offset)
        if key not in passed:
            passed.add(key)
            told("originals", len(passed), 0)
            yield file.add(need.original, need.crawl)


def _lost(need: Need) -> Missing:
    row = need.revisit
    wanted = f"{row.original_url or row.url} of {row.original_at or 'an earlier time'}"
    remedy = "Name the crawl that holds it with --against, or pack without originals: --without-originals."
    where = f"{row.file} at {row.offset}"
    return Missing(f"the capture of {wanted} is needed and was found nowhere", where=where, remedy=remedy)


def index_of(sealed: SealedResult, scratch: Path) -> Path:
    """The index of a result; made from its rows where it is not there."""
    index = sealed.results.index(sealed.number)
    if index.is_file():
        return index
    path = scratch / f"result-{sealed.number}.cdxj"
    if not path.is_file():
        with sealed.opened() as view:
            write_cdxj(path, cdx_rows(view))
    return path


def index_lines(index: Path) -> Iterator[bytes]:
    """The lines of an index."""
    with mapped(index), index.open("rb") as stream:
        yield from stream


def _require_unchanged(results: ResultsFolder, numbers: Sequence[int]) -> None:
    """Each result on the way must be the file that its manifest names."""
    for number in numbers:
        path = results.file(number)
        if sha256_of(path) != results.digest(number):
            raise changed(ParcelFile(name=path.name, path=path, size=path.stat().st_size))


def _warc(place: CrawlFolder, warc: ResultWarc) -> ParcelFile:
    path = find(place.warcs, warc.file)
    if path is None:
        remedy = "Bring all WARC files of the crawl into the folder first."
        raise Missing("a WARC file of the result is not there", where=str(place.warcs / warc.file), remedy=remedy)
    return ParcelFile(name=warc.file, path=path, size=warc.size, sha256=warc.sha256)


def _documents(sealed: SealedResult, numbers: Sequence[int]) -> Iterator[ParcelFile]:
    """The results from the crawl's own to this one with their manifests, plan and report, as far as they are there."""
    place, results = sealed.place, sealed.results
    named = [
        (f"results/{path.name}", path)
        for number in numbers
        for path in (results.file(number), results.manifest(number))
    ]
    others = (place.plan, place.report, place.report_page, place.path / "import.json", place.path / STANDS_ON)
    named += [(path.name, path) for path in others]
    digests = {name: value for number in numbers for name, value in read_manifest(results.manifest(number)).items()}
    for name, path in named:
        if path.is_file():
            yield ParcelFile(name=name, path=path, size=path.stat().st_size, sha256=digests.get(name, ""))
