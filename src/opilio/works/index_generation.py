"""Fills a generation from results: first the views (pages, words, links), then link rank and near-duplicates, then the
index. From an earlier generation only what changed is read and indexed again.
"""

import contextlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from opilio.archive.results.view import ResultView
from opilio.kernel.files import write_atomically
from opilio.kernel.hosts import host_key
from opilio.kernel.logs import logger
from opilio.kernel.page_links import PageLink
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.analysis.settings import AnalysisSettings
from opilio.search.generations.build import Filled
from opilio.search.generations.manifest import Manifest
from opilio.search.index.build import IndexBuild
from opilio.search.near_duplicates import groups
from opilio.search.register import Entry, Register
from opilio.search.views.build import BuildReport, ViewsBuild
from opilio.works.generation_files import ANALYSIS, BANDS, DOCUMENTS, INDEX, VIEWS
from opilio.works.index_choice import Choice
from opilio.works.index_documents import digest_of, outline_of
from opilio.works.index_reading import Opened, PageReaders, PreparedPage, ToIndex, Wanted, resource_of
from opilio.works.index_sources import IndexSource, opened

log = logger(__name__)
_BUILDING = ".building-"
_PROBES = 5
Told = Callable[[str, int, int], None]  # step, done, total
Ranks = Callable[[Path], NDArray[np.float64]]  # of a file of views: for each page its link rank from 0 to 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Building:
    """How a generation is built."""

    sources: Sequence[IndexSource]
    settings: AnalysisSettings
    ranks: Ranks
    processes: int = 1
    told: Told = lambda step, done, total: None


def fill(building: Building) -> Callable[[Path, Manifest | None], Filled]:
    """What `generations.build` calls to fill a folder."""

    def filled(folder: Path, before: Manifest | None) -> Filled:
        with contextlib.ExitStack() as stack:
            views = stack.enter_context(opened(building.sources))
            choice = stack.enter_context(Choice(folder / ".choice.db"))
            work = _Work(building, folder, before, views, choice)
            return work.filled()

    return filled


class _Work:
    """One filling of a folder."""

    def __init__(
        self, building: Building, folder: Path, before: Manifest | None, views: Sequence[ResultView], choice: Choice
    ) -> None:
        self._building = building
        self._folder = folder
        self._views = views
        self._choice = choice
        self._analyzer = Analyzer(building.settings)
        self._generation = folder.name.removeprefix(_BUILDING)
        self._told = building.told
        if before is not None and before.analyzer != self._analyzer.fingerprint:
            shutil.rmtree(folder / INDEX)  # its terms are those of other word lists

    def filled(self) -> Filled:
        write_atomically(self._folder / ANALYSIS, self._building.settings.to_json().encode())
        for place, view in enumerate(self._views):
            self._told("choosing pages", place, len(self._views))
            self._choice.consider(place, view)
        with Register(self._folder / DOCUMENTS, create=True) as register, self._readers() as readers:
            report = self._filled_views(register, readers)
            documents = self._filled_index(register, readers)
            register.commit()
            probes = tuple(_probes(register))
        counts = {"documents": documents, "pages": report.pages, "words": report.words, "links": report.links}
        return Filled(
            counts=counts, analyzer=self._analyzer.fingerprint, probes=probes,
            sources={each.name: each.fingerprint() for each in self._building.sources},
        )  # fmt: skip

    def _readers(self) -> PageReaders:
        sources = zip(self._building.sources, self._views, strict=True)
        results = [Opened(each.folder, view.number) for each, view in sources]
        return PageReaders(self._views, results, self._building.settings, processes=self._building.processes)

    def _filled_views(self, register: Register, readers: PageReaders) -> BuildReport:
        path = self._folder / VIEWS
        with ViewsBuild(path, self._analyzer, earlier=path if path.exists() else None) as build:
            build.forget_told()
            self._discover(build)
            total = self._choice.count()
            for done, read in enumerate(readers.read(self._changed(build, register)), 1):
                number = build.add(read.packed)
                build.link(read.packed.url, read.links)
                self._choice.note(read.packed.url, number, read.fingerprint)
                self._told("reading pages", done, total)
            self._told("arranging words and links", 0, 0)
            return build.finish(complete=True)

    def _discover(self, build: ViewsBuild) -> None:
        """Every URL that a crawl found gets its number, in the order of the crawls."""
        done = 0
        for view in self._views:
            for resource in view.resources():
                build.discover(resource.url)
                done += 1
                if done % 1_000 == 0:
                    self._told("numbering URLs", done, 0)

    def _changed(self, build: ViewsBuild, register: Register) -> Iterator[Wanted]:
        """The pages that must be read; of the others the fingerprint is known."""
        for chosen in self._choice.chosen():
            resource = resource_of(self._views[chosen.source], chosen.number)
            digest = f"{resource.digest}/{chosen.extractor}/{resource.language}"
            known = register.entry(chosen.url)
            if known is not None and build.unchanged(chosen.url, digest):
                self._choice.note(chosen.url, known.page, known.fingerprint)
            else:
                yield Wanted(chosen.source, chosen.number, digest)

    def _filled_index(self, register: Register, readers: PageReaders) -> int:
        self._told("ranking pages", 0, 0)
        marks = _Marks(*self._choice.noted(), self._building.ranks(self._folder / VIEWS))
        with IndexBuild(self._folder / INDEX, self._analyzer) as build:
            refused = [page for page in self._indexed(build, register, readers, marks) if page >= 0]
            gone = [entry.page for entry in register.entries() if entry.page not in marks]
            for page in (*gone, *refused):
                build.delete(page)
            register.drop([*gone, *refused])
            self._told("committing the index", 0, 0)
            return build.commit()

    def _indexed(self, build: IndexBuild, register: Register, readers: PageReaders, marks: "_Marks") -> Iterator[int]:
        """Put in what changed; the numbers of pages that cannot be indexed, -1 for those that can."""
        for each in readers.prepare(self._to_index(build, register, marks)):
            wanted = each.wanted
            if each.prepared is None:
                log.warning("index_page_refused", url=wanted.url, error=each.trouble)
                yield wanted.page
                continue
            build.add(wanted.page, each.prepared, rank=wanted.band / BANDS, group=wanted.family)
            register.put([_entry(each, self._generation)])
            yield -1

    def _to_index(self, build: IndexBuild, register: Register, marks: "_Marks") -> Iterator[ToIndex]:
        """The pages that the index has not just so."""
        total = self._choice.count()
        for done, (chosen, anchors) in enumerate(self._choice.with_anchors(self._links())):
            if done % 100 == 0:
                self._told("indexing pages", done, total)
            belonging = self._building.sources[chosen.source].belonging
            resource = resource_of(self._views[chosen.source], chosen.number)
            digest = digest_of(outline_of(resource, belonging, anchors), resource, chosen.extractor)
            mark, before = marks.of(chosen.page), register.numbered(chosen.page)
            known = before is not None and (before.digest, before.family, before.band)
            if known != (digest, mark.family, mark.band) or chosen.page not in build:
                since = before.since if before is not None else self._generation
                yield ToIndex(
                    chosen.source, chosen.number, chosen.page, chosen.url, anchors, belonging, *mark, digest, since
                )

    def _links(self) -> Iterator[tuple[str, Sequence[PageLink]]]:
        for chosen in self._choice.chosen():
            yield chosen.url, self._views[chosen.source].outlinks(chosen.number)


class _Mark(NamedTuple):
    """What is worked out about a page once all are known."""

    print_: int
    family: int
    band: int


def _entry(each: PreparedPage, generation: str) -> Entry:
    wanted, belonging = each.wanted, each.wanted.belonging
    return Entry(
        page=wanted.page, url=wanted.url, captured=each.captured, agency=belonging.agency, target=belonging.target,
        harvest=belonging.harvest, crawl=belonging.crawl, fingerprint=wanted.fingerprint, family=wanted.family,
        band=wanted.band, digest=wanted.digest, since=wanted.since, changed=generation,
    )  # fmt: skip


class _Marks:
    """The marks of all pages that the index shall hold; a few bytes each."""

    def __init__(self, pages: NDArray[np.int64], prints: NDArray[np.uint64], ranks: NDArray[np.float64]) -> None:
        self._pages = pages
        self._prints = prints
        self._families = groups(pages, prints)
        self._ranks = ranks

    def __contains__(self, page: int) -> bool:
        place = int(np.searchsorted(self._pages, page))
        return place < len(self._pages) and int(self._pages[place]) == page

    def of(self, page: int) -> _Mark:
        place = int(np.searchsorted(self._pages, page))
        rank = float(self._ranks[page]) if page < len(self._ranks) else 0.0
        return _Mark(int(self._prints[place]), int(self._families[place]), round(rank * BANDS))


def _probes(register: Register) -> Iterator[str]:
    """Questions that a copy must answer as the original: some addresses, spread over all documents."""
    count = register.count()
    for entry in islice(register.entries(), 0, None, max(1, count // _PROBES)):
        yield f"url:{host_key(entry.url)}"
