"""Walks through the queue once, in the order of insertion; what is found on the way comes later in the same walk.

For whoever does without turns and limits, as when a store is made again from its captures.
"""

from collections.abc import Sequence

from opilio.crawl.frontier.database import Row
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.sealing import Asked
from opilio.crawl.frontier.urls import restored
from opilio.crawl.frontier.values import EXPAND, Entry

_PORTION = 200  # entries read at a time
_ENTRIES = f"""
    SELECT q.id, q.host, h.name, q.hash64, q.url, s.depth, s.seed, s.hops, q.path, q.parent_host, q.parent_hash,
        q.priority, q.tries, above.url, o.body
    FROM {{queue}} AS q JOIN {{host}} AS h ON h.id = q.host
    JOIN {{seen}} AS s ON s.host = q.host AND s.hash64 = q.hash64
    LEFT JOIN {{page}} AS above ON above.host = coalesce(q.parent_host, q.host) AND above.hash64 = q.parent_hash
    LEFT JOIN {{page}} AS own ON own.host = q.host AND own.hash64 = q.hash64 AND q.priority = {EXPAND}
    LEFT JOIN {{outlinks}} AS o ON o.page = own.id
    WHERE q.id > ? ORDER BY q.id LIMIT {_PORTION}
"""  # noqa: S608 - tables are ours
_MORE = """
    SELECT q.id, m.depth, m.seed, m.hops FROM {queue} AS q
    JOIN {seen_more} AS m ON m.host = q.host AND m.hash64 = q.hash64 WHERE q.id >= ? AND q.id <= ?
"""


def entries_after(store: Asked, last: int) -> list[Entry]:
    """The next entries of the queue with all their labels; none at its end."""
    rows = store.ask(_ENTRIES, (last,))
    if not rows:
        return []
    more: dict[int, list[Label]] = {}
    for number, *label in store.ask(_MORE, (rows[0][0], rows[-1][0])):
        more.setdefault(number, []).append(Label(*label))
    return [_entry(row, more.get(row[0], ())) for row in rows]


def _entry(row: Row, more: Sequence[Label]) -> Entry:
    number, host, name, hash64, url, depth, seed, hops, path, parent_host, parent_hash, *rest = row
    priority, tries, parent, outlinks = rest
    return Entry(
        id=number,
        host=host,
        name=name,
        hash64=hash64,
        url=restored(url, name),
        labels=tuple(sorted((Label(depth, seed, hops), *more))),
        path=path,
        parent=parent,
        parent_key=None if parent_hash is None else (host if parent_host is None else parent_host, parent_hash),
        priority=priority,
        tries=tries,
        outlinks=bytes(outlinks or b""),
    )
