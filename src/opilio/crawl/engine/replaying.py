"""Makes a crawl store again from captures: the engine visits the queue as ever, and the archive answers for the web.

Nothing is asked of any server and nothing is written but the store. URLs without a capture stay in the queue.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from opilio.crawl.appended import appended
from opilio.crawl.earlier import EarlierPages
from opilio.crawl.engine.asking import Network
from opilio.crawl.engine.growth import Growth
from opilio.crawl.engine.holdings import Holdings
from opilio.crawl.engine.host_state import HostState
from opilio.crawl.engine.parts import Parts, parts_of
from opilio.crawl.engine.recorded import EvenClock, NoSink, RecordedFetcher
from opilio.crawl.engine.settings import EngineSettings
from opilio.crawl.engine.worker_store import StoreDoor
from opilio.crawl.fetch.cookies import CookieJar
from opilio.crawl.fetch.exchange import Answer
from opilio.crawl.fetch.resolver import Resolver
from opilio.crawl.frontier.batch import HostUpdate
from opilio.crawl.frontier.sql_store import SqlStore
from opilio.crawl.frontier.values import Entry, Host, Kept
from opilio.crawl.frontier.walking import entries_after
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import CrawlPlan, Preset
from opilio.kernel.capture import Position

_TTL = 86_400.0  # seconds of the leases; nobody else is there
_ALL = 1 << 20  # buckets; more than there are
_MOST_HOSTS = 20_000  # that are remembered


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedAnswer:
    """The last capture of a URL."""

    answer: Answer
    place: Position
    tries: int = 1  # captures of the URL
    original: Kept | None = None  # the capture that has the body, where this one was written without it


class Recorded(Protocol):
    """Captures by the URL that was asked for."""

    def answer(self, url: str) -> RecordedAnswer | None:
        """The last one; None when there is none that can be read."""
        ...


class Replaying:
    """Fills one new store."""

    def __init__(
        self, plan: CrawlPlan, store: SqlStore, recorded: Recorded, *, at: datetime, sizes: Mapping[str, int],
        told: Callable[[int], None] = lambda pages: None, earlier: EarlierPages | None = None,
    ) -> None:  # fmt: skip
        self._plan = plan
        self._store = store
        self._recorded = recorded
        self._at = at.timestamp()
        self._sizes = dict(sizes)  # WARC file → bytes
        self._told = told
        self._earlier = earlier
        self._owner = f"rebuild-{secrets.token_hex(6)}"
        self._hold = Holdings()
        self._sink = NoSink()
        self._clock = EvenClock(at)
        self._fetcher = RecordedFetcher(recorded.answer, self._clock)
        self._touched: set[int] = set()
        self._pages = 0
        self._parts: Parts

    async def run(self) -> int:
        """Walk through the queue to its end; how many URLs were recorded."""
        door = StoreDoor()
        settings = EngineSettings(ttl=_TTL)
        network = Network(fetcher=self._fetcher, raw=self._fetcher, resolver=Resolver(clock=self._clock))
        self._parts = parts_of(
            _unhurried(self._plan), store=self._store, door=door, sink=self._sink, clock=self._clock,
            settings=settings, worker="rebuild", workers=1, network=network, hold=self._hold,
            earlier=self._earlier,
        )  # fmt: skip
        try:
            last = 0
            while entries := entries_after(self._store, last):
                last = entries[-1].id
                self._claim()
                for entry in entries:
                    await self._visit(entry)
                if len(self._parts.desk.open) or self._parts.desk.open.further:
                    self._commit()
            self._commit()
        finally:
            await self._parts.close()
            door.close()
        self._store.evict(self._owner)
        return self._pages

    def _claim(self) -> None:
        claim = self._store.claim(self._owner, self._at, _TTL, _ALL)
        self._hold.renew(claim.leases, self._parts.ledger)

    async def _visit(self, entry: Entry) -> None:
        state = self._state(entry)
        if entry.expand:
            self._hold.inflight[entry.id] = entry
            await self._parts.visiting.visit(entry, state)
            return
        url = appended(entry.url, self._plan.seeds[entry.label.seed].append)
        found = self._recorded.answer(url)
        if found is None:
            return
        tried = replace(entry, tries=found.tries - 1)
        self._hold.inflight[entry.id] = tried
        self._sink.place = found.place
        self._fetcher.expect(url, found.answer)
        await self._parts.visiting.visit(tried, state)
        if self._denied(tried):  # by a robots.txt that came later
            state.rules, state.record = None, self._fetcher.anything_goes(state.key)
            await self._parts.visiting.visit(tried, state)
        self._mark(tried, found)
        self._touched.add(entry.host)

    def _state(self, entry: Entry) -> HostState:
        state = self._hold.hosts.get(entry.host)
        if state is None:
            if len(self._hold.hosts) > _MOST_HOSTS:
                self._commit()
                self._hold.hosts.clear()
            growth = Growth(self._plan.scope.traps.max_alike)
            host, jar = Host(id=entry.host, name=entry.name), CookieJar(clock=self._clock)
            state = HostState(host=host, jar=jar, opened=True, growth=growth)
            self._hold.hosts[entry.host] = state
        return state

    def _denied(self, entry: Entry) -> bool:
        """Whether the entry was recorded as denied though it had been fetched; that record is taken back."""
        gathering = self._parts.desk.open
        last = gathering.pages[-1] if gathering.pages else None
        if last is None or last.entry is not entry or last.outcome is not Outcome.ROBOTS_DENIED:
            return False
        gathering.pages.pop()
        return True

    def _mark(self, entry: Entry, found: RecordedAnswer) -> None:
        """A capture without its body is that of a page which equals another."""
        pages = self._parts.desk.open.pages
        if found.original is None or not pages or pages[-1].entry is not entry:
            return
        if pages[-1].outcome is Outcome.FETCHED:
            reason = f"the content is that of {found.original.url}"
            pages[-1] = replace(pages[-1], outcome=Outcome.DUPLICATE, reason=reason, original=found.original)

    def _commit(self) -> None:
        desk = self._parts.desk
        gathering, desk.open = desk.open, self._parts.fresh()
        batch = gathering.batch(
            owner=self._owner, leases=self._hold.leases, now=self._at, ttl=_TTL, hosts=self._updates(),
            warcs=self._sizes,
        )  # fmt: skip
        if gathering.further:
            self._store.insert(gathering.further)
        self._store.commit(batch)
        for found in gathering.found():
            desk.known.learn(found)
        self._hold.leave(gathering.entries())
        self._hold.inflight.clear()
        self._pages += len(gathering.pages)
        self._told(self._pages)

    def _updates(self) -> list[HostUpdate]:
        """What the captures tell of the hosts that were just visited."""
        states = [self._hold.hosts[number] for number in sorted(self._touched) if number in self._hold.hosts]
        self._touched.clear()
        found = []
        for state in states:
            robots = None if self._fetcher.made_up(state.key) else state.robots()
            found.append(HostUpdate(id=state.host.id, next_due=0.0, robots=robots, cookies=state.cookies()))
            state.robots_changed = False
        return found


def _unhurried(plan: CrawlPlan) -> CrawlPlan:
    """The plan without what only concerns servers, and without looking for duplicates: the captures say which are."""
    manners = replace(plan.manners, preset=Preset.OWN_SITE, delay=0.0, per_address=False, bandwidth=None)
    warc = replace(plan.warc, duplicates=False, outlinks=False)
    return replace(plan, manners=manners, fetch=replace(plan.fetch, proxies={}), warc=warc)
