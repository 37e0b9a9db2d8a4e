"""What a worker needs of the crawl store, and the door through which it reaches it without blocking the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from opilio.crawl.frontier.control import Control
from opilio.crawl.frontier.rows import Counts, Page, WarcFile
from opilio.crawl.frontier.store import Frontier

T = TypeVar("T")


class WorkerStore(Frontier, Protocol):
    """The part of a crawl store that workers use; also over the pipe to the process that owns it."""

    def evict(self, owner: str | None) -> None:
        """End the leases of a worker."""
        ...

    def control(self) -> Control:
        """What all orders add up to."""
        ...

    def counts(self, now: float) -> Counts:
        """The state of the crawl in numbers."""
        ...

    def warcs(self) -> list[WarcFile]:
        """WARC files with their committed lengths."""
        ...

    def page(self, url: str) -> Page | None:
        """The page of one URL."""
        ...


class StoreDoor:
    """Runs the calls of a store one after the other in a thread of its own."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="crawl-store")

    async def __call__(self, work: Callable[[], T]) -> T:
        """What `work` gives; a cancelled caller does not interrupt it."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def close(self) -> None:
        """Wait for the call under way."""
        self._thread.shutdown(wait=True)
