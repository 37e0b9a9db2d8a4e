"""Questions that every index answers, once it can give the lines of a span in their order, forwards or backwards."""

import heapq
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from opilio.archive.cdx.keys import Match, Span, beginning, key_of, lines_of, spans
from opilio.archive.cdx.rows import CdxRow, no_line, parse_line, stamp, unstamp
from opilio.archive.cdx.seeking import Line
from opilio.kernel.errors import InvalidInput


class Searchable(ABC):
    """Captures in the order of their keys, then of their times; the lines are CDXJ, whatever the files hold."""

    @abstractmethod
    def lines(self, span: Span, *, backward: bool = False) -> Iterator[Line]:
        """The lines of a span, the last one first if asked; nothing else is read."""

    @abstractmethod
    def blocks(self, span: Span) -> int:
        """How many pieces of about equal size the lines of a span are in; a rough measure that costs little."""

    @abstractmethod
    def cut(self, span: Span, number: int) -> bytes:
        """Key and time with which that piece begins; `span.start` for the first, `span.end` behind the last."""

    def exact(self, url: str) -> Iterator[CdxRow]:
        """All captures of a URL, oldest first; URLs with the same SURT key are one here."""
        return rows(self.lines(lines_of(key_of(url))))

    def prefix(self, key: str) -> Iterator[CdxRow]:
        """All captures whose line begins with `key`, such as `org,example)/news/`."""
        return rows(self.lines(beginning(key)))

    def find(self, url: str, match: Match = Match.EXACT, *, until: str = "") -> Iterator[CdxRow]:
        """All captures that match a URL; `until` ends a range."""
        for span in spans(url, match, until=until):
            yield from rows(self.lines(span))

    def nearest(self, url: str, at: datetime) -> CdxRow | None:
        """The capture of a URL nearest to a time; of two equally near, the later. Two lines are read, not all."""
        line = next(closest(self, key_of(url), at), None)
        return parse_line(line.text, where=line.where) if line else None


def whole() -> Span:
    """Every line."""
    return beginning("")


def rows(lines: Iterable[Line]) -> Iterator[CdxRow]:
    """The captures that lines tell."""
    for line in lines:
        yield parse_line(line.text, where=line.where)


def closest(index: Searchable, key: str, at: datetime) -> Iterator[Line]:
    """The lines of a key by their distance from a time, without sorting: two walks from there meet in turn."""
    whole = lines_of(key)
    middle = f"{key} {stamp(at, 17)}".encode()
    later = index.lines(Span(middle, whole.end))
    earlier = index.lines(Span(whole.start, middle), backward=True)
    yield from heapq.merge(later, earlier, key=lambda line: _distance(line, at))


def _distance(line: Line, at: datetime) -> tuple[timedelta, bool]:
    time = time_of(line)
    return abs(time - at), time < at


def time_of(line: Line) -> datetime:
    """The time of a line."""
    try:
        return unstamp(line.text.split(b" ", 2)[1].decode("ascii"))
    except (IndexError, ValueError, InvalidInput):
        raise no_line(line.text, line.where) from None


def begin_of(line: Line) -> bytes:
    """Key and time of a line, where a walk can begin again; lines that share them stay together."""
    return b" ".join(line.text.split(b" ", 2)[:2])
