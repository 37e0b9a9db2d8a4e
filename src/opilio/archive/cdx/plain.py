"""A sorted file of CDXJ, or of CDX with columns, searched in place."""

from collections.abc import Iterator
from pathlib import Path

from opilio.archive.cdx.columns import as_cdxj, legend_of
from opilio.archive.cdx.keys import Span
from opilio.archive.cdx.searching import Searchable, begin_of
from opilio.archive.cdx.seeking import Line, SortedLines, opened

_HEAD = 200  # bytes in which a legend ends
_BLOCK = 1 << 16  # bytes of a piece
_NOT_CAPTURES = (b" CDX ", b"!")  # legends and notes of programs, which sort first


class CdxFile(Searchable):
    """An index in one file. It is opened for each question."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def has_columns(self) -> bool:
        """Whether it is of the older kind."""
        with opened(self.path) as file:
            return bool(legend_of(file.head(_HEAD), str(self.path)))

    def lines(self, span: Span, *, backward: bool = False) -> Iterator[Line]:
        with opened(self.path) as file:
            legend = legend_of(file.head(_HEAD), str(self.path))
            for line in _walk(file, span, backward=backward):
                if not line.text.startswith(_NOT_CAPTURES):
                    yield as_cdxj(line, legend) if legend else line

    def blocks(self, span: Span) -> int:
        with opened(self.path) as file:
            length = file.seek(span.end) - file.seek(span.start)
        return -(-length // _BLOCK)

    def cut(self, span: Span, number: int) -> bytes:
        if number <= 0:
            return span.start
        with opened(self.path) as file:
            offset, end = file.seek(span.start) + number * _BLOCK, file.seek(span.end)
            line = file.first_after(offset) if offset < end else None
            return begin_of(line) if line and line.offset < end else span.end


def _walk(file: SortedLines, span: Span, *, backward: bool) -> Iterator[Line]:
    if not backward:
        for line in file.forward(file.seek(span.start)):
            if line.text >= span.end:
                return
            yield line
        return
    for line in file.backward(file.seek(span.end)):
        if line.text < span.start:
            return
        yield line
