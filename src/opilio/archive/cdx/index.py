"""What replay, exports and the CDX server ask of an index, whatever file or files it lies in."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Protocol

from opilio.archive.cdx.rows import CdxRow


class CdxIndex(Protocol):
    """Captures in the order of their SURT keys, then of their times."""

    def exact(self, url: str) -> Iterator[CdxRow]:
        """All captures of a URL, oldest first; URLs with the same SURT key are one here."""
        ...

    def prefix(self, key: str) -> Iterator[CdxRow]:
        """All captures whose line begins with `key`, such as `org,example)/news/`."""
        ...


def nearest(rows: Iterable[CdxRow], at: datetime) -> CdxRow | None:
    """The capture nearest to a time; of two equally near, the later."""
    return min(rows, key=lambda row: (abs(row.at - at), row.at < at), default=None)
