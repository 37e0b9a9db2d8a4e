"""Makes a copy of a sealed crawl in which no body is kept twice, inside it or in crawls it is held against.

The crawl itself is not touched: what was sealed stays as it was. The copy is checked before it gets its name.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from opilio import __version__
from opilio.archive.cdxj import CdxRow, parse_line, write_cdxj
from opilio.archive.dedup.kept import KeptBodies
from opilio.archive.dedup.moved import MovedRecords
from opilio.archive.dedup.needs import IndexedCrawl, needs_of, revisits
from opilio.archive.dedup.rewriting import Rewriting
from opilio.archive.packing.aside import new_folder, refuse_if_there
from opilio.archive.packing.parcel import Parcel, ParcelFile, Told, changed, silent
from opilio.archive.results.manifest import sha256_of, write_manifest
from opilio.archive.results.packing import pack_links, packed
from opilio.archive.results.reader import ResultReader
from opilio.archive.results.values import Resource, ResultWarc, Way
from opilio.archive.results.writer import ResultWriter
from opilio.kernel.errors import Conflict, Damaged
from opilio.kernel.files import ensure_folder, mapped, require_space
from opilio.works.crawl_folder import CrawlFolder
from opilio.works.crawls_stood_on import held_against, note_stood_on
from opilio.works.pack_parcel import SealedResult, crawl_at, earlier_crawls, parcel_of, sealed_result
from opilio.works.sealed_crawl import results_of

#: Bytes from which on a body is looked for.
LEAST = 1_024


@dataclass(frozen=True, kw_only=True, slots=True)
class Deduplicated:
    """What became of a crawl."""

    folder: Path
    records: int
    rewritten: int  # responses that became revisits
    saved: int  # bytes of bodies, unpacked
    before: int  # bytes of the WARC files
    after: int


def deduplicate(
    folder: Path, into: Path, *, against: Sequence[Path] = (), least: int = LEAST, told: Told = silent
) -> Deduplicated:  # fmt: skip
    """Write the copy; `Conflict` unless `into` is new or an empty folder, `Damaged` when the crawl is not sound."""
    refuse_if_there(into, empty=True)
    sealed = _only_result(folder)
    others = [crawl_at(each) for each in against]
    _require_apart(folder, against)
    ensure_folder(into.absolute().parent)
    with tempfile.TemporaryDirectory() as scratch, new_folder(into) as aside:
        parcel = parcel_of(sealed, Path(scratch))
        require_space(into.absolute().parent, parcel.size)
        work = _Deduplicating(CrawlFolder(aside), sealed, parcel, others, least, told)
        done = work.run(CrawlFolder(folder))
        note_stood_on(aside, into, [*against, *held_against(folder)])
    return replace(done, folder=into)


class _Deduplicating:
    """One copy in the making."""

    def __init__(
        self, place: CrawlFolder, sealed: SealedResult, parcel: Parcel, others: Sequence[IndexedCrawl], least: int,
        told: Told,
    ) -> None:  # fmt: skip
        self._place = place
        self._sealed = sealed
        self._parcel = parcel
        self._others = others
        self._least = least
        self._told = told

    def run(self, source: CrawlFolder) -> Deduplicated:
        place = self._place
        place.warcs.mkdir()
        with MovedRecords(place.path / ".moved.db") as moved:
            warcs = self._rewritten(moved)
            self._write_result(moved, warcs)
            write_cdxj(place.index, self._rows(moved))
            records, changed_to, saved = moved.totals()
        _remove(place.path / ".moved.db")
        self._check(source)
        for path in (source.plan, source.report, source.report_page, source.path / "import.json"):
            if path.is_file():
                shutil.copyfile(path, place.path / path.name)
        return Deduplicated(
            folder=place.path, records=records, rewritten=changed_to, saved=saved, before=self._parcel.size,
            after=sum(warc.size for warc in warcs),
        )  # fmt: skip

    def _rewritten(self, moved: MovedRecords) -> list[ResultWarc]:
        """The WARC files anew."""
        path = self._place.path / ".kept.db"
        try:
            with KeptBodies(path) as kept:
                for number, other in enumerate(self._others):
                    self._told("reading indexes", number, len(self._others))
                    kept.expect(_rows_of(other.index), number)
                kept.refer(revisits(self._parcel.lines(), str(self._sealed.path)))
                rewriting = Rewriting(kept, self._others, least=self._least)
                return [self._rewrite(rewriting, warc, moved) for warc in self._parcel.warcs]
        finally:
            _remove(path)

    def _rewrite(self, rewriting: Rewriting, warc: ParcelFile, moved: MovedRecords) -> ResultWarc:
        if warc.sha256 and sha256_of(warc.path) != warc.sha256:
            raise changed(warc)
        target = self._place.warcs / warc.name
        with mapped(target), target.open("xb") as stream:
            told = self._told
            for each in rewriting.rewrite(warc.path, stream, lambda at: told(warc.name, at, warc.size)):
                moved.add(warc.name, each)
            stream.flush()
            os.fsync(stream.fileno())
        return ResultWarc(file=warc.name, size=target.stat().st_size, sha256=sha256_of(target))

    def _write_result(self, moved: MovedRecords, warcs: Sequence[ResultWarc]) -> None:
        results = results_of(self._place)
        self._told("writing the result", 0, 0)
        with ResultReader(self._sealed.path) as before, ResultWriter(results.result) as writer:
            writer.warcs(warcs)
            writer.hosts(before.hosts())
            writer.resources(moved.resource(each) for each in before.resources())
            writer.earlier(map(moved.earlier, before.earlier()))
            writer.ways(_ways(before))
            writer.links((number, pack_links(links)) for number, links in before.all_outlinks())
            writer.texts((digest, extractor, packed(text)) for digest, extractor, text in before.texts())
            writer.counters(before.counters())
            writer.denials(before.denials())
            writer.orders(before.orders())
            writer.arrange()
            writer.finish(replace(before.head, software=f"Opilio/{__version__}"))
        digests: dict[str, str] = {f"{self._place.warcs.name}/{warc.file}": warc.sha256 for warc in warcs}
        name = f"{results.result.parent.name}/{results.result.name}"
        write_manifest(results.manifest, {name: sha256_of(results.result), **digests})

    def _rows(self, moved: MovedRecords) -> Iterator[CdxRow]:
        """The index of the crawl with the new places."""
        for line in self._parcel.lines():
            yield moved.row(parse_line(line))

    def _check(self, source: CrawlFolder) -> None:
        """Every capture that lost its body has one somewhere; otherwise the copy is given up."""
        self._told("checking", 0, 0)
        others = [*self._others, *earlier_crawls(source.path)]
        crawls = [crawl_at(place.path) for place in (source, self._place)]
        lost = [sum(need.original is None for need in needs_of(crawl, others)) for crawl in crawls]
        if lost[0] != lost[1]:
            remedy = "Check the crawl and those it is held against: opilio archive verify."
            raise Damaged(f"{lost[1] - lost[0]} bodies could not be found again", where=str(source.path), remedy=remedy)


def _rows_of(index: Path) -> Iterator[CdxRow]:
    with mapped(index), index.open("rb") as lines:
        for line in lines:
            yield parse_line(line, where=str(index))


def _ways(before: ResultReader) -> Iterator[tuple[int, Way]]:
    for resource in before.resources():
        found = before.ways(resource)
        if found != (_own(resource),):
            yield from ((resource.id, way) for way in found)


def _own(resource: Resource) -> Way:
    return Way(resource.depth, resource.seed, resource.hops)


def _only_result(folder: Path) -> SealedResult:
    """Result 1; `Conflict` when others are derived from it, which name places in its WARC files."""
    sealed = sealed_result(folder)
    if sealed.number != 1:
        remedy = (
            "Pack the newest result as WACZ, which leaves out what was pruned "
            "(opilio archive pack DIR --output NEW.wacz), import that (opilio archive import NEW.wacz --into NEW), "
            "and deduplicate the import."
        )
        raise Conflict("other results are derived from that of the crawl", where=str(sealed.path), remedy=remedy)
    return sealed


def _require_apart(folder: Path, against: Sequence[Path]) -> None:
    if folder.resolve() in {each.resolve() for each in against}:
        remedy = "Name earlier crawls with --against; the crawl itself is always looked through."
        raise Conflict("a crawl cannot be held against itself", where=str(folder), remedy=remedy)


def _remove(path: Path) -> None:
    for end in ("", "-journal"):
        path.with_name(f"{path.name}{end}").unlink(missing_ok=True)
