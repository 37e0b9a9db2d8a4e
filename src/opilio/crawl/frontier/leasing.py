"""Leases of buckets: a worker has a bucket until its time is over, and whoever takes it next gets a new epoch.

Every write names the epoch it was made under; an older one is refused. Times are the workers' wall clocks: where a
clock went back, the times that lie ahead are moved with it, so that pauses keep their length and nobody is stuck.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from opilio.crawl.frontier import counting, heard
from opilio.crawl.frontier.batch import Batch
from opilio.crawl.frontier.database import Both, Database, insert, update
from opilio.crawl.frontier.urls import HOSTS_PER_BUCKET, first_host
from opilio.crawl.frontier.values import Claim

#: Clocks of machines may differ by so many seconds without anything being moved.
SKEW = 5.0

_BUCKETS = "SELECT s.id, s.owner, s.epoch, s.until, s.at FROM {bucket} AS s ORDER BY s.id"
_LOCK = """
    WITH k(a) AS ({keys})
    SELECT s.id, s.owner, s.epoch, s.until, s.at
    FROM k CROSS JOIN {bucket} AS s WHERE s.id = k.a ORDER BY s.id {lock}
"""
_WORK = Both(
    sqlite="""
        SELECT b.id FROM {bucket} AS b
        WHERE EXISTS (SELECT 1 FROM {queue} AS q WHERE q.host >= b.id * ? AND q.host < (b.id + 1) * ?)""",
    postgres="""
        SELECT b.id FROM {bucket} AS b CROSS JOIN LATERAL (
            SELECT 1 FROM {queue} AS q WHERE q.host >= b.id * ? AND q.host < (b.id + 1) * ? LIMIT 1) AS a""",
)
_GUARD = Both(sqlite="SELECT 0", postgres="SELECT value FROM {meta} WHERE name = 'guard workers' FOR UPDATE")
_GRANT = update("bucket", "owner text, epoch int8, until float8, at float8", "id int8")
_RENEW = update("bucket", "until float8, at float8", "id int8")
_FREE = update("bucket", "owner text, until float8", "id int8")
_WORKER = insert(
    "worker",
    "owner text, at float8, until float8, token text, result text",
    "ON CONFLICT (owner) DO UPDATE SET at = excluded.at, until = excluded.until",
)
_MOVE_HOSTS = """
    UPDATE {host} SET next_due = next_due + ?, block_until = block_until + ?, broken_until = broken_until + ?,
        robots_expires = robots_expires + ?
    WHERE id >= ? AND id < ?
"""
_MOVE_QUEUE = "UPDATE {queue} SET not_before = not_before + ? WHERE host >= ? AND host < ? AND not_before > 0"


class _Bucket(NamedTuple):
    id: int
    owner: str | None
    epoch: int
    until: float
    at: float  # when its holder last said that it lives

    def held_by(self, owner: str, leases: Mapping[int, int]) -> bool:
        return self.owner == owner and self.epoch == leases.get(self.id)

    def is_free(self, now: float, ttl: float) -> bool:
        """Nobody has it, its time is over, or it was taken in a future that is no more."""
        return self.owner is None or self.until <= now or self.at > now + max(ttl, SKEW)


def claim(db: Database, owner: str, now: float, ttl: float, want: int) -> Claim:
    """Take free buckets up to a fair share, at most `want` new ones; renew those that the worker has."""
    _tick(db, owner, now, ttl)
    buckets = {bucket.id: bucket for bucket in _all(db)}
    work = {number for (number,) in db.rows(_WORK, (HOSTS_PER_BUCKET, HOSTS_PER_BUCKET))}
    ((workers,),) = db.rows("SELECT count(*) FROM {worker} WHERE until > ?", (now,))
    share = -(-len(work) // max(1, workers))
    mine = {bucket.id for bucket in buckets.values() if bucket.owner == owner}
    free = [number for number in sorted(work - mine) if buckets[number].is_free(now, ttl)]
    room = max(0, min(want, share - len(mine & work)))
    granted = _grant(db, owner, now, ttl, sorted([*mine, *free[:room]]))
    return Claim(leases=granted, until=now + ttl, surplus=max(0, len(mine & work) - share), workers=max(1, workers))


def worker_beside(db: Database, owner: str, now: float) -> str | None:
    """Another worker that lives; in the transaction of a claim, before it."""
    db.rows(_GUARD)
    rows = db.rows("SELECT owner FROM {worker} WHERE until > ? AND owner <> ? ORDER BY owner LIMIT 1", (now, owner))
    return rows[0][0] if rows else None


def release(db: Database, owner: str, leases: Mapping[int, int]) -> None:
    """Give buckets back; those that another worker has by now stay with it."""
    mine = [bucket.id for bucket in _locked(db, leases) if bucket.held_by(owner, leases)]
    db.many(_FREE, [(None, 0.0, number) for number in mine])
    counting.guard(db)
    counting.clear(db, mine)


def evict(db: Database, owner: str | None) -> None:
    """End the leases of a worker that is known to be dead; with None, of all."""
    owners = [row[0] for row in db.rows("SELECT owner FROM {worker}") if owner is None or row[0] == owner]
    for name in owners:
        release(db, name, {bucket.id: bucket.epoch for bucket in _all(db) if bucket.owner == name})
        db.execute("DELETE FROM {worker} WHERE owner = ?", (name,))
        heard.forget(db, name)


def fence(db: Database, batch: Batch, touched: Iterable[int]) -> tuple[frozenset[int], frozenset[int]]:
    """Lock and renew the leases of a batch: touched buckets that are another's now, and all leases that were lost."""
    wanted = set(touched)
    held = {bucket.id: bucket for bucket in _all(db) if bucket.held_by(batch.owner, batch.leases)}
    soon = batch.now + batch.ttl / 2
    late = {bucket.id for bucket in held.values() if bucket.until < soon or bucket.at > batch.now}
    locked = [bucket for bucket in _locked(db, wanted | late) if bucket.held_by(batch.owner, batch.leases)]
    fenced = frozenset(wanted - {bucket.id for bucket in locked})
    if not fenced:
        for bucket in locked:
            _move(db, bucket, batch.now)
        renewed = [bucket.id for bucket in locked if bucket.id in late]
        db.many(_RENEW, [(float(batch.now + batch.ttl), float(batch.now), number) for number in renewed])
    return fenced, frozenset(set(batch.leases) - set(held)) | fenced & set(batch.leases)


def current(db: Database, owner: str, leases: Mapping[int, int]) -> tuple[list[int], list[int]]:
    """Those of the buckets that the worker still has, and all other buckets that there are."""
    buckets = _all(db)
    held = [bucket.id for bucket in buckets if bucket.held_by(owner, leases)]
    return held, [bucket.id for bucket in buckets if not bucket.held_by(owner, leases)]


def _all(db: Database) -> list[_Bucket]:
    return [_Bucket(*row) for row in db.rows(_BUCKETS)]


def _locked(db: Database, numbers: Iterable[int]) -> list[_Bucket]:
    return [_Bucket(*row) for row in db.keyed(_LOCK, [(number,) for number in sorted(numbers)], "int8")]


def _grant(db: Database, owner: str, now: float, ttl: float, wanted: Sequence[int]) -> dict[int, int]:
    """Lock the buckets, look again, and take those that are still free or the worker's own."""
    granted: dict[int, int] = {}
    taken = []
    for bucket in _locked(db, wanted):
        if bucket.owner != owner and not bucket.is_free(now, ttl):
            continue
        _move(db, bucket, now)
        if bucket.owner != owner:
            taken.append(bucket.id)
        granted[bucket.id] = bucket.epoch + (bucket.owner != owner)
    db.many(_GRANT, [(owner, epoch, float(now + ttl), float(now), number) for number, epoch in granted.items()])
    if taken:
        counting.guard(db)
        counting.clear(db, taken)
    return granted


def _move(db: Database, bucket: _Bucket, now: float) -> None:
    """When the clock went back since a bucket was last held, move its hosts' times back as well."""
    if bucket.at > now + SKEW:
        back = now - bucket.at
        first = first_host(bucket.id)
        db.execute(_MOVE_HOSTS, (back, back, back, back, first, first + HOSTS_PER_BUCKET))
        db.execute(_MOVE_QUEUE, (back, first, first + HOSTS_PER_BUCKET))


def _tick(db: Database, owner: str, now: float, ttl: float) -> None:
    """Note that the worker lives, and add the time that passed since any worker last said so."""
    db.rows(_GUARD)
    db.execute("UPDATE {worker} SET at = ?, until = ? WHERE at > ?", (now, now + ttl, now + SKEW))
    ((last,),) = db.rows("SELECT coalesce(max(at), 0) FROM {worker}")
    if last and 0 < now - last <= 2 * ttl:
        counting.add(db, counting.TAKEN_BACK, {"milliseconds": round(1000 * (now - last))})
    db.execute("DELETE FROM {worker} WHERE until < ?", (now - 100 * ttl,))
    db.many(_WORKER, [(owner, float(now), float(now + ttl), "", "")])
