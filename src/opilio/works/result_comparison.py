"""Two results compared once, kept as a file beside the second: what is new, gone or changed, counted and listed.

It can be made again at any time, and is when one of the results is not the one that it was made of. No Django.
"""

import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from opilio.archive.compare.differences import Difference, Kind, differences
from opilio.archive.results.database import made, mapped, opened
from opilio.archive.results.errors import NoResult
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.view import ResultView
from opilio.kernel import files
from opilio.kernel.errors import OpilioError
from opilio.kernel.hosts import host_key
from opilio.kernel.locks import locked
from opilio.works.record_filters import LONGEST, BadFilter, Wanted

FORMAT = 1
APPLICATION_ID = 0x4F70436D  # "OpCm"
_PORTION = 2_000
_MOST_KEPT = 30  # comparisons of one harvest
_MOST_VALUES = 1_000  # hosts that are told apart
_COLUMNS = (
    "id, url, kind, fields, host, type, before_outcome, after_outcome, before_status, after_status, before_size, "
    "after_size"
)
_TABLES = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE difference (
        id INTEGER PRIMARY KEY, url TEXT NOT NULL, kind TEXT NOT NULL, fields TEXT NOT NULL, host TEXT NOT NULL,
        type TEXT NOT NULL, before_outcome TEXT, after_outcome TEXT, before_status INTEGER, after_status INTEGER,
        before_size INTEGER, after_size INTEGER)""",
    """CREATE TABLE summary (
        by TEXT, value TEXT, kind TEXT, count INTEGER NOT NULL, PRIMARY KEY (by, value, kind)) WITHOUT ROWID""",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Side:
    """One of the two results."""

    harvest: int
    folder: Path
    number: int

    @property
    def results(self) -> ResultsFolder:
        """Its folder."""
        return ResultsFolder(self.folder)

    @property
    def digest(self) -> str:
        """Of its file."""
        return self.results.digest(self.number)


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """Two results: what was before, and what came after."""

    before: Side
    after: Side

    @property
    def path(self) -> Path:
        """Where the comparison is kept."""
        name = f"{self.after.number}-with-{self.before.harvest}-{self.before.number}.db"
        return self.after.folder / "compared" / name

    @property
    def mark(self) -> str:
        """By which a comparison is known to be of these two."""
        return f"{self.before.digest} {self.after.digest}"


@dataclass(frozen=True, kw_only=True, slots=True)
class ComparedUrl:
    """One URL in both results."""

    id: int
    url: str
    kind: str
    fields: str  # what changed
    host: str
    type: str
    before_outcome: str | None
    after_outcome: str | None
    before_status: int | None
    after_status: int | None
    before_size: int | None
    after_size: int | None

    def document(self) -> dict[str, Any]:
        """For exports."""
        return {name: value for name, value in asdict(self).items() if name != "id"}


COLUMNS = tuple(name.strip() for name in _COLUMNS.split(","))[1:]


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """Which differences are wanted; empty fields admit everything."""

    kind: str = ""  # empty: all but those that are unchanged
    text: str = ""
    host: str = ""
    type: str = ""

    def __post_init__(self) -> None:
        if self.kind and self.kind not in set(Kind):
            raise BadFilter(
                f"{self.kind[:40]!r} is no kind of difference", where="kind", remedy=f"Choose from {', '.join(Kind)}."
            )
        for name in ("text", "host", "type"):
            if len(getattr(self, name)) > LONGEST:
                raise BadFilter(
                    f"the filter is longer than {LONGEST:,} characters", where=name, remedy="Give less of it."
                )


def is_compared(pair: Pair) -> bool:
    """Whether the comparison is there, and is of these two results."""
    if not pair.path.is_file():
        return False
    try:
        with Comparison(pair.path) as found:
            return found.mark == pair.mark
    except OpilioError:
        return False


def make_comparison(pair: Pair) -> Path:
    """The comparison, made if it is not there; `Conflict` while another process makes one here."""
    if is_compared(pair):
        return pair.path
    files.ensure_folder(pair.path.parent)
    with locked(pair.path.parent / ".lock", purpose="comparing results"):
        if not is_compared(pair):
            _make(pair)
            _forget_oldest(pair.path)
    return pair.path


def _make(pair: Pair) -> None:
    aside = pair.path.with_name(".making.db")
    aside.unlink(missing_ok=True)
    before = ResultView(pair.before.results, pair.before.number)
    after = ResultView(pair.after.results, pair.after.number)
    with before, after, mapped(pair.path):
        connection = made(aside)
        try:
            _fill(connection, differences(before, after), pair.mark)
        finally:
            connection.close()
    with files.mapped(pair.path):
        aside.replace(pair.path)


def _fill(connection: sqlite3.Connection, rows: Iterator[Difference], mark: str) -> None:
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    connection.execute("BEGIN")
    for statement in _TABLES:
        connection.execute(statement)
    counts: Counter[tuple[str, str, str]] = Counter()
    connection.executemany(
        f"INSERT INTO difference VALUES ({', '.join('?' * 12)})",  # noqa: S608 - ours
        ((number, *row) for number, row in enumerate(_rows(rows, counts))),
    )
    connection.executemany("INSERT INTO summary VALUES (?, ?, ?, ?)", ((*key, count) for key, count in counts.items()))
    connection.execute("INSERT INTO meta VALUES ('mark', ?)", (mark,))
    connection.execute("CREATE INDEX difference_kind ON difference (kind)")
    connection.execute("COMMIT")


def _rows(found: Iterator[Difference], counts: Counter[tuple[str, str, str]]) -> Iterator[tuple[object, ...]]:
    """The rows that are listed; what is unchanged is counted too."""
    hosts: set[str] = set()
    for row in found:
        one = row.after or row.before
        host, kind = host_key(row.url), row.kind.value
        if host in hosts or len(hosts) < _MOST_VALUES:
            hosts.add(host)
            counts["host", host, kind] += 1
        counts["type", one.type if one else "", kind] += 1
        counts["", "", kind] += 1
        for name in row.fields:
            counts["field", name, kind] += 1
        sides = [
            getattr(side, name, None) for name in ("outcome", "status", "size") for side in (row.before, row.after)
        ]
        yield (row.url, kind, " ".join(row.fields), host, one.type if one else "", *sides)


def _forget_oldest(kept: Path) -> None:
    there = sorted(kept.parent.glob("*-with-*.db"), key=lambda path: path.stat().st_mtime)
    for path in there[:-_MOST_KEPT]:
        if path != kept:
            path.unlink(missing_ok=True)


class Comparison:
    """An open comparison."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise NoResult("there is no comparison", where=str(path), remedy="Compare the results once more.")
        self._path = path
        self._lock = threading.RLock()
        self._connection = opened(path)
        try:
            self.mark = self._known()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Comparison":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def totals(self) -> dict[str, int]:
        """How many URLs are of each kind."""
        rows = dict(self._rows("SELECT kind, count FROM summary WHERE by = ''"))
        return {kind.value: rows.get(kind.value, 0) for kind in Kind}

    def summary(self, by: str, most: int = 50) -> dict[str, dict[str, int]]:
        """The same by type or host, or by what changed; those with the most differences first."""
        found: dict[str, dict[str, int]] = {}
        for value, kind, count in self._rows("SELECT value, kind, count FROM summary WHERE by = ? ORDER BY value", by):
            found.setdefault(value, dict.fromkeys(map(str, Kind), 0))[kind] = count
        ranked = sorted(found.items(), key=lambda item: (-sum(item[1].values()) + item[1][Kind.UNCHANGED], item[0]))
        return dict(ranked[:most])

    def found(self, asked: Asked, *, after: int = -1, most: int = 100) -> list[ComparedUrl]:
        """Differences in the order of their URLs, behind one."""
        where, values = _where(asked)
        words = f"SELECT {_COLUMNS} FROM difference WHERE {where} AND id > ? ORDER BY id LIMIT ?"  # noqa: S608 - ours
        names = [name.strip() for name in _COLUMNS.split(",")]
        rows = self._rows(words, *values, after, most)
        return [ComparedUrl(**dict(zip(names, row, strict=True))) for row in rows]

    def counted(self, asked: Asked) -> int:
        """How many there are."""
        where, values = _where(asked)
        return int(self._rows(f"SELECT count(*) FROM difference WHERE {where}", *values)[0][0])  # noqa: S608 - ours

    def every(self, asked: Asked) -> Iterator[ComparedUrl]:
        """All, portion by portion."""
        after = -1
        while rows := self.found(asked, after=after, most=_PORTION):
            yield from rows
            after = rows[-1].id

    def _known(self) -> str:
        ((application,),) = self._rows("PRAGMA application_id")
        ((version,),) = self._rows("PRAGMA user_version")
        if (application, version) != (APPLICATION_ID, FORMAT):
            raise NoResult("the file is no comparison", where=str(self._path), remedy="Remove it.")
        return str(self._rows("SELECT value FROM meta WHERE name = 'mark'")[0][0])

    def _rows(self, words: str, *values: object) -> list[Any]:
        with self._lock, mapped(self._path):
            return self._connection.execute(words, values).fetchall()


def _where(asked: Asked) -> tuple[str, Sequence[object]]:
    parts: list[tuple[str, list[object]]] = [("kind = ?", [asked.kind]) if asked.kind else ("kind <> 'unchanged'", [])]
    if asked.text:
        parts.append(("instr(lower(url), ?) > 0", [Wanted(text=asked.text).needle]))
    if asked.host:
        parts.append(("host = ?", [asked.host.lower()]))
    if asked.type:
        parts.append(("type = ?", [asked.type.lower()]))
    return " AND ".join(words for words, _ in parts), [value for _, values in parts for value in values]
