"""Looks for orders beside a worker's work, and has them obeyed in the step in which they are heard.

Entries that were taken in advance are given back where an order may stand against them; only requests under way end.
"""

import asyncio

from opilio.crawl.engine.brake import Brake
from opilio.crawl.engine.holdings import Holdings
from opilio.crawl.engine.parts import Parts
from opilio.crawl.engine.settings import EngineSettings
from opilio.crawl.engine.worker_store import StoreDoor, WorkerStore
from opilio.crawl.frontier.control import Control, CrawlState

_ENDING = (CrawlState.STOPPING, CrawlState.ABORTING)


class Helm:
    """Steers one worker."""

    def __init__(
        self, parts: Parts, hold: Holdings, *, store: WorkerStore, door: StoreDoor, brake: Brake,
        settings: EngineSettings, wake: asyncio.Event,
    ) -> None:  # fmt: skip
        self._parts = parts
        self._hold = hold
        self._store = store
        self._door = door
        self._brake = brake
        self._settings = settings
        self._wake = wake
        self._control: Control | None = None

    @property
    def state(self) -> CrawlState:
        """What the crawl is told to do."""
        return self._control.state if self._control is not None else CrawlState.RUNNING

    async def watch(self) -> None:
        """Look for orders until cancelled."""
        while True:
            await asyncio.sleep(self._settings.steer_every)
            await self.look()

    async def look(self) -> None:
        """Obey what was ordered since the last look."""
        control = self._brake.held(await self._door(self._store.control))
        before, self._control = self._control, control
        if before == control:
            return
        self._parts.steer(control)
        asking = self._parts.asking
        if control.state in _ENDING:
            asking.halt()
        if before is not None and _recalls(before, control):
            self._hold.recall()
        asking.pause(control.state is CrawlState.PAUSED)
        self._wake.set()


def _recalls(before: Control, control: Control) -> bool:
    """Whether something that was taken may not be asked for any more, or not yet."""
    return (
        (control.state is CrawlState.PAUSED and before.state is not CrawlState.PAUSED)
        or control.limits != before.limits
        or control.exclude != before.exclude
        or control.excluded_urls != before.excluded_urls
        or control.precedence != before.precedence
        or (before.sorting and not control.sorting)
    )
