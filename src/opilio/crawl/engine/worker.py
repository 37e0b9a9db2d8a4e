"""One worker: owns buckets of hosts, takes their due entries, serves each host in turn, commits what it learned.

The loop only feeds; each host has a task of its own, and a further task commits. All of it lives on one event loop.
"""

import asyncio
import contextlib
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path

from opilio.crawl.earlier import EarlierPages
from opilio.crawl.engine.brake import Brake
from opilio.crawl.engine.committing import Committing
from opilio.crawl.engine.dns_record import dns_answer
from opilio.crawl.engine.earlier_life import EarlierLife
from opilio.crawl.engine.ending import Ended, Ending
from opilio.crawl.engine.growth import Growth
from opilio.crawl.engine.helm import Helm
from opilio.crawl.engine.holdings import Holdings
from opilio.crawl.engine.host_state import HostState
from opilio.crawl.engine.parts import Parts, network_of, parts_of
from opilio.crawl.engine.progress import Watch, nobody
from opilio.crawl.engine.recalling import recall
from opilio.crawl.engine.settings import DEFAULTS, EngineSettings
from opilio.crawl.engine.worker_store import StoreDoor, WorkerStore
from opilio.crawl.fetch.cookies import CookieJar
from opilio.crawl.frontier.batch import PageResult
from opilio.crawl.frontier.control import CrawlState
from opilio.crawl.frontier.values import Entry, Host, Taken
from opilio.crawl.logins.book import EMPTY, CredentialBook
from opilio.crawl.logins.ways import require
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.robots_cache import from_store
from opilio.crawl.scope.growing import Growing
from opilio.kernel.capture import RecordSink
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import Conflict, Damaged, OpilioError, Unavailable
from opilio.kernel.logs import logger

_ALL = 1 << 20  # buckets; more than there are
_MOST_HOSTS = 20_000  # that are remembered while nothing is done for them
log = logger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Post:
    """A worker's place in its crawl."""

    owner: str  # the name of this life of the worker
    worker: str  # the name of its WARC series
    workers: int = 1  # of this crawl, on this machine
    log: Path | None = None  # the crawl log
    ours: Callable[[str], bool] = lambda file: True  # whether a WARC file is of this worker's series
    ca_file: str = ""  # further authorities to trust
    book: CredentialBook = EMPTY  # the credentials that seeds name
    spool: Path | None = None  # the folder in which large bodies wait until they are written; None: the machine's own


class Worker:
    """Runs once."""

    def __init__(
        self, plan: CrawlPlan, *, store: WorkerStore, sink: RecordSink, post: Post, settings: EngineSettings = DEFAULTS,
        clock: Clock = SYSTEM, watch: Watch = nobody, brake: Brake | None = None, earlier: EarlierPages | None = None,
    ) -> None:  # fmt: skip
        self._plan = plan
        self._store = store
        self._sink = sink
        self._post = post
        self._settings = settings
        self._clock = clock
        self._watch = watch
        self._brake = brake or Brake()
        self._earlier = earlier
        self._door = StoreDoor()
        self._hold = Holdings()
        self._wake = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._trouble: BaseException | None = None
        self._claimed = -math.inf
        self._quiet: tuple[float, tuple[int, int]] | None = None
        self._dormant = False
        self._parts: Parts
        self._committing: Committing
        self._helm: Helm

    async def run(self) -> Ended:
        """Crawl until nothing is left, a limit is reached or somebody stops it. Errors of disk and store are raised."""
        require(self._plan, self._post.book)
        self._sink.cut_back(await self._door(self._committed_offsets))
        network = network_of(self._plan, self._clock, self._post.ca_file, self._post.spool)
        self._parts = parts_of(
            self._plan, store=self._store, door=self._door, sink=self._sink, clock=self._clock, settings=self._settings,
            worker=self._post.worker, workers=self._post.workers, network=network, hold=self._hold,
            book=self._post.book,
            earlier=self._earlier,
        )  # fmt: skip
        self._committing = Committing(
            self._parts, self._hold, store=self._store, door=self._door, sink=self._sink, post=self._post,
            settings=self._settings, watch=self._watch, offsets=self._committed_offsets,
        )  # fmt: skip
        self._helm = Helm(
            self._parts, self._hold, store=self._store, door=self._door, brake=self._brake, settings=self._settings,
            wake=self._wake,
        )  # fmt: skip
        await self._helm.look()
        beside = [asyncio.create_task(self._beside(work)) for work in (self._helm.watch, self._commit_regularly)]
        try:
            return await self._feed()
        finally:
            await self._finish(beside)

    async def _beside(self, work: Callable[[], Awaitable[None]]) -> None:
        """Work that goes on beside the feeding; its trouble is the worker's."""
        try:
            await work()
        except OpilioError as error:
            self._trouble = self._trouble or error
            self._wake.set()

    async def _finish(self, beside: list["asyncio.Task[None]"]) -> None:
        self._parts.asking.halt()
        for task in (*beside, *self._tasks):
            task.cancel()
        await asyncio.gather(*beside, *self._tasks, return_exceptions=True)
        await self._parts.close()
        self._door.close()

    async def _feed(self) -> Ended:
        while True:
            await self._keep_leases()
            if self._trouble is not None:
                raise self._trouble
            state = self._helm.state
            if state is CrawlState.ABORTING:
                return Ended(ending=Ending.ABORTED)
            if state is CrawlState.STOPPING:
                return await self._wind_up(Ended(ending=Ending.STOPPED))
            if state is CrawlState.PAUSED:
                await self._rest(self._settings.pause)
                continue
            taken = await self._take()
            if taken.reached and taken.reached != "pages":
                return await self._wind_up(Ended(ending=Ending.LIMIT, limit=taken.reached))
            if taken.entries:
                self._quiet = None
                self._dispatch(taken)
                await self._rest(self._settings.pause)
            elif self._tasks or len(self._parts.desk.open):
                await self._between(taken)
            elif (ended := await self._idle(taken)) is not None:
                return ended

    async def _between(self, taken: Taken) -> None:
        """Nothing to take while something is under way."""
        if not self._tasks and len(self._parts.desk.open):
            await self._commit()
            return
        due = taken.due - self._now() if taken.due is not None else self._settings.pause
        await self._rest(min(max(due, 0.01), self._settings.pause))

    async def _wind_up(self, ended: Ended) -> Ended:
        """Let requests under way end, commit, and give the buckets back."""
        self._parts.asking.halt()
        for state in self._hold.hosts.values():
            state.queue.clear()
        while self._tasks and self._trouble is None and self._helm.state is not CrawlState.ABORTING:
            await self._rest(self._settings.pause)
            await self._keep_leases()
        if self._trouble is not None:
            raise self._trouble
        await self._commit()
        await self._door(lambda: self._store.evict(self._post.owner))
        return ended

    async def _idle(self, taken: Taken) -> Ended | None:
        """Nothing to do: is it over, or do others still find something?"""
        counts = await self._door(lambda: self._store.counts(self._now()))
        if counts.waiting == 0:
            return await self._wind_up(Ended(ending=Ending.FINISHED))
        if taken.reached:
            return await self._wind_up(Ended(ending=Ending.LIMIT, limit=taken.reached))
        moment, before = self._clock.monotonic(), (counts.pages, counts.waiting)
        itself = 0 if self._dormant else 1  # among the workers that live; one that left its buckets is not counted
        if taken.due is not None or self._quiet is None or self._quiet[1] != before:
            self._quiet, self._dormant = (moment, before), False
        alone = counts.workers <= itself and self._post.workers == 1
        if taken.due is None and not self._dormant and (alone or moment - self._quiet[0] > self._settings.quiet):
            await self._leave()
        elif self._dormant and counts.workers == 0:
            return await self._last_look()
        due = taken.due - self._now() if taken.due is not None else self._settings.pause
        await self._rest(min(max(due, 0.01), self._settings.pause))
        return None

    async def _leave(self) -> None:
        """Leave the buckets to others, and stay near."""
        await self._commit()
        await self._door(lambda: self._store.evict(self._post.owner))
        self._hold.leases.clear()
        self._dormant = True

    async def _last_look(self) -> Ended | None:
        """Nobody else is there: what cannot be taken now never will be."""
        self._dormant, self._claimed = False, -math.inf
        taken = await self._take()
        if taken.entries or taken.due is not None:
            self._dispatch(taken)
            return None
        counts = await self._door(lambda: self._store.counts(self._now()))
        if counts.waiting == 0:
            return await self._wind_up(Ended(ending=Ending.FINISHED))
        if counts.workers > bool(self._hold.leases):
            return None  # another was quicker to look, and may have taken what waits
        return await self._wind_up(Ended(ending=Ending.LIMIT, limit=taken.reached or "pages per seed or host"))

    async def _keep_leases(self) -> None:
        every = self._settings.claim_every if self._hold.inflight else self._settings.look_every
        if self._clock.monotonic() - self._claimed >= every and not self._dormant:
            await self._claim()

    async def _claim(self) -> None:
        self._claimed = self._clock.monotonic()
        owner, ttl = self._post.owner, self._settings.ttl
        claim = await self._door(lambda: self._store.claim(owner, self._now(), ttl, _ALL))
        self._hold.renew(claim.leases, self._parts.ledger)
        self._parts.share_with(max(claim.workers, self._post.workers))
        self._hold.shed &= set(self._hold.leases) if claim.surplus else set()
        if claim.surplus:
            await self._share(claim.surplus)

    async def _share(self, surplus: int) -> None:
        """Give buckets to other workers: take nothing more for them, and let go once nothing is under way in them."""
        waiting = sorted(set(self._hold.leases) - self._hold.shed)
        self._hold.shed.update(waiting[: max(0, surplus - len(self._hold.shed))])
        for state in self._hold.hosts.values():
            if state.host.bucket in self._hold.shed:
                self._hold.leave([*state.queue])
                state.queue.clear()
        await self._commit()
        busy = {entry.bucket for entry in self._hold.inflight.values()}
        spare = {bucket: self._hold.leases[bucket] for bucket in sorted(self._hold.shed - busy)}
        if spare:
            self._hold.lose(spare, self._parts.ledger)
            await self._door(lambda: self._store.release(self._post.owner, spare))

    async def _take(self) -> Taken:
        if self._claimed == -math.inf:
            await self._claim()
        active = sum(1 for state in self._hold.hosts.values() if state.running)
        low = self._settings.per_host // 4
        busy = [number for number, state in self._hold.hosts.items() if state.running and len(state.queue) > low]
        inflight = list(self._hold.inflight.values())
        leases = {number: epoch for number, epoch in self._hold.leases.items() if number not in self._hold.shed}
        recalls = self._hold.recalls
        room = max(1, self._settings.hosts - active)
        taken = await self._door(
            lambda: self._store.take(
                self._post.owner, leases, self._now(), max_hosts=room, per_host=self._settings.per_host,
                inflight=inflight, busy=busy,
            )
        )  # fmt: skip
        self._hold.lose(taken.lost, self._parts.ledger)
        if recalls != self._hold.recalls:  # taken under orders that hold no more
            return Taken(due=self._now())
        mine = tuple(entry for entry in taken.entries if entry.bucket in self._hold.leases)
        return replace(taken, entries=mine)

    def _dispatch(self, taken: Taken) -> None:
        for entry in taken.entries:
            if entry.id in self._hold.inflight:
                continue
            state = self._known(taken.hosts[entry.host])
            self._hold.inflight[entry.id] = entry
            state.queue.append(entry)
        for state in [self._hold.hosts[number] for number in taken.hosts if number in self._hold.hosts]:
            while state.running < min(self._plan.fetch.connections_per_host, len(state.queue)):
                state.running += 1
                task = asyncio.create_task(self._serve(state))
                self._tasks.add(task)
                task.add_done_callback(self._served)

    def _known(self, host: Host) -> HostState:
        state = self._hold.hosts.get(host.id)
        if state is None:
            if len(self._hold.hosts) > _MOST_HOSTS:
                self._hold.trim(self._parts.ledger)
            traps, jar = self._plan.scope.traps, CookieJar(clock=self._clock)
            growing, growth = Growing(traps), Growth(traps.max_alike)
            state = HostState(host=host, jar=jar, failures=host.failures, growing=growing, growth=growth)
            self._hold.hosts[host.id] = state
        return state

    async def _serve(self, state: HostState) -> None:
        """Visit a host's entries one after the other."""
        try:
            if not state.opened:
                await self._open(state)
            while state.queue and not self._parts.asking.halted:
                await self._committing.room()
                if not state.queue:  # recalled meanwhile
                    break
                entry = state.queue.popleft()
                if not await self._visit(entry, state):
                    self._hold.leave([entry, *state.queue])
                    state.queue.clear()
                elif len(self._parts.desk.open) >= self._settings.commit_pages:
                    self._committing.hurry.set()
                if len(state.queue) == self._settings.per_host // 4:
                    self._wake.set()
        finally:
            state.running -= 1

    async def _visit(self, entry: Entry, state: HostState) -> bool:
        if not self._hold.owns(entry):
            return True  # its bucket was lost meanwhile
        try:
            return await self._parts.visiting.visit(entry, state)
        except (Unavailable, Damaged, Conflict) as error:  # disk or store: no page can be recorded
            self._committing.refuse(error)
            raise
        except Exception:
            log.exception("crawl_visit_failed", url=entry.url)
            if not self._hold.begin(entry):
                return True
            reason = "an error of Opilio itself; see the log"
            self._parts.desk.open.pages.append(PageResult(entry=entry, outcome=Outcome.PERMANENT_ERROR, reason=reason))
            return True

    async def _open(self, state: HostState) -> None:
        """Take up what the store keeps of a host."""
        number = state.host.id
        async with state.opening:
            if state.opened:
                return
            if state.host.robots_expires or state.host.next_due:
                kept = await self._door(lambda: self._store.robots(number))
                record = from_store(kept.evidence, kept.body, kept.expires) if kept else None
                if record is not None:
                    self._parts.robots.use(state, record)
                state.take_cookies(await self._door(lambda: self._store.cookies(number)), self._clock)
            if state.host.next_due or state.host.bytes:
                await EarlierLife(state, self._store, self._door).take_up()
            await recall(state.host, self._parts.desk.known, self._store, self._door)
            await self._note_address(state)
            fresh = not self._plan.manners.per_address  # an earlier life may have asked another host of its address
            certain = fresh and state.host.next_due == 0 and self._hold.leases.get(state.host.bucket) == 1
            self._parts.ledger.restore(state.key, state.manners(), certain=certain)
            state.opened = True

    async def _note_address(self, state: HostState) -> None:
        """Keep what a name was resolved to, where a name server answered."""
        if self._plan.fetch.proxies:
            return
        resolved = await self._parts.network.resolver.resolve(state.name)
        answer = dns_answer(resolved, self._clock.now())
        if answer is not None:
            self._sink.append_dns(answer)

    def _served(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._trouble = self._trouble or error
        self._wake.set()

    async def _commit_regularly(self) -> None:
        hurry = self._committing.hurry
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._settings.commit_every):  # `wait_for` may swallow a cancellation
                    await hurry.wait()
            hurry.clear()
            await self._commit()

    async def _commit(self) -> None:
        if await self._committing.commit():
            self._wake.set()

    async def _rest(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        except TimeoutError:
            return
        finally:
            self._wake.clear()

    def _committed_offsets(self) -> dict[str, int]:
        return {file.file: file.committed for file in self._store.warcs() if self._post.ours(file.file)}

    def _now(self) -> float:
        return self._clock.now().timestamp()
