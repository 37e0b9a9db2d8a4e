"""What a crawl store over a database tells: its plan, and all that was learned. It changes nothing."""

import threading
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Protocol, TypeVar

from opilio.crawl.errors import AnotherPlan, CorruptCrawlStore, NewerCrawlStore
from opilio.crawl.frontier import commanding, hosting, querying
from opilio.crawl.frontier.batch import Denial
from opilio.crawl.frontier.control import Control, replay
from opilio.crawl.frontier.database import Database, Row, Sql
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.packing import unpack_outlinks, unpack_text
from opilio.crawl.frontier.rows import Command, Counts, Page, Story, Waiting, WarcFile
from opilio.crawl.frontier.values import FIRST_HASH, Asked, Host, Robots
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.plan_json import fingerprint, from_json
from opilio.kernel.page_links import PageLink
from opilio.kernel.page_text import PageText
from opilio.kernel.urls import CANONICAL_VERSION, canonical, url_hash64

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


class SqlRecords:
    """The asking half of a store; `store.Records` says what it promises."""

    def __init__(self, db: Database, *, where: str, plan: CrawlPlan | None) -> None:
        self._db = db
        self._where = where
        self._lock = threading.RLock()
        self._control: Control | None = None
        meta: dict[str, str] = dict(self._read(lambda: db.rows("SELECT name, value FROM {meta}")))
        _require_whole(meta, where)
        _require_plan(meta, plan, where)
        self._plan = from_json(meta["plan"])
        self._sealed = bool(meta["sealed"])

    @property
    def plan(self) -> CrawlPlan:
        return self._plan

    @property
    def sealed(self) -> bool:
        """Whether the crawl ended and its frontier was dropped."""
        return self._sealed

    def counts(self, now: float) -> Counts:
        return self._read(lambda: querying.counts(self._db, float(now)))

    def ask(self, question: Sql, values: Sequence[object] = ()) -> list[Row]:
        """What a question of a report is answered with; it names tables as `{page}`, and changes nothing."""
        return self._read(lambda: self._db.rows(question, values))

    def story(self, url: str) -> Story:
        key = canonical(url, self._plan.scope.query)
        return self._read(lambda: querying.story(self._db, key))

    def page(self, url: str) -> Page | None:
        return self.story(url).page if not self._sealed else self._sealed_page(url)

    def pages(self, *, outcome: Outcome | None = None, host: str | None = None, after: int = -1) -> Iterator[Page]:
        number = self._number(host)
        return self._stream(lambda last: querying.pages_after(self._db, last, outcome, number), after, _id)

    def waiting(self, *, host: str | None = None) -> Iterator[Waiting]:
        number = self._number(host)
        return self._stream(lambda last: querying.waiting_after(self._db, last, number), 0, _id)

    def hosts(self) -> Iterator[Host]:
        return self._stream(lambda last: querying.hosts_after(self._db, last), -1, _id)

    def outlinks(self) -> Iterator[tuple[int, list[PageLink]]]:
        for number, _, links in self._links():
            yield number, links

    def packed_outlinks(self) -> Iterator[tuple[int, bytes]]:
        for number, _, packed in self._packed_links():
            yield number, packed

    def texts(self) -> Iterator[tuple[str, str, bytes]]:
        return self._stream(lambda last: querying.texts_after(self._db, last), ("", ""), lambda row: row[:2])

    def broken_links(self) -> Iterator[tuple[str, str]]:
        broken = {page.url for outcome in Outcome if outcome.broken for page in self.pages(outcome=outcome)}
        for _, parent, links in self._links() if broken else ():
            for url in dict.fromkeys(link.url for link in links if link.url in broken):
                yield parent, url

    def link_kinds(self) -> dict[str, int]:
        counts = Counter(link.kind for _, links in self.outlinks() for link in links)
        return dict(sorted(counts.items()))

    def denials(self) -> list[Denial]:
        return self._read(lambda: querying.denials(self._db))

    def warcs(self) -> list[WarcFile]:
        return self._read(lambda: querying.warcs(self._db))

    def robots(self, host: int) -> Robots | None:
        return self._read(lambda: hosting.robots_of(self._db, host))

    def cookies(self, host: int) -> bytes:
        return self._read(lambda: hosting.cookies_of(self._db, host))

    def asked(self, host: int, after: int = FIRST_HASH) -> list[Asked]:
        return self._read(lambda: querying.asked_after(self._db, host, after))

    def known(self, host: int, after: int = FIRST_HASH) -> dict[Label, "array[int]"]:
        return self._read(lambda: querying.known_after(self._db, host, after))

    def page_text(self, digest: str) -> PageText | None:
        packed = self._read(lambda: querying.text_of(self._db, digest))
        return unpack_text(packed) if packed else None

    def text(self, digest: str) -> str:
        found = self.page_text(digest)
        return found.text if found else ""

    def commands(self, after: int = 0) -> list[Command]:
        return self._read(lambda: commanding.commands(self._db, after))

    def control(self) -> Control:
        with self._lock:
            known = self._control
            if known is None or known.sorting or self.commands(known.last):
                known = self._control = replay(self._plan, self.commands())
            return known

    def check(self) -> None:
        for _ in self.pages():
            pass
        for _ in self._links():
            pass
        for _, _, packed in self.texts():
            unpack_text(packed)

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def _read(self, work: Callable[[], T]) -> T:
        with self._lock:
            return self._db.read(work)

    def _stream(self, portion: Callable[[K], list[V]], last: K, key: Callable[[V], K]) -> Iterator[V]:
        """Read portion by portion, each in a transaction of its own, so that a long list stops nobody."""
        while rows := self._read(partial(portion, last)):
            yield from rows
            last = key(rows[-1])

    def _links(self) -> Iterator[tuple[int, str, list[PageLink]]]:
        for number, url, packed in self._packed_links():
            yield number, url, unpack_outlinks(packed)

    def _packed_links(self) -> Iterator[tuple[int, str, bytes]]:
        return self._stream(lambda last: querying.outlinks_after(self._db, last), -1, lambda row: row[0])

    def _number(self, host: str | None) -> int | None:
        """The number of a host; one that no host has, if it is not known."""
        if host is None:
            return None
        return self._read(lambda: hosting.known_hosts(self._db, [host])).get(host, -1)

    def _sealed_page(self, url: str) -> Page | None:
        """Once hosts are dropped, only the URL itself leads to its page."""
        key = canonical(url, self._plan.scope.query)
        return self._read(lambda: querying.page_by_hash(self._db, key, url_hash64(key)))


class _Numbered(Protocol):
    @property
    def id(self) -> int: ...


def _id(row: _Numbered) -> int:
    return row.id


def _require_whole(meta: dict[str, str], where: str) -> None:
    if missing := {"plan", "fingerprint", "canonical", "sealed"} - meta.keys():
        raise CorruptCrawlStore(
            f"the crawl store does not hold its {min(missing)}",
            where=where,
            remedy="Its WARC files are not harmed; make the store again from them: opilio crawl rebuild DIR.",
        )


def _require_plan(meta: dict[str, str], plan: CrawlPlan | None, where: str) -> None:
    if plan is not None and fingerprint(plan) != meta["fingerprint"]:
        raise AnotherPlan(
            "the crawl store belongs to another plan",
            where=where,
            remedy="Resume it with the plan it was made for, or crawl into another place.",
        )
    if (form := int(meta["canonical"])) != CANONICAL_VERSION:
        raise NewerCrawlStore(
            f"the crawl store has canonical URLs of form {form}, and this Opilio makes form {CANONICAL_VERSION}",
            where=where,
            remedy="Finish the crawl with the Opilio that began it.",
        )
