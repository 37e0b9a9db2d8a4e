"""Several indexes asked as one: their lines merged as they are read, each line once."""

import heapq
from collections.abc import Iterator, Sequence
from operator import attrgetter

from opilio.archive.cdx.keys import Span
from opilio.archive.cdx.searching import Searchable
from opilio.archive.cdx.seeking import Line


class Many(Searchable):
    """An index of indexes. Lines that are the same in all their letters are one capture, told twice."""

    def __init__(self, indexes: Sequence[Searchable]) -> None:
        self.indexes = tuple(indexes)

    def lines(self, span: Span, *, backward: bool = False) -> Iterator[Line]:
        return together([each.lines(span, backward=backward) for each in self.indexes], backward=backward)

    def blocks(self, span: Span) -> int:
        return max((each.blocks(span) for each in self.indexes), default=0)

    def cut(self, span: Span, number: int) -> bytes:
        """Where the largest of them is cut: keys cut them all."""
        if not self.indexes:
            return span.start if number <= 0 else span.end
        return max(self.indexes, key=lambda each: each.blocks(span)).cut(span, number)


def together(walks: Sequence[Iterator[Line]], *, backward: bool = False) -> Iterator[Line]:
    """Sorted walks as one, each line once."""
    last = None
    for line in heapq.merge(*walks, key=attrgetter("text"), reverse=backward):
        if line.text != last:
            yield line
        last = line.text
