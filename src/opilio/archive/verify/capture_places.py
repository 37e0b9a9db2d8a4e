"""Where the captures of an index lie, in eight bytes each: to know of a record whether it is one of them."""

from array import array
from bisect import bisect_left
from collections.abc import Iterable

from opilio.archive.cdxj import CdxRow


class CapturePlaces:
    """Places by the name of their file."""

    def __init__(self, rows: Iterable[CdxRow]) -> None:
        self._offsets: dict[str, array[int]] = {}
        for row in rows:
            self._offsets.setdefault(row.file.rpartition("/")[2], array("Q")).append(row.offset)
        for name, offsets in self._offsets.items():
            self._offsets[name] = array("Q", sorted(offsets))

    def has(self, file: str, offset: int) -> bool:
        """Whether a capture begins there."""
        offsets = self._offsets.get(file, array("Q"))
        at = bisect_left(offsets, offset)
        return at < len(offsets) and offsets[at] == offset
