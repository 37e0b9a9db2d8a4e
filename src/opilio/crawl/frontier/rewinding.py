"""Entries that leave the queue unfetched or change their place in it, and pages that come back into it because their
records were lost.
"""

from collections import Counter
from collections.abc import Callable, Sequence

from opilio.crawl.frontier import counting, discovering, recording
from opilio.crawl.frontier.batch import PageResult
from opilio.crawl.frontier.database import Database, Row, delete, update
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.terms import Terms
from opilio.crawl.frontier.urls import restored, shortened
from opilio.crawl.frontier.values import EXPAND, Entry

PORTION = 2_000  # entries or pages in one transaction

_PORTION = f"""
    SELECT q.id, q.host, h.name, q.hash64, q.url, q.depth, q.seed, q.hops, q.path, q.parent_host, q.parent_hash,
        q.tries, q.priority
    FROM {{queue}} AS q JOIN {{host}} AS h ON h.id = q.host
    WHERE q.id > ? AND q.priority <> {EXPAND} ORDER BY q.id LIMIT {PORTION}
"""  # noqa: S608 - tables are ours
_THERE = "WITH k(a) AS ({keys}) SELECT s.id FROM k CROSS JOIN {queue} AS s WHERE s.id = k.a ORDER BY s.id {lock}"
_PLACE = update("queue", "priority int4", "id int8", f"AND s.priority <> {EXPAND}")
_REMOVE = delete("queue", "id int8")
_BEYOND = f"""
    SELECT {recording.PAGE_COLUMNS}, h.name FROM {{page}} AS p JOIN {{warc}} AS w ON w.id = p.warc
    LEFT JOIN {{host}} AS h ON h.id = p.host
    WHERE w.file = ? AND p.start + p.length > ? ORDER BY p.id LIMIT {PORTION}
"""  # noqa: S608 - columns and tables are ours
_LEANING = f"""
    WITH k(a) AS ({{keys}})
    SELECT {recording.PAGE_COLUMNS}, h.name FROM k CROSS JOIN {{page}} AS p
    LEFT JOIN {{warc}} AS w ON w.id = p.warc LEFT JOIN {{host}} AS h ON h.id = p.host
    WHERE p.original = k.a ORDER BY p.id
"""  # noqa: S608 - columns and tables are ours
_LOST = update("page", "outcome text, reason text", "id int8")
_RESET = """
    UPDATE {page} SET warc = NULL, start = NULL, length = NULL, status = NULL, size = 0, at = 0, counted = 0,
        original = NULL WHERE id = ?
"""
_ENTRY = update("seen", "entry int8", "host int8, hash64 int8")


def portion(db: Database, after: int) -> list[Entry]:
    """The next entries of the queue that would be fetched, in the order of their insertion."""
    return [_entry(row) for row in db.rows(_PORTION, (after,))]


def drop(db: Database, results: Sequence[PageResult]) -> int:
    """Take entries out of the queue for good and record why; how many were still there."""
    wanted = sorted((page.entry.id,) for page in results)
    there = {number for (number,) in db.keyed(_THERE, wanted, "int8")}
    gone = {(page.entry.host, page.entry.hash64): page for page in results if page.entry.id in there}
    db.many(_REMOVE, sorted((page.entry.id,) for page in gone.values()))
    ids, _ = recording.number_pages(db, sorted(gone))
    rows = [recording.page_row(ids[key], gone[key], 0, {}) for key in sorted(gone)]
    db.many(recording.PAGES, rows)
    counting.add(db, counting.TAKEN_BACK, counting.page_counts(gone.values()))
    return len(gone)


def place(db: Database, moved: Sequence[tuple[int, int]]) -> int:
    """Give entries another priority, each by its number; how many were still there."""
    wanted = sorted((number,) for number, _ in moved)
    there = {number for (number,) in db.keyed(_THERE, wanted, "int8")}
    db.many(
        _PLACE, sorted(((priority, number) for number, priority in moved if number in there), key=lambda row: row[1])
    )
    return len(there)


def rewind(db: Database, terms: Terms, file: str, offset: int) -> int:
    """Queue a portion of the pages again whose records lie beyond `offset`; how many there were.

    So are pages whose records have no body of their own and refer to one of those.
    """
    rows = _with_leaning(db, db.rows(_BEYOND, (file, offset)))
    pages = [(recording.page_of(row[:-1]), row[-1]) for row in rows]
    labels = discovering.labels_of(db, sorted((page.host, page.hash64) for page, _ in pages))
    back = [(page, name) for page, name in pages if (page.host, page.hash64) in labels]
    ids = db.entry_ids(len(back)) if back else []
    queued = []
    for number, (page, name) in zip(ids, back, strict=True):
        label = labels[page.host, page.hash64][0]
        queued.append(
            _row(number, terms, label, page.host, page.hash64, shortened(page.url, name), page.parent_key, page.path)
        )
    db.many(_ENTRY, sorted(((row[0], row[1], row[4]) for row in queued), key=lambda row: row[1:]))
    db.many(discovering.QUEUE, queued)
    db.many(_LOST, [("", "its record was lost", page.id) for page, _ in pages])
    for page, _ in pages:
        db.execute(_RESET, (page.id,))
    counting.guard(db)
    counting.add(db, counting.TAKEN_BACK, _taken_back(rows))
    db.execute("UPDATE {warc} SET committed = ?, owner = '' WHERE file = ? AND committed > ?", (offset, file, offset))
    return len(pages)


def _with_leaning(db: Database, rows: Sequence[Row]) -> list[Row]:
    lost = {row[0]: row for row in rows}
    bodies = [recording.as_original(recording.page_of(row[:-1])) for row in rows]
    for row in db.keyed(_LEANING, [(text,) for text in sorted(bodies)], "text") if bodies else ():
        lost.setdefault(row[0], row)
    return [lost[number] for number in sorted(lost)]


def purge(
    portions: Callable[[int], list[Entry]],
    drop_some: Callable[[Sequence[PageResult]], int],
    judge: Callable[[Entry], PageResult],
) -> int:
    """Go through the whole queue, portion by portion, and drop what has a reason; how many were dropped."""
    dropped, last = 0, 0
    while entries := portions(last):
        last = entries[-1].id
        chosen = [page for entry in entries if (page := judge(entry)).reason]
        if chosen:
            dropped += drop_some(chosen)
    return dropped


def arrange(
    portions: Callable[[int], list[Entry]],
    place_some: Callable[[Sequence[tuple[int, int]]], int],
    priority: Callable[[Entry], int | None],
) -> int:
    """Go through the whole queue, portion by portion, and move the pages that have another priority; how many."""
    moved, last = 0, 0
    while entries := portions(last):
        last = entries[-1].id
        wanted = [(entry, priority(entry)) for entry in entries if entry.counted]  # embeds come along with their page
        changed = [(entry.id, given) for entry, given in wanted if given is not None and given != entry.priority]
        if changed:
            moved += place_some(changed)
    return moved


def _entry(row: Row) -> Entry:
    number, host, name, hash64, url, depth, seed, hops, path, parent_host, parent_hash, tries, priority = row
    return Entry(
        id=number,
        host=host,
        name=name,
        hash64=hash64,
        url=restored(url, name),
        labels=(Label(depth, seed, hops),),
        path=path,
        parent_key=None if parent_hash is None else (host if parent_host is None else parent_host, parent_hash),
        tries=tries - 1,  # it was not tried now
        priority=priority,
    )


def _row(
    number: int, terms: Terms, label: Label, host: int, hash64: int, url: str, parent: tuple[int, int] | None, path: str
) -> Row:
    above = (None, None) if parent is None else (None if parent[0] == host else parent[0], parent[1])
    depth, seed, hops = label
    return (number, host, 0, terms.rank(depth), hash64, url, seed, depth, hops, *above, path, 0, None)


def _taken_back(rows: Sequence[Row]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for row in rows:
        page = recording.page_of(row[:-1])
        counts["pages"] -= 1
        counts["bytes"] -= page.size if page.status != 304 else 0
        counts[f"outcome/{page.outcome}"] -= 1
        if page.status is not None:
            counts[f"status/{page.status}"] -= 1
        if page.type:
            counts[f"type/{page.type}"] -= 1
        if page.counted:
            counts["counted"] -= 1
            counts[f"seed/{page.seed}"] -= 1
    return counts
