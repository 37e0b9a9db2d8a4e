"""Reads pages for an index: their texts, words and fingerprints. May be spread over processes; the order stays.

Nothing but numbers of resources goes to a process; it opens the results itself, so that little is sent to and fro.
"""

import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.values import Resource
from opilio.archive.results.view import ResultView
from opilio.kernel.errors import Damaged
from opilio.kernel.page_links import PageLink
from opilio.kernel.page_text import PageText
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.analysis.settings import AnalysisSettings
from opilio.search.fingerprints import Fingerprints
from opilio.search.views.packing import PackedPage, Page, PagePacker
from opilio.works.index_choice import anchored
from opilio.works.index_documents import modified_of

_BATCH = 100  # pages that a process reads at a time
_WAITING = 3  # batches per process that may be under way
_WORTH = 2_000  # pages from which processes of their own are worth their start


class Opened(NamedTuple):
    """A result to be opened."""

    folder: str
    result: int


class Wanted(NamedTuple):
    """A page to be read."""

    source: int  # place in the list of results
    number: int  # of the resource
    digest: str  # under which the views know its content


class ReadPage(NamedTuple):
    """A page that was read."""

    wanted: Wanted
    packed: PackedPage
    fingerprint: int  # of its text without navigation
    links: tuple[tuple[str, int], ...]  # URL and how often it stands there


class PageReader:
    """Reads pages one by one; one for each process."""

    def __init__(self, views: Sequence[ResultView], analyzer: Analyzer) -> None:
        self._views = views
        self._analyzer = analyzer
        self._packer = PagePacker(analyzer)
        self._prints = Fingerprints()

    def __call__(self, wanted: Wanted) -> ReadPage:
        """The page with its words counted."""
        view = self._views[wanted.source]
        resource = resource_of(view, wanted.number)
        text = text_of(view, resource)
        page = Page(
            url=resource.url, title=resource.title, text=text.text, language=resource.language,
            last_modified=modified_of(resource.last_modified), digest=wanted.digest,
        )  # fmt: skip
        links = clicked(view.outlinks(wanted.number))
        return ReadPage(wanted, self._packer(page), self._prints.of(self._analyzer.words(text.main_text)), links)


def resource_of(view: ResultView, number: int) -> Resource:
    """A resource that is there."""
    found = view.numbered(number)
    if found is None:
        raise _gone(number)
    return found


def text_of(view: ResultView, resource: Resource) -> PageText:
    """The text of a resource that has one."""
    found = view.page_text(resource.digest)
    if found is None:
        raise _gone(resource.id)
    return found


def _gone(number: int) -> Damaged:
    remedy = "Check the crawl: opilio archive verify DIR; restore the result from a copy."
    return Damaged("a page of the result is gone while it is read", where=f"resource {number}", remedy=remedy)


def clicked(links: Iterable[PageLink]) -> tuple[tuple[str, int], ...]:
    """The links that readers click, with how often each stands on the page."""
    return tuple((link.url, link.times) for link in links if anchored(link))


def read_pages(
    wanted: Iterable[Wanted], views: Sequence[ResultView], results: Sequence[Opened], settings: AnalysisSettings, *,
    processes: int,
) -> Iterator[ReadPage]:  # fmt: skip
    """Every wanted page, in the order given; by some processes where there are many."""
    stream = iter(wanted)
    first = list(islice(stream, _WORTH)) if processes > 1 else []
    if processes <= 1 or len(first) < _WORTH:
        reader = PageReader(views, Analyzer(settings))
        yield from map(reader, chain(first, stream))
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        processes, mp_context=context, initializer=_begin, initargs=(tuple(results), settings)
    ) as pool:
        yield from _spread(pool, chain(first, stream), processes * _WAITING)


def _spread(pool: ProcessPoolExecutor, wanted: Iterator[Wanted], most: int) -> Iterator[ReadPage]:
    waiting: deque[Future[list[ReadPage]]] = deque()
    try:
        while batch := list(islice(wanted, _BATCH)):
            waiting.append(pool.submit(_read, batch))
            if len(waiting) >= most:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    finally:
        for each in waiting:
            each.cancel()


_READER: list[PageReader] = []  # of this process


def _begin(results: Sequence[Opened], settings: AnalysisSettings) -> None:
    views = [ResultView(ResultsFolder(Path(each.folder)), each.result) for each in results]
    _READER[:] = [PageReader(views, Analyzer(settings))]


def _read(batch: Sequence[Wanted]) -> list[ReadPage]:
    return [_READER[0](each) for each in batch]
