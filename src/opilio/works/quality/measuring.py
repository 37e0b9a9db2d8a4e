"""Measures a result in one pass over its resources and their links; the earlier harvest in another.

Memory does not grow with the result: examples, clusters and fingerprints are bounded, and rows stream.
"""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.reader import ResultReader
from opilio.archive.results.values import Resource
from opilio.archive.results.view import ResultView
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.plan_json import from_json
from opilio.extract.simhash import simhash
from opilio.kernel.errors import BadUrl, Conflict, Damaged, InvalidInput, Missing
from opilio.kernel.page_links import PageLink
from opilio.kernel.urls import canonical
from opilio.works.quality.against import against
from opilio.works.quality.clustering import Clusters
from opilio.works.quality.completeness import Embeds
from opilio.works.quality.counting import Counts, is_page
from opilio.works.quality.duplicates import Groups
from opilio.works.quality.linked import MostLinked
from opilio.works.quality.risks import risk_of
from opilio.works.quality.values import Differential, Figures, Measured, PageCompleteness, RiskyPage

_TEXTS = 10_000  # pages whose text is looked at
_IMPORTANT = 50
_SEEDS = 500
_EVERY = 1_000  # resources between two calls of `told`
_TITLE = 200  # characters
_REDIRECTS = 3  # hundred
_UNREADABLE = (Missing, Damaged, InvalidInput, Conflict)  # the earlier result is not what it should be

Told = Callable[[int], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A result by the folder of its harvest and its number."""

    folder: Path
    number: int

    def open(self) -> ResultView:
        """The result."""
        return ResultView(ResultsFolder(self.folder), self.number)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sampled:
    """What was measured, and the pages that are proposed for review."""

    measured: Measured
    sample: tuple[RiskyPage, ...]


def measure(
    place: Place, *, before: Place | None = None, percent: int = 5, told: Told = lambda done: None
) -> Sampled:  # fmt: skip
    """All that can be measured without a browser; `before` is the result that it is held against."""
    with place.open() as view:
        work = _Measuring(view, told)
        work.run()
        found = work.measured(_report(place))
        if before is not None:
            found = _compared(found, before, view, told)
        return Sampled(measured=found, sample=work.clusters.sample(percent))


class _Measuring:
    """One pass."""

    def __init__(self, view: ResultView, told: Told) -> None:
        self._view = view
        self._told = told
        self._plan = from_json(view.plan)
        self._counts = Counts()
        self._embeds = Embeds(view.resource)
        self._groups = Groups()
        self._linked = MostLinked()
        self._stride = max(1, sum(view.outcomes().values()) // _TEXTS)
        self.clusters = Clusters()

    def run(self) -> None:
        """Go through the result."""
        for done, (resource, links) in enumerate(_with_links(self._view)):
            if done % _EVERY == 0:
                self._told(done)
            self._counts.take(resource)
            self._linked.take(links)
            complete = self._embeds.take(resource, links) if links else None
            if is_page(resource):
                self._page(resource, complete)

    def measured(self, report: dict[str, object]) -> Measured:
        """What came of it."""
        seeds = [seed.url for seed in self._plan.seeds if seed.active][:_SEEDS]
        well = sum(self._well(url) for url in seeds)
        return Measured(
            figures=self._counts.figures(report, seeds=len(seeds), seeds_well=well),
            evidence=self._counts.evidence(), completeness=self._embeds.found(), duplicates=self._groups.found(),
            clusters=self.clusters.clusters(), clusters_total=len(self.clusters), risky=self.clusters.riskiest(),
            hosts=self._counts.hosts(), important=self._important(seeds),
        )  # fmt: skip

    def _page(self, page: Resource, complete: PageCompleteness | None) -> None:
        text, group = None, None
        if page.key[1] % self._stride == 0 and page.digest:
            text = self._view.text(page.digest)
            group = self._groups.take(page.url, simhash(text)) if text else None
        risk, why = risk_of(page, complete, text)
        risky = RiskyPage(url=page.url, title=page.title[:_TITLE], cluster="", risk=risk, why=why)
        self.clusters.take(risky, same_text=group, group=self._groups.size(group) if group is not None else 0)

    def _well(self, seed: str) -> bool:
        found = self._resource(seed)
        return found is not None and found.place is not None and (found.status or 0) < 400

    def _resource(self, url: str) -> Resource | None:
        try:
            return self._view.resource(canonical(url, self._plan.scope.query))
        except BadUrl:
            return None

    def _important(self, seeds: list[str]) -> tuple[str, ...]:
        wanted = dict.fromkeys([*seeds, *self._linked.most(2 * _IMPORTANT)])
        there = (url for url in wanted if self._shows(url))
        return tuple(url for url, _ in zip(there, range(_IMPORTANT), strict=False))

    def _shows(self, url: str) -> bool:
        """Whether there is a page to be seen, or a way to one."""
        found = self._resource(url)
        return found is not None and (is_page(found) or (found.status or 0) // 100 == _REDIRECTS) and self._well(url)


def figures_of(place: Place, *, told: Told = lambda done: None) -> Figures:
    """Only the numbers of a result."""
    counts = Counts()
    with place.open() as view:
        for done, resource in enumerate(view.resources()):
            if done % _EVERY == 0:
                told(done)
            counts.take(resource)
    return counts.figures(_report(place), seeds=0, seeds_well=0)


def _compared(found: Measured, before: Place, view: ResultView, told: Told) -> Measured:
    try:
        with before.open() as earlier:
            difference: Differential = against(earlier, view, told)
        return replace(found, differential=difference, before=figures_of(before, told=told))
    except _UNREADABLE as error:
        return replace(found, not_compared=str(error)[:500])


def _report(place: Place) -> dict[str, object]:
    """What the crawl said about itself; the first result has it."""
    with contextlib.closing(ResultReader(ResultsFolder(place.folder).file(1))) as reader:
        return dict(reader.head.report)


def _with_links(view: ResultView) -> Iterator[tuple[Resource, list[PageLink]]]:
    """Each resource with its links; both come by number."""
    links = view.all_outlinks()
    number, found = next(links, (-1, []))
    for resource in view.resources():
        while 0 <= number < resource.id:
            number, found = next(links, (-1, []))
        yield resource, found if number == resource.id else []


def plan_of(place: Place) -> CrawlPlan:
    """The plan of the crawl."""
    with place.open() as view:
        return from_json(view.plan)
