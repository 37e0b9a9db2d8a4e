"""Counters, and the limits of pages that are counted under them.

A counter has a slot per bucket, written only under that bucket's lease, so that workers do not wait for each other;
its value is the sum. Slot -1 holds numbers that must be in order, and slot -2 what was taken back.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from opilio.crawl.frontier.batch import Batch, Denial, PageResult
from opilio.crawl.frontier.database import Both, Database, insert, update
from opilio.crawl.frontier.recording import clean
from opilio.crawl.frontier.values import Entry, Held

#: Slot of what was taken back (see `rewinding`) or recorded without a lease.
TAKEN_BACK = -2
#: So many examples are kept for each rule that denies.
EXAMPLES = 20

_ADD = insert(
    "counter",
    "slot int8, name text, value int8",
    "ON CONFLICT (slot, name) DO UPDATE SET value = {counter}.value + excluded.value",
)
_SUMS = "SELECT name, sum(value) FROM {counter} WHERE slot <> -1 GROUP BY name"
_SUM = "SELECT coalesce(sum(value), 0) FROM {counter} WHERE slot <> -1 AND name = ?"
_GUARD = Both(sqlite="SELECT 0", postgres="SELECT value FROM {meta} WHERE name = 'guard pages' FOR UPDATE")
_RETURN = update("reserve", "slots int8 +", "bucket int8, seed int4")
_RESERVE = insert("reserve", "bucket int8, seed int4, slots int8")
_EXAMPLE = insert("denial", "rule text, url text, parent text", "ON CONFLICT (rule, url) DO NOTHING")


def add(db: Database, slot: int, values: Mapping[str, int]) -> None:
    """Add to counters."""
    db.many(_ADD, [(slot, clean(name), values[name]) for name in sorted(values) if values[name]])


def sums(db: Database) -> dict[str, int]:
    """The value of every counter."""
    return {name: int(value) for name, value in db.rows(_SUMS)}


def value_of(db: Database, name: str) -> int:
    """The value of one counter."""
    ((value,),) = db.rows(_SUM, (name,))
    return int(value)


def page_counts(pages: Iterable[PageResult]) -> Counter[str]:
    """What a list of pages adds to the counters."""
    counts: Counter[str] = Counter()
    for page in pages:
        counts["pages"] += 1
        counts["bytes"] += page.charged
        counts[f"outcome/{page.outcome}"] += 1
        if page.status is not None:
            counts[f"status/{page.status}"] += 1
        if page.type:
            counts[f"type/{page.type}"] += 1
        if page.counted:
            counts["counted"] += 1
            counts[f"seed/{page.entry.label.seed}"] += 1
    return counts


def guard(db: Database) -> None:
    """From here on nobody else changes what is counted or reserved under the limits of pages."""
    db.rows(_GUARD)


def reserved(db: Database) -> list[tuple[int, int, int]]:
    """Room that is reserved: bucket, seed and number."""
    return [(bucket, seed, slots) for bucket, seed, slots in db.rows("SELECT bucket, seed, slots FROM {reserve}")]


def reserve(db: Database, buckets: Iterable[int], entries: Iterable[Held]) -> None:
    """Reserve room for exactly these entries under these buckets."""
    clear(db, buckets)
    wanted = Counter((entry.bucket, entry.label.seed) for entry in entries if entry.counted)
    db.many(_RESERVE, [(*key, wanted[key]) for key in sorted(wanted)])


def clear(db: Database, buckets: Iterable[int]) -> None:
    """Give back all room reserved under these buckets."""
    wanted = set(buckets)
    for bucket in sorted({row[0] for row in reserved(db)} & wanted):
        db.execute("DELETE FROM {reserve} WHERE bucket = ?", (bucket,))


def give_back(db: Database, entries: Iterable[Entry]) -> None:
    """Give back the room of entries that a worker is done with."""
    done = Counter((entry.bucket, entry.label.seed) for entry in entries if entry.counted)
    db.many(_RETURN, [(-done[key], *key) for key in sorted(done)])
    db.execute("DELETE FROM {reserve} WHERE slots <= 0")


def record_denials(db: Database, slot: int, denials: Sequence[Denial]) -> None:
    """Count denials by rule, and keep the first ones of each as examples."""
    counts: Counter[str] = Counter()
    for denial in denials:
        counts[f"denied/{clean(denial.rule, 200)}"] += denial.count
    add(db, slot, counts)
    kept: dict[str, int] = dict(db.rows("SELECT rule, count(*) FROM {denial} GROUP BY rule")) if denials else {}
    rows = {}
    for denial in denials:
        rule = clean(denial.rule, 200)
        if kept.get(rule, 0) < EXAMPLES and (rule, denial.url) not in rows:
            kept[rule] = kept.get(rule, 0) + 1
            rows[rule, clean(denial.url)] = clean(denial.parent)
    db.many(_EXAMPLE, [(*key, rows[key]) for key in sorted(rows)])


def slot_of(batch: Batch) -> int:
    """The slot that a batch may write: its lowest bucket is locked by its commit."""
    return min(batch.leases, default=TAKEN_BACK)
