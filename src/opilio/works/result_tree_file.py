"""The file beside a result that counts its hosts and folders: written once, from rows in the order of their places.

It can be made again at any time. A folder covers the rows from its first to its last place, so that whatever lies
below it is one range. Memory does not grow with the result.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from opilio.archive.results.database import made, mapped
from opilio.crawl.outcomes import Outcome
from opilio.kernel import files

FORMAT = 1
APPLICATION_ID = 0x4F705474  # "OpTt"
_DEEPEST = 40  # folders in one another; what lies deeper belongs to the last of them
_BROKEN = frozenset(outcome.value for outcome in Outcome if outcome.broken or outcome is Outcome.BLOCKED)
_TABLES = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE node (
        id INTEGER PRIMARY KEY, parent INTEGER, host TEXT NOT NULL, path TEXT NOT NULL, name TEXT NOT NULL,
        first INTEGER NOT NULL, last INTEGER NOT NULL, folders INTEGER NOT NULL, own INTEGER NOT NULL,
        resources INTEGER NOT NULL, bytes INTEGER NOT NULL, captured INTEGER NOT NULL, failed INTEGER NOT NULL,
        s2 INTEGER NOT NULL, s3 INTEGER NOT NULL, s4 INTEGER NOT NULL, s5 INTEGER NOT NULL)""",
    """CREATE TABLE row (
        place INTEGER PRIMARY KEY, resource INTEGER NOT NULL, node INTEGER NOT NULL, url TEXT NOT NULL, status INTEGER,
        type TEXT NOT NULL, outcome TEXT NOT NULL, size INTEGER NOT NULL, length INTEGER NOT NULL, at REAL NOT NULL)""",
    """CREATE TABLE facet (
        kind TEXT, value TEXT, resources INTEGER NOT NULL, bytes INTEGER NOT NULL,
        PRIMARY KEY (kind, value)) WITHOUT ROWID""",
)
_INDEXES = (
    "CREATE INDEX node_below ON node (parent, name)",
    "CREATE INDEX node_place ON node (host, path)",
    "CREATE INDEX row_node ON row (node)",
    "CREATE INDEX row_resource ON row (resource)",
)
_MOST_VALUES = 10_000  # of one kind of facet


class TreeRow(NamedTuple):
    """A resource as the tree keeps it."""

    resource: int
    url: str
    status: int | None
    type: str
    outcome: str
    size: int  # bytes of the payload
    length: int  # bytes of its record
    at: float


class Place(NamedTuple):
    """Where a URL belongs, taken apart."""

    key: str  # by which places are in order
    host: str
    rest: str  # path and query


def place_of(url: str) -> Place:
    """The place of a canonical URL: hosts of one domain lie together, http and https in one."""
    authority, _, rest = url.partition("://")[2].partition("/")
    name, _, port = authority.partition(":") if not authority.startswith("[") else (authority, "", "")
    turned = name if name.startswith("[") else ",".join(reversed(name.split(".")))
    return Place(f"{turned}\t{port}\t/{rest}", authority, f"/{rest}")


@dataclass(slots=True)
class _Node:
    """A folder while its rows pass."""

    id: int
    parent: int | None
    host: str
    path: str
    name: str
    first: int
    folders: int = 0
    own: int = 0
    counts: list[int] = field(default_factory=lambda: [0, 0, 0, 0, 0, 0, 0, 0])

    def add(self, row: TreeRow) -> None:
        counts = self.counts
        counts[0] += 1
        counts[1] += row.size
        counts[2] += row.length
        counts[3] += row.outcome in _BROKEN
        kind = (row.status or 0) // 100
        if 2 <= kind <= 5:
            counts[2 + kind] += 1

    def take(self, below: "_Node") -> None:
        self.counts = [mine + theirs for mine, theirs in zip(self.counts, below.counts, strict=True)]

    def values(self, last: int) -> tuple[object, ...]:
        place = (self.id, self.parent, self.host, self.path, self.name, self.first, last, self.folders, self.own)
        return (*place, *self.counts)


class _Building:
    """Rows pass in order; folders open and close on a stack."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._stack = [_Node(0, None, "", "", "", 0)]
        self._next = 1
        self._place = -1
        self._facets: defaultdict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])

    def rows(self, rows: Iterable[TreeRow]) -> Iterator[tuple[object, ...]]:
        """The rows with their places and folders."""
        for row in rows:
            node = self._folder(row.url)
            self._place += 1
            node.own += 1
            node.add(row)
            self._count(row)
            yield (self._place, row.resource, node.id, *row[1:])

    def end(self) -> None:
        """Close what is open, and write what was counted."""
        while self._stack:
            self._close()
        facets = [(*key, *counts) for key, counts in self._facets.items()]
        self._connection.executemany("INSERT INTO facet VALUES (?, ?, ?, ?)", facets)

    def _folder(self, url: str) -> _Node:
        """The folder of a URL, which is opened; those that end before it are closed."""
        _, host, rest = place_of(url)
        path = rest.partition("?")[0]
        path = path[: path.rfind("/") + 1]
        if path.count("/") > _DEEPEST:
            path = f"{'/'.join(path.split('/')[:_DEEPEST])}/"
        top = self._stack[-1]
        if top.host == host and top.path == path:
            return top
        while len(self._stack) > 1 and not (self._stack[-1].host == host and path.startswith(self._stack[-1].path)):
            self._close()
        return self._opened(host, path)

    def _opened(self, host: str, path: str) -> _Node:
        if len(self._stack) == 1:
            self._push(host, "/", host)
        while self._stack[-1].path != path:
            above = self._stack[-1].path
            name = path[len(above) : path.index("/", len(above)) + 1]
            self._push(host, above + name, name)
        return self._stack[-1]

    def _push(self, host: str, path: str, name: str) -> None:
        above = self._stack[-1]
        above.folders += 1
        self._stack.append(_Node(self._next, above.id, host, path, name, self._place + 1))
        self._next += 1

    def _close(self) -> None:
        node = self._stack.pop()
        if self._stack:
            self._stack[-1].take(node)
        self._connection.execute(f"INSERT INTO node VALUES ({', '.join('?' * 17)})", node.values(self._place))  # noqa: S608 - ours

    def _count(self, row: TreeRow) -> None:
        status = f"{row.status // 100}xx" if row.status else "none"
        for key in (("type", row.type), ("outcome", row.outcome), ("status", status)):
            if key in self._facets or len(self._facets) < _MOST_VALUES:
                counts = self._facets[key]
                counts[0] += 1
                counts[1] += row.size


def write_tree(path: Path, rows: Iterable[TreeRow], *, digest: str) -> None:
    """Write the file, which appears whole. `digest`: of the result that the rows are of."""
    aside = path.with_name(f".{path.name}.new")
    aside.unlink(missing_ok=True)
    with mapped(path):
        connection = made(aside)
        try:
            _fill(connection, rows, digest)
        except BaseException:
            connection.close()
            aside.unlink(missing_ok=True)
            raise
        connection.close()
    with files.mapped(path):
        aside.replace(path)
        files.sync_folder(path.parent)


def _fill(connection: sqlite3.Connection, rows: Iterable[TreeRow], digest: str) -> None:
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    connection.execute("BEGIN")
    for statement in _TABLES:
        connection.execute(statement)
    building = _Building(connection)
    connection.executemany(f"INSERT INTO row VALUES ({', '.join('?' * 10)})", building.rows(rows))  # noqa: S608 - ours
    building.end()
    connection.execute("INSERT INTO meta VALUES ('digest', ?)", (digest,))
    for statement in _INDEXES:
        connection.execute(statement)
    connection.execute("COMMIT")
