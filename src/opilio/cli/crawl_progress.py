"""The live line of a crawl on a terminal: pages and bytes per second, queue, hosts, errors."""

import contextlib
import sys
import threading
from collections.abc import Iterator

from rich.console import Console
from rich.status import Status

from opilio.cli import output
from opilio.crawl.engine.progress import Progress
from opilio.crawl.frontier.rows import Counts
from opilio.kernel.clock import SYSTEM


class CrawlLine:
    """Gathers what workers and the store tell, and shows it."""

    def __init__(self, status: Status | None) -> None:
        self._status = status
        self._workers: dict[str, Progress] = {}
        self._counts = Counts()
        self._lock = threading.Lock()
        self._began = SYSTEM.monotonic()

    def watch(self, progress: Progress) -> None:
        """A worker committed."""
        with self._lock:
            self._workers[progress.worker] = progress
            self._show()

    def counted(self, counts: Counts) -> None:
        """The store was asked."""
        with self._lock:
            self._counts = counts
            self._show()

    def _show(self) -> None:
        if self._status is not None:
            self._status.update(self.text())

    def text(self) -> str:
        """The line."""
        workers = self._workers.values()
        seconds = max(SYSTEM.monotonic() - self._began, 0.001)
        pages, size = sum(each.pages for each in workers), sum(each.bytes for each in workers)
        return (
            f"{pages} pages ({pages / seconds:.1f}/s) · {size / 1e6:.1f} MB ({size / seconds / 1e6:.2f}/s) · "
            f"{self._counts.waiting} waiting · {sum(each.hosts for each in workers)} hosts · "
            f"{sum(each.errors for each in workers)} errors"
        )


@contextlib.contextmanager
def crawl_line() -> Iterator[CrawlLine]:
    """The line while the block runs; silent where nobody looks."""
    if output.as_json() or not sys.stderr.isatty():
        yield CrawlLine(None)
        return
    with Console(stderr=True).status("starting") as status:
        yield CrawlLine(status)
