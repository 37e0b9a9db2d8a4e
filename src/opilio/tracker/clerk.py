"""The one thread of a session that writes: others hand it what is to be written, and wait for it.

Each piece is a transaction that counts only while the session holds its lease, which is renewed beside.
"""

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from datetime import timedelta
from typing import Any, TypeVar

from django.db import DatabaseError, connections

from opilio.jobs import leases
from opilio.jobs.errors import Fenced
from opilio.jobs.leases import Held
from opilio.kernel.clock import Clock
from opilio.kernel.errors import Conflict
from opilio.kernel.logs import logger

T = TypeVar("T")
LEASE = "deliveries"

_log = logger(__name__)


class SessionRuns(Conflict):
    """Another delivery session is under way."""

    exit_code = 3


class Clerk:
    """Holds the lease of delivery sessions, renews it, and writes; made and closed by one thread."""

    def __init__(self, *, owner: str, clock: Clock, lease: timedelta) -> None:
        self._clock, self._lease = clock, lease
        self._thread = threading.get_ident()
        self._handed: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = queue.SimpleQueue()
        self._ended = threading.Event()
        self.lost = threading.Event()  # somebody else has the lease: nothing more may be done
        taken = leases.acquire(LEASE, owner=owner, now=clock.now(), lease=lease)
        if taken is None:
            raise SessionRuns(
                "A delivery session is under way", where="deliveries",
                remedy="Wait until it has ended; one whose process died is taken over when its lease runs out.",
            )  # fmt: skip
        self._held: Held = taken
        self._heart = threading.Thread(target=self._beat, name="heart of the session", daemon=True)
        self._heart.start()

    def write(self, work: Callable[[], T]) -> T:
        """Do something in one transaction, in the thread of the clerk; `Fenced` when the lease is lost."""
        return self._done(lambda: self._fenced(work))

    def read(self, work: Callable[[], T]) -> T:
        """Ask something, in the thread of the clerk."""
        return self._done(work)

    def serve(self, work: Callable[[], T]) -> T:
        """Let something be done beside that writes through the clerk; what it gives, or raises."""
        result: Future[T] = Future()

        def beside() -> None:
            try:
                result.set_result(work())
            except BaseException as error:  # noqa: BLE001 - it is raised again by the one who waits
                result.set_exception(error)
            finally:
                self._handed.put(None)

        threading.Thread(target=beside, name="work of the session", daemon=True).start()
        while (handed := self._handed.get()) is not None:
            _settle(*handed)
        return result.result()

    def close(self) -> None:
        """Give the lease back."""
        self._ended.set()
        self._heart.join()
        leases.release(self._held, now=self._clock.now())

    def _done(self, work: Callable[[], T]) -> T:
        if threading.get_ident() == self._thread:
            return work()
        future: Future[T] = Future()
        self._handed.put((future, work))
        return future.result()

    def _fenced(self, work: Callable[[], T]) -> T:
        try:
            with leases.writing(self._held):
                return work()
        except Fenced:
            self.lost.set()
            raise

    def _beat(self) -> None:
        try:
            while not self._ended.wait(self._lease.total_seconds() / 3):
                self._renew()
        except Fenced:
            self.lost.set()
        finally:
            connections.close_all()

    def _renew(self) -> None:
        """A database that does not answer now is asked again at the next beat; until then the lease stands."""
        try:
            self._held = leases.renew(self._held, now=self._clock.now(), lease=self._lease)
        except DatabaseError as error:
            _log.warning("delivery_lease_not_renewed", error=str(error))
            connections.close_all()


def _settle(future: "Future[Any]", work: Callable[[], Any]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:  # noqa: BLE001 - it is raised again in the thread that waits for it
        future.set_exception(error)
