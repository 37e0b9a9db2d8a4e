"""CDXJ: the sorted index of captures by URL and time, one line each; written from rows, found by halving.

A line is `surt time {json}`. Lines are in byte order, as `LC_ALL=C sort` gives, so that files of any size can be
merged and searched without being read. `cdx11` writes the older form with eleven columns.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

from opilio.archive.cdx.plain import CdxFile
from opilio.archive.cdx.rows import LEGEND_11, REVISIT, CdxRow, cdx11, cdxj, parse_line, stamp, unstamp
from opilio.archive.sorting import sorted_lines
from opilio.kernel.files import writing

__all__ = [
    "REVISIT", "CdxFile", "CdxRow", "cdx11", "cdxj", "parse_line", "stamp", "unstamp", "write_cdx11", "write_cdxj",
]  # fmt: skip


def write_cdxj(path: Path, rows: Iterable[CdxRow], *, digits: int = 14, memory: int = 64 << 20) -> int:
    """Write a sorted file that appears whole; memory use does not grow with the rows. The number of lines."""
    return _write(path, rows, lambda row: cdxj(row, digits=digits), b"", memory)


def write_cdx11(path: Path, rows: Iterable[CdxRow], *, memory: int = 64 << 20) -> int:
    """The same in the older form."""
    return _write(path, rows, cdx11, LEGEND_11 + b"\n", memory)


def _write(path: Path, rows: Iterable[CdxRow], line: Callable[[CdxRow], bytes], header: bytes, memory: int) -> int:
    count = 0
    with writing(path) as stream:
        stream.write(header)
        for text in sorted_lines(map(line, rows), folder=path.parent, memory=memory):
            stream.write(text)
            count += 1
    return count
