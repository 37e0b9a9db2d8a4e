"""A compressed index: lines in blocks, each a gzip member of its own, and a small summary that is searched in place."""

import os
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path, PurePath

from isal import isal_zlib

from opilio.archive.cdx.keys import Span
from opilio.archive.cdx.searching import Searchable
from opilio.archive.cdx.seeking import Line, SortedLines, opened
from opilio.archive.cdx.summary import Block, block_of, places, shard_in
from opilio.kernel.errors import Damaged, Missing
from opilio.kernel.files import reading

_GZIP = 31
_MOST_PACKED = 16 << 20  # bytes of a block on the disk
_MOST_LINES = 64 << 20  # bytes of its lines
_HEAD = 4_096  # bytes in which the first line of a summary ends
_BROKEN: type[Exception] = isal_zlib.error  # type: ignore[assignment]  # its stub says instance for class


class ZipnumIndex(Searchable):
    """An index whose summary is at `path`. A question reads a few lines of the summary and, mostly, one block."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def lines(self, span: Span, *, backward: bool = False) -> Iterator[Line]:
        shards = _Shards(self.path)
        for block in self._blocks(span, backward=backward):
            yield from shards.lines(block, span, backward=backward)

    def blocks(self, span: Span) -> int:
        return sum(1 for _ in self._blocks(span))

    def cut(self, span: Span, number: int) -> bytes:
        if number <= 0:
            return span.start
        for index, block in enumerate(self._blocks(span)):
            if index == number:
                return max(block.begin, span.start)
        return span.end

    def _blocks(self, span: Span, *, backward: bool = False) -> Iterator[Block]:
        """The blocks in which lines of the span can be: the last that begins before it, and all that begin in it."""
        with opened(self.path) as file:
            shard = shard_in(file.head(_HEAD))
            walk = _backwards(file, span) if backward else _forwards(file, span)
            for line in walk:
                if not line.text.startswith(b"!"):
                    yield block_of(line, shard)


def _forwards(file: SortedLines, span: Span) -> Iterator[Line]:
    start = file.seek(span.start)
    before = next(file.backward(start), None)
    for line in file.forward(before.offset if before else start):
        if line.text >= span.end:
            return
        yield line


def _backwards(file: SortedLines, span: Span) -> Iterator[Line]:
    for line in file.backward(file.seek(span.end)):
        yield line
        if line.text < span.start:
            return


class _Shards:
    """The files with the blocks."""

    def __init__(self, summary: Path) -> None:
        self._summary = summary
        self._places = places(summary)

    def lines(self, block: Block, span: Span, *, backward: bool) -> Iterator[Line]:
        """The lines of a block that are in the span. All of them stand at the block's place."""
        path = self._path(block)
        texts = _texts(path, block.offset, block.length, path.stat().st_mtime_ns)
        if not (texts and texts[0].startswith(block.begin)):
            raise _damaged("the block does not begin as the summary says", path, block.offset)
        chosen = texts[bisect_left(texts, span.start) : bisect_left(texts, span.end)]
        for text in reversed(chosen) if backward else chosen:
            yield Line(text, str(path), block.offset)

    def _path(self, block: Block) -> Path:
        """Where a shard lies; one that no file of shards names lies beside the summary, whatever path that gives."""
        named = self._places.get(block.shard, [PurePath(block.shard).name])
        found = [self._summary.parent / each for each in named if "://" not in each]
        path = next((each for each in found if each.is_file()), None)
        if path is None:
            remedy = "Put it beside the summary, or name its place in the .loc file."
            raise Missing(f"the shard {block.shard[:200]} of the index is not there", where=block.where, remedy=remedy)
        return path


@lru_cache(maxsize=16)  # a question and those that follow it often meet in one block
def _texts(path: Path, offset: int, length: int, changed: int) -> tuple[bytes, ...]:
    """The lines of a block; `changed` is the time of the file, so that another file is read anew."""
    texts = _unpacked(path, offset, length).replace(b"\r\n", b"\n").split(b"\n")
    if not texts[-1]:
        texts.pop()
    return tuple(texts)


def _unpacked(path: Path, offset: int, length: int) -> bytes:
    if length > _MOST_PACKED:
        raise _damaged(f"a block of {length} bytes is too large", path, offset)
    with reading(path), path.open("rb", buffering=0) as stream:
        packed = os.pread(stream.fileno(), length, offset)
    member = isal_zlib.decompressobj(wbits=_GZIP)
    try:
        lines = member.decompress(packed, _MOST_LINES)
    except _BROKEN:
        raise _damaged("the block cannot be unpacked", path, offset) from None
    if not member.eof or member.unused_data:
        raise _damaged("the block does not end where the summary says", path, offset)
    return bytes(lines)


def _damaged(what: str, path: Path, offset: int) -> Damaged:
    return Damaged(what, where=f"{path} at {offset}", remedy="Make the index again.")
