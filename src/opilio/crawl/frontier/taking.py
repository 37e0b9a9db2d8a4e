"""What a worker may do next: hosts in their turn, each with its next entries, as far as the limits leave room."""

import json
from collections.abc import Mapping, Sequence

from opilio.crawl.frontier import counting, discovering, heard, leasing
from opilio.crawl.frontier.control import Control
from opilio.crawl.frontier.database import Both, Database, Row
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.room import Room, counts_pages, limit_reached, room_for_pages
from opilio.crawl.frontier.scanning import Scan, Turn, Wish, ranges_of, scan
from opilio.crawl.frontier.urls import restored
from opilio.crawl.frontier.values import EMBED, EXPAND, Entry, Taken
from opilio.crawl.plan import CrawlPlan

_PAUSE = 1.0  # seconds after which a worker asks again for room that others have reserved
_COLUMNS = (
    "q.id, q.host, q.hash64, q.url, q.depth, q.seed, q.hops, q.path, q.parent_host, q.parent_hash, q.priority, q.tries"
)
_PARENT = "LEFT JOIN {page} AS p ON p.host = coalesce(q.parent_host, q.host) AND p.hash64 = q.parent_hash"
_ENTRIES = Both(
    sqlite=f"""
        SELECT {_COLUMNS}, p.url FROM {{queue}} AS q {_PARENT}
        WHERE q.host = ? AND q.priority <= ? AND (q.not_before IS NULL OR q.not_before <= ?)
            AND (q.hops > 0 OR q.priority = {EXPAND} OR (? AND q.seed NOT IN (SELECT value FROM json_each(?))))
        ORDER BY q.host, q.priority, q.rank, q.id LIMIT ?""",  # noqa: S608 - columns and tables are ours
    postgres=f"""
        SELECT {_COLUMNS}, p.url FROM unnest(?::int8[], ?::int4[], ?::int4[]) AS k(host, last, most)
        CROSS JOIN LATERAL (
            SELECT * FROM {{queue}} AS i
            WHERE i.host = k.host AND i.priority <= k.last AND (i.not_before IS NULL OR i.not_before <= ?)
                AND (i.hops > 0 OR i.priority = {EXPAND} OR (?::bool AND i.seed <> ALL (?::int4[])))
            ORDER BY i.host, i.priority, i.rank, i.id LIMIT k.most
        ) AS q {_PARENT} ORDER BY q.host, q.priority, q.rank, q.id""",  # noqa: S608 - columns and tables are ours
)
_DELAYED = """
    SELECT min(not_before) FROM (
        SELECT q.not_before FROM {queue} AS q WHERE q.host = ? ORDER BY q.host, q.priority, q.rank, q.id LIMIT 1000
    ) AS first
"""
_OUTLINKS = """
    WITH k(a, b) AS ({keys})
    SELECT p.host, p.hash64, o.body FROM k CROSS JOIN {page} AS p CROSS JOIN {outlinks} AS o
    WHERE p.host = k.a AND p.hash64 = k.b AND o.page = p.id
"""


def take(db: Database, plan: CrawlPlan, control: Control, wish: Wish, cursor: int) -> tuple[Taken, int]:
    """Entries for a worker, and where its next search begins. In a writing transaction if pages are counted."""
    limits = control.limits
    held, others = leasing.current(db, wish.owner, wish.leases)
    ranges = ranges_of(held, others)
    lost = frozenset(wish.leases) - frozenset(held)
    if reached := limit_reached(db, limits):
        return Taken(reached=reached, lost=lost), cursor
    if not counts_pages(plan, limits):
        found = scan(db, limits, wish, ranges, cursor)
        return _taken(db, wish, found, Room(), lost), found.cursor
    counting.guard(db)
    kept = [entry for entry in wish.inflight if entry.bucket in held]
    room = room_for_pages(db, plan, limits, held, kept)
    if not heard.by_all(db, wish.owner, wish.now, control.limited) and room.pages is not None:
        room.pages = 0
    found = scan(db, limits, wish, ranges, cursor)
    taken = _taken(db, wish, found, room, lost)
    counting.reserve(db, held, [*kept, *taken.entries])
    return taken, found.cursor


def _taken(db: Database, wish: Wish, found: Scan, room: Room, lost: frozenset[int]) -> Taken:
    used_up = room.used_up  # before this worker takes the rest
    entries = _entries(db, wish, found, room)
    served = {entry.host for entry in entries}
    return Taken(
        entries=tuple(entries),
        hosts={turn.host.id: turn.host for turn in found.turns if turn.host.id in served},
        due=None if entries else _due(db, wish, found, room),
        reached="pages" if used_up and not entries else "",
        lost=lost,
    )


def _entries(db: Database, wish: Wish, found: Scan, room: Room) -> list[Entry]:
    """The next entries of the chosen hosts, as far as there is room."""
    names = {turn.host.id: turn.host.name for turn in found.turns}
    taken = {entry.id for entry in wish.inflight}
    rows = [row for row in _rows(db, wish, found.turns, room) if row[0] not in taken]
    labels = discovering.labels_of(db, sorted({(row[1], row[2]) for row in rows}))
    expand = sorted({(row[1], row[2]) for row in rows if row[10] == EXPAND})
    links = {(host, hash64): bytes(body) for host, hash64, body in db.keyed(_OUTLINKS, expand, "int8 int8")}
    made = [_entry(row, names[row[1]], labels, links) for row in rows]
    return [entry for entry in made if room.admits(entry)]


def _rows(db: Database, wish: Wish, turns: Sequence[Turn], room: Room) -> list[Row]:
    """Rows of the queue, host by host in turn. Without room for pages only embeds and expansions are looked for."""
    full, pages = room.full_seeds, not room.empty  # pages that were moved ahead stand before the embeds
    lasts = [min(turn.last, EMBED) if room.empty else turn.last for turn in turns]
    if not db.shared:
        asked = [
            (turn.host.id, last, wish.now, int(pages), json.dumps(full), turn.most)
            for turn, last in zip(turns, lasts, strict=True)
        ]
        return [row for values in asked for row in db.rows(_ENTRIES, values)]
    if not turns:
        return []
    hosts = [turn.host.id for turn in turns]
    rows = db.rows(_ENTRIES, (hosts, lasts, [turn.most for turn in turns], wish.now, pages, full))
    order = {host: place for place, host in enumerate(hosts)}
    return sorted(rows, key=lambda row: order[row[1]])  # stable: inside a host the order stays


def _entry(
    row: Row,
    name: str,
    labels: Mapping[tuple[int, int], tuple[Label, ...]],
    links: Mapping[tuple[int, int], bytes],
) -> Entry:
    number, host, hash64, url, depth, seed, hops, path, parent_host, parent_hash, priority, tries, parent = row
    key = (host, hash64)
    return Entry(
        id=number,
        host=host,
        name=name,
        hash64=hash64,
        url=restored(url, name),
        labels=labels.get(key) or (Label(depth, seed, hops),),
        path=path,
        parent=parent,
        parent_key=None if parent_hash is None else (host if parent_host is None else parent_host, parent_hash),
        priority=priority,
        tries=tries,
        outlinks=links.get(key, b""),
    )


def _due(db: Database, wish: Wish, found: Scan, room: Room) -> float | None:
    """When to ask again, if there was nothing to take."""
    times = [] if found.due is None else [found.due]
    for turn in found.turns:
        ((delayed,),) = db.rows(_DELAYED, (turn.host.id,))
        if delayed is not None and delayed > wish.now:
            times.append(delayed)
    if room.empty and not room.used_up:
        times.append(wish.now + _PAUSE)
    return min(times, default=None)
