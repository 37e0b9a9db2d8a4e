"""The door to a database, and SQL that is written once for both kinds.

A statement names tables as `{queue}` and values as `?`. `{keys}` stands for rows of keys that are joined, `{lock}` for
the words that lock the rows of the table `s`. Where the two databases need different words, `Both` holds them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

T = TypeVar("T")

#: Tables of a crawl.
TABLES = (
    "meta",
    "worker",
    "bucket",
    "host",
    "seen",
    "seen_more",
    "queue",
    "page",
    "outlinks",
    "content",
    "warc",
    "counter",
    "reserve",
    "denial",
    "command",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Both:
    """One question in the words of each database."""

    sqlite: str
    postgres: str


@dataclass(frozen=True, slots=True)
class Bulk:
    """A statement for many rows: SQLite runs it once per row, PostgreSQL once over arrays."""

    words: Both


Sql = str | Both
Row = tuple[Any, ...]
Key = tuple[int, int]  # host and hash64 of a URL


class Database(Protocol):
    """One connection. Not for two threads at a time; the store sees to that."""

    @property
    def shared(self) -> bool:
        """Whether several processes write at once: then new hosts are recorded apart, so that nobody waits for them."""
        ...

    def write(self, work: Callable[[], T]) -> T:
        """Run `work` in one transaction: all of it, durably, or nothing. A lost connection makes it run again."""
        ...

    def read(self, work: Callable[[], T]) -> T:
        """Run `work` on one state of the data."""
        ...

    def rows(self, sql: Sql, values: Sequence[object] = ()) -> list[Row]:
        """What a question is answered with."""
        ...

    def execute(self, sql: Sql, values: Sequence[object] = ()) -> int:
        """Change something; the number of rows."""
        ...

    def many(self, bulk: Bulk, rows: Sequence[Row]) -> None:
        """Change something for each row. Rows must be sorted by their key."""
        ...

    def keyed(self, sql: Sql, keys: Sequence[Row], types: str) -> list[Row]:
        """What a question with `{keys}` is answered with for these keys; `types` are PostgreSQL's, one per column."""
        ...

    def entry_ids(self, count: int) -> list[int]:
        """Numbers for new entries of the queue, growing."""
        ...

    def meet(self, rows: Sequence[Row]) -> tuple[set[Key], set[Key]]:
        """Insert rows (host, hash64, depth, seed, hops, entry) into `seen` unless they are there.

        Returns the keys that are new, and those of known URLs that another seed or a longer way had led to.
        """
        ...

    def close(self) -> None:
        """Let go of the connection."""
        ...


#: Words of `meet`: whether the row `s` may not cover the key's depth, seed and hops.
UNLIKE = "(s.depth > k.depth OR (s.depth = k.depth AND s.seed > k.seed) OR s.hops > k.hops OR s.seed <> k.seed)"


def insert(table: str, columns: str, conflict: str = "") -> Bulk:
    """A bulk insert; columns as `host int8, url text`."""
    names, types = _columns(columns)
    listed = ", ".join(f'"{name}"' for name in names)
    marks = ", ".join("?" * len(names))
    arrays = ", ".join(f"?::{kind}[]" for kind in types)
    return Bulk(
        Both(
            sqlite=f"INSERT INTO {{{table}}} ({listed}) VALUES ({marks}) {conflict}",  # noqa: S608 - names are ours
            postgres=f"INSERT INTO {{{table}}} ({listed}) SELECT * FROM unnest({arrays}) {conflict}",  # noqa: S608 - names are ours
        )
    )


def update(table: str, changes: str, keys: str, where: str = "") -> Bulk:
    """A bulk update; changes as `until float8`, or `pages int8 +` to add. Values come first, then keys."""
    added = {part.split()[0] for part in changes.split(",") if part.strip().endswith("+")}
    names, types = _columns(changes.replace("+", ""))
    key_names, key_types = _columns(keys)
    sets = [f'"{name}" = s."{name}" + {{}}' if name in added else f'"{name}" = {{}}' for name in names]
    lite = ", ".join(part.format("?") for part in sets)
    post = ", ".join(part.format(f'v."{name}"') for part, name in zip(sets, names, strict=True))
    arrays = ", ".join(f"?::{kind}[]" for kind in types + key_types)
    given = ", ".join(f'"{name}"' for name in names + key_names)
    rows = f"unnest({arrays}) AS v({given})"
    return Bulk(
        Both(
            sqlite=f"UPDATE {{{table}}} AS s SET {lite} WHERE {_equal(key_names, '?')} {where}",  # noqa: S608 - names are ours
            postgres=f"UPDATE {{{table}}} AS s SET {post} FROM {rows} WHERE {_equal(key_names, 'v')} {where}",  # noqa: S608 - names are ours
        )
    )


def delete(table: str, keys: str) -> Bulk:
    """A bulk delete by key."""
    names, types = _columns(keys)
    arrays = ", ".join(f"?::{kind}[]" for kind in types)
    given = ", ".join(f'"{name}"' for name in names)
    rows = f"unnest({arrays}) AS v({given})"
    return Bulk(
        Both(
            sqlite=f"DELETE FROM {{{table}}} AS s WHERE {_equal(names, '?')}",  # noqa: S608 - names are ours
            postgres=f"DELETE FROM {{{table}}} AS s USING {rows} WHERE {_equal(names, 'v')}",  # noqa: S608 - names are ours
        )
    )


def _columns(text: str) -> tuple[list[str], list[str]]:
    pairs = [part.split() for part in text.split(",")]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def _equal(names: Iterable[str], other: str) -> str:
    return " AND ".join(f's."{name}" = {other}' if other == "?" else f's."{name}" = {other}."{name}"' for name in names)
