"""Crawls into a folder: the crawl engine with a crawl store and WARC files. Knows no Django; for cli, agents, library.

from opilio.works.crawl_to_archive import crawl
summary = crawl(plan, Path("out"))
"""

import contextlib
import secrets
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from opilio.crawl.earlier import EarlierPages
from opilio.crawl.engine.brake import Brake
from opilio.crawl.engine.ending import Ended, Ending
from opilio.crawl.engine.fleet import Fleet, Start
from opilio.crawl.engine.orders import carry_out
from opilio.crawl.engine.progress import Watch, nobody
from opilio.crawl.engine.settings import DEFAULTS, EngineSettings
from opilio.crawl.engine.worker import Post, Worker
from opilio.crawl.frontier.control import CrawlState
from opilio.crawl.frontier.sql_store import SqlStore
from opilio.crawl.logins.book import EMPTY, CredentialBook
from opilio.crawl.logins.ways import require
from opilio.crawl.one_worker import require_one_worker
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.plan_json import to_json
from opilio.crawl.proxies import Proxies
from opilio.crawl.report import report_of
from opilio.crawl.report.live import Look, look_at
from opilio.crawl.user_agent import check_introduction
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.config import environment
from opilio.kernel.errors import OpilioError
from opilio.kernel.locks import locked
from opilio.works.crawl_checks import check_authorities, check_store
from opilio.works.crawl_folder import CrawlFolder, StoreAddress
from opilio.works.crawl_index import write_index
from opilio.works.crawl_loop import run_loop
from opilio.works.crawl_owners import owners_of_folder
from opilio.works.crawl_process import Job
from opilio.works.crawl_report_files import write_report
from opilio.works.crawl_sink import is_of, sink_of
from opilio.works.earlier_crawl import opened_earlier
from opilio.works.seal_at_end import Sealing, begin_again, seal_at_end
from opilio.works.seldom_collected import seldom_collected
from opilio.works.worker_processes import starting

_LOOK = 1.0  # seconds between two looks at orders and counts
MOST_WORKERS = 64


@dataclass(frozen=True, kw_only=True)
class Crew:
    """How a crawl is carried out; none of it changes what is found."""

    workers: int = 1
    address: StoreAddress = field(default_factory=StoreAddress)
    settings: EngineSettings = DEFAULTS
    watch: Watch = nobody
    look: Callable[[Look], None] | None = None  # told about every second
    brake: Brake = field(default_factory=Brake)
    signals: bool = False  # whether SIGINT and SIGTERM pull the brake; in the main thread only
    ca_file: str = ""
    book: CredentialBook = EMPTY  # the credentials that seeds name
    clock: Clock = SYSTEM
    sealing: Sealing = field(default_factory=Sealing)  # what happens at the end
    since: str | None = None  # where the earlier crawl of the plan lies now; empty: nowhere; None: as the plan says
    paused: bool = False  # whether it begins, or goes on, with a pause
    steer: bool = True  # whether it decides about pauses; not where it joins a crawl that others lead


@dataclass(frozen=True, kw_only=True, slots=True)
class CrawlSummary:
    """How a crawl ended, and its report."""

    folder: Path
    ended: Ended
    report: dict[str, Any]
    result: Path | None = None  # of a crawl that was sealed

    @property
    def whole(self) -> bool:
        """Whether nothing was left undone by a stop."""
        return self.ended.ending in (Ending.FINISHED, Ending.LIMIT)


def crawl(plan: CrawlPlan, folder: Path, crew: Crew | None = None) -> CrawlSummary:
    """Crawl into a new folder. Errors of disk and store are raised; the crawl can be resumed after them."""
    check_introduction(plan.manners, [seed.url for seed in plan.seeds])
    Proxies(plan.fetch.proxies, environment())  # refuses variables that are not set
    crew = crew or Crew()
    require(plan, crew.book)
    require_one_worker(plan, crew.workers)
    check_authorities(crew.ca_file)
    place = CrawlFolder(folder)
    with starting(crew.workers) as start, opened_earlier(plan, crew.address, into=folder) as earlier:
        place.refuse_contents(plan)
        check_store(place, crew.address)
        with contextlib.closing(place.begin(plan, crew.address)) as store, _held(place, crew.clock):
            _steer(store, crew)
            return _run(place, store, crew, earlier, start)


def resume(folder: Path, crew: Crew | None = None) -> CrawlSummary:
    """Go on with a crawl that was stopped or fell."""
    crew = crew or Crew()
    check_authorities(crew.ca_file)
    place = CrawlFolder(folder)
    with (
        starting(crew.workers) as start,
        contextlib.closing(place.open(crew.address)) as store,
        _held(place, crew.clock),
    ):
        require(store.plan, crew.book)
        require_one_worker(store.plan, crew.workers)
        begin_again(place, store)
        _steer(store, crew)
        for owner in owners_of_folder(place, store, shared=bool(crew.address.url)):
            store.evict(owner)
        with opened_earlier(_told_where(store.plan, crew), crew.address, into=folder) as earlier:
            return _run(place, store, crew, earlier, start)


def _steer(store: SqlStore, crew: Crew) -> None:
    """Whatever an earlier life was told: go on, or stay paused."""
    if not crew.steer:
        return
    wanted = CrawlState.PAUSED if crew.paused else CrawlState.RUNNING
    if store.control().state is not wanted:
        what = "pause" if crew.paused else "resume"
        store.order(what, "crawl resume", crew.clock.now().timestamp())


def _told_where(plan: CrawlPlan, crew: Crew) -> CrawlPlan:
    """The plan with the place at which its earlier crawl lies now."""
    return plan if crew.since is None else replace(plan, fetch=replace(plan.fetch, since=crew.since))


def _held(place: CrawlFolder, clock: Clock) -> contextlib.AbstractContextManager[object]:
    return locked(place.lock, purpose="crawl", clock=clock)


def _run(place: CrawlFolder, store: SqlStore, crew: Crew, earlier: EarlierPages | None, start: Start) -> CrawlSummary:
    with _overseen(store, crew), _signals(crew):
        ended = _alone(place, store, crew, earlier) if crew.workers == 1 else _together(place, store, crew, start)
    with seldom_collected():
        report = report_of(store, now=crew.clock.now().timestamp(), ended=ended, limits=store.control().limits)
        write_report(place, report)
        result = seal_at_end(place, store, crew.sealing, ended, report, crew.clock)
        if result is None:
            write_index(place.index, store)
    return CrawlSummary(folder=place.path, ended=ended, report=report, result=result)


def _alone(place: CrawlFolder, store: SqlStore, crew: Crew, earlier: EarlierPages | None) -> Ended:
    """One worker, in this process."""
    name = _worker(place, crew, 0)
    sink = sink_of(store.plan, place.warcs, name)
    post = Post(
        owner=f"{place.mark()}-{name}-{secrets.token_hex(6)}",
        worker=name,
        log=place.log,
        ours=partial(is_of, name),
        ca_file=crew.ca_file,
        book=crew.book,
        spool=place.warcs,
    )

    async def work() -> Ended:
        worker = Worker(
            store.plan, store=store, sink=sink, post=post, settings=crew.settings, clock=crew.clock, watch=crew.watch,
            brake=crew.brake, earlier=earlier,
        )  # fmt: skip
        return await worker.run()

    try:
        ended = run_loop(work)
        if ended.ending is not Ending.ABORTED:
            sink.close()
    finally:
        sink.leave()  # this process may live on, and another attempt take the file up
    return ended


def _together(place: CrawlFolder, store: SqlStore, crew: Crew, start: Start) -> Ended:
    """Several worker processes; with SQLite this process is the only one that has the store."""
    plan = to_json(_told_where(store.plan, crew))
    shared = bool(crew.address.url)

    def job(number: int, owner: str) -> Job:
        return Job(
            plan=plan, warcs=str(place.warcs), log=str(place.log), owner=owner, worker=_worker(place, crew, number),
            workers=crew.workers, settings=crew.settings, ca_file=crew.ca_file, book=crew.book,
            store_url=crew.address.url, store_name=place.store_name() if shared else "",
        )  # fmt: skip

    fleet = Fleet(
        store=store, size=crew.workers, start=start, brake=crew.brake, watch=crew.watch, job=job, mark=place.mark()
    )
    return fleet.run()


def _worker(place: CrawlFolder, crew: Crew, number: int) -> str:
    """The name of a worker's series of WARC files; the mark tells machines apart that share a store."""
    return f"w{number}_{place.mark()}" if crew.address.url else f"w{number}"


@contextlib.contextmanager
def _overseen(store: SqlStore, crew: Crew) -> Iterator[None]:
    """Carry out orders and tell counts, beside the workers."""
    over = threading.Event()

    def oversee() -> None:
        last, pause = 0, 0.0
        while not over.wait(pause):
            pause = _LOOK
            try:
                last = carry_out(store, crew.clock, last)
                if crew.look is not None:
                    crew.look(look_at(store, store.control().limits, crew.clock.now().timestamp()))
            except OpilioError:
                return  # the workers meet the same trouble, and tell it

    thread = threading.Thread(target=oversee, name="crawl-overseer", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextlib.contextmanager
def _signals(crew: Crew) -> Iterator[None]:
    """SIGINT and SIGTERM pull the brake."""
    if not crew.signals:
        yield
        return
    wanted = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: crew.brake.pull()) for number in wanted]
    try:
        yield
    finally:
        for number, handler in zip(wanted, before, strict=True):
            signal.signal(number, handler)
