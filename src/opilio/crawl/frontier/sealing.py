"""What only a sealing asks a store for: URLs that were never taken, and ways to pages that their rows do not tell."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from opilio.crawl.frontier.database import Row, Sql
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.urls import restored
from opilio.crawl.frontier.values import EXPAND

_PORTION = 500  # rows read at a time
_UNTAKEN = f"""
    SELECT q.id, q.host, h.name, q.hash64, q.url, q.depth, q.seed, q.hops, q.parent_host, q.parent_hash, q.path, q.tries
    FROM {{queue}} AS q JOIN {{host}} AS h ON h.id = q.host
    LEFT JOIN {{page}} AS p ON p.host = q.host AND p.hash64 = q.hash64
    WHERE q.id > ? AND p.id IS NULL AND q.priority <> {EXPAND} ORDER BY q.id LIMIT {_PORTION}
"""  # noqa: S608 - tables are ours
_OTHER = f"""
    SELECT p.id, s.depth, s.seed, s.hops FROM {{page}} AS p
    JOIN {{seen}} AS s ON s.host = p.host AND s.hash64 = p.hash64
    WHERE p.id > ? AND (
        s.depth <> p.depth OR s.seed <> p.seed OR s.hops <> p.hops
        OR EXISTS (SELECT 1 FROM {{seen_more}} AS m WHERE m.host = p.host AND m.hash64 = p.hash64))
    ORDER BY p.id LIMIT {_PORTION}
"""  # noqa: S608 - tables are ours
_MORE = f"""
    SELECT p.id, m.seed, m.hops, m.depth FROM {{page}} AS p
    JOIN {{seen_more}} AS m ON m.host = p.host AND m.hash64 = p.hash64
    WHERE (p.id, m.seed, m.hops, m.depth) > (?, ?, ?, ?) ORDER BY p.id, m.seed, m.hops, m.depth LIMIT {_PORTION}
"""  # noqa: S608 - tables are ours


class Asked(Protocol):
    """A store that answers questions."""

    def ask(self, question: Sql, values: Sequence[object] = ()) -> list[Row]:
        """The rows."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Untaken:
    """A URL that was accepted, and never got an outcome."""

    key: tuple[int, int]  # host and hash64
    url: str
    label: Label
    parent: tuple[int, int] | None
    path: str
    tries: int


def untaken(store: Asked) -> Iterator[Untaken]:
    """Entries of the queue that have no page, in the order of insertion."""
    last = 0
    while rows := store.ask(_UNTAKEN, (last,)):
        last = rows[-1][0]
        yield from map(_untaken, rows)


def other_labels(store: Asked) -> Iterator[tuple[int, Label]]:
    """All labels of those pages that have others than the one in their row; in no order that holds."""
    last = -1
    while rows := store.ask(_OTHER, (last,)):
        last = rows[-1][0]
        for number, depth, seed, hops in rows:
            yield number, Label(depth, seed, hops)
    key: Sequence[int] = (-1, 0, 0, 0)
    while rows := store.ask(_MORE, key):
        key = rows[-1]
        for number, seed, hops, depth in rows:
            yield number, Label(depth, seed, hops)


def _untaken(row: Row) -> Untaken:
    _, host, name, hash64, url, depth, seed, hops, parent_host, parent_hash, path, tries = row
    parent = None if parent_hash is None else (host if parent_host is None else parent_host, parent_hash)
    return Untaken(
        key=(host, hash64),
        url=restored(url, name),
        label=Label(depth, seed, hops),
        parent=parent,
        path=path,
        tries=tries,
    )
