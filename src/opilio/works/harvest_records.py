"""What a harvest collected, and what it still has before it, page by page: from the live store while it runs, from the
sealed result after. No Django.

A look goes through a bounded number of rows, so that a filter that matches nothing in a million rows answers quickly
too: it then tells where to go on.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from opilio.archive.results.reader import ResultReader
from opilio.crawl.frontier.database import Row, Sql
from opilio.crawl.frontier.values import EXPAND, LAST_PRIORITY
from opilio.kernel.errors import Missing
from opilio.kernel.hosts import host_key
from opilio.works import record_questions
from opilio.works.record_filters import Wanted
from opilio.works.record_questions import RESULT, STORE, Tables
from opilio.works.run_harvest import HarvestFolder
from opilio.works.sealed_crawl import results_of

_WINDOW = 25_000  # rows that one question goes through
_WINDOWS = 8  # questions of one look
_PORTION = 500  # rows of an export that are read at a time
_TYPES = 100  # that are offered
_NO_HOST = -1
_FAR = (1 << 63) - 1

Key = tuple[int, ...]
Ask = Callable[[Sql, Sequence[object]], list[Row]]
R = TypeVar("R", bound="_Placed")


class NothingHere(Missing):
    """The folder of a harvest is not on this machine, or nothing was collected into it yet."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HarvestResource:
    """A URL with its outcome, and where its record lies (HARVEST_RESOURCE)."""

    key: Key
    number: int
    url: str
    host: str
    outcome: str  # empty: its record was lost, and it is fetched again
    reason: str
    status: int | None
    type: str
    size: int  # bytes of the payload
    depth: int
    at: float  # seconds since 1970; 0: never fetched
    file: str  # empty: nothing was kept
    offset: int | None
    length: int | None  # bytes of the record
    digest: str
    title: str

    @property
    def compressed(self) -> bool:
        """Whether its record is."""
        return self.file.endswith(".gz")


@dataclass(frozen=True, kw_only=True, slots=True)
class WaitingUrl:
    """A URL that waits for its turn."""

    key: Key
    url: str
    host: str
    depth: int
    embed: bool
    priority: int
    tries: int
    not_before: float  # seconds since 1970; 0: as soon as its host may be asked
    found_on: str  # empty: a seed


class _Placed(Protocol):
    @property
    def key(self) -> Key: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Part(Generic[R]):
    """A part of a list."""

    rows: list[R]
    next: Key | None  # where the list goes on; None: it ends here
    whole: bool = True  # False: the look ended before the part was full


class HarvestRecords:
    """The records of one harvest. Whoever opens them closes them."""

    def __init__(self, ask: Ask, tables: Tables, close: Callable[[], None], *, sealed: bool) -> None:
        self._ask = ask
        self._tables = tables
        self.close = close
        self.sealed = sealed

    def resources(self, wanted: Wanted, after: Key | None = None, most: int = 50) -> Part[HarvestResource]:
        """Resources by number, those behind `after`."""
        words, values = record_questions.resources(self._tables, wanted, self._host(wanted))
        ((found,),) = self._ask(self._tables.last, ())
        last = -1 if found is None else int(found)

        def look(low: Key, high: Key, limit: int) -> list[HarvestResource]:
            return [_resource(row) for row in self._ask(words, [*low, *high, *values, limit])]

        def horizon(key: Key) -> Key | None:
            return (key[0] + _WINDOW,) if key[0] + _WINDOW < last else None

        return _part(look, horizon, after or (-1,), (last,), most)

    def waiting(self, wanted: Wanted, after: Key | None = None, most: int = 50) -> Part[WaitingUrl]:
        """What waits, by host, in the order in which each host is asked for it; nothing once it is sealed."""
        if self.sealed:
            return Part(rows=[], next=None)
        first, last = _ends(self._host(wanted))

        def look(low: Key, high: Key, limit: int) -> list[WaitingUrl]:
            same, place = _span(low, last)
            words, values = record_questions.waiting(wanted, same=same)
            return [_waiting(row) for row in self._ask(words, [*place, _WINDOW, *values, limit])]

        def horizon(key: Key) -> Key | None:
            same, place = _span(key, last)
            rows = self._ask(record_questions.waiting_end(same=same), [*place, _WINDOW - 1])
            if rows:
                return tuple(rows[0])
            return (*key[:3], _FAR) if same else None

        return _part(look, horizon, max(after or first, first), last, most)

    def outcomes(self) -> dict[str, int]:
        """How many resources have each outcome, the most frequent first; by counters while the harvest runs."""
        rows = [(name, int(count)) for name, count in self._ask(self._tables.outcomes, ()) if name and int(count) > 0]
        return dict(sorted(rows, key=lambda row: (-row[1], row[0])))

    def types(self) -> list[str]:
        """The types that were met, the most frequent first."""
        rows = [(int(count), name.removeprefix("type/")) for name, count in self._ask(self._tables.types, ["type/%"])]
        return [name for count, name in sorted(rows, key=lambda row: (-row[0], row[1])) if count > 0][:_TYPES]

    def _host(self, wanted: Wanted) -> int | None:
        if not wanted.host:
            return None
        rows = self._ask(self._tables.host_number, [wanted.host])
        return int(rows[0][0]) if rows else _NO_HOST


def open_records(folder: HarvestFolder) -> HarvestRecords:
    """The records of a harvest as they are now; `NothingHere` where there are none."""
    if folder.sealed():
        result = ResultReader(results_of(folder.crawl).result)
        return HarvestRecords(
            lambda words, values: result.ask(words if isinstance(words, str) else words.sqlite, values), RESULT,
            result.close, sealed=True,
        )  # fmt: skip
    if not folder.begun():
        remedy = "Look where its agent runs, or let both use the same home folder; one that just began needs a moment."
        raise NothingHere("What this harvest collected is not on this machine", where=str(folder.path), remedy=remedy)
    store = folder.crawl.open(folder.address, read_only=True)
    return HarvestRecords(store.ask, STORE, store.close, sealed=False)


@contextlib.contextmanager
def records(folder: HarvestFolder) -> Iterator[HarvestRecords]:
    """The same for the length of a block."""
    with contextlib.closing(open_records(folder)) as found:
        yield found


def all_resources(folder: HarvestFolder, wanted: Wanted) -> Iterator[HarvestResource]:
    """Every resource that is wanted, read portion by portion."""
    with records(folder) as found:
        yield from _all(lambda after: found.resources(wanted, after, _PORTION))


def all_waiting(folder: HarvestFolder, wanted: Wanted) -> Iterator[WaitingUrl]:
    """Everything that waits and is wanted, read portion by portion."""
    with records(folder) as found:
        yield from _all(lambda after: found.waiting(wanted, after, _PORTION))


def _all(part: Callable[[Key | None], Part[R]]) -> Iterator[R]:
    after: Key | None = None
    while True:
        found = part(after)
        yield from found.rows
        if found.next is None:
            return
        after = found.next


def _part(
    look: Callable[[Key, Key, int], list[R]], horizon: Callable[[Key], Key | None], after: Key, last: Key, most: int
) -> Part[R]:
    """Look through one window after the other until the part is full, the rows end, or it took long enough."""
    rows: list[R] = []
    for _ in range(_WINDOWS):
        end = horizon(after)
        rows += look(after, last if end is None else end, most + 1 - len(rows))
        if len(rows) > most:
            return Part(rows=rows[:most], next=rows[most - 1].key)
        if end is None:
            return Part(rows=rows, next=None)
        after = end
    return Part(rows=rows, next=after, whole=False)


def _ends(host: int | None) -> tuple[Key, Key]:
    """The turns before the first entry of the queue and after its last, of one host if one is named."""
    if host is None:
        return (-1, 0, 0, _FAR), (_FAR, 0, 0, 0)
    return (host, EXPAND, -1, _FAR), (host, LAST_PRIORITY, _FAR, 0)


def _span(key: Key, last: Key) -> tuple[bool, Key]:
    """Whether entries with the same turn may follow, and the values that lead there."""
    return (True, key) if key[3] < _FAR else (False, (*key[:3], *last[:3]))


def _resource(row: Row) -> HarvestResource:
    number, url, outcome, reason, status, kind, size, depth, at, file, offset, length, digest, title = row
    return HarvestResource(
        key=(number,), number=number, url=url, host=host_key(url), outcome=outcome, reason=reason, status=status,
        type=kind, size=size, depth=depth, at=at, file=file or "", offset=offset, length=length, digest=digest,
        title=title,
    )  # fmt: skip


def _waiting(row: Row) -> WaitingUrl:
    host, priority, rank, number, url, name, depth, hops, tries, not_before, above = row
    return WaitingUrl(
        key=(host, priority, rank, number), url=url, host=name, depth=depth, embed=hops > 0, priority=priority,
        tries=tries, not_before=not_before or 0.0, found_on=above or "",
    )  # fmt: skip
