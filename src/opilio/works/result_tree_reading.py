"""Reads the tree of a result: a folder with what is directly below it, what filters find, what picks mean together.

Every question costs as much as it shows; those that count what a filter finds go through the rows of its folder once.
"""

import itertools
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import re2

from opilio.archive.results.database import mapped, opened
from opilio.archive.results.errors import NoResult
from opilio.archive.results.values import Removed
from opilio.crawl.expressions import quiet
from opilio.kernel.errors import Missing, OpilioError
from opilio.works.result_picks import Pick
from opilio.works.result_tree_file import APPLICATION_ID, FORMAT, TreeRow

_PORTION = 2_000  # rows read at a time
_AT_ONCE = 5_000  # numbers looked up at a time
_NODE = "id, parent, host, path, name, folders, own, resources, bytes, captured, failed, s2, s3, s4, s5, first, last"
_ROWS_OF = "place, row.resource, url, status, type, outcome, size, length, at"
_ROW = "place, resource, url, status, type, outcome, size, length, at"
_ORDERS = {
    "name": "name",
    "resources": "resources DESC, name",
    "bytes": "bytes DESC, name",
    "failed": "failed DESC, name",
}
ORDERS = tuple(_ORDERS)


@dataclass(frozen=True, kw_only=True, slots=True)
class Folder:
    """A host, or a folder of one, with what is below it."""

    id: int
    parent: int | None
    host: str
    path: str
    name: str
    folders: int  # directly below
    own: int  # resources directly in it
    resources: int  # below, however deep
    bytes: int  # of their payloads
    captured: int  # bytes of their records
    failed: int
    s2: int  # answers by the class of their status
    s3: int
    s4: int
    s5: int
    first: int  # places of its rows
    last: int

    @property
    def pick(self) -> Pick:
        """All that is below it."""
        return Pick(host=self.host, path=self.path if self.path != "/" else "")


@dataclass(frozen=True, kw_only=True, slots=True)
class Leaf:
    """A resource of the tree."""

    place: int
    resource: int
    url: str
    status: int | None
    type: str
    outcome: str
    size: int
    length: int
    at: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Counted:
    """How much some resources are together."""

    resources: int
    bytes: int
    captured: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Facet:
    """How many resources have a value."""

    value: str
    resources: int
    bytes: int


def is_tree(path: Path, digest: str) -> bool:
    """Whether a file is the tree of the result with this digest; any other is to be made again."""
    if not path.is_file():
        return False
    try:
        with ResultTree(path) as tree:
            return tree.digest == digest
    except OpilioError:
        return False


class ResultTree:
    """An open tree. Threads may share it."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise NoResult("there is no tree of the result", where=str(path), remedy="Look at the result once more.")
        self._path = path
        self._lock = threading.RLock()
        self._connection = opened(path)
        try:
            self.digest = self._known()
            self.highest = int(self._rows("SELECT coalesce(max(resource), -1) FROM row")[0][0])
            with mapped(path):
                self._connection.create_function("matches", 2, _matches(), deterministic=True)
                self._connection.execute("PRAGMA temp_store = FILE")
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "ResultTree":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def root(self) -> Folder:
        """Everything."""
        return _folder(self._rows(f"SELECT {_NODE} FROM node WHERE id = 0")[0])  # noqa: S608 - ours

    def folder(self, host: str, path: str = "") -> Folder:
        """A host, or a folder of it; everything, where no host is named. `Missing` when there is none."""
        if not host:
            return self.root()
        rows = self._rows(f"SELECT {_NODE} FROM node WHERE host = ? AND path = ?", host, path or "/")  # noqa: S608 - ours
        if not rows:
            remedy = "Begin at the hosts; it may have been pruned."
            raise Missing("The result has no such folder", where=f"{host}{path}"[:400], remedy=remedy)
        return _folder(rows[0])

    def has_host(self, host: str) -> bool:
        """Whether there is something of a host."""
        return bool(self._rows("SELECT 1 FROM node WHERE host = ? AND path = '/'", host))

    def folders(self, above: Folder, *, order: str = "name", start: int = 0, most: int = 200) -> list[Folder]:
        """What is directly below: hosts of everything, folders of a host."""
        words = f"SELECT {_NODE} FROM node WHERE parent = ? ORDER BY {_ORDERS[order]} LIMIT ? OFFSET ?"  # noqa: S608 - ours
        return [_folder(row) for row in self._rows(words, above.id, most, start)]

    def leaves(self, folder: Folder, *, after: int = -1, most: int = 200) -> list[Leaf]:
        """Resources directly in a folder, behind a place."""
        words = f"SELECT {_ROW} FROM row WHERE node = ? AND place > ? ORDER BY place LIMIT ?"  # noqa: S608 - ours
        return [_leaf(row) for row in self._rows(words, folder.id, after, most)]

    def found(self, pick: Pick, *, after: int = -1, most: int = 200) -> list[Leaf]:
        """Resources that are meant, behind a place."""
        where, values = self._where(pick)
        words = f"SELECT {_ROW} FROM row WHERE {where} AND place > ? ORDER BY place LIMIT ?"  # noqa: S608 - ours
        return [_leaf(row) for row in self._rows(words, *values, after, most)]

    def every(self, pick: Pick) -> Iterator[Leaf]:
        """All that are meant, portion by portion."""
        after = -1
        while leaves := self.found(pick, after=after, most=_PORTION):
            yield from leaves
            after = leaves[-1].place

    def counted(self, pick: Pick) -> Counted:
        """How much that is together."""
        where, values = self._where(pick)
        words = f"SELECT count(*), coalesce(sum(size), 0), coalesce(sum(length), 0) FROM row WHERE {where}"  # noqa: S608 - ours
        return _counted(self._rows(words, *values)[0])

    def facets(self, kind: str) -> list[Facet]:
        """How often each type, outcome or class of status was met, the most frequent first."""
        words = "SELECT value, resources, bytes FROM facet WHERE kind = ? ORDER BY resources DESC, value"
        return [Facet(value=value, resources=count, bytes=size) for value, count, size in self._rows(words, kind)]

    def numbered(self, numbers: Sequence[int]) -> list[Leaf]:
        """The resources with these numbers."""
        if not numbers:
            return []
        marks = ", ".join("?" * len(numbers))
        words = f"SELECT {_ROW} FROM row WHERE resource IN ({marks}) ORDER BY place"  # noqa: S608 - ours
        return [_leaf(row) for row in self._rows(words, *numbers)]

    def choose(self, picks: Iterable[Pick]) -> list[Pick]:
        """Remember what several picks mean together, in place of what was chosen before; those that mean nothing."""
        self._rows("DROP TABLE IF EXISTS temp.chosen")
        self._rows("CREATE TABLE temp.chosen (resource INTEGER PRIMARY KEY, place INTEGER NOT NULL)")
        vain = []
        for pick in picks:
            where, values = self._where(pick)
            before = self.chosen_count()
            self._rows(f"INSERT OR IGNORE INTO temp.chosen SELECT resource, place FROM row WHERE {where}", *values)  # noqa: S608 - ours
            if self.chosen_count() == before and not self.found(pick, most=1):
                vain.append(pick)
        return vain

    def chosen_count(self) -> int:
        """How many are chosen."""
        return int(self._rows("SELECT count(*) FROM temp.chosen")[0][0])

    def chosen(self) -> Counted:
        """How much is chosen."""
        words = (
            "SELECT count(*), coalesce(sum(size), 0), coalesce(sum(length), 0) FROM temp.chosen JOIN row USING (place)"
        )
        return _counted(self._rows(words)[0])

    def chosen_numbers(self) -> Iterator[int]:
        """The numbers of what is chosen, growing."""
        return (resource for resource, _ in self._chosen_outcomes())

    def chosen_removed(self) -> Iterator[Removed]:
        """The same as a derived result keeps it."""
        return (Removed(resource, outcome) for resource, outcome in self._chosen_outcomes())

    def chosen_facets(self, kind: str) -> list[Facet]:
        """What is chosen by its type, outcome or host."""
        column = {"type": "row.type", "outcome": "row.outcome", "host": "node.host"}[kind]
        words = f"""
            SELECT {column}, count(*), sum(size) FROM temp.chosen JOIN row USING (place) JOIN node ON node.id = row.node
            GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 50
        """  # noqa: S608 - ours
        return [Facet(value=value, resources=count, bytes=size) for value, count, size in self._rows(words)]

    def chosen_leaves(self, most: int) -> list[Leaf]:
        """The first of what is chosen."""
        words = f"SELECT {_ROWS_OF} FROM temp.chosen JOIN row USING (place) ORDER BY place LIMIT ?"  # noqa: S608 - ours
        return [_leaf(row) for row in self._rows(words, most)]

    def chosen_revisited(self, result: Path) -> tuple[int, str]:
        """How many captures of another result need one that is chosen, by URL; and one of them."""
        place = f"file:{quote(str(result.absolute()))}?mode=ro&immutable=1"
        self._rows("ATTACH ? AS other", place)
        try:
            ((count, example),) = self._rows(
                "SELECT count(*), min(r.original_url) FROM other.resource AS r WHERE r.original_at IS NOT NULL "
                "AND r.original_url IN (SELECT url FROM temp.chosen JOIN main.row USING (place))"
            )
        finally:
            self._rows("DETACH other")
        return int(count), example or ""

    def present(self, numbers: Iterable[int]) -> set[int]:
        """Those of some numbers that the result has."""
        found: set[int] = set()
        stream = iter(numbers)
        while part := list(itertools.islice(stream, _AT_ONCE)):
            marks = ", ".join("?" * len(part))
            rows = self._rows(f"SELECT resource FROM row WHERE resource IN ({marks})", *part)  # noqa: S608 - marks only
            found.update(row[0] for row in rows)
        return found

    def all_rows(self) -> Iterator[TreeRow]:
        """Every row in order."""
        last = -1
        words = f"SELECT {_ROW} FROM row WHERE place > ? ORDER BY place LIMIT {_PORTION}"  # noqa: S608 - ours
        while rows := self._rows(words, last):
            last = rows[-1][0]
            yield from (TreeRow(*row[1:]) for row in rows)

    def _chosen_outcomes(self) -> Iterator[tuple[int, str]]:
        last = -1
        words = f"""
            SELECT chosen.resource, row.outcome FROM temp.chosen JOIN row USING (place) WHERE chosen.resource > ?
            ORDER BY chosen.resource LIMIT {_PORTION}
        """  # noqa: S608 - ours
        while rows := self._rows(words, last):
            last = rows[-1][0]
            yield from rows

    def _where(self, pick: Pick) -> tuple[str, list[object]]:
        parts: list[tuple[str, list[object]]] = [("1", [])]
        wanted = pick.wanted()
        if pick.url:
            parts.append(self._one_url(pick.url))
        if pick.host:
            parts.append(self._below(pick))
        if pick.expression():
            parts.append(("matches(?, url)", [pick.expression()]))
        elif pick.text:
            parts.append(("instr(lower(url), ?) > 0", [wanted.needle]))
        if wanted.status is not None:
            parts.append(("status BETWEEN ? AND ?", list(wanted.status)))
        if pick.outcome:
            parts.append(("outcome = ?", [wanted.outcome]))
        if pick.type:
            parts.append(("type = ?", [wanted.type]))
        return " AND ".join(words for words, _ in parts), [value for _, values in parts for value in values]

    def _below(self, pick: Pick) -> tuple[str, list[object]]:
        rows = self._rows("SELECT first, last FROM node WHERE host = ? AND path = ?", pick.host, pick.path or "/")
        return ("place BETWEEN ? AND ?", list(rows[0])) if rows else ("0", [])

    def _one_url(self, url: str) -> tuple[str, list[object]]:
        """A URL is looked for in its folder only."""
        return "node = (SELECT id FROM node WHERE host = ? AND path = ?) AND url = ?", [*_folder_of(url), url]

    def _known(self) -> str:
        ((application,),) = self._rows("PRAGMA application_id")
        ((version,),) = self._rows("PRAGMA user_version")
        if (application, version) != (APPLICATION_ID, FORMAT):
            raise NoResult("the file is no tree of a result", where=str(self._path), remedy="Remove it.")
        rows = self._rows("SELECT value FROM meta WHERE name = 'digest'")
        return str(rows[0][0]) if rows else ""

    def _rows(self, words: str, *values: object) -> list[Any]:
        with self._lock, mapped(self._path):
            try:
                return self._connection.execute(words, values).fetchall()
            except sqlite3.ProgrammingError as error:
                raise NoResult(f"the tree cannot be read: {error}", where=str(self._path), remedy="Open it.") from error


def _folder_of(url: str) -> tuple[str, str]:
    from_authority = url.partition("://")[2]
    host, _, rest = from_authority.partition("/")
    path = f"/{rest}".partition("?")[0]
    return host, path[: path.rfind("/") + 1]


def _matches() -> Callable[[str, str], bool]:
    known: dict[str, Any] = {}

    def matches(pattern: str, text: str) -> bool:
        found = known.get(pattern)
        if found is None:
            found = known[pattern] = re2.compile(pattern, quiet())
        return found.search(text) is not None

    return matches


def _folder(row: Sequence[Any]) -> Folder:
    names = [name.strip() for name in _NODE.split(",")]
    return Folder(**dict(zip(names, row, strict=True)))


def _leaf(row: Sequence[Any]) -> Leaf:
    names = [name.strip() for name in _ROW.split(",")]
    return Leaf(**dict(zip(names, row, strict=True)))


def _counted(row: Sequence[Any]) -> Counted:
    return Counted(resources=row[0], bytes=row[1], captured=row[2])
