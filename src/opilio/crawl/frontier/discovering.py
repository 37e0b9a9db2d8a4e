"""Found URLs on their way into the queue: each once, at its shortest depth, whatever order they come in.

Every transaction touches `seen` first and the queue second, both in the order of their keys: so no two workers wait
for each other in a circle, and a shorter way is never overlooked while somebody else commits the page it leads to.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from opilio.crawl.frontier.database import Database, Key, Row, delete, insert, update
from opilio.crawl.frontier.labels import Label, covers, merged, uncovered
from opilio.crawl.frontier.terms import Terms
from opilio.crawl.frontier.urls import shortened
from opilio.crawl.frontier.values import EXPAND, Entry, Found

QUEUE = insert(
    "queue",
    "id int8, host int8, priority int4, rank int4, hash64 int8, url text, seed int4, depth int4, hops int4, "
    "parent_host int8, parent_hash int8, path text, tries int4, not_before float8",
)
_LOCK_SEEN = """
    WITH k(a, b) AS ({keys})
    SELECT s.host, s.hash64, s.depth, s.seed, s.hops, s.entry
    FROM k CROSS JOIN {seen} AS s WHERE s.host = k.a AND s.hash64 = k.b ORDER BY s.host, s.hash64 {lock}
"""
_MORE = """
    WITH k(a, b) AS ({keys})
    SELECT s.host, s.hash64, s.depth, s.seed, s.hops
    FROM k CROSS JOIN {seen_more} AS s WHERE s.host = k.a AND s.hash64 = k.b
"""
_LABELS = """
    WITH k(a, b) AS ({keys})
    SELECT s.host, s.hash64, s.depth, s.seed, s.hops
    FROM k CROSS JOIN {seen} AS s WHERE s.host = k.a AND s.hash64 = k.b
"""
_LOCK_QUEUE = """
    WITH k(a) AS ({keys}) SELECT s.id FROM k CROSS JOIN {queue} AS s WHERE s.id = k.a ORDER BY s.id {lock}
"""
_SHORTER = update("seen", "depth int4, seed int4, hops int4, entry int8", "host int8, hash64 int8")
_FORGET_MORE = delete("seen_more", "host int8, hash64 int8")
_KEEP_MORE = insert("seen_more", "host int8, hash64 int8, depth int4, seed int4, hops int4")
_RAISE = update(
    "queue",
    "rank int4, seed int4, depth int4, hops int4, parent_host int8, parent_hash int8, path text",
    "id int8",
    f"AND s.priority <> {EXPAND}",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Discovered:
    """What was new."""

    new: int = 0
    shorter: int = 0
    expand: int = 0


class _Arrival(NamedTuple):
    """A found URL with the page it was found on, and with all its labels if it has several."""

    found: Found
    parent: Key | None
    several: tuple[Label, ...] = ()

    @property
    def labels(self) -> tuple[Label, ...]:
        return self.several or (self.found.label,)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Shorter:
    """A known URL whose labels change."""

    key: Key
    arrival: _Arrival
    labels: tuple[Label, ...]
    entry: int


def discover(
    db: Database,
    terms: Terms,
    hosts: Mapping[str, int],
    finds: Iterable[tuple[Key | None, Sequence[Found]]],
    leaving: Sequence[int],
) -> Discovered:
    """Record found URLs, each with the page it was found on; `leaving` are entries that this transaction removes."""
    arrivals = _gathered(terms, hosts, finds)
    keys = sorted(arrivals)
    numbers = db.entry_ids(len(arrivals)) if arrivals else []
    ids = dict(zip(arrivals, numbers, strict=True))  # in the order in which they were found
    fresh, better = db.meet([(*key, *arrivals[key].found.label, ids[key]) for key in keys])
    better |= {key for key, arrival in arrivals.items() if arrival.several and key not in fresh}
    shorter = _shorter(db, terms, arrivals, sorted(better))
    waiting = _locked(db, [*leaving, *(each.entry for each in shorter)])
    expand = [each for each in shorter if each.entry not in waiting]
    _queue(db, terms, arrivals, [key for key in arrivals if key in fresh], ids)
    _keep_labels(db, shorter + _branching(fresh, arrivals, ids), {each.key: ids[each.key] for each in expand})
    _raise(db, terms, [each for each in shorter if each.entry in waiting])
    queue_expansions(db, [_expansion(ids[each.key], each) for each in expand])
    return Discovered(new=len(fresh), shorter=len(shorter), expand=len(expand))


def labels_of(db: Database, keys: Sequence[Key]) -> dict[Key, tuple[Label, ...]]:
    """All labels of some URLs, smallest first."""
    found: dict[Key, list[Label]] = {}
    for host, hash64, *label in (*db.keyed(_LABELS, keys, "int8 int8"), *db.keyed(_MORE, keys, "int8 int8")):
        found.setdefault((host, hash64), []).append(Label(*label))
    return {key: tuple(sorted(labels)) for key, labels in found.items()}


def expansions_missed(db: Database, terms: Terms, done: Sequence[Entry]) -> list[Row]:
    """Entries to expand again, because a shorter way to them was found while a worker had them."""
    current = labels_of(db, sorted({(entry.host, entry.hash64) for entry in done}))
    late = [
        entry for entry in done if uncovered(current.get((entry.host, entry.hash64), ()), entry.labels, terms.admission)
    ]
    ids = db.entry_ids(len(late)) if late else []
    return [
        expansion_row(number, (entry.host, entry.hash64), shortened(entry.url, entry.name), entry.label)
        for number, entry in zip(ids, late, strict=True)
    ]


def queue_expansions(db: Database, rows: Sequence[Row]) -> None:
    """Put entries to expand into the queue."""
    db.many(QUEUE, rows)


def expansion_row(number: int, key: Key, url: str, label: Label) -> Row:
    """An entry that expands a page's stored outlinks again."""
    depth, seed, hops = label
    return (number, key[0], EXPAND, 0, key[1], url, seed, depth, hops, None, None, "", 0, None)


def _gathered(
    terms: Terms, hosts: Mapping[str, int], finds: Iterable[tuple[Key | None, Sequence[Found]]]
) -> dict[Key, _Arrival]:
    """Each URL once, with the labels that count."""
    arrivals: dict[Key, _Arrival] = {}
    for parent, founds in finds:
        for found in founds:
            key = (hosts[found.host], found.hash64)
            known = arrivals.get(key)
            if known is None:
                arrivals[key] = _Arrival(found, parent)
            elif not covers(known.found.label, found.label, terms.admission):
                arrivals[key] = _joined(known, found, parent, terms)
    return arrivals


def _joined(known: _Arrival, found: Found, parent: Key | None, terms: Terms) -> _Arrival:
    """The same URL found once more; the smallest label decides which parent it is said to have."""
    labels = merged((*known.labels, found.label), terms.admission)
    several = labels if len(labels) > 1 else ()
    return _Arrival(found, parent, several) if labels[0] == found.label else known._replace(several=several)


def _shorter(db: Database, terms: Terms, arrivals: Mapping[Key, _Arrival], keys: Sequence[Key]) -> list[_Shorter]:
    """Those of the known URLs whose labels change, with their rows locked."""
    if not keys:
        return []
    rows = db.keyed(_LOCK_SEEN, keys, "int8 int8")
    labels = labels_of(db, keys)
    changed = []
    for host, hash64, *_, entry in rows:
        key = (host, hash64)
        after = merged((*labels[key], *arrivals[key].labels), terms.admission)
        if after != labels[key]:
            changed.append(_Shorter(key=key, arrival=arrivals[key], labels=after, entry=entry))
    return changed


def _locked(db: Database, entries: Sequence[int]) -> set[int]:
    """Which entries are in the queue; nobody else can take them away from here on."""
    wanted = sorted({entry for entry in entries if entry})
    return {number for (number,) in db.keyed(_LOCK_QUEUE, [(entry,) for entry in wanted], "int8")}


def _queue(
    db: Database, terms: Terms, arrivals: Mapping[Key, _Arrival], fresh: Sequence[Key], ids: Mapping[Key, int]
) -> None:
    rows = []
    for key in fresh:
        arrival = arrivals[key]
        found = arrival.found
        depth, seed, hops = found.label
        url = shortened(found.url, found.host)
        end = (*_parent(key, arrival.parent), found.path, 0, None)
        rows.append((ids[key], key[0], found.priority, terms.rank(depth), key[1], url, seed, depth, hops, *end))
    db.many(QUEUE, rows)


def _branching(fresh: set[Key], arrivals: Mapping[Key, _Arrival], ids: Mapping[Key, int]) -> list[_Shorter]:
    """New URLs that came with several labels at once."""
    return [
        _Shorter(key=key, arrival=arrival, labels=arrival.labels, entry=ids[key])
        for key, arrival in arrivals.items()
        if arrival.several and key in fresh
    ]


def _keep_labels(db: Database, changed: Sequence[_Shorter], entries: Mapping[Key, int]) -> None:
    rows = sorted(changed, key=lambda each: each.key)
    db.many(_SHORTER, [(*each.labels[0], entries.get(each.key, each.entry), *each.key) for each in rows])
    db.many(_FORGET_MORE, [each.key for each in rows])
    db.many(_KEEP_MORE, [(*each.key, *label) for each in rows for label in each.labels[1:]])


def _raise(db: Database, terms: Terms, waiting: Sequence[_Shorter]) -> None:
    """Move entries that wait to the place of their new label, with the parent that gave it."""
    rows = []
    for each in waiting:
        found = each.arrival.found
        if each.labels[0] == found.label:
            depth, seed, hops = found.label
            parent = _parent(each.key, each.arrival.parent)
            rows.append((terms.rank(depth), seed, depth, hops, *parent, found.path, each.entry))
    db.many(_RAISE, sorted(rows, key=lambda row: row[-1]))


def _expansion(number: int, each: _Shorter) -> Row:
    found = each.arrival.found
    return expansion_row(number, each.key, shortened(found.url, found.host), each.labels[0])


def _parent(key: Key, parent: Key | None) -> tuple[int | None, int | None]:
    """The parent as the queue keeps it: no host when it is the URL's own."""
    if parent is None:
        return None, None
    return None if parent[0] == key[0] else parent[0], parent[1]
