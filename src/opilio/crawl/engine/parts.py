"""Puts the parts of a worker together."""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from opilio.crawl.bandwidth import Bandwidth
from opilio.crawl.earlier import EarlierPages
from opilio.crawl.engine.asking import Asking, Network
from opilio.crawl.engine.exclusions import exclusions_of
from opilio.crawl.engine.gathering import Gathering
from opilio.crawl.engine.holdings import Holdings
from opilio.crawl.engine.login_desk import Keep as KeepLogin
from opilio.crawl.engine.login_desk import LoginDesk
from opilio.crawl.engine.precedence import NO_PRIORITIES, priorities_of
from opilio.crawl.engine.reading import Reader
from opilio.crawl.engine.robots_desk import Keep, RobotsDesk
from opilio.crawl.engine.settings import EngineSettings
from opilio.crawl.engine.since import Since
from opilio.crawl.engine.visiting import Desk, Visiting
from opilio.crawl.engine.widening import Widened, Widening
from opilio.crawl.engine.worker_store import StoreDoor, WorkerStore
from opilio.crawl.exchange_to_capture import Payload, capture_of
from opilio.crawl.fetch.curl import CurlFetcher
from opilio.crawl.fetch.exchange import Answer, Ask
from opilio.crawl.fetch.guard import Guard
from opilio.crawl.fetch.raw import RawFetcher
from opilio.crawl.fetch.resolver import Resolver
from opilio.crawl.frontier.control import Control
from opilio.crawl.frontier.seen_cache import SeenCache
from opilio.crawl.frontier.values import Entry
from opilio.crawl.ledger import Ledger
from opilio.crawl.linking import Linking
from opilio.crawl.logins.book import EMPTY, CredentialBook
from opilio.crawl.manners import Pace, pace_of
from opilio.crawl.plan import CrawlPlan, admissions, limit
from opilio.crawl.proxies import Proxies
from opilio.crawl.revisits import Revisits
from opilio.crawl.scope.chain import ScopeChain
from opilio.extract import HelperPool
from opilio.kernel.capture import Hop, Provenance, RecordSink
from opilio.kernel.clock import Clock
from opilio.kernel.config import environment
from opilio.kernel.urls import canonical


def network_of(plan: CrawlPlan, clock: Clock, ca_file: str = "", spool: Path | None = None) -> Network:
    """Real requests, behind the guard; for the running event loop."""
    guard, resolver = Guard.allowing(plan.fetch.allow_private), Resolver(clock=clock)
    return Network(
        fetcher=CurlFetcher(guard=guard, resolver=resolver, clock=clock, ca_file=ca_file, spool=spool),
        raw=RawFetcher(guard=guard, resolver=resolver, clock=clock, ca_file=ca_file, spool=spool),
        resolver=resolver,
        proxies=Proxies(plan.fetch.proxies, environment(), proxy_dns=plan.fetch.proxy_dns),
    )


@dataclass(kw_only=True, eq=False)
class Parts:
    """What a worker is made of; made for the running event loop."""

    plan: CrawlPlan
    ledger: Ledger
    bandwidth: Bandwidth
    asking: Asking
    robots: RobotsDesk
    linking: Linking
    visiting: Visiting
    desk: Desk
    pool: HelperPool
    network: Network
    clock: Clock
    workers: int
    admission: Sequence[int]
    since: Since
    revisits: Revisits
    _control: Control | None = None
    _widened: Widened = ()

    def steer(self, control: Control) -> None:
        """Go by these orders from now on."""
        before, self._control = self._control, control
        if before is not None and before.last == control.last:
            return
        self.ledger.change_pace(self._pace(control), self._paces(control))
        self.bandwidth.change(crawl=self._share(control), host=self._pace(control).host_bandwidth)
        self.visiting.exclude(exclusions_of(self.plan, control))
        self._rule()

    def share_with(self, workers: int) -> None:
        """So many workers share the bandwidth of the crawl now."""
        if workers == self.workers:
            return
        self.workers = workers
        if self._control is not None:
            self.bandwidth.change(crawl=self._share(self._control), host=self._pace(self._control).host_bandwidth)

    def widen(self, widened: Widened) -> None:
        """Further roots that redirected seeds brought."""
        self._widened = widened
        self._rule()

    def fresh(self) -> Gathering:
        """An empty gathering."""
        return Gathering(self.admission)

    async def close(self) -> None:
        """Let go of connections and helper processes."""
        await self.network.fetcher.close()
        self.since.close()
        await asyncio.to_thread(self.pool.close)

    def _rule(self) -> None:
        plan, priorities = self.plan, NO_PRIORITIES
        if self._control is not None:
            priorities = priorities_of(plan, self._control)
            scope = replace(
                plan.scope,
                exclude=(*plan.scope.exclude, *self._control.exclude),
                excluded_urls=(*plan.scope.excluded_urls, *self._control.excluded_urls),
            )
            plan = replace(plan, scope=scope)
        self.linking.change(ScopeChain(plan, today=self.clock.now().date(), widened=self._widened), priorities.of)

    def _pace(self, control: Control, delay: float | None = None) -> Pace:
        pace = pace_of(self.plan.manners, parallel=self.plan.fetch.connections_per_host)
        wanted = control.delay if delay is None else delay
        return pace if wanted is None else replace(pace, delay=wanted, max_delay=max(pace.max_delay, wanted))

    def _paces(self, control: Control) -> dict[str, Pace]:
        return {host: self._pace(control, delay) for host, delay in control.host_delays.items()}

    def _share(self, control: Control) -> float | None:
        planned = limit(self.plan.manners.bandwidth)  # 0 means no limit in a plan, and nothing at all in an order
        wanted = planned if control.bandwidth is None else control.bandwidth
        return None if wanted is None or wanted == math.inf else wanted / self.workers


def parts_of(
    plan: CrawlPlan, *, store: WorkerStore, door: StoreDoor, sink: RecordSink, clock: Clock, settings: EngineSettings,
    worker: str, workers: int, network: Network, hold: Holdings,
    book: CredentialBook = EMPTY, earlier: EarlierPages | None = None,
) -> Parts:  # fmt: skip
    """Make them all."""
    pace = pace_of(plan.manners, parallel=plan.fetch.connections_per_host)
    ledger = Ledger(clock=clock, pace=pace)
    planned = limit(plan.manners.bandwidth)
    share = planned / workers if planned is not None else None
    bandwidth = Bandwidth(clock=clock, crawl=share, host=pace.host_bandwidth)
    asking = Asking(plan, network, ledger, bandwidth, clock, settings, hold)
    admission = admissions(plan)
    known = SeenCache(admission, capacity=settings.seen, recalled=settings.recalled)
    desk = Desk(open=Gathering(admission), known=known)
    robots = RobotsDesk(plan, asking, ledger, clock, retry=settings.robots_retry, keep=_keeper(plan, sink))
    linking = Linking(
        ScopeChain(plan, today=clock.now().date()),
        obey_nofollow=plan.manners.obey_nofollow,
        max_redirects=plan.fetch.max_redirects,
    )
    logins = LoginDesk(
        plan, book, asking, keep=_login_keeper(plan, sink, hold), clock=clock, settings=settings, workers=workers
    )
    pool = HelperPool(settings.helpers)
    since, revisits = Since(plan, earlier), Revisits(plan.warc)
    made: list[Parts] = []
    widening = Widening(plan, store, door, lambda widened: made[0].widen(widened))
    visiting = Visiting(
        plan, asking=asking, robots=robots, reader=Reader(plan, pool), linking=linking, sink=sink, desk=desk,
        clock=clock, settings=settings, pace=pace, widening=widening, worker=worker, hold=hold,
        since=since, revisits=revisits, logins=logins,
    )  # fmt: skip
    made.append(
        Parts(
            plan=plan, ledger=ledger, bandwidth=bandwidth, asking=asking, robots=robots, linking=linking,
            visiting=visiting, desk=desk, pool=pool, network=network, clock=clock, workers=workers, admission=admission,
            since=since, revisits=revisits,
        )
    )  # fmt: skip
    return made[0]


def _keeper(plan: CrawlPlan, sink: RecordSink) -> Keep:
    """Keeps exchanges for robots.txt as captures."""
    provenance = Provenance(seed=canonical(plan.seeds[0].url), hops=Hop.PREREQUISITE.value)

    def keep(ask: Ask, answer: Answer, payload: Payload) -> None:
        sink.append(capture_of(ask, answer, payload, provenance))

    return keep


def _login_keeper(plan: CrawlPlan, sink: RecordSink, hold: Holdings) -> KeepLogin:
    """Keeps exchanges on the way to a page behind a login as captures."""
    seeds = [canonical(seed.url) for seed in plan.seeds]

    def keep(entry: Entry, ask: Ask, answer: Answer, payload: Payload, login: bool) -> None:
        if hold.owns(entry):
            hops = f"{entry.path}{Hop.PREREQUISITE.value}" if login else entry.path
            via = entry.url if login else entry.parent
            provenance = Provenance(seed=seeds[entry.label.seed], via=via, hops=hops)
            sink.append(capture_of(ask, answer, payload, provenance))

    return keep
