"""Copies the captures that others need into a WARC file of their own, record by record, byte by byte.

So a package can be understood without the crawls that it refers to. The warcinfo of each source goes along.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from opilio.archive.cdxj import CdxRow
from opilio.archive.dedup.needs import IndexedCrawl
from opilio.archive.packing.aside import file_part
from opilio.archive.warc.compression import Compression
from opilio.archive.warc.info import WarcInfo
from opilio.archive.warc.names import find
from opilio.archive.warc.records import Recorder, new_id
from opilio.archive.warc.recover import record_end
from opilio.kernel.digests import Algorithm
from opilio.kernel.errors import Damaged, Missing
from opilio.kernel.files import mapped

_MEMBER = b"\x1f\x8b"


class OriginalsFile:
    """A WARC file that takes records of others."""

    def __init__(self, stream: BinaryIO, name: str, *, at: datetime, description: str, packing: Compression) -> None:
        self._stream = stream
        self._name = name
        self._packing = packing
        self._length = 0
        self._sources: set[Path] = set()
        info = WarcInfo(description=description)
        record = Recorder(warcinfo=new_id(), algorithm=Algorithm.SHA256).info(info, name=name, at=at)
        self._put([packing.pack(record)])

    def add(self, row: CdxRow, crawl: IndexedCrawl) -> CdxRow:
        """Copy a record; its row as it is in the new file."""
        path = find(crawl.warcs, row.file)
        if path is None:
            remedy = "Bring the earlier crawl back, then pack again."
            raise Missing("a WARC file that others need is not there", where=f"{crawl.name}: {row.file}", remedy=remedy)
        if path not in self._sources:
            self._sources.add(path)
            self._add_info(path)
        offset = self._length
        self._copy(path, row.offset, row.length)
        return replace(row, file=self._name, offset=offset, length=self._length - offset)

    def _add_info(self, path: Path) -> None:
        """The first record of a file, which its other records name."""
        with mapped(path), path.open("rb") as stream:
            end = record_end(stream, 0)
        if end is not None:
            self._copy(path, 0, end)

    def _copy(self, path: Path, offset: int, length: int) -> None:
        pieces = file_part(path, offset, length)
        first = next(pieces, b"")
        if not first.startswith((_MEMBER, b"WARC/")):
            raise Damaged("no record begins there", where=f"{path} at {offset}", remedy="Run `opilio archive verify`.")
        whole = _again(first, pieces)
        self._put(whole if first.startswith(_MEMBER) else self._packing.pack_pieces(whole))

    def _put(self, pieces: Iterable[bytes]) -> None:
        for piece in pieces:
            self._stream.write(piece)
            self._length += len(piece)


def _again(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest
