"""One commit: captures to the disk first, then everything learned in one transaction; undone as a whole if fenced.

After one that failed there is no further one: its captures are in the sink, and a later commit would count their bytes
as committed though no row tells of them. The next life of the worker cuts them off and asks for those pages again.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from opilio.crawl.engine.gathering import Gathering
from opilio.crawl.engine.holdings import Holdings
from opilio.crawl.engine.parts import Parts
from opilio.crawl.engine.progress import Progress, Watch
from opilio.crawl.engine.settings import EngineSettings
from opilio.crawl.engine.worker_store import StoreDoor, WorkerStore
from opilio.crawl.frontier.batch import Batch, Committed, HostUpdate
from opilio.crawl.frontier.values import Found
from opilio.kernel.capture import CaptureSink, Offsets
from opilio.kernel.files import mapped
from opilio.kernel.logs import logger

log = logger(__name__)


class _Post(Protocol):
    @property
    def owner(self) -> str: ...
    @property
    def worker(self) -> str: ...
    @property
    def log(self) -> Path | None: ...


class Committing:
    """Commits for one worker; one at a time."""

    def __init__(
        self, parts: Parts, hold: Holdings, *, store: WorkerStore, door: StoreDoor, sink: CaptureSink, post: _Post,
        settings: EngineSettings, watch: Watch, offsets: Callable[[], Offsets],
    ) -> None:  # fmt: skip
        self._parts = parts
        self._hold = hold
        self._store = store
        self._door = door
        self._sink = sink
        self._post = post
        self._settings = settings
        self._watch = watch
        self._offsets = offsets
        self._lock = asyncio.Lock()
        self.hurry = asyncio.Event()
        self._refused: BaseException | None = None  # why nothing more is committed
        self._under_way = 0  # results that are being committed
        self._room = asyncio.Event()
        self._sums = Progress(worker=post.worker)

    async def commit(self) -> bool:
        """Commit what was gathered; whether there was anything, or the batch had to be undone."""
        async with self._lock:
            if self._refused is not None:
                raise self._refused
            try:
                return await self._commit()
            except BaseException as error:
                self.refuse(error)
                raise
            finally:
                self._under_way = 0
                self._room.set()

    def refuse(self, error: BaseException) -> None:
        """Commit nothing more: the sink may hold what no batch tells of. The first error is the one to tell."""
        self._refused = self._refused or error

    async def _commit(self) -> bool:
        desk = self._parts.desk
        gathering = desk.open
        hosts = self._updates()
        if not len(gathering) and not hosts:
            return False
        desk.open, desk.committing = self._parts.fresh(), gathering.seen
        self._under_way = len(gathering)
        offsets = self._sink.sync()
        batch = gathering.batch(
            owner=self._post.owner,
            leases=self._hold.leases,
            now=self._parts.clock.now().timestamp(),
            ttl=self._settings.ttl,
            hosts=hosts,
            warcs=offsets,
        )
        further = list(gathering.further)
        committed = await self._door(lambda: self._recorded(further, batch))
        desk.committing = None
        if committed.fenced:
            await self._undo(committed, gathering)
            return True
        self._learn(gathering, committed)
        return bool(len(gathering))

    async def room(self) -> None:
        """Wait while there is a whole batch that is not committed: a slow store slows the fetching down."""
        while len(self._parts.desk.open) + self._under_way >= self._settings.batch:
            self.hurry.set()
            self._room.clear()
            await self._room.wait()

    def _recorded(self, further: list[Found], batch: Batch) -> Committed:
        if further:
            self._store.insert(further)
        return self._store.commit(batch)

    def _learn(self, gathering: Gathering, committed: Committed) -> None:
        known = self._parts.desk.known
        for found in gathering.found():
            known.learn(found)
        self._hold.leave(gathering.entries())
        self._hold.lose(committed.lost, self._parts.ledger)
        if self._post.log is not None and gathering.lines:
            with mapped(self._post.log), self._post.log.open("ab") as file:
                file.write("".join(gathering.lines).encode("utf-8", "replace"))
        self._tell(gathering, committed)

    def _tell(self, gathering: Gathering, committed: Committed) -> None:
        before = self._sums
        self._sums = Progress(
            worker=before.worker,
            pages=before.pages + len(gathering.pages),
            bytes=before.bytes + sum(page.size for page in gathering.pages),
            errors=before.errors + sum(1 for page in gathering.pages if page.outcome.broken),
            hosts=sum(1 for state in self._hold.hosts.values() if state.running),
            found=before.found + committed.new,
        )
        self._watch(self._sums)

    async def _undo(self, committed: Committed, gathering: Gathering) -> None:
        """Another worker has some of our buckets: nothing was recorded, and what was written since is cut off."""
        log.warning("crawl_fenced", worker=self._post.worker, buckets=len(committed.fenced))
        offsets = await self._door(self._offsets)
        later, self._parts.desk.open = self._parts.desk.open, self._parts.fresh()
        self._sink.cut_back(offsets)
        self._parts.revisits.forget()
        self._hold.leave([*gathering.entries(), *later.entries()])
        self._hold.lose(committed.fenced, self._parts.ledger)

    def _updates(self) -> list[HostUpdate]:
        """What changed about hosts since the last commit."""
        changed = self._parts.ledger.changed()
        if not changed:
            return []
        found = []
        for number, state in self._hold.hosts.items():
            manners = changed.get(state.key)
            if manners is None:
                continue
            given_up = state.verdict is not None
            found.append(
                HostUpdate(
                    id=number,
                    next_due=0.0 if given_up else manners.next_due,
                    delay=manners.delay,
                    block_until=0.0 if given_up else manners.block_until,
                    failures=manners.failures,
                    broken_until=0.0 if given_up else manners.broken_until,
                    robots=state.robots(),
                    cookies=state.cookies(),
                )
            )
            state.robots_changed = False
        return found
