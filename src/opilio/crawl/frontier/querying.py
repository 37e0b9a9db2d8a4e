"""Questions to a store that change nothing: lists in a stable order, counts, the story of one URL."""

from array import array
from collections.abc import Iterator, Mapping

from opilio.crawl.frontier import counting, discovering, hosting, recording
from opilio.crawl.frontier.batch import Denial
from opilio.crawl.frontier.database import Database, Row
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.rows import Counts, Page, Story, Waiting, WarcFile
from opilio.crawl.frontier.urls import restored
from opilio.crawl.frontier.values import EXPAND, Asked, Host
from opilio.crawl.outcomes import READABLE, Outcome
from opilio.kernel.hosts import host_key
from opilio.kernel.urls import url_hash64

PORTION = 500  # rows read at a time

_PAGES = f"SELECT {recording.PAGE_COLUMNS} FROM {{page}} AS p LEFT JOIN {{warc}} AS w ON w.id = p.warc"  # noqa: S608 - ours
_WAITING = """
    SELECT q.id, q.host, h.name, q.hash64, q.url, q.seed, q.depth, q.hops, q.priority, q.path, q.tries, q.not_before
    FROM {queue} AS q JOIN {host} AS h ON h.id = q.host
"""
_OUTLINKS = f"""
    SELECT o.page, p.url, o.body FROM {{outlinks}} AS o JOIN {{page}} AS p ON p.id = o.page
    WHERE o.page > ? ORDER BY o.page LIMIT {PORTION}
"""  # noqa: S608 - ours
_TEXTS = """
    SELECT digest, extractor, body FROM {content} WHERE (digest, extractor) > (?, ?)
    ORDER BY digest, extractor LIMIT ?
"""
_HOSTS = f"SELECT {hosting.HOST_COLUMNS} FROM {{host}} AS h"  # noqa: S608 - ours
_READABLE = ", ".join(f"'{outcome.value}'" for outcome in sorted(READABLE))
_ASKED = f"""
    SELECT p.hash64, p.url, p.at, CASE WHEN p.outcome IN ({_READABLE}) THEN coalesce(p.digest, '') ELSE '' END
    FROM {{page}} AS p WHERE p.host = ? AND p.hash64 > ? AND p.at > 0 ORDER BY p.hash64 LIMIT ?
"""  # noqa: S608 - ours
_TEXT = "SELECT body FROM {content} WHERE digest = ? ORDER BY extractor DESC LIMIT 1"
_MOST_ASKED = 5_000  # URLs told at a time
_KNOWN = "SELECT hash64, depth, seed, hops FROM {seen} WHERE host = ? AND hash64 > ? ORDER BY hash64 LIMIT ?"
_MOST_KNOWN = 20_000  # URLs told at a time
_LONGEST_WAY = 100  # pages from a seed that a story tells


def pages_after(db: Database, after: int, outcome: Outcome | None, host: int | None) -> list[Page]:
    """The next pages by number, of one outcome or host if asked for."""
    where, values = "p.id > ?", [after]
    if outcome is not None:
        where, values = f"{where} AND p.outcome = ?", [*values, outcome.value]  # type: ignore[list-item]  # mixed values
    if host is not None:
        where, values = f"{where} AND p.host = ?", [*values, host]
    rows = db.rows(f"{_PAGES} WHERE {where} ORDER BY p.id LIMIT {PORTION}", values)
    return [recording.page_of(row) for row in rows]


def page_at(db: Database, key: tuple[int, int]) -> Page | None:
    """The page with this host and hash."""
    for row in db.rows(f"{_PAGES} WHERE p.host = ? AND p.hash64 = ?", key):
        return recording.page_of(row)
    return None


def page_by_hash(db: Database, url: str, hash64: int) -> Page | None:
    """The page of a URL whose host has no number any more; reads the whole table."""
    for row in db.rows(f"{_PAGES} WHERE p.hash64 = ? AND p.url = ?", (hash64, url)):
        return recording.page_of(row)
    return None


def waiting_after(db: Database, after: int, host: int | None) -> list[Waiting]:
    """The next entries of the queue by number, of one host if asked for."""
    if host is None:
        rows = db.rows(f"{_WAITING} WHERE q.id > ? ORDER BY q.id LIMIT {PORTION}", (after,))
    else:
        rows = db.rows(f"{_WAITING} WHERE q.host = ? AND q.id > ? ORDER BY q.id LIMIT {PORTION}", (host, after))
    return [_waiting(row) for row in rows]


def asked_after(db: Database, host: int, after: int) -> list[Asked]:
    """The next URLs that were asked of a host, by their hash."""
    return [Asked(*row) for row in db.rows(_ASKED, (host, after, _MOST_ASKED))]


def known_after(db: Database, host: int, after: int) -> dict[Label, "array[int]"]:
    """The hashes of the next URLs of a host that are known, in order, by the smallest label of each."""
    found: dict[tuple[int, int, int], list[int]] = {}
    for hash64, depth, seed, hops in db.rows(_KNOWN, (host, after, _MOST_KNOWN)):
        label = (depth, seed, hops)
        if label in found:
            found[label].append(hash64)
        else:
            found[label] = [hash64]
    return {Label(*label): array("q", hashes) for label, hashes in found.items()}


def text_of(db: Database, digest: str) -> bytes:
    """The packed text of a payload, by the newest extractor that read it."""
    return b"".join(bytes(body) for (body,) in db.rows(_TEXT, (digest,)))


def hosts_after(db: Database, after: int) -> list[Host]:
    """The next hosts by number."""
    rows = db.rows(f"{_HOSTS} WHERE h.id > ? ORDER BY h.id LIMIT {PORTION}", (after,))
    return [hosting.host_of(row) for row in rows]


def outlinks_after(db: Database, after: int) -> list[tuple[int, str, bytes]]:
    """The next packed outlinks, by the number of their page, with its URL."""
    rows = db.rows(_OUTLINKS, (after,))
    return [(page, url, bytes(body)) for page, url, body in rows]


def texts_after(db: Database, after: tuple[str, str]) -> list[tuple[str, str, bytes]]:
    """The next packed texts by digest and extractor."""
    return [(digest, extractor, bytes(body)) for digest, extractor, body in db.rows(_TEXTS, (*after, PORTION))]


def warcs(db: Database) -> list[WarcFile]:
    """All WARC files, in the order of their beginning."""
    rows = db.rows("SELECT file, owner, committed, uploaded FROM {warc} ORDER BY id")
    return [WarcFile(file=row[0], owner=row[1], committed=row[2], uploaded=row[3]) for row in rows]


def denials(db: Database) -> list[Denial]:
    """The examples of denied links, by rule."""
    rows = db.rows("SELECT rule, url, parent FROM {denial} ORDER BY rule, url")
    return [Denial(rule=rule, url=url, parent=parent) for rule, url, parent in rows]


def counts(db: Database, now: float) -> Counts:
    """The state of a crawl in numbers."""
    values = counting.sums(db)
    numbers = [int(db.rows(words)[0][0]) for words in ("SELECT count(*) FROM {queue}", "SELECT count(*) FROM {host}")]
    ((workers,),) = db.rows("SELECT count(*) FROM {worker} WHERE until > ?", (now,))
    return Counts(
        waiting=numbers[0],
        hosts=numbers[1],
        workers=int(workers),
        pages=values.get("pages", 0),
        counted=values.get("counted", 0),
        bytes=values.get("bytes", 0),
        seconds=values.get("milliseconds", 0) / 1000,
        outcomes=_named(values, "outcome/"),
        statuses={int(name): value for name, value in _named(values, "status/").items()},
        types=_named(values, "type/"),
        seeds={int(name): value for name, value in _named(values, "seed/").items()},
        denials=_named(values, "denied/"),
        others=_named(values, "other/"),
    )


def story(db: Database, url: str) -> Story:
    """All about one canonical URL."""
    name = host_key(url)
    number = hosting.known_hosts(db, [name]).get(name)
    if number is None:
        return Story(url=url)
    key = (number, url_hash64(url))
    page = page_at(db, key)
    rows = db.rows(f"{_WAITING} WHERE q.host = ? AND q.hash64 = ? ORDER BY q.id LIMIT 1", key)
    host = db.rows(f"{_HOSTS} WHERE h.id = ?", (number,))
    robots = hosting.robots_of(db, number)
    return Story(
        url=url,
        labels=discovering.labels_of(db, [key]).get(key, ()),
        waiting=_waiting(rows[0]) if rows else None,
        page=page,
        host=hosting.host_of(host[0]) if host else None,
        robots=robots.evidence if robots else "",
        parents=tuple(reversed(list(_way(db, key, page)))),
    )


def _way(db: Database, key: tuple[int, int], page: Page | None) -> Iterator[str]:
    """The pages that led to a URL, nearest first."""
    parent = page.parent_key if page else _parent_in_queue(db, key)
    passed = {key}
    while parent is not None and parent not in passed and len(passed) <= _LONGEST_WAY:
        passed.add(parent)
        above = page_at(db, parent)
        if above is None:
            return
        yield above.url
        parent = above.parent_key


def _parent_in_queue(db: Database, key: tuple[int, int]) -> tuple[int, int] | None:
    words = "SELECT parent_host, parent_hash FROM {queue} WHERE host = ? AND hash64 = ? AND parent_hash IS NOT NULL"
    for host, hash64 in db.rows(words, key):
        return key[0] if host is None else host, hash64
    return None


def _waiting(row: Row) -> Waiting:
    return Waiting(
        id=row[0],
        host=row[1],
        name=row[2],
        hash64=row[3],
        url=restored(row[4], row[2]),
        seed=row[5],
        depth=row[6],
        hops=row[7],
        priority=row[8],
        path=row[9],
        tries=row[10],
        not_before=row[11] or 0.0,
        expand=row[8] == EXPAND,
    )


def _named(values: Mapping[str, int], prefix: str) -> dict[str, int]:
    found = {name.removeprefix(prefix): value for name, value in values.items() if name.startswith(prefix)}
    return {name: value for name, value in sorted(found.items()) if value}
