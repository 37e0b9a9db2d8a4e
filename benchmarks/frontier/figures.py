"""What a crawl on top of a full store came to, against what is promised."""

from dataclasses import dataclass

from benchmarks.usage import Usage
from benchmarks.visits import Visits

MOST_RSS = 300  # MB
MOST_STORE = 250  # MB for each million of URLs
MOST_START = 3.0  # seconds until a resumed crawl asks for its first page
LEAST_RATE = 0.8  # of the rate with few known URLs


@dataclass(frozen=True, kw_only=True, slots=True)
class Size:
    """One run with so many URLs known and waiting."""

    known: int
    store: int  # bytes, after filling
    after: int  # bytes, after the crawl
    filled: float  # seconds that filling took
    usage: Usage
    visits: Visits
    sealing: float  # CPU seconds, after the crawl

    @property
    def pages(self) -> int:
        """Pages fetched."""
        return len(self.visits.pages)

    @property
    def per_cpu(self) -> float:
        """Pages per CPU second."""
        return self.pages / self.usage.cpu

    @property
    def per_second(self) -> float:
        """Pages per second, from the first to the last."""
        return self.pages / max(0.001, self.visits.last - self.visits.first)

    @property
    def start(self) -> float:
        """Seconds from the start of the process to its first page."""
        return self.visits.first - self.usage.started

    @property
    def store_per_million(self) -> float:
        """MB of the filled store for each million of URLs."""
        return self.store / self.known


def table(sizes: list[Size]) -> list[str]:
    """The figures as a table."""
    lines = [
        "| known URLs | filled in s | store MB | after the crawl MB | first page after s | pages "
        "| pages/CPU s | pages/s | max RSS MB | sealing CPU s |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {each.known:,} | {each.filled:.1f} | {each.store / 1e6:.0f} | {each.after / 1e6:.0f} | {each.start:.2f} "
        f"| {each.pages:,} | {each.per_cpu:.0f} | {each.per_second:.0f} | {each.usage.rss / 1e6:.0f} "
        f"| {each.sealing:.1f} |"
        for each in sizes
    ]
    return lines


def promises(sizes: list[Size]) -> list[str]:
    """What was promised of the last size against the first, and what came of it."""
    few, many = sizes[0], sizes[-1]
    rate = many.per_cpu / few.per_cpu
    return [
        f"- pages per CPU second at {many.known:,} known URLs: {rate:.0%} of those at {few.known:,} "
        f"(at least {LEAST_RATE:.0%}){_mark(rate >= LEAST_RATE)}; "
        f"pages per second: {many.per_second / few.per_second:.0%}",
        f"- memory: {many.usage.rss / 1e6:.0f} MB (at most {MOST_RSS}){_mark(many.usage.rss / 1e6 <= MOST_RSS)}",
        f"- store: {many.store_per_million:.0f} MB for each million of URLs (at most {MOST_STORE})"
        f"{_mark(many.store_per_million <= MOST_STORE)}",
        f"- first page of a resume: after {many.start:.2f} s (under {MOST_START:g}){_mark(many.start < MOST_START)}",
    ]


def _mark(kept: bool) -> str:
    return "" if kept else " **not reached**"
