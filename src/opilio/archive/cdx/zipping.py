"""Writes a compressed index from sorted lines, one block in memory at a time. It is there once its summary is."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from isal import igzip_lib

from opilio.archive.cdx.searching import begin_of
from opilio.archive.cdx.seeking import Line
from opilio.archive.cdx.summary import Block, Style, first_line, places, summary_line
from opilio.kernel.errors import InvalidInput
from opilio.kernel.files import write_atomically, writing

#: Lines of a block: more make the index smaller, fewer make a look-up quicker.
LINES = 300
#: Bytes after which the next shard is begun.
SHARD = 4 << 30


@dataclass(frozen=True, kw_only=True, slots=True)
class Zipped:
    """What was written."""

    lines: int
    blocks: int
    shards: tuple[Path, ...]
    bytes: int  # of shards and summary


def write_zipnum(
    path: Path, lines: Iterable[bytes], *, block: int = LINES, shard: int = SHARD, style: Style = Style.PYWB
) -> Zipped:
    """Write summary (`path`, which ends in .idx), shards and file of shards from lines in byte order.

    A WACZ summary has one shard, `NAME.cdx.gz`; others have `NAME-00000.cdx.gz` and so on.
    """
    if path.suffix != ".idx":
        raise InvalidInput(
            "the name of a compressed index ends in .idx", where=str(path), remedy=f"Name it {path.stem}.idx."
        )
    if block < 1 or shard < 1:
        raise InvalidInput("a block needs a line, a shard a byte", where=str(path), remedy="Give larger numbers.")
    writer = _Writer(path, style=style, shard=shard)
    with writing(path) as summary:
        summary.write(first_line(writer.name(0), style))
        for text in writer.summary(_blocks(lines, block)):
            summary.write(text)
        if style is Style.PYWB:
            table = "".join(f"{each.name}\t{each.name}\n" for each in writer.shards)
            write_atomically(path.with_suffix(".loc"), table.encode())
    size = sum(each.stat().st_size for each in (path, *writer.shards))
    return Zipped(lines=writer.lines, blocks=writer.blocks, shards=tuple(writer.shards), bytes=size)


class _Writer:
    """Shards as they grow."""

    def __init__(self, path: Path, *, style: Style, shard: int) -> None:
        self.lines = self.blocks = 0
        self.shards: list[Path] = []
        self._path = path
        self._style = style
        self._most = shard if style is Style.PYWB else 1 << 62
        self._old = {self._path.parent / each for each in places(path) if Path(each).name == each}

    def name(self, number: int) -> str:
        """Of a shard."""
        stem = self._path.stem
        return f"{stem}.cdx.gz" if self._style is Style.WACZ else f"{stem}-{number:05d}.cdx.gz"

    def summary(self, blocks: Iterator[list[bytes]]) -> Iterator[bytes]:
        """Write all shards; the lines of the summary."""
        held = next(blocks, None)
        while held is not None or not self.shards:
            shard = self._path.parent / self.name(len(self.shards))
            self.shards.append(shard)
            with writing(shard) as stream:
                while held is not None and stream.tell() < self._most:
                    begin = begin_of(Line(held[0], "", 0))
                    packed = igzip_lib.compress(b"".join(held), 2, igzip_lib.COMP_GZIP)
                    place = Block(begin=begin, shard=shard.name, offset=stream.tell(), length=len(packed), where="")
                    stream.write(packed)
                    self.blocks += 1
                    self.lines += len(held)
                    yield summary_line(place, self.blocks, self._style)
                    held = next(blocks, None)
                self._path.unlink(missing_ok=True)  # whoever asks meanwhile finds no index, rather than half of two
        for old in self._old - set(self.shards):
            old.unlink(missing_ok=True)


def _blocks(lines: Iterable[bytes], size: int) -> Iterator[list[bytes]]:
    held: list[bytes] = []
    for line in lines:
        held.append(line)
        if len(held) == size:
            yield held
            held = []
    if held:
        yield held
