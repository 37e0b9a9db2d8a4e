"""Hosts in the store: their numbers, made when a host is first met, and what is known about them."""

from collections import Counter
from collections.abc import Iterable, Sequence

from opilio.crawl.frontier.batch import HostUpdate, PageResult
from opilio.crawl.frontier.database import Both, Database, Row, insert, update
from opilio.crawl.frontier.urls import HOSTS_PER_BUCKET, bucket_of, first_host
from opilio.crawl.frontier.values import Host, Robots
from opilio.crawl.outcomes import Outcome

#: The columns of a Host, in the order of its fields.
HOST_COLUMNS = (
    "h.id, h.name, h.next_due, h.delay, h.block_until, h.failures, h.broken_until, h.robots_expires, "
    "h.pages, h.bytes, h.errors"
)
_BY_NAME = "WITH k(a) AS ({keys}) SELECT h.id, h.name FROM k CROSS JOIN {host} AS h WHERE h.name = k.a"
_GUARD = Both(sqlite="SELECT 0", postgres="SELECT value FROM {meta} WHERE name = 'guard hosts' FOR UPDATE")
_LAST = "SELECT max(id) FROM {host} WHERE id >= ? AND id < ?"
_INSERT = insert(
    "host",
    "id int8, name text, next_due float8, delay float8, block_until float8, failures int8, broken_until float8, "
    "robots_expires float8, pages int8, bytes int8, errors int8",
)
_BUCKET = insert("bucket", "id int8, epoch int8, until float8, at float8", "ON CONFLICT (id) DO NOTHING")
_SCHEDULE = update(
    "host", "next_due float8, delay float8, block_until float8, failures int8, broken_until float8", "id int8"
)
_ROBOTS = update("host", "robots text, robots_body bytea, robots_expires float8", "id int8")
_COOKIES = update("host", "cookies bytea", "id int8")
_COUNTS = update("host", "pages int8 +, bytes int8 +, errors int8 +", "id int8")
_FAILED = frozenset({Outcome.TRANSIENT_ERROR, Outcome.PERMANENT_ERROR, Outcome.BLOCKED, Outcome.AUTH_LOST})


def known_hosts(db: Database, names: Iterable[str]) -> dict[str, int]:
    """The numbers of those hosts that the store knows."""
    found = db.keyed(_BY_NAME, [(name,) for name in sorted(names)], "text")
    return {name: number for number, name in found}


def make_hosts(db: Database, names: Sequence[str]) -> dict[str, int]:
    """Number hosts that are new, and make their buckets; in a transaction. Others may have come first."""
    db.rows(_GUARD)
    known = known_hosts(db, names)
    missing = sorted(set(names) - set(known))
    last: dict[int, int] = {}
    for name in missing:
        bucket = bucket_of(name)
        if bucket not in last:
            first = first_host(bucket)
            ((top,),) = db.rows(_LAST, (first, first + HOSTS_PER_BUCKET))
            last[bucket] = first - 1 if top is None else top
        last[bucket] += 1
        known[name] = last[bucket]
    rows = sorted((known[name], name, 0.0, 0.0, 0.0, 0, 0.0, 0.0, 0, 0, 0) for name in missing)
    db.many(_BUCKET, [(bucket, 0, 0.0, 0.0) for bucket in sorted(last)])
    db.many(_INSERT, rows)
    return known


def record_hosts(db: Database, updates: Sequence[HostUpdate], pages: Sequence[PageResult]) -> None:
    """Write what a batch says about hosts."""
    latest = {update.id: update for update in updates}
    rows = [latest[number] for number in sorted(latest)]
    db.many(_SCHEDULE, [_schedule(host) for host in rows])
    robots = [
        (host.robots.evidence, host.robots.body, float(host.robots.expires), host.id) for host in rows if host.robots
    ]
    db.many(_ROBOTS, robots)
    db.many(_COOKIES, [(host.cookies, host.id) for host in rows if host.cookies is not None])
    db.many(_COUNTS, _counts(pages))


def host_of(row: Row) -> Host:
    """A host from a row of HOST_COLUMNS."""
    return Host(
        id=row[0],
        name=row[1],
        next_due=row[2],
        delay=row[3],
        block_until=row[4],
        failures=row[5],
        broken_until=row[6],
        robots_expires=row[7],
        pages=row[8],
        bytes=row[9],
        errors=row[10],
    )


def robots_of(db: Database, host: int) -> Robots | None:
    """What the store keeps of a host's robots.txt."""
    for evidence, body, expires in db.rows(
        "SELECT robots, robots_body, robots_expires FROM {host} WHERE id = ?", (host,)
    ):
        if evidence is not None:
            return Robots(evidence=evidence, body=bytes(body or b""), expires=expires)
    return None


def cookies_of(db: Database, host: int) -> bytes:
    """The cookies of a host, as the worker packed them."""
    return b"".join(bytes(row[0] or b"") for row in db.rows("SELECT cookies FROM {host} WHERE id = ?", (host,)))


def _schedule(host: HostUpdate) -> Row:
    times = (float(host.next_due), float(host.delay), float(host.block_until))
    return (*times, host.failures, float(host.broken_until), host.id)


def _counts(pages: Sequence[PageResult]) -> list[Row]:
    counted: Counter[int] = Counter()
    sizes: Counter[int] = Counter()
    failed: Counter[int] = Counter()
    for page in pages:
        host = page.entry.host
        counted[host] += page.counted
        sizes[host] += page.charged
        failed[host] += page.outcome in _FAILED
    return [(counted[host], sizes[host], failed[host], host) for host in sorted(sizes)]
