"""The generation that a service has open: a new one is verified and opened aside, then takes over in one step.

Requests that began on the old one end on it. A new one that is damaged is refused, and the old one stays.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from opilio.kernel import logs
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import OpilioError
from opilio.search.generations.manifest import Manifest
from opilio.search.generations.pins import Pin
from opilio.search.generations.verify import require_answers, verify_files
from opilio.search.nodes.errors import NotReady
from opilio.search.nodes.searching import SearchContents, Searching

_AGAIN = 60.0  # seconds until a generation that was refused is looked at once more

log = logs.logger("node")


@dataclass(frozen=True, kw_only=True, slots=True)
class Refused:
    """A generation that was not opened."""

    generation: str
    reason: str
    at: datetime


class OpenGeneration:
    """An open generation that is closed when the last reader leaves. Guarded by the lock of `Serving`."""

    def __init__(self, opened: Searching, manifest: Manifest, pin: Pin, since: datetime) -> None:
        self.opened = opened
        self.manifest = manifest
        self.since = since  # when this process began to serve it
        self.readers = 0
        self.retired = False
        self._pin = pin

    def close(self) -> None:
        """Let go of everything."""
        try:
            self.opened.close()
        finally:
            self._pin.release()


class Serving:
    """What a service answers from. For several threads; only one of them opens."""

    def __init__(
        self, folder_now: Callable[[], Path | None], contents: SearchContents, *, clock: Clock = SYSTEM
    ) -> None:  # fmt: skip
        """`folder_now` gives the folder of the generation that should be served."""
        self._folder_now = folder_now
        self._contents = contents
        self._clock = clock
        self._lock = threading.Lock()
        self._opening = threading.Lock()
        self._current: OpenGeneration | None = None
        self._tried: tuple[int, float] | None = None  # folder that was refused, and when that may be tried again
        self.refused: Refused | None = None

    @contextlib.contextmanager
    def reading(self) -> Iterator[OpenGeneration]:
        """The open generation, which stays open for the block; `NotReady` when there is none."""
        with self._lock:
            found = self._current
            if found is None:
                remedy = "Publish a generation to this node, or wait until it is verified."
                raise NotReady("the node has no verified generation open", where=self._why(), remedy=remedy)
            found.readers += 1
        try:
            yield found
        finally:
            self._leave(found)

    def current(self) -> Manifest | None:
        """The manifest of the open generation."""
        found = self._current
        return found.manifest if found is not None else None

    def follow(self) -> bool:
        """Open what should be served, if that is another one than what is open; True when it took over."""
        with self._opening:
            folder = self._folder_now()
            if folder is None or not self._is_news(folder) or self._refused_lately(folder):
                return False
            try:
                fresh = self._opened(folder)
            except OpilioError as error:
                self._refuse(folder, error)
                return False
            self.refused = self._tried = None
            log.info("node_serves", generation=fresh.manifest.id, counts=dict(fresh.manifest.counts))
            self._replace(fresh)
            return True

    def close(self) -> None:
        """Answer no more; what is being read is closed when its readers leave."""
        self._replace(None)

    def _is_news(self, folder: Path) -> bool:
        return self._current is None or self._current.manifest.id != folder.name

    def _opened(self, folder: Path) -> OpenGeneration:
        pin = Pin(folder)
        try:
            manifest = verify_files(folder)
            opened = self._contents.open(folder, manifest)
            try:
                require_answers(opened, manifest, where=str(folder))
            except BaseException:
                opened.close()
                raise
        except BaseException:
            pin.release()
            raise
        return OpenGeneration(opened, manifest, pin, self._clock.now())

    def _replace(self, fresh: OpenGeneration | None) -> None:
        with self._lock:
            old, self._current = self._current, fresh
            if old is not None:
                old.retired = True
            idle = old is not None and old.readers == 0
        if old is not None and idle:
            old.close()

    def _leave(self, found: OpenGeneration) -> None:
        with self._lock:
            found.readers -= 1
            last = found.retired and found.readers == 0
        if last:
            found.close()

    def _refused_lately(self, folder: Path) -> bool:
        """Whether the very same folder was refused a short time ago; to read it all again costs much."""
        return self._tried is not None and self._tried[0] == _inode(folder) and self._clock.monotonic() < self._tried[1]

    def _refuse(self, folder: Path, error: OpilioError) -> None:
        known = self.refused
        self._tried = (_inode(folder), self._clock.monotonic() + _AGAIN)
        if known is None or (known.generation, known.reason) != (folder.name, str(error)):
            log.error("node_refused", generation=folder.name, error=str(error))
            self.refused = Refused(generation=folder.name, reason=str(error), at=self._clock.now())

    def _why(self) -> str:
        return self.refused.generation if self.refused is not None else ""


def _inode(folder: Path) -> int:
    try:
        return folder.stat().st_ino
    except OSError:
        return -1
