"""Which hosts have something to do now.

Hosts take turns: a search goes on where the last one ended, so that whoever was served longest ago comes first and a
huge host cannot starve the others. Only hosts with entries are looked at, one step of an index each.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from opilio.crawl.frontier import hosting
from opilio.crawl.frontier.database import Both, Database
from opilio.crawl.frontier.urls import HOSTS_PER_BUCKET, first_host
from opilio.crawl.frontier.values import EXPAND, LAST_PRIORITY, Held, Host
from opilio.crawl.plan import Limits, limit

_SCANNED = 2_000  # hosts looked at in one search, beside those that are chosen
_PAUSE = 0.05  # seconds after which a search that found nothing goes on with the next hosts
_WAITING = Both(
    sqlite="""
        WITH RECURSIVE w(host) AS (
            SELECT min(host) FROM {queue} WHERE host >= ? AND host <= ?
            UNION ALL
            SELECT (SELECT min(q.host) FROM {queue} AS q WHERE q.host > w.host AND q.host <= ?)
            FROM w WHERE w.host IS NOT NULL
        ) SELECT host FROM w WHERE host IS NOT NULL LIMIT ?""",
    postgres="""
        SELECT w.host FROM unnest(?::int8[], ?::int8[]) AS r(low, high)
        CROSS JOIN LATERAL (
            WITH RECURSIVE w(host) AS (
                (SELECT q.host FROM {queue} AS q WHERE q.host >= r.low AND q.host <= r.high ORDER BY q.host LIMIT 1)
                UNION ALL
                SELECT (SELECT q.host FROM {queue} AS q WHERE q.host > w.host AND q.host <= r.high
                        ORDER BY q.host LIMIT 1)
                FROM w WHERE w.host IS NOT NULL
            ) SELECT host FROM w WHERE host IS NOT NULL
        ) AS w LIMIT ?""",
)
_HOSTS = f"""
    WITH k(a) AS ({{keys}})
    SELECT {hosting.HOST_COLUMNS},
        (SELECT q.priority FROM {{queue}} AS q WHERE q.host = h.id ORDER BY q.priority, q.rank, q.id LIMIT 1)
    FROM k CROSS JOIN {{host}} AS h WHERE h.id = k.a
"""  # noqa: S608 - columns and tables are ours


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """What a worker asks for."""

    owner: str
    leases: Mapping[int, int]
    now: float
    max_hosts: int
    per_host: int
    inflight: Sequence[Held] = ()  # taken before, and not committed
    busy: Collection[int] = ()  # hosts to leave out


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """A host that was chosen, with the entries it may get."""

    host: Host
    last: int  # priority
    most: int


@dataclass(slots=True)
class Scan:
    """What a search found."""

    cursor: int  # the host that was looked at last
    turns: list[Turn] = field(default_factory=list)
    due: float | None = None  # when another host may be asked, or the search should go on


def scan(db: Database, limits: Limits, wish: Wish, ranges: Sequence[tuple[int, int]], cursor: int) -> Scan:
    """Choose hosts of these ranges, beginning after the one that was looked at last."""
    found = Scan(cursor)
    inflight = Counter(entry.host for entry in wish.inflight)
    most = wish.max_hosts + _SCANNED + len(wish.busy)
    numbers = _waiting(db, _turned(ranges, cursor), most)
    if len(numbers) >= most:
        found.due = wish.now + _PAUSE
    rows = {row[0]: row for row in db.keyed(_HOSTS, [(number,) for number in sorted(numbers)], "int8")}
    for number in numbers:
        if len(found.turns) >= wish.max_hosts:
            found.due = wish.now + _PAUSE
            break
        found.cursor = number
        if number not in wish.busy and number in rows:
            *columns, first = rows[number]
            _consider(found, limits, wish, hosting.host_of(tuple(columns)), first, inflight[number])
    return found


def _consider(found: Scan, limits: Limits, wish: Wish, host: Host, first: int | None, inflight: int) -> None:
    """Choose a host if it may be asked now, or if some of its pages are to be expanded."""
    left = wish.per_host
    if (most := limit(limits.pages_per_host)) is not None:
        left = min(left, most - host.pages - inflight)
    most_bytes = limit(limits.bytes_per_host)
    over = left <= 0 or (most_bytes is not None and host.bytes >= most_bytes)
    if host.due <= wish.now and not over:
        found.turns.append(Turn(host=host, last=LAST_PRIORITY, most=left + inflight))
    elif first == EXPAND:
        found.turns.append(Turn(host=host, last=EXPAND, most=wish.per_host + inflight))
    elif not over:
        found.due = host.due if found.due is None else min(found.due, host.due)


def ranges_of(held: Sequence[int], others: Sequence[int]) -> list[tuple[int, int]]:
    """The hosts of these buckets as ranges of numbers, as few as there can be between the other buckets."""
    ranges: list[tuple[int, int]] = []
    foreign = sorted(others)
    for bucket in sorted(held):
        low, high = first_host(bucket), first_host(bucket) + HOSTS_PER_BUCKET - 1
        if ranges and bisect(foreign, ranges[-1][1] // HOSTS_PER_BUCKET) == bisect(foreign, bucket):
            ranges[-1] = (ranges[-1][0], high)
        else:
            ranges.append((low, high))
    return ranges


def _turned(ranges: Sequence[tuple[int, int]], cursor: int) -> list[tuple[int, int]]:
    """The ranges from after `cursor` on, going round once."""
    after = [(max(low, cursor + 1), high) for low, high in ranges if high > cursor]
    return after + [(low, min(high, cursor)) for low, high in ranges if low <= cursor]


def _waiting(db: Database, ranges: Sequence[tuple[int, int]], most: int) -> list[int]:
    """Numbers of hosts with entries, in turn."""
    if db.shared:  # one question for all ranges
        return [
            number for (number,) in db.rows(_WAITING, ([low for low, _ in ranges], [high for _, high in ranges], most))
        ]
    found: list[int] = []
    for low, high in ranges:
        if len(found) < most:
            found += [number for (number,) in db.rows(_WAITING, (low, high, high, most - len(found)))]
    return found
