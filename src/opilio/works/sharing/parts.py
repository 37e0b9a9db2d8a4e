"""WARC files that are still written, in the work store: their committed bytes in parts, put at checkpoints.

A part is named by the bytes that it holds. Parts of one file may overlap after a crash, and then hold the same bytes:
what was committed to a file never changes, and a file that was rewound is never gone on with.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from opilio.kernel.errors import Missing
from opilio.kernel.files import ensure_folder, reading, writing
from opilio.works.sharing.shelf import Shelf

_LARGEST = 32 << 20  # bytes of one part
_NAME = re.compile(r"(\d{16})-(\d{16})")
_PIECE = 1 << 20


@dataclass(frozen=True, order=True, slots=True)
class _Part:
    start: int
    end: int
    key: str


class WarcParts:
    """The parts of all open WARC files of a harvest."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def put(self, file: str, source: Path, start: int, end: int) -> None:
        """Keep the bytes from `start` to `end` of a file."""
        with reading(source), source.open("rb") as stream:
            stream.seek(start)
            while start < end:
                data = stream.read(min(_LARGEST, end - start))
                if not data:
                    remedy = "Look after the disk; the crawl store says that these bytes were committed."
                    raise Missing(f"the file ends at {start}, before {end}", where=str(source), remedy=remedy)
                self._shelf.store.put(f"{self._folder(file)}/{start:016d}-{start + len(data):016d}", data)
                start += len(data)

    def extent(self, file: str) -> int:
        """How many bytes from the beginning of a file are there without a gap."""
        end = 0
        for part in self._parts(file):
            if part.start > end:
                break
            end = max(end, part.end)
        return end

    def assemble(self, file: str, target: Path, size: int) -> None:
        """Write the first `size` bytes of a file onto the disk."""
        ensure_folder(target.parent)
        with writing(target) as out:
            end = 0
            for part in self._parts(file):
                if part.start <= end < min(part.end, size):
                    for piece in self._read(part, end - part.start, min(part.end, size) - end):
                        out.write(piece)
                        end += len(piece)
            if end != size:
                remedy = "Rewind the crawl store to what is there; the rest is fetched again."
                raise Missing(f"{end} of {size} bytes are in the work store", where=self._folder(file), remedy=remedy)

    def drop(self, file: str, beyond: int = -1) -> None:
        """Remove the parts of a file that hold bytes beyond an offset; by default all."""
        for part in self._parts(file):
            if part.end > beyond:
                self._shelf.store.delete(part.key)

    def files(self) -> set[str]:
        """The WARC files that have parts."""
        found = self._shelf.store.list(self._folder(""))
        return {each.key.split("/")[-2] for each in found}

    def _read(self, part: _Part, start: int, length: int) -> Iterator[bytes]:
        while length > 0:
            data = self._shelf.store.read(part.key, start, min(_PIECE, length))
            if not data:
                return
            yield data
            start, length = start + len(data), length - len(data)

    def _parts(self, file: str) -> list[_Part]:
        """In their order; of those that begin alike, the longest first."""
        found = []
        for each in self._shelf.store.list(self._folder(file)):
            if name := _NAME.fullmatch(each.key.rpartition("/")[2]):
                found.append(_Part(int(name[1]), int(name[2]), each.key))
        return sorted(found, key=lambda part: (part.start, -part.end))

    def _folder(self, file: str) -> str:
        folder = f"harvests/{self._shelf.harvest}/parts"
        return f"{folder}/{file}" if file else folder
