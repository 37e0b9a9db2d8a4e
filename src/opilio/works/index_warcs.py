"""Makes an index of captures from WARC and ARC files, crawls and other indexes, in bounded memory."""

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from pathlib import Path

from opilio.archive.cdx.merging import Unsorted, merged
from opilio.archive.cdx.opening import is_index, open_index
from opilio.archive.cdx.plain import CdxFile
from opilio.archive.cdx.rows import LEGEND_11, cdx11, cdxj, parse_line, stamp
from opilio.archive.cdx.searching import Searchable, whole
from opilio.archive.cdx.zipping import write_zipnum
from opilio.archive.cdxj import CdxRow
from opilio.archive.indexing.flaws import Flaw
from opilio.archive.indexing.runs import lines_of
from opilio.archive.sorting import sorted_lines, unique
from opilio.archive.warc.names import OPEN
from opilio.kernel.errors import InvalidInput, Missing
from opilio.kernel.files import mapped, reading, writing

_ENDINGS = (".warc", ".warc.gz", ".arc", ".arc.gz")
_MEMORY = 64 << 20

#: Gives what a crawl committed, from its folder.
CrawlRows = Callable[[Path], Iterator[CdxRow]]
#: Told a step, how much of it is done, and of how much.
Told = Callable[[str, int, int], None]


class Form(StrEnum):
    """How an index is written."""

    CDXJ = "cdxj"
    CDX11 = "cdx11"
    ZIPNUM = "zipnum"

    @property
    def suffix(self) -> str:
        """How the names of such files end."""
        return {"cdxj": ".cdxj", "cdx11": ".cdx", "zipnum": ".idx"}[self.value]


@dataclass(frozen=True, kw_only=True, slots=True)
class Indexed:
    """An index that was made."""

    output: Path
    lines: int
    files: int  # WARC and ARC files that were read
    bytes: int  # of the index
    crawls: int = 0  # whose results or stores were read instead
    indexes: int = 0  # that were merged into it
    flaws: Sequence[Flaw] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Order:
    """What to make."""

    paths: Sequence[Path]
    output: Path
    form: Form = Form.CDXJ
    digits: int = 14  # of times: 14, or 17 with milliseconds
    crawl_rows: CrawlRows | None = None  # `works.crawl_rows.rows_of`; without it, the WARC files of crawls are read
    memory: int = _MEMORY

    def __post_init__(self) -> None:
        stamp(datetime.fromtimestamp(0, UTC), self.digits)  # refuses other numbers
        if self.form is Form.ZIPNUM and self.output in self.paths:
            remedy = "Name another output."
            raise InvalidInput("a compressed index cannot be read and written at once", where="--output", remedy=remedy)

    @property
    def line(self) -> Callable[[CdxRow], bytes]:
        """What makes a line of a row; other processes can have it without knowing orders."""
        return cdx11 if self.form is Form.CDX11 else partial(cdxj, digits=self.digits)


def make_index(order: Order, told: Told = lambda step, done, total: None) -> Indexed:
    """Read everything, sort it, and write an index that appears whole; what is broken is told with it."""
    sources = _Sources(order, told)
    with mapped(order.output):
        order.output.parent.mkdir(parents=True, exist_ok=True)
    try:
        lines, size = _written(order, unique(sources.merged() if sources.sorted else sources.lines()))
    except Unsorted:
        lines, size = _written(order, unique(sources.lines()))
    return Indexed(
        output=order.output, lines=lines, files=len(sources.archives), bytes=size, crawls=len(sources.crawls),
        indexes=len(sources.indexes), flaws=sources.flaws,
    )  # fmt: skip


@dataclass
class _Sources:
    """All that an order names."""

    order: Order
    told: Told
    archives: list[Path] = field(default_factory=list)
    crawls: list[Callable[[], Iterator[CdxRow]]] = field(default_factory=list)
    indexes: list[Searchable] = field(default_factory=list)
    flaws: list[Flaw] = field(default_factory=list)

    def __post_init__(self) -> None:
        for path in self.order.paths:
            self._take(path)
        if not (self.archives or self.crawls or self.indexes):
            where = ", ".join(map(str, self.order.paths))[:200]
            remedy = "Name WARC or ARC files, folders of them, crawls or other indexes."
            raise Missing("there is nothing to index", where=where, remedy=remedy)

    @property
    def sorted(self) -> bool:
        """Whether there are only indexes in byte order, which need no sorting but a merge."""
        only = not (self.archives or self.crawls) and self.order.form is not Form.CDX11
        return only and not any(isinstance(each, CdxFile) and each.has_columns for each in self.indexes)

    def merged(self) -> Iterator[bytes]:
        """The lines of all indexes."""
        return merged(self.indexes, folder=self.order.output.parent)

    def lines(self) -> Iterator[bytes]:
        """The lines of everything in byte order."""
        self.flaws.clear()
        folder, memory = self.order.output.parent, self.order.memory
        total = sum(path.stat().st_size for path in self.archives)
        told = partial(_told, self.told, total)
        read = lines_of(self.archives, self.order.line, self.flaws, folder=folder, memory=memory, told=told)
        if not (self.crawls or self.indexes):
            return read
        return heapq.merge(read, sorted_lines(self._known(), folder=folder, memory=memory))

    def _known(self) -> Iterator[bytes]:
        """The lines of crawls and indexes."""
        for rows in self.crawls:
            yield from map(self.order.line, rows())
        for index in self.indexes:
            rewritten = self.order.form is Form.CDX11 or (isinstance(index, CdxFile) and index.has_columns)
            for line in index.lines(whole()):
                text = line.text + b"\n"
                yield self.order.line(parse_line(text, where=line.where)) if rewritten else text

    def _take(self, path: Path) -> None:
        with reading(path):
            if not path.is_dir():
                path.stat()
                self._take_file(path)
            elif self.order.crawl_rows is not None and is_crawl(path):
                self.crawls.append(partial(self.order.crawl_rows, path))
            else:
                self.archives += archives_in(path)

    def _take_file(self, path: Path) -> None:
        if is_index(path):
            self.indexes.append(open_index(path))
        else:
            self.archives.append(path)


def _told(told: Told, total: int, done: int) -> None:
    told("reading", done, total)


def archives_in(folder: Path) -> list[Path]:
    """All WARC and ARC files below a folder, in the order of their names."""
    found = (path for path in folder.rglob("*") if path.name.removesuffix(OPEN).endswith(_ENDINGS) and path.is_file())
    return sorted(found)


def default_output(paths: Sequence[Path], form: Form) -> Path:
    """Where an index goes when nobody says so: into the folder, where there is one."""
    if len(paths) == 1 and paths[0].is_dir():
        return paths[0] / f"index{form.suffix}"
    remedy = "Give --output FILE; it may be left out when one folder is indexed."
    raise InvalidInput("where should the index go?", where="--output", remedy=remedy)


def is_crawl(path: Path) -> bool:
    """Whether a folder holds a crawl with a result or a store."""
    return is_sealed(path) or (path / "crawl.db").is_file()


def is_sealed(path: Path) -> bool:
    """Whether a folder holds a crawl with a result."""
    return (path / "results" / "result-1.sha256").is_file()


def _written(order: Order, lines: Iterable[bytes]) -> tuple[int, int]:
    """Write the lines in the form that is wanted; their number, and the bytes of the index."""
    if order.form is Form.ZIPNUM:
        done = write_zipnum(order.output, lines)
        return done.lines, done.bytes
    count = 0
    with writing(order.output) as stream:
        if order.form is Form.CDX11:
            stream.write(LEGEND_11 + b"\n")
        for line in lines:
            stream.write(line)
            count += 1
    return count, order.output.stat().st_size
