"""Writes a result: aside, table by table in streams, checked as a whole, then renamed to its name, read-only.

Memory does not grow with the crawl: sorting is done in files, and what links lead to is looked up in the new file.
"""

import itertools
import json
import os
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

from opilio.archive.results.database import made, mapped
from opilio.archive.results.errors import DamagedResult
from opilio.archive.results.packing import pack_numbers, unpacked
from opilio.archive.results.schema import APPLICATION_ID, FORMAT, INDEXES, RESOURCE_COLUMNS, TABLES
from opilio.archive.results.values import (
    Denied,
    EarlierCapture,
    GivenOrder,
    Head,
    Removed,
    Resource,
    ResultHost,
    ResultWarc,
    Way,
)
from opilio.archive.sorting import sorted_lines
from opilio.kernel import files
from opilio.kernel.page_links import url_of_line
from opilio.kernel.surt import surt
from opilio.kernel.urls import url_hash64

READ_ONLY = 0o444
_MEMORY = 64 << 20  # bytes for sorting
_KNOWN = 100_000  # links whose numbers are remembered while they are followed back
_NUMBERED = 200_000  # resources whose numbers are read at once
_HELD = 250_000  # links that are turned round at a time
_NOWHERE = -1  # no number of a resource
_FIRST = 1 << 48  # added to numbers of resources, so that their digits sort as they do
_WIDTH = len(f"{_FIRST:x}")
_FIND = "SELECT id FROM resource WHERE hash64 = ? AND url = ?"
_INSERT = f"INSERT INTO resource ({RESOURCE_COLUMNS}) VALUES ({', '.join('?' * len(RESOURCE_COLUMNS.split(',')))})"  # noqa: S608 - ours

#: Told how many rows of a table were written so far.
Counted = Callable[[int], None]


def _nobody(count: int) -> None:
    """Nobody counts along."""


class Beneath(Protocol):
    """What a result is derived from, without what the new one removes."""

    def number(self, url: str) -> int | None:
        """The number of a resource that stays."""
        ...

    def packed_outlinks(self) -> Iterable[tuple[int, bytes]]:
        """The links of every resource that stays."""
        ...


class ResultWriter:
    """One result in the making. As a context manager it leaves no trace unless `finish` was reached."""

    def __init__(
        self, path: Path, *, counted: Counted = _nobody, memory: int = _MEMORY, beneath: Beneath | None = None
    ) -> None:
        self._beneath = beneath
        self._path = path
        self._aside = path.with_name(f".{path.name}.new")
        self._counted = counted
        self._memory = memory
        self._rows: dict[str, int] = {}  # table → rows written
        self._warcs: dict[str, int] = {}
        self._connection: sqlite3.Connection

    def __enter__(self) -> "ResultWriter":
        files.ensure_folder(self._path.parent)
        self._discard()
        self._connection = made(self._aside)
        with mapped(self._path):
            self._connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            self._connection.execute(f"PRAGMA user_version = {FORMAT}")
            self._connection.execute("BEGIN")
            for statement in TABLES:
                self._connection.execute(statement)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()
        self._discard()

    def warcs(self, rows: Iterable[ResultWarc]) -> None:
        """The WARC files; before the resources that lie in them."""
        kept = list(rows)
        self._warcs = {row.file: number for number, row in enumerate(kept)}
        self._insert("warc", [(self._warcs[row.file], row.file, row.size, row.sha256) for row in kept])

    def hosts(self, rows: Iterable[ResultHost]) -> None:
        """The hosts."""
        self._insert("host", (tuple(asdict(row).values()) for row in rows))

    def resources(self, rows: Iterable[Resource]) -> None:
        """Resources, in the order of their numbers; may be called again with further ones."""
        self._insert("resource", map(self._resource, rows), _INSERT)

    def ways(self, rows: Iterable[tuple[int, Way]]) -> None:
        """All ways to those resources that were not reached by their own one alone."""
        self._insert("way", ((number, *way) for number, way in rows))

    def links(self, rows: Iterable[tuple[int, bytes]]) -> None:
        """The links of resources, packed as `packing.pack_links` does."""
        self._insert("outlinks", rows)

    def texts(self, rows: Iterable[tuple[str, str, bytes]]) -> None:
        """Texts by digest and extractor, packed as `packing.packed` does."""
        self._insert("content", rows)

    def counters(self, values: Mapping[str, int]) -> None:
        """Numbers of the crawl."""
        self._insert("counter", sorted(values.items()))

    def denials(self, rows: Iterable[Denied]) -> None:
        """Examples of denied links."""
        self._insert("denial", rows)

    def orders(self, rows: Iterable[GivenOrder]) -> None:
        """The orders that the crawl was given."""
        made_rows = ((row.id, row.what, row.by, row.at, json.dumps(dict(row.arguments)), row.done) for row in rows)
        self._insert("command", made_rows)

    def removed(self, rows: Iterable[Removed]) -> None:
        """The resources of the parent that are left out."""
        self._insert("removed", rows)

    def replaced(self, row: Removed) -> None:
        """A resource of the parent whose place another took; it may have been removed already."""
        if self.is_removed(row.resource):
            with mapped(self._path):
                self._connection.execute("UPDATE removed SET replaced_by = ? WHERE resource = ?", (row[2], row[0]))
        else:
            self._insert("removed", [row])

    def is_removed(self, number: int) -> bool:
        """Whether a resource of the parent is left out."""
        return self._there("SELECT 1 FROM removed WHERE resource = ?", number)

    def count(self, table: str) -> int:
        """How many rows of a table were written."""
        return self._rows.get(table, 0)

    def has_text(self, digest: str, extractor: str) -> bool:
        """Whether the text of a payload was written."""
        return self._there("SELECT 1 FROM content WHERE digest = ? AND extractor = ?", digest, extractor)

    def earlier(self, rows: Iterable[EarlierCapture]) -> None:
        """Further captures of added resources."""
        self._insert("earlier", map(self._earlier, rows))

    def arrange(self) -> None:
        """Make what things are looked up by: indexes, the order of the URLs, the links that lead to a resource."""
        with mapped(self._path):
            for statement in INDEXES:
                self._connection.execute(statement)
            self._insert("surt", self._ordered())
            self._insert("inlinks", self._inlinks())

    def finish(self, head: Head) -> None:
        """Check the file, make it durable, and give it its name; `DamagedResult` if it does not hold all rows."""
        self._insert("meta", [(name, value.encode("utf-8", "replace").decode()) for name, value in _told(head)])
        with mapped(self._path):
            self._connection.execute("COMMIT")
            self._check()
            self._connection.close()
        with files.mapped(self._aside):
            self._aside.chmod(READ_ONLY)
            _sync(self._aside)
            self._aside.replace(self._path)
            files.sync_folder(self._path.parent)

    def _insert(self, table: str, rows: Iterable[tuple[object, ...]], words: str = "") -> None:
        """Insert a stream of rows, counting them."""
        stream = iter(rows)
        first = next(stream, None)
        if first is None:
            return
        words = words or f"INSERT INTO {table} VALUES ({', '.join('?' * len(first))})"  # noqa: S608 - ours
        with mapped(self._path):
            self._connection.executemany(words, self._tallied(table, itertools.chain([first], stream)))

    def _tallied(self, table: str, rows: Iterable[tuple[object, ...]]) -> Iterator[tuple[object, ...]]:
        count = self._rows.get(table, 0)
        for row in rows:
            yield row
            count += 1
            if count % 1_000 == 0:
                self._counted(count)
        self._rows[table] = count

    def _resource(self, row: Resource) -> tuple[object, ...]:
        place = (self._warcs[row.place.file], row.place.offset, row.place.length) if row.place else (None, None, None)
        told = (row.outcome, row.reason, row.status, row.type, row.extension, row.size, row.digest)
        said = (row.title, row.language, row.meta, row.last_modified, row.etag)
        way = (row.depth, row.hops, *(row.parent or (None, None)), row.path)
        end = (row.ms, row.tries, row.robots, row.at, int(row.counted), row.original_url or None, row.original_at)
        return (row.id, *row.key, row.url, row.seed, *told, *said, *way, *place, *end)

    def _earlier(self, row: EarlierCapture) -> tuple[object, ...]:
        place = (self._warcs[row.place.file], row.place.offset, row.place.length)
        original = (row.original_url or None, row.original_at)
        return (row.resource, row.at, row.status, row.mime, row.digest, *place, int(row.revisit), *original)

    def _ordered(self) -> Iterator[tuple[str, int]]:
        rows = self._connection.execute("SELECT url, id FROM resource")
        lines = (f"{surt(url)} {number:020d}\n".encode("utf-8", "backslashreplace") for url, number in rows)
        for line in sorted_lines(lines, folder=self._path.parent, memory=self._memory):
            key, _, number = line.decode().rpartition(" ")
            yield key, int(number)

    def _inlinks(self) -> Iterator[tuple[int, bytes]]:
        lines = sorted_lines(self._backwards(), folder=self._path.parent, memory=self._memory)
        for child, group in itertools.groupby(lines, lambda line: line[:_WIDTH]):
            yield int(child, 16) - _FIRST, pack_numbers(_parents([line[_WIDTH + 1 :] for line in group]))

    def _backwards(self) -> Iterator[bytes]:
        """The parents of every linked resource, on one line or a few; of the parent's links those to added ones."""
        own = self._connection.execute("SELECT resource, body FROM outlinks")
        number, beneath = self._numbers(), self._beneath
        if beneath is None:
            yield from _turned(own, number)
            return
        yield from _turned(own, lambda url: beneath.number(url) if (found := number(url)) is None else found)
        if self._rows.get("resource"):
            yield from _turned(beneath.packed_outlinks(), number)

    def _numbers(self) -> Callable[[str], int | None]:
        """What tells the number of an own resource: all of them read at once, unless there are very many."""
        if self._rows.get("resource", 0) > _NUMBERED:
            return self._number
        return dict(self._connection.execute("SELECT url, id FROM resource")).get

    def _there(self, words: str, *values: object) -> bool:
        with mapped(self._path):
            return self._connection.execute(words, values).fetchone() is not None

    def _number(self, url: str) -> int | None:
        row = self._connection.execute(_FIND, (url_hash64(url), url)).fetchone()
        return None if row is None else int(row[0])

    def _check(self) -> None:
        found = [str(row[0]) for row in self._connection.execute("PRAGMA integrity_check(3)")]
        if found != ["ok"]:
            raise self._wrong(found[0])
        for table, count in self._rows.items():
            ((there,),) = self._connection.execute(f"SELECT count(*) FROM {table}")  # noqa: S608 - ours
            if there != count:
                raise self._wrong(f"{count} rows were written to {table}, and {there} are there")

    def _wrong(self, what: str) -> DamagedResult:
        remedy = "Check the disk, then seal again."
        return DamagedResult(f"the new result is not sound: {what[:200]}", where=str(self._path), remedy=remedy)

    def _discard(self) -> None:
        """What a writer left behind that was interrupted."""
        with files.mapped(self._aside):
            for end in ("", "-journal"):
                self._aside.with_name(f"{self._aside.name}{end}").unlink(missing_ok=True)


def _turned(links: Iterable[tuple[int, bytes]], number: Callable[[str], int | None]) -> Iterator[bytes]:
    """Lines of a child with its parents, each once; the parents of a child may be spread over several lines.

    Most lines of a page's links are those of other pages as well, so whole lines are remembered and not URLs.
    """
    known: dict[str, int] = {}  # line → child
    held: defaultdict[int, list[int]] = defaultdict(list)
    count = 0
    for parent, body in links:
        lines = unpacked(body).split("\n")
        children = set(map(known.get, lines))
        if None in children:
            if len(known) >= _KNOWN:
                known.clear()
            known |= {line: _child(line, number) for line in lines if line not in known}
            children = {known[line] for line in lines}
        children.discard(_NOWHERE)
        for child in children:
            held[child].append(parent)  # type: ignore[index]  # None was looked for above
        count += len(children)
        if count >= _HELD:
            yield from _lines(held)
            held.clear()
            count = 0
    yield from _lines(held)


def _child(line: str, number: Callable[[str], int | None]) -> int:
    found = number(url_of_line(line)) if line else None
    return _NOWHERE if found is None else found


def _lines(held: Mapping[int, Sequence[int]]) -> Iterator[bytes]:
    for child, parents in held.items():
        yield b"%x %s\n" % (_FIRST + child, ",".join(map(str, parents)).encode())


def _parents(lists: Sequence[bytes]) -> list[int]:
    """The parents of one child from its lines, in order."""
    return sorted(int(number) for numbers in lists for number in numbers.split(b","))


def _told(head: Head) -> list[tuple[str, str]]:
    """What a result says about itself; what concerns derived results only for those."""
    values: dict[str, Any] = asdict(head)
    derived = {name: values.pop(name) for name in ("parent", "parent_digest", "by", "note", "changes", "copied")}
    values["report"] = json.dumps(dict(head.report), ensure_ascii=False)
    if head.parent is not None:
        lists = {name: json.dumps(derived[name], ensure_ascii=False) for name in ("changes", "copied")}
        values |= derived | lists
    return [(name, str(value)) for name, value in values.items()]


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
