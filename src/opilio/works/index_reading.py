"""Reads pages for an index: their texts, words and fingerprints. May be spread over processes; the order stays.

Nothing but numbers of resources goes to a process; it opens the results itself, so that little is sent to and fro.
"""

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple, TypeVar

from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.values import Resource
from opilio.archive.results.view import ResultView
from opilio.kernel.errors import Damaged
from opilio.kernel.page_links import PageLink
from opilio.kernel.page_text import PageText
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.analysis.settings import AnalysisSettings
from opilio.search.fingerprints import Fingerprints, first_words
from opilio.search.index.entry import Prepared, Preparer
from opilio.search.index.errors import BadSearchDocument
from opilio.search.views.packing import PackedPage, Page, PagePacker
from opilio.works.index_choice import anchored
from opilio.works.index_documents import Belonging, document_of, modified_of

_BATCH = 100  # pages that a process reads at a time
_WAITING = 3  # batches per process that may be under way
_WORTH = 2_000  # pages from which processes of their own are worth their start
T = TypeVar("T")
U = TypeVar("U")


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


class ToIndex(NamedTuple):
    """A page to be indexed, with what was worked out about it."""

    source: int
    number: int
    page: int  # its number in the views
    url: str
    anchors: tuple[str, ...]
    belonging: Belonging
    fingerprint: int
    family: int
    band: int
    digest: str
    since: str


class PreparedPage(NamedTuple):
    """A page that can be put into the index, or the reason why it cannot."""

    wanted: ToIndex
    captured: float
    prepared: Prepared | None
    trouble: str = ""


class PageReader:
    """Reads pages one by one; one for each process."""

    def __init__(self, views: Sequence[ResultView], analyzer: Analyzer) -> None:
        self._views = views
        self._analyzer = analyzer
        self._packer = PagePacker(analyzer)
        self._preparer = Preparer(analyzer)
        self._prints = Fingerprints()

    def read(self, wanted: Wanted) -> ReadPage:
        """The page with its words counted."""
        view = self._views[wanted.source]
        resource = resource_of(view, wanted.number)
        text = text_of(view, resource)
        page = Page(
            url=resource.url, title=resource.title, text=text.text, language=resource.language,
            last_modified=modified_of(resource.last_modified), digest=wanted.digest,
        )  # fmt: skip
        links = clicked(view.outlinks(wanted.number))
        return ReadPage(wanted, *self._packed(page, text), links)

    def _packed(self, page: Page, text: PageText) -> tuple[PackedPage, int]:
        """The words of the text, split once, and the fingerprint of those before navigation."""
        main = text.main_text
        portions = self._analyzer.portions(main)
        first = first_words(portions)
        aside = text.text[len(main) :]
        whole = chain((first,), portions, self._analyzer.portions(aside)) if aside[:1] in ("", "\n") else None
        return self._packer(page, whole), self._prints.of(first)

    def prepare(self, wanted: ToIndex) -> PreparedPage:
        """The page analysed and compressed, so that the index has little left to do."""
        view = self._views[wanted.source]
        resource = resource_of(view, wanted.number)
        document = document_of(resource, text_of(view, resource), wanted.belonging, wanted.anchors)
        try:
            prepared = self._preparer.prepared(replace(document, fingerprint=wanted.fingerprint))
        except BadSearchDocument as error:
            return PreparedPage(wanted, resource.at, None, str(error))
        return PreparedPage(wanted, resource.at, prepared)


class PageReaders:
    """Reads pages by some processes where there are many, else by itself; the order stays."""

    def __init__(
        self, views: Sequence[ResultView], results: Sequence[Opened], settings: AnalysisSettings, *, processes: int
    ) -> None:
        self._own = PageReader(views, Analyzer(settings))
        self._results = tuple(results)
        self._settings = settings
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> "PageReaders":
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def read(self, wanted: Iterable[Wanted]) -> Iterator[ReadPage]:
        """Every wanted page with its words counted."""
        return self._spread(_read, self._own.read, iter(wanted))

    def prepare(self, wanted: Iterable[ToIndex]) -> Iterator[PreparedPage]:
        """Every wanted page, ready for the index."""
        return self._spread(_prepare, self._own.prepare, iter(wanted))

    def _spread(
        self, there: Callable[[Sequence[T]], list[U]], here: Callable[[T], U], wanted: Iterator[T]
    ) -> Iterator[U]:
        first = list(islice(wanted, _WORTH)) if self._processes > 1 else []
        if len(first) < _WORTH:
            yield from map(here, chain(first, wanted))
            return
        stream, waiting = chain(first, wanted), deque[Future[list[U]]]()
        while batch := list(islice(stream, _BATCH)):
            waiting.append(self._started().submit(there, batch))
            if len(waiting) >= self._processes * _WAITING:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            values = (self._results, self._settings)
            self._pool = ProcessPoolExecutor(self._processes, mp_context=context, initializer=_begin, initargs=values)
        return self._pool


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


_READER: list[PageReader] = []  # of this process


def _begin(results: Sequence[Opened], settings: AnalysisSettings) -> None:
    views = [ResultView(ResultsFolder(Path(each.folder)), each.result) for each in results]
    _READER[:] = [PageReader(views, Analyzer(settings))]


def _read(batch: Sequence[Wanted]) -> list[ReadPage]:
    return list(map(_READER[0].read, batch))


def _prepare(batch: Sequence[ToIndex]) -> list[PreparedPage]:
    return list(map(_READER[0].prepare, batch))
