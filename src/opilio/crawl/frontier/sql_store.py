"""The crawl store over a database: every operation is one transaction of the functions beside this module."""

import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeVar

from opilio.crawl.errors import SealedCrawlStore
from opilio.crawl.frontier import commanding, committing, discovering, hosting, leasing, rewinding, room, taking
from opilio.crawl.frontier.batch import Batch, Committed, PageResult
from opilio.crawl.frontier.control import checked
from opilio.crawl.frontier.database import Both, Database, insert
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.scanning import Wish
from opilio.crawl.frontier.sql_records import SqlRecords
from opilio.crawl.frontier.terms import terms_of
from opilio.crawl.frontier.values import Claim, Entry, Found, Held, Taken, found
from opilio.crawl.one_worker import refuse_beside
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.plan_json import fingerprint, to_json
from opilio.kernel.urls import CANONICAL_VERSION, canonical

T = TypeVar("T")

_META = insert("meta", "name text, value text")
_COUNTERS = insert("counter", "slot int8, name text, value int8")
_GUARDS = ("guard commands", "guard hosts", "guard pages", "guard warcs", "guard workers")
_FRONTIER = ("queue", "seen", "seen_more", "host", "bucket", "reserve", "worker")
_KNOWN_HOSTS = 200_000  # names kept in memory
_SEEDS = 2_000  # inserted at a time


def found_store(db: Database, plan: CrawlPlan) -> None:
    """Write the plan and the seeds into empty tables; in a transaction."""
    rows = {"plan": to_json(plan), "fingerprint": fingerprint(plan), "canonical": str(CANONICAL_VERSION), "sealed": ""}
    db.many(_META, sorted((rows | dict.fromkeys(_GUARDS, "")).items()))
    db.many(_COUNTERS, [(-1, "entry", 0), (-1, "page", 0)])
    seeds = [
        found(canonical(seed.url, plan.scope.query), Label(0, number, 0))
        for number, seed in enumerate(plan.seeds)
        if seed.active
    ]
    terms = terms_of(plan)
    for start in range(0, len(seeds), _SEEDS):
        part = seeds[start : start + _SEEDS]
        hosts = hosting.make_hosts(db, sorted({seed.host for seed in part}))
        discovering.discover(db, terms, hosts, [(None, part)], [])


class SqlStore(SqlRecords):
    """A crawl store on an open database that holds one; see `store.CrawlStore` for what it promises."""

    def __init__(self, db: Database, *, where: str, plan: CrawlPlan | None = None) -> None:
        super().__init__(db, where=where, plan=plan)
        self._terms = terms_of(self._plan)
        self._hosts: dict[str, int] = {}
        self._cursors: dict[str, int] = {}

    def claim(self, owner: str, now: float, ttl: float, want: int) -> Claim:
        def work() -> Claim:
            if self._plan.manners.per_address and (other := leasing.worker_beside(self._db, owner, float(now))):
                raise refuse_beside(other, self._where)
            return leasing.claim(self._db, owner, float(now), float(ttl), want)

        return self._write(work)

    def release(self, owner: str, leases: Mapping[int, int]) -> None:
        self._write(lambda: leasing.release(self._db, owner, leases))

    def evict(self, owner: str | None) -> None:
        self._write(lambda: leasing.evict(self._db, owner))

    def take(
        self,
        owner: str,
        leases: Mapping[int, int],
        now: float,
        *,
        max_hosts: int,
        per_host: int,
        inflight: Sequence[Held] = (),
        busy: Collection[int] = (),
    ) -> Taken:
        wish = Wish(
            owner=owner,
            leases=leases,
            now=float(now),
            max_hosts=max_hosts,
            per_host=per_host,
            inflight=inflight,
            busy=frozenset(busy),
        )
        with self._lock:
            self._require_live()
            control = self.control()
            run = self._write if room.counts_pages(self._plan, control.limits) else self._read
            cursor = self._cursors.get(owner, -1)
            taken, self._cursors[owner] = run(lambda: taking.take(self._db, self._plan, control, wish, cursor))
            return taken

    def commit(self, batch: Batch) -> Committed:
        token = secrets.token_hex(8)
        names = {each.host for result in batch.results for each in result.found}
        files = {*batch.warcs, *(page.place.file for page in batch.pages if page.place)}
        with self._lock:
            counts = room.counts_pages(self._plan, self.control().limits)
            if self._db.shared:
                self._prepare(batch.owner, names, files, self._write)
                return self._write(lambda: self._committed(batch, token, counts))

            def work() -> Committed:
                self._prepare(batch.owner, names, files, _at_once)
                return self._committed(batch, token, counts)

            return self._write(work)

    def insert(self, finds: Sequence[Found]) -> int:
        with self._lock:
            self._prepare("", {each.host for each in finds}, (), self._write)
            return self._write(
                lambda: discovering.discover(self._db, self._terms, self._hosts, [(None, finds)], []).new
            )

    def order(self, what: str, by: str, at: float, arguments: Mapping[str, object] | None = None) -> int:
        checked(what, arguments or {})
        return self._write(lambda: commanding.order(self._db, what, by, at, arguments or {}))

    def done(self, command: int, at: float) -> bool:
        return self._write(lambda: commanding.done(self._db, command, at))

    def purge(self, reason: Callable[[Entry], str], outcome: Outcome) -> int:
        return rewinding.purge(
            lambda after: self._read(lambda: rewinding.portion(self._db, after)),
            lambda results: self._write(lambda: rewinding.drop(self._db, results)),
            lambda entry: PageResult(entry=entry, outcome=outcome, reason=reason(entry)),
        )

    def prioritise(self, priority: Callable[[Entry], int | None]) -> int:
        return rewinding.arrange(
            lambda after: self._read(lambda: rewinding.portion(self._db, after)),
            lambda moved: self._write(lambda: rewinding.place(self._db, moved)),
            priority,
        )

    def rewind(self, file: str, offset: int) -> int:
        total = 0
        while some := self._write(lambda: rewinding.rewind(self._db, self._terms, file, offset)):
            total += some
        return total

    def uploaded(self, file: str, size: int) -> None:
        self._write(lambda: self._db.execute("UPDATE {warc} SET uploaded = ? WHERE file = ?", (size, file)))

    def seal(self, *, compact: bool = True) -> None:
        self._write(lambda: _drop_frontier(self._db))
        self._sealed = True

    def _committed(self, batch: Batch, token: str, counts: bool) -> Committed:
        return committing.commit(self._db, self._terms, batch, self._hosts, token, counts)

    def _prepare(
        self, owner: str, names: Iterable[str], files: Collection[str], run: Callable[[Callable[[], None]], None]
    ) -> None:
        """Number hosts and WARC files that are new to this process; `run` runs it in a transaction or at once."""
        missing = sorted(set(names) - self._hosts.keys())
        if len(self._hosts) > _KNOWN_HOSTS:
            self._hosts, missing = {}, sorted(names)
        if missing or files:
            run(lambda: self._make(owner, missing, files))

    def _make(self, owner: str, names: Sequence[str], files: Collection[str]) -> None:
        if names:
            known = hosting.known_hosts(self._db, names)
            self._hosts |= known if len(known) == len(names) else hosting.make_hosts(self._db, names)
        if set(files) - committing.known_warcs(self._db).keys():
            committing.make_warcs(self._db, owner, files)

    def _write(self, work: Callable[[], T]) -> T:
        with self._lock:
            self._require_live()
            try:
                return self._db.write(work)
            except BaseException:
                self._hosts = {}  # some may have been numbered in what was rolled back
                raise

    def _require_live(self) -> None:
        if self._sealed:
            raise SealedCrawlStore(
                "the crawl ended, and its store was sealed",
                where=self._where,
                remedy="Read its result; to go on, begin a new crawl with --since.",
            )


def _drop_frontier(db: Database) -> None:
    db.execute("UPDATE {meta} SET value = 'yes' WHERE name = 'sealed'")
    for table in _FRONTIER:
        db.execute(Both(sqlite=f"DELETE FROM {{{table}}}", postgres=f"TRUNCATE {{{table}}}"))  # noqa: S608 - ours


def _at_once(work: Callable[[], None]) -> None:
    work()
