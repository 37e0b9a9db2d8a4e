"""Where an import gathers what it learns: captures first, then pages, links and texts, in an SQLite file of its own.

The tables of pages have the form of a crawl store, so that the report is made of them as of a crawl. The file is only
needed until the result is written.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from opilio.archive.imports.captures import Asked, Captured
from opilio.archive.results.database import made, mapped
from opilio.archive.results.values import EarlierCapture
from opilio.crawl.frontier.batch import Denial
from opilio.crawl.frontier.database import Row, Sql
from opilio.crawl.frontier.rows import Counts
from opilio.crawl.plan import CrawlPlan
from opilio.kernel.capture import Position
from opilio.kernel.hosts import host_key
from opilio.kernel.urls import url_hash64

_PORTION = 1_000  # rows at a time
_NAMES = {name: name for name in ("page", "outlinks", "queue", "host", "seen")}
_TABLES = (
    """CREATE TABLE capture (
        id INTEGER PRIMARY KEY, url TEXT NOT NULL, hash64 INTEGER NOT NULL, raw TEXT NOT NULL, at REAL NOT NULL,
        kind TEXT NOT NULL, file TEXT NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL, status INTEGER,
        mime TEXT NOT NULL, digest TEXT NOT NULL, size INTEGER NOT NULL, record TEXT NOT NULL,
        original_url TEXT NOT NULL, original_at REAL, refers_to TEXT NOT NULL)""",
    "CREATE TABLE pair (capture INTEGER, other TEXT)",
    "CREATE TABLE asked (record TEXT PRIMARY KEY) WITHOUT ROWID",
    "CREATE TABLE host (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    """CREATE TABLE page (
        id INTEGER PRIMARY KEY, capture INTEGER NOT NULL, host INTEGER NOT NULL, hash64 INTEGER NOT NULL,
        url TEXT NOT NULL, seed INTEGER NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL, status INTEGER,
        type TEXT NOT NULL, extension TEXT NOT NULL, size INTEGER NOT NULL, digest TEXT NOT NULL, title TEXT NOT NULL,
        language TEXT NOT NULL, meta TEXT NOT NULL, last_modified TEXT NOT NULL, etag TEXT NOT NULL,
        depth INTEGER NOT NULL, hops INTEGER NOT NULL, parent_host INTEGER, parent_hash INTEGER, path TEXT NOT NULL,
        ms INTEGER NOT NULL, tries INTEGER NOT NULL, robots TEXT NOT NULL, at REAL NOT NULL, counted INTEGER NOT NULL,
        original_url TEXT, original_at REAL)""",
    "CREATE INDEX page_hash ON page (hash64)",
    "CREATE TABLE outlinks (page INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    "CREATE TABLE content (digest TEXT, extractor TEXT, body BLOB NOT NULL, PRIMARY KEY (digest, extractor))",
    "CREATE TABLE queue (id INTEGER PRIMARY KEY, url TEXT, host INTEGER)",
    "CREATE VIEW seen AS SELECT hash64 FROM page",
)
_NEWEST = """
    CREATE TABLE newest AS SELECT id FROM (
        SELECT id, file, start, row_number() OVER (PARTITION BY url ORDER BY at DESC, file DESC, start DESC) AS rank
        FROM capture)
    WHERE rank = 1 ORDER BY file, start
"""
_OTHERWISE = """
    DELETE FROM capture WHERE record IN (SELECT record FROM asked)
        OR id IN (SELECT capture FROM pair JOIN asked ON asked.record = pair.other)
"""
_EARLIER = """
    SELECT p.id, c.at, c.status, c.mime, c.digest, c.file, c.start, c.length, c.kind = 'revisit', c.original_url,
        c.original_at
    FROM capture AS c JOIN page AS p ON p.hash64 = c.hash64 AND p.url = c.url WHERE c.id <> p.capture
    ORDER BY p.id, c.at
"""
_CAPTURES = """
    SELECT id, url, raw, at, kind, file, start, length, status, mime, digest, size, record, original_url, original_at,
        refers_to FROM capture
"""
_WITHOUT_ROBOTS = (
    "CREATE TABLE robots AS SELECT id, url FROM page WHERE path = 'P'",
    "DELETE FROM capture WHERE url IN (SELECT url FROM robots)",
    "DELETE FROM page WHERE id IN (SELECT id FROM robots)",
    "DELETE FROM outlinks WHERE page IN (SELECT id FROM robots)",
    "DELETE FROM content WHERE digest NOT IN (SELECT digest FROM page)",
)
_DENSE = (
    "CREATE TABLE number (id INTEGER PRIMARY KEY, new INTEGER)",
    "INSERT INTO number SELECT id, row_number() OVER (ORDER BY id) - 1 FROM page",
    "UPDATE page SET id = -1 - new FROM number WHERE number.id = page.id",
    "UPDATE page SET id = -1 - id",
    "UPDATE outlinks SET page = -1 - new FROM number WHERE number.id = outlinks.page",
    "UPDATE outlinks SET page = -1 - page",
)


class CaptureRow(NamedTuple):
    """A capture as it is kept here."""

    id: int
    url: str  # canonical
    raw: str  # as the record has it
    at: float
    kind: str
    file: str
    start: int
    length: int
    status: int | None
    mime: str
    digest: str
    size: int
    record: str
    original_url: str
    original_at: float | None
    refers_to: str


class Staging:
    """An open staging file. As a context manager it closes itself."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._db = made(path)
        self.plan: CrawlPlan  # set once the seeds are known
        self._hosts: dict[str, int] = {}
        with mapped(path):
            self._db.execute("PRAGMA temp_store = FILE")
            self._db.execute("BEGIN")
            for statement in _TABLES:
                self._db.execute(statement)

    def __enter__(self) -> "Staging":
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def add_capture(self, url: str, captured: Captured, file: str) -> None:
        """Keep a capture; `url` is its canonical form."""
        digest = captured.digest.base32 if captured.digest else ""
        original = captured.original_at.timestamp() if captured.original_at else None
        values = (
            url, url_hash64(url), captured.url, captured.at.timestamp(), captured.kind, file, captured.offset,
            captured.length, captured.status, captured.mime, digest, captured.size, captured.record,
            captured.original_url, original,
            captured.refers_to,
        )  # fmt: skip
        number = self._run(f"INSERT INTO capture VALUES (NULL{', ?' * len(values)})", values).lastrowid  # noqa: S608 - ours
        for other in captured.concurrent:
            self._run("INSERT INTO pair VALUES (?, ?)", (number, other))

    def add_asked(self, asked: Asked) -> None:
        """Keep that an exchange was no GET."""
        for record in (asked.record, *asked.concurrent):
            self._run("INSERT OR IGNORE INTO asked VALUES (?)", (record,))

    def forget_file(self, file: str) -> None:
        """Drop the captures of a file that is read again."""
        self._run("DELETE FROM capture WHERE file = ?", (file,))

    def choose(self) -> int:
        """Leave out what was asked for by other methods, and find the newest capture of every URL; how many."""
        for words in (
            _OTHERWISE,
            "CREATE INDEX capture_url ON capture (url, at)",
            "CREATE INDEX capture_digest ON capture (digest)",
            "CREATE INDEX capture_record ON capture (record)",
            _NEWEST,
        ):
            self._run(words)
        ((count,),) = self.rows("SELECT count(*) FROM newest")
        return int(count)

    def newest(self) -> Iterator[CaptureRow]:
        """The newest capture of every URL, in the order of the files."""
        last = 0
        words = f"SELECT rowid, id FROM newest WHERE rowid > ? ORDER BY rowid LIMIT {_PORTION}"  # noqa: S608 - ours
        while rows := self.rows(words, (last,)):
            last = rows[-1][0]
            for _, number in rows:
                yield CaptureRow(*self.rows(f"{_CAPTURES} WHERE id = ?", (number,))[0])

    def captures(self) -> Iterator[CaptureRow]:
        """All captures."""
        last = -1
        while rows := self.rows(f"{_CAPTURES} WHERE id > ? ORDER BY id LIMIT {_PORTION}", (last,)):
            last = rows[-1][0]
            yield from map(CaptureRow._make, rows)

    def earlier(self) -> Iterator[EarlierCapture]:
        """The captures of pages that are not the newest."""
        for page, at, status, mime, digest, file, start, length, revisit, url, original in self.stream(_EARLIER):
            yield EarlierCapture(
                resource=page, at=at, status=status, mime=mime, digest=digest,
                place=Position(file=file, offset=start, length=length), revisit=bool(revisit),
                original_url=url if revisit else "", original_at=original if revisit else None,
            )  # fmt: skip

    def original(self, row: CaptureRow) -> CaptureRow | None:
        """The capture that has the body of a revisit, where it is among these."""
        for where, values in _ways_to_original(row):
            found = self.rows(f"{_CAPTURES} WHERE kind <> 'revisit' AND {where} LIMIT 1", values)
            if found:
                return CaptureRow(*found[0])
        return None

    def host(self, url: str) -> int:
        """The number of a URL's host."""
        name = host_key(url)
        number = self._hosts.get(name)
        if number is None:
            number = self._hosts[name] = len(self._hosts)
            self._run("INSERT INTO host VALUES (?, ?)", (number, name))
        return number

    def add_page(self, values: Mapping[str, Any]) -> None:
        """Keep a page; the names are those of the columns."""
        names = ", ".join(values)
        self._run(f"INSERT INTO page ({names}) VALUES ({', '.join('?' * len(values))})", tuple(values.values()))  # noqa: S608 - ours

    def add_outlinks(self, page: int, body: bytes) -> None:
        """Keep the packed links of a page."""
        self._run("INSERT INTO outlinks VALUES (?, ?)", (page, body))

    def add_text(self, digest: str, extractor: str, body: bytes) -> None:
        """Keep a packed text."""
        self._run("INSERT OR IGNORE INTO content VALUES (?, ?, ?)", (digest, extractor, body))

    def leave_robots(self) -> int:
        """Leave out each robots.txt that no link leads to: a crawl asks for them, and does not list them.

        Pages are numbered from 0 without a gap after it; how many there are.
        """
        for words in _WITHOUT_ROBOTS:
            self._run(words)
        if self.rows("SELECT 1 FROM robots LIMIT 1"):
            for words in _DENSE:
                self._run(words)
        ((count,),) = self.rows("SELECT count(*) FROM page")
        return int(count)

    def number_of(self, url: str) -> int | None:
        """The page of a canonical URL."""
        rows = self.rows("SELECT id FROM page WHERE hash64 = ? AND url = ?", (url_hash64(url), url))
        return int(rows[0][0]) if rows else None

    def run(self, words: str, values: Sequence[object] = ()) -> None:
        """Change rows."""
        self._run(words, values)

    def rows(self, words: str, values: Sequence[object] = ()) -> list[Any]:
        """The rows that answer a question."""
        return self._run(words, values).fetchall()

    def stream(self, words: str) -> Iterator[Any]:
        """The same for many rows."""
        with mapped(self._path):
            yield from self._db.execute(words)

    def ask(self, question: Sql, values: Sequence[object] = ()) -> list[Row]:
        """See `ReportSource`."""
        words = question if isinstance(question, str) else question.sqlite
        return self.rows(words.format_map(_NAMES), values)

    def denials(self) -> list[Denial]:
        """Nothing was denied."""
        return []

    def counts(self, now: float) -> Counts:
        """See `ReportSource`."""
        ((pages, counted, size, hosts),) = self.rows(
            "SELECT count(*), coalesce(sum(counted), 0), coalesce(sum(size), 0), count(DISTINCT host) FROM page"
        )
        return Counts(
            pages=pages, counted=counted, bytes=size, hosts=hosts, outcomes=self._grouped("outcome"),
            statuses=self._grouped("status", "status IS NOT NULL"), types=self._grouped("type", "type <> ''"),
            seeds=self._grouped("seed", "counted = 1"),
        )  # fmt: skip

    def _grouped(self, column: str, where: str = "1 = 1") -> dict[Any, int]:
        return dict(self.rows(f"SELECT {column}, count(*) FROM page WHERE {where} GROUP BY 1 ORDER BY 1"))  # noqa: S608 - ours

    def _run(self, words: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        with mapped(self._path):
            return self._db.execute(words, values)


def _ways_to_original(row: CaptureRow) -> Iterator[tuple[str, tuple[object, ...]]]:
    """By the id, by URL and time, then by the digest: of the same URL, of any."""
    if row.refers_to:
        yield "record = ?", (row.refers_to,)
    url = row.original_url or row.raw
    if row.original_at is not None:
        yield "raw = ? AND abs(at - ?) < 1", (url, row.original_at)
    if row.digest:
        yield "digest = ? AND url = ? AND at <= ? ORDER BY at DESC", (row.digest, row.url, row.at)
        yield "digest = ? AND at <= ? ORDER BY at DESC", (row.digest, row.at)
