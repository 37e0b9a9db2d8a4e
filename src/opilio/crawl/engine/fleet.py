"""Several workers, each a process: the parent starts them, answers their calls to the store, replaces the fallen."""

import contextlib
import secrets
import socket
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from opilio.crawl.engine.brake import Brake
from opilio.crawl.engine.channel import CALLS, serve
from opilio.crawl.engine.ending import Ended, Ending
from opilio.crawl.engine.progress import Progress, Watch
from opilio.crawl.engine.worker_store import WorkerStore
from opilio.kernel.errors import OpilioError, Unavailable
from opilio.kernel.logs import logger

_PATIENCE = 30.0  # seconds that a process may take to end after it hung up
log = logger(__name__)


class WorkerProcess(Protocol):
    """A process as far as the fleet asks; `Popen` is one."""

    @property
    def pid(self) -> int: ...
    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def kill(self) -> None: ...


#: Starts a worker process with its end of the pipe.
Start = Callable[[socket.socket], WorkerProcess]
#: What a worker process is told first: by number of the worker and name of this life.
Tell = Callable[[int, str], object]


class WorkersFell(Unavailable):
    """A worker's process died again and again."""


@dataclass(eq=False, slots=True)
class _Seat:
    """One worker's place, whatever process has it."""

    number: int
    owner: str = ""
    process: WorkerProcess | None = None
    ended: Ended | None = None
    failure: OpilioError | None = None
    falls: int = 0  # deaths in a row without a commit in between


@dataclass(eq=False, kw_only=True)
class Fleet:
    """Runs workers until all have ended."""

    store: WorkerStore
    size: int
    start: Start
    job: Tell
    brake: Brake
    watch: Watch
    mark: str = "worker"  # what the names of its workers begin with
    most_falls: int = 5
    _seats: list[_Seat] = field(default_factory=list)

    def run(self) -> Ended:
        """How it ended; the first failure is raised once all workers have gone."""
        self._seats = [_Seat(number) for number in range(self.size)]
        threads = [
            threading.Thread(target=self._hold, args=(seat,), name=f"worker-{seat.number}") for seat in self._seats
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                thread.join(0.5)
                if self.brake.pulls > 1:
                    self.kill()
        failures = [seat.failure for seat in self._seats if seat.failure is not None]
        if failures:
            raise failures[0]
        if any(seat.ended is None for seat in self._seats):
            raise WorkersFell("a worker could not be looked after", remedy="Look into the log, then resume the crawl.")
        return _sum([seat.ended for seat in self._seats if seat.ended is not None])

    def kill(self) -> None:
        """End all processes at once."""
        for seat in self._seats:
            if seat.process is not None:
                seat.process.kill()

    @property
    def processes(self) -> list[int]:
        """The process ids of the workers that run."""
        return [seat.process.pid for seat in self._seats if seat.process is not None and seat.process.poll() is None]

    def _hold(self, seat: _Seat) -> None:
        """Keep a place filled until its worker ends by itself."""
        while seat.ended is None and seat.failure is None and self.brake.pulls < 2:
            self._one_life(seat)
            if seat.ended is None and seat.failure is None:
                self._fallen(seat)
        if seat.failure is not None and self.brake.pulls == 0:
            self.brake.pull()
        if seat.ended is None and seat.failure is None:
            seat.ended = Ended(ending=Ending.ABORTED)

    def _one_life(self, seat: _Seat) -> None:
        ours, theirs = socket.socketpair()
        seat.owner = f"{self.mark}-{seat.number}-{secrets.token_hex(6)}"
        with contextlib.closing(ours):
            seat.process = self.start(theirs)
            theirs.close()
            try:
                serve(ours, lambda what, arguments, named: self._answer(seat, what, arguments, named))
            finally:
                _reap(seat.process)

    def _fallen(self, seat: _Seat) -> None:
        """A process died: its leases are free, and another takes its place."""
        self.store.evict(seat.owner)
        seat.falls += 1
        if self.brake.pulls > 1:
            return
        log.warning("crawl_worker_died", worker=seat.number, falls=seat.falls)
        if seat.falls > self.most_falls:
            remedy = "Look into the log of the crawl, then resume it."
            seat.failure = WorkersFell(f"worker {seat.number} died {seat.falls} times in a row", remedy=remedy)

    def _answer(self, seat: _Seat, what: str, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        if what == "job":
            return self.job(seat.number, seat.owner)
        if what == "ended":
            (seat.ended,) = arguments
            return None
        if what == "failed":
            (seat.failure,) = arguments
            return None
        if what == "progress":  # comes after each commit, also of workers that have a store of their own
            seat.falls = 0
            self.watch(_progress(arguments))
            return None
        if what not in CALLS:
            raise Unavailable(f"a worker asked for {what[:40]!r}", remedy="Report this.")
        found = getattr(self.store, what)(*arguments, **named)
        return self.brake.held(found) if what == "control" else found


def _progress(arguments: Sequence[Any]) -> Progress:
    (progress,) = arguments
    assert isinstance(progress, Progress)  # noqa: S101 - our own process sent it
    return progress


def _reap(process: WorkerProcess) -> None:
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _sum(endings: Sequence[Ended]) -> Ended:
    """The crawl's ending: the least whole one of its workers'."""
    rank = [Ending.FINISHED, Ending.LIMIT, Ending.STOPPED, Ending.ABORTED]
    return max(endings, key=lambda ended: rank.index(ended.ending))
