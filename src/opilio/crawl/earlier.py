"""What an earlier crawl knows of a page: which capture has its body, how to ask whether it changed, what was read.

`EarlierPages` is all that a crawl needs of an earlier one; `EarlierStore` gives it from a crawl store, sealed or not.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Protocol

from opilio.crawl.appended import appended
from opilio.crawl.fetch.exchange import Header
from opilio.crawl.frontier import recording
from opilio.crawl.frontier.batch import Text
from opilio.crawl.frontier.rows import Page
from opilio.crawl.frontier.sql_records import SqlRecords
from opilio.crawl.frontier.values import Kept
from opilio.crawl.outcomes import CUT_OFF, Outcome
from opilio.crawl.plan import CrawlPlan
from opilio.extract import EXTRACTOR_VERSION
from opilio.kernel.capture import Position
from opilio.kernel.digests import Digest, parse_digest
from opilio.kernel.errors import InvalidInput
from opilio.kernel.hosts import host_key
from opilio.kernel.urls import url_hash64

_KEPT = frozenset({Outcome.FETCHED, Outcome.UNCHANGED, Outcome.DUPLICATE})
_STATUSES = frozenset({200, 304})
_VALUE = re.compile(r"[!-~](?:[ -~]{0,1022}[!-~])?")  # what may stand in a header without harm
_PAGE = f"""
    SELECT {recording.PAGE_COLUMNS} FROM {{page}} AS p LEFT JOIN {{warc}} AS w ON w.id = p.warc
    WHERE p.host = ? AND p.hash64 = ? AND p.url = ?
"""  # noqa: S608 - columns and tables are ours
_HOST = "SELECT h.id FROM {host} AS h WHERE h.name = ?"
_SEALED_HOSTS = """
    SELECT d.host, (SELECT p.url FROM {page} AS p WHERE p.host = d.host LIMIT 1)
    FROM (SELECT DISTINCT host FROM {page}) AS d
"""
_OUTLINKS = "SELECT o.body FROM {outlinks} AS o WHERE o.page = ?"
_TEXT = "SELECT c.body FROM {content} AS c WHERE c.digest = ? AND c.extractor = ?"
_OTHERS = "SELECT c.digest FROM {content} AS c WHERE c.extractor <> ? LIMIT 1"


#: Gives the id of the capture that has the body of what lies at a place; None where nobody knows it.
RecordOf = Callable[[Position], str | None]


@dataclass(frozen=True, kw_only=True, slots=True)
class EarlierPage:
    """A page of an earlier crawl whose body is kept, whole."""

    number: int  # by which its source knows it
    asked: str  # the URL that was asked for
    kept: Kept  # the capture that has the body: its own, or the one it refers to
    digest: Digest
    record: str | None = None  # id of that capture, where it is known
    etag: str = ""
    last_modified: str = ""
    size: int = 0  # bytes
    type: str = ""
    extension: str = ""
    title: str = ""
    language: str = ""
    meta: str = ""

    @property
    def conditions(self) -> tuple[Header, ...]:
        """The headers that ask for the page only if it changed; none where nothing tells."""
        given = (("If-None-Match", self.etag), ("If-Modified-Since", self.last_modified))
        return tuple((name, value) for name, value in given if _VALUE.fullmatch(value))


@dataclass(frozen=True, kw_only=True, slots=True)
class EarlierContent:
    """What was read in a page."""

    outlinks: bytes = b""  # packed
    text: Text | None = None


class EarlierPages(Protocol):
    """The pages of one earlier crawl. Nothing in it is changed; methods are called from one thread at a time."""

    @property
    def plan(self) -> CrawlPlan:
        """The plan of that crawl."""
        ...

    @property
    def current(self) -> bool:
        """Whether all its pages were read by the extractor that this Opilio has."""
        ...

    def page(self, url: str) -> EarlierPage | None:
        """The page of a canonical URL, if its body is kept and whole."""
        ...

    def content(self, page: EarlierPage) -> EarlierContent:
        """What was read in a page that `page` gave."""
        ...

    def close(self) -> None:
        """Let go of the crawl."""
        ...


class EarlierStore:
    """The pages of a crawl store. `missing` are WARC files that are gone: what lies in them cannot be referred to.

    `record_of` looks up the id of the capture that has the body of what lies at a place.
    """

    def __init__(
        self, store: SqlRecords, *, missing: Collection[str] = (), record_of: RecordOf = lambda place: None
    ) -> None:
        self._store = store
        self._record_of = record_of
        self._missing = frozenset(missing)
        self._current = not store.ask(_OTHERS, (str(EXTRACTOR_VERSION),))
        self._hosts: dict[str, int] = {}  # names → numbers
        if store.sealed:  # the table of hosts is empty
            self._hosts = {host_key(url): int(number) for number, url in store.ask(_SEALED_HOSTS)}

    @property
    def plan(self) -> CrawlPlan:
        return self._store.plan

    @property
    def current(self) -> bool:
        return self._current

    def page(self, url: str) -> EarlierPage | None:
        host = self._host(host_key(url))
        rows = self._store.ask(_PAGE, (host, url_hash64(url), url)) if host is not None else []
        page = recording.page_of(rows[0]) if rows else None
        if page is None or (page.place and page.place.file in self._missing):
            return None
        return earlier_page(page, self.plan, self._record_of)

    def content(self, page: EarlierPage) -> EarlierContent:
        links = self._store.ask(_OUTLINKS, (page.number,))
        digest, extractor = page.digest.base32, str(EXTRACTOR_VERSION)
        texts = self._store.ask(_TEXT, (digest, extractor))
        text = Text(digest=digest, extractor=extractor, body=bytes(texts[0][0])) if texts else None
        return EarlierContent(outlinks=bytes(links[0][0]) if links else b"", text=text)

    def close(self) -> None:
        self._store.close()

    def _host(self, name: str) -> int | None:
        if name not in self._hosts and not self._store.sealed:
            for (number,) in self._store.ask(_HOST, (name,)):
                self._hosts[name] = int(number)
        return self._hosts.get(name)


def is_whole(page: Page) -> bool:
    """Whether an exchange was kept that has, or refers to, a whole body."""
    return (
        page.outcome in _KEPT
        and page.status in _STATUSES
        and page.place is not None
        and CUT_OFF not in page.reason
        and bool(page.digest)
    )


def earlier_page(page: Page, plan: CrawlPlan, record_of: RecordOf) -> EarlierPage | None:
    """A row of an earlier crawl as this one needs it; None where it has no whole body, or an unknown digest."""
    if page.place is None or not is_whole(page):
        return None
    asked = appended(page.url, plan.seeds[page.seed].append)
    try:
        digest = parse_digest(page.digest)
    except InvalidInput:
        return None
    return EarlierPage(
        number=page.id, asked=asked, kept=page.original or Kept(page.at, asked), digest=digest, etag=page.etag,
        last_modified=page.last_modified, size=page.size, type=page.type, extension=page.extension, title=page.title,
        language=page.language, meta=page.meta, record=record_of(page.place),
    )  # fmt: skip


def reads_alike(plan: CrawlPlan, earlier: EarlierPages) -> bool:
    """Whether what the earlier crawl read in a page, and kept of it, is what this one would."""
    return earlier.current and _way_of_reading(plan) == _way_of_reading(earlier.plan)


def _way_of_reading(plan: CrawlPlan) -> tuple[object, ...]:
    scope, manners = plan.scope, plan.manners
    obeyed = (manners.agent, manners.obey_noindex, manners.obey_noarchive)
    return (plan.extract, scope.query, scope.types, scope.excluded_types, scope.max_size, *obeyed)
