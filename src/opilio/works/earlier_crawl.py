"""Opens the crawl that another one goes by (`--since`): its sealed result, or its store. Nothing in it is changed."""

import contextlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from opilio.archive.results.reader import ResultReader
from opilio.archive.warc.names import find
from opilio.archive.warc.referring import original_record
from opilio.crawl.earlier import EarlierContent, EarlierPage, EarlierPages, EarlierStore, earlier_page
from opilio.crawl.errors import NoCrawlStore
from opilio.crawl.frontier.batch import Text
from opilio.crawl.frontier.packing import pack_outlinks, pack_text
from opilio.crawl.plan import CrawlPlan
from opilio.extract import EXTRACTOR_VERSION
from opilio.kernel.errors import Conflict, OpilioError
from opilio.kernel.locks import held_by
from opilio.works.crawl_folder import CrawlFolder, StoreAddress
from opilio.works.sealed_crawl import SealedCrawl, results_of

_EXTRACTOR = str(EXTRACTOR_VERSION)


def earlier_of(plan: CrawlPlan, address: StoreAddress, *, into: Path | None = None) -> EarlierPages | None:
    """The earlier crawl that a plan names; None where it names none. The caller closes it.

    `into`: the folder of the crawl that is about to begin or to go on; then nobody may crawl into the earlier one.
    """
    if not plan.fetch.since:
        return None
    place = CrawlFolder(Path(plan.fetch.since))
    if into is not None:
        _require_apart(place, into)
    if not place.path.is_dir():
        raise _none(place)
    results = results_of(place)
    if results.whole:
        return EarlierResult(results.result, place.warcs)
    store = place.open(address, read_only=True)
    try:
        missing = _missing([file.file for file in store.warcs()], place.warcs)
        return EarlierStore(store, missing=missing, record_of=partial(original_record, place.warcs))
    except OpilioError:
        store.close()
        raise


@contextlib.contextmanager
def opened_earlier(
    plan: CrawlPlan, address: StoreAddress, *, into: Path | None = None
) -> Iterator[EarlierPages | None]:
    """The same for the length of a block."""
    earlier = earlier_of(plan, address, into=into)
    try:
        yield earlier
    finally:
        if earlier is not None:
            earlier.close()


class EarlierResult:
    """The pages of a sealed crawl."""

    def __init__(self, path: Path, warcs: Path) -> None:
        self._pages = SealedCrawl(path)
        self._record_of = partial(original_record, warcs)
        self._result = ResultReader(path)
        try:
            self._missing = _missing([file.file for file in self._result.warcs()], warcs)
            self._current = self._result.extractors() <= {_EXTRACTOR}
        except OpilioError:
            self.close()
            raise

    @property
    def plan(self) -> CrawlPlan:
        return self._pages.plan

    @property
    def current(self) -> bool:
        return self._current

    def page(self, url: str) -> EarlierPage | None:
        page = self._pages.page(url)
        if page is None or (page.place and page.place.file in self._missing):
            return None
        return earlier_page(page, self.plan, self._record_of)

    def content(self, page: EarlierPage) -> EarlierContent:
        links = self._result.outlinks(page.number)
        digest = page.digest.base32
        text = self._result.page_text(digest, _EXTRACTOR)
        return EarlierContent(
            outlinks=pack_outlinks(links) if links else b"",
            text=Text(digest=digest, extractor=_EXTRACTOR, body=pack_text(text)) if text else None,
        )

    def close(self) -> None:
        self._pages.close()
        self._result.close()


def _missing(files: list[str], folder: Path) -> list[str]:
    """WARC files that are not there: nothing may refer to what lay in them."""
    return [file for file in files if find(folder, file) is None]


def _require_apart(place: CrawlFolder, into: Path) -> None:
    if place.path.resolve() == into.resolve():
        remedy = "Crawl into a new folder; --since names the one before."
        raise Conflict("a crawl cannot go by itself", where=str(into), remedy=remedy)
    if (crawler := held_by(place.lock)) is not None:
        remedy = f"Wait until it ends, or stop it: opilio crawl stop {place.path}."
        raise Conflict(f"the earlier crawl still runs: {crawler}", where=str(place.path), remedy=remedy)


def _none(place: CrawlFolder) -> NoCrawlStore:
    remedy = "Give --since the folder that an earlier `opilio crawl … --into` was told."
    return NoCrawlStore("there is no folder of an earlier crawl", where=str(place.path), remedy=remedy)
