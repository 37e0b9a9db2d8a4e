"""The working index: pages of crawls that run or wait for review can be searched seconds after they were captured.

One index for all of them. Whoever holds the writer looks at each followed crawl now and then, takes the pages that its
store or its result has got since, and commits: first the list of documents, then the index, then how far it read. What
a crash leaves between is taken once more, under the same numbers.
"""

import contextlib
import itertools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from opilio.crawl.frontier.rows import Page
from opilio.crawl.frontier.sql_store import SqlStore
from opilio.crawl.outcomes import Outcome
from opilio.kernel.errors import OpilioError
from opilio.kernel.files import ensure_folder
from opilio.kernel.locks import locked
from opilio.kernel.logs import logger
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.fingerprints import Fingerprints, first_words
from opilio.search.index.build import IndexBuild
from opilio.search.register import Entry, Register
from opilio.works.crawl_folder import StoreAddress
from opilio.works.crawl_story import records_of
from opilio.works.followed_crawls import FollowedCrawl, followed_file, index_folder, register_file
from opilio.works.index_documents import document_of, why_not
from opilio.works.page_resources import resource_of
from opilio.works.sealed_crawl import SealedCrawl

log = logger(__name__)
_MEMORY = 32_000_000  # bytes for the writer
_PORTION = 2_000  # pages of one crawl that are taken before the next has its turn


class _Taken(NamedTuple):
    """What came of a portion."""

    crawl: FollowedCrawl  # read so far
    added: int  # pages
    more: bool  # whether the portion was a whole one


class WorkingIndex:
    """The writer. One process has it at a time; searching needs nothing of it."""

    def __init__(self, folder: Path, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._prints = Fingerprints()
        self.followed = followed_file(folder)
        with contextlib.ExitStack() as stack:
            ensure_folder(folder)
            stack.enter_context(locked(folder / "writer.lock", purpose="writing the working index"))
            self._register = stack.enter_context(Register(register_file(folder), create=True))
            self._build = stack.enter_context(IndexBuild(index_folder(folder), analyzer, threads=1, memory=_MEMORY))
            self._stack = stack.pop_all()

    def __enter__(self) -> "WorkingIndex":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def follow(self, crawl: FollowedCrawl) -> int:
        """Follow one more crawl, and take what it has now; how many pages of it were indexed."""
        (crawl,) = self._known([crawl])
        added, more = 0, True
        while more:
            taken = self._take(crawl)
            crawl, more, added = taken.crawl, taken.more, added + taken.added
        return added

    def follow_all(self, crawls: Sequence[FollowedCrawl]) -> int:
        """Follow some more crawls, and take what these have now; how many pages can be found that could not before."""
        return self._rounds(self._known(crawls))

    def update(self) -> int:
        """Take what every followed crawl has got since; how many pages can be found now that could not before."""
        return self._rounds(self.followed.all())

    def forget(self, name: str) -> int:
        """Follow a crawl no more, and take its pages out; how many there were.

        Crawls that went by it are read again from their beginning: their unchanged pages were found in it.
        """
        since = {each.name: each.since for each in self.followed.all()}.get(name, "")
        self.followed.drop(name)
        self.followed.put([replace(each, since=since, read=-1) for each in self.followed.all() if each.since == name])
        pages = self._register.of_crawl(name)
        for page in pages:
            self._build.delete(page)
        self._build.commit()
        self._register.drop(pages)
        self._register.commit()
        return len(pages)

    def _known(self, crawls: Sequence[FollowedCrawl]) -> list[FollowedCrawl]:
        """The crawls, followed from now on, each from where it was read to."""
        read = {each.name: each.read for each in self.followed.all()}
        known = [replace(each, read=read.get(each.name, each.read)) for each in crawls]
        self.followed.put(known)
        return known

    def _rounds(self, crawls: Sequence[FollowedCrawl]) -> int:
        """Take a portion of each crawl in turn until none has a whole one left: a large one does not hold up others.

        A crawl that cannot be read is told in the log and tried again the next time; the others go on.
        """
        added, waiting = 0, list(crawls)
        while waiting:
            later: list[FollowedCrawl] = []
            for crawl in waiting:
                try:
                    taken = self._take(crawl)
                except OpilioError as error:
                    log.warning("working_index_crawl_unread", crawl=crawl.name, error=str(error))
                    continue
                added += taken.added
                if taken.more:
                    later.append(taken.crawl)
            waiting = later
        return added

    def _take(self, crawl: FollowedCrawl) -> _Taken:
        """Take a portion. What a running crawl gets meanwhile is left for the next time, else it would never end."""
        before = _chain(crawl, self.followed.all())
        with contextlib.closing(records_of(Path(crawl.folder), StoreAddress(url=crawl.store))) as records:
            portion = list(itertools.islice(records.pages(after=crawl.read), _PORTION))
            if not portion:
                return _Taken(crawl, 0, more=False)
            added = sum(1 for page in portion if self._page(crawl, page, records, before))
        self._register.commit()
        self._build.commit()
        crawl = replace(crawl, read=portion[-1].id)
        self.followed.put([crawl])
        return _Taken(crawl, added, more=len(portion) == _PORTION)

    def _page(self, crawl: FollowedCrawl, page: Page, records: SqlStore | SealedCrawl, before: Sequence[str]) -> bool:
        """Put a page into the index, if it can be found at all and is not found already, as an earlier crawl has it."""
        if page.outcome is Outcome.UNCHANGED and any(self._register.of(page.url, name) for name in before):
            return False
        resource = resource_of(page)
        text = records.page_text(page.digest) if page.digest else None
        if text is None or why_not(resource, has_text=True):
            return False
        found = document_of(resource, text, crawl.belonging)
        print_ = self._prints.of(first_words(self._analyzer.portions(found.main_text)))
        number = self._number(crawl.name, page.url)
        entry = Entry(
            page=number, url=page.url, captured=page.at, agency=crawl.agency, target=crawl.target,
            harvest=crawl.harvest, crawl=crawl.name, fingerprint=print_, family=number,
        )  # fmt: skip
        self._register.put([entry])
        self._build.add(number, replace(found, fingerprint=print_))
        return True

    def _number(self, crawl: str, url: str) -> int:
        known = self._register.of(url, crawl)
        return self._register.next_page() if known is None else known.page


def unread(crawl: FollowedCrawl, followed: Sequence[FollowedCrawl]) -> bool:
    """Whether a crawl has pages that the working index has not taken yet."""
    read = {each.name: each.read for each in followed}.get(crawl.name, crawl.read)
    with contextlib.closing(records_of(Path(crawl.folder), StoreAddress(url=crawl.store))) as records:
        return next(iter(records.pages(after=read)), None) is not None


def _chain(crawl: FollowedCrawl, followed: Sequence[FollowedCrawl]) -> list[str]:
    """The crawls that one went by, the nearest first."""
    since = {each.name: each.since for each in followed}
    found: list[str] = []
    name = crawl.since
    while name in since and name not in found and name != crawl.name:
        found.append(name)
        name = since[name]
    return found
