"""The live view of a crawl on a terminal: pace, queue, limits ahead, outcomes, statuses, types, and the hosts."""

import contextlib
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.table import Table

from opilio.cli import output
from opilio.crawl.report.limits import etas
from opilio.crawl.report.live import HostLook, Look

_SPAN = 10.0  # seconds over which the pace is measured
_MOST = 6  # rows of a small table
_HOSTS = 8


class CrawlView:
    """Gathers looks at a crawl, and draws the last one."""

    def __init__(self, live: Live | None = None) -> None:
        self._live = live
        self._looks: deque[Look] = deque()
        self._lock = threading.Lock()

    def look(self, look: Look) -> None:
        """The store was asked."""
        with self._lock:
            self._looks.append(look)
            while len(self._looks) > 2 and look.at - self._looks[0].at > _SPAN:
                self._looks.popleft()
            if self._live is not None:
                self._live.update(self.drawn())

    def drawn(self) -> RenderableType:
        """The view."""
        if not self._looks:
            return "starting"
        look = self._looks[-1]
        counts = look.counts
        statuses = {str(status): number for status, number in counts.statuses.items()}
        small = [
            _counted("outcome", counts.outcomes),
            _counted("status", statuses),
            _counted("type", counts.types),
        ]
        return Group(
            self.line(), Columns([table for table in small if table], padding=(0, 4)), _hosts(look.hosts[:_HOSTS])
        )

    def line(self) -> str:
        """Totals and pace, with the nearest limit."""
        look = self._looks[-1]
        counts, pace = look.counts, self.pace()
        ahead = [f"limit of {eta.limit} in {_time(eta.seconds)}" for eta in etas(look.limits, counts, pace)[:1]]
        queue = f" ({_time(counts.waiting / pace['urls'])} at this pace)" if counts.waiting and pace["urls"] else ""
        told = [
            f"[bold]{counts.pages:,} URLs[/bold] {pace['urls']:,.1f}/s",
            f"{_size(counts.bytes)} {_size(pace['bytes'])}/s",
            f"{counts.waiting:,} waiting{queue}",
            f"{counts.hosts:,} hosts",
            *ahead,
        ]
        return " · ".join(told)

    def pace(self) -> dict[str, float]:
        """What the last seconds added per second: URLs, pages (as limits count them), bytes and seconds at work."""
        first, last = self._looks[0], self._looks[-1]
        span = last.at - first.at
        then, now = (first.counts, last.counts)
        if span <= 0:  # the first look: all of the crawl so far
            return {
                "urls": _per(now.pages, now.seconds), "pages": _per(now.counted, now.seconds),
                "bytes": _per(now.bytes, now.seconds), "seconds": 1.0,
            }  # fmt: skip
        return {
            "urls": _per(now.pages - then.pages, span), "pages": _per(now.counted - then.counted, span),
            "bytes": _per(now.bytes - then.bytes, span), "seconds": _per(now.seconds - then.seconds, span),
        }  # fmt: skip


@contextlib.contextmanager
def crawl_view() -> Iterator[Callable[[Look], None] | None]:
    """Takes looks and shows them while the block runs; None where nobody watches, so that nothing is asked for it."""
    if output.as_json() or not sys.stderr.isatty():
        yield None
        return
    console = Console(stderr=True, highlight=False)
    with Live("starting", console=console, transient=True, refresh_per_second=4) as live:
        yield CrawlView(live).look


def _counted(name: str, counts: Mapping[str, int]) -> Table | None:
    """The largest counts of one kind."""
    rows = sorted(((key, number) for key, number in counts.items() if number), key=lambda each: -each[1])
    if not rows:
        return None
    table = Table(name, "", box=None, pad_edge=False, header_style="bold")
    table.columns[1].justify = "right"
    for key, number in rows[:_MOST]:
        table.add_row(escape(key), f"{number:,}")
    if len(rows) > _MOST:
        table.add_row("others", f"{sum(number for _, number in rows[_MOST:]):,}")
    return table


def _hosts(hosts: Sequence[HostLook]) -> Table:
    table = Table("host", "pages", "errors", "delay", "next", "back-off", box=None, pad_edge=False, header_style="bold")
    for column in table.columns[1:]:
        column.justify = "right"
    for host in hosts:
        table.add_row(
            escape("".join(char if char.isprintable() else "?" for char in host.name)),
            f"{host.pages:,}",
            f"[red]{host.errors:,}[/red]" if host.errors else "0",
            _time(host.delay),
            _time(host.due) if host.due > 0 else "now",
            f"[yellow]{_time(host.resting)}[/yellow]" if host.resting > 0 else "–",
        )
    return table


def _per(amount: float, seconds: float) -> float:
    return max(amount, 0) / seconds if seconds > 0 else 0.0


def _time(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.1f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h" if seconds < 360_000 else "days"


def _size(number: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if number < 1000:
            return f"{number:.1f} {unit}" if unit != "B" else f"{number:.0f} B"
        number /= 1000
    return f"{number:.1f} TB"
