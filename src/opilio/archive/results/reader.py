"""Reads a result: one resource, all in the order of their numbers or URLs, links both ways, texts, the report.

Lists stream in portions; nothing is held in memory that grows with the crawl. Every form up to FORMAT can be read.
"""

import json
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from opilio.archive.results.database import mapped, opened
from opilio.archive.results.errors import DamagedResult, NewerResult, NoResult, NotAResult
from opilio.archive.results.packing import page_text, unpack_links, unpack_numbers, unpacked
from opilio.archive.results.schema import APPLICATION_ID, DERIVABLE, FORMAT, RESOURCE_COLUMNS
from opilio.archive.results.values import (
    Denied,
    EarlierCapture,
    GivenOrder,
    Head,
    Removed,
    Resource,
    ResultHost,
    ResultWarc,
    Way,
)
from opilio.kernel.capture import Position
from opilio.kernel.page_links import PageLink
from opilio.kernel.page_text import PageText
from opilio.kernel.urls import url_hash64

_PORTION = 500  # rows read at a time
_LONGEST_WAY = 100  # resources from a seed that are followed back
_COLUMNS = ", ".join(f"r.{name.strip()}" for name in RESOURCE_COLUMNS.split(","))
_RESOURCES = f"SELECT {_COLUMNS}, w.file FROM resource AS r LEFT JOIN warc AS w ON w.id = r.warc"  # noqa: S608 - ours
_BY_SURT = f"""
    SELECT {_COLUMNS}, w.file, s.key FROM surt AS s JOIN resource AS r ON r.id = s.resource
    LEFT JOIN warc AS w ON w.id = r.warc
    WHERE (s.key, s.resource) > (?, ?) ORDER BY s.key, s.resource LIMIT {_PORTION}
"""  # noqa: S608 - ours
_TEXTS = f"""
    SELECT digest, extractor, body FROM content WHERE (digest, extractor) > (?, ?)
    ORDER BY digest, extractor LIMIT {_PORTION}
"""  # noqa: S608 - ours
_TEXT_KEYS = f"""
    SELECT digest, extractor FROM content WHERE (digest, extractor) > (?, ?)
    ORDER BY digest, extractor LIMIT {_PORTION}
"""  # noqa: S608 - ours
_EARLIER = f"""
    SELECT e.resource, e.at, e.status, e.mime, e.digest, e.revisit, e.original_url, e.original_at, w.file, e.start,
    e.length, e.warc FROM earlier AS e JOIN warc AS w ON w.id = e.warc
    WHERE (e.resource, e.at, e.warc, e.start) > (?, ?, ?, ?) ORDER BY e.resource, e.at, e.warc, e.start LIMIT {_PORTION}
"""  # noqa: S608 - ours
_PLACES = "SELECT r.url, r.at, w.file, r.start FROM resource AS r JOIN warc AS w ON w.id = r.warc WHERE 1"
_EARLIER_PLACES = """
    SELECT r.url, e.at, w.file, e.start FROM earlier AS e JOIN resource AS r ON r.id = e.resource
    JOIN warc AS w ON w.id = e.warc WHERE 1
"""
_HOSTS = "SELECT id, name, delay, pages, bytes, errors, robots FROM host"


class ResultReader:
    """An open result."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            remedy = "Check the folder, or seal the crawl: opilio crawl seal DIR."
            raise NoResult("there is no result", where=str(path), remedy=remedy)
        self._path = path
        self._lock = threading.RLock()
        self._connection = opened(path)
        try:
            self.format = self._known_format()
            self.head = self._head()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "ResultReader":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file. Closing twice is allowed."""
        self._connection.close()

    def ask(self, question: str, values: Sequence[object] = ()) -> list[Any]:
        """What a question is answered with; it changes nothing."""
        return self._rows(question, *values)

    def resource(self, url: str) -> Resource | None:
        """The resource of a canonical URL."""
        return self._one("r.hash64 = ? AND r.url = ?", url_hash64(url), url)

    def numbered(self, number: int) -> Resource | None:
        """The resource with a number."""
        return self._one("r.id = ?", number)

    def keyed(self, key: tuple[int, int]) -> Resource | None:
        """The resource with a key: number of the host, and hash of the URL."""
        return self._one("r.hash64 = ? AND r.host = ?", key[1], key[0])

    def resources(self, *, outcome: str | None = None, after: int = -1) -> Iterator[Resource]:
        """Resources by number; of one outcome or behind a number, if asked for."""
        last = after
        wanted, values = ("", ()) if outcome is None else (" AND r.outcome = ?", (outcome,))
        while rows := self._rows(f"{_RESOURCES} WHERE r.id > ?{wanted} ORDER BY r.id LIMIT {_PORTION}", last, *values):
            last = rows[-1][0]
            yield from map(_resource, rows)

    def by_surt(self, prefix: str = "") -> Iterator[Resource]:
        """Resources in the order of their SURT keys, those that begin with `prefix`."""
        return (resource for _, resource in self.with_surt(prefix))

    def with_surt(self, prefix: str = "") -> Iterator[tuple[str, Resource]]:
        """The same with their keys."""
        key, last = prefix, -1
        while rows := self._rows(_BY_SURT, key, last):
            for row in rows:
                if not row[-1].startswith(prefix):
                    return
                yield row[-1], _resource(row[:-1])
            key, last = rows[-1][-1], rows[-1][0]

    def parents(self, resource: Resource) -> tuple[str, ...]:
        """The URLs from the seed to the resource that led here."""
        return trail(self.keyed, resource)

    def ways(self, resource: Resource) -> tuple[Way, ...]:
        """All ways to a resource, the shortest first."""
        rows = self._rows("SELECT depth, seed, hops FROM way WHERE resource = ? ORDER BY 1, 2, 3", resource.id)
        return tuple(Way(*row) for row in rows) or (Way(resource.depth, resource.seed, resource.hops),)

    def outlinks(self, number: int) -> list[PageLink]:
        """The links of a resource in the order of the page."""
        rows = self._rows("SELECT body FROM outlinks WHERE resource = ?", number)
        return unpack_links(rows[0][0]) if rows else []

    def all_outlinks(self) -> Iterator[tuple[int, list[PageLink]]]:
        """The links of every resource that has some, by its number."""
        return ((number, unpack_links(body)) for number, body in self.packed_outlinks())

    def packed_outlinks(self) -> Iterator[tuple[int, bytes]]:
        """The same, packed."""
        last = -1
        words = f"SELECT resource, body FROM outlinks WHERE resource > ? ORDER BY resource LIMIT {_PORTION}"  # noqa: S608 - ours
        while rows := self._rows(words, last):
            last = rows[-1][0]
            yield from rows

    def inlinks(self, number: int) -> list[int]:
        """The numbers of the resources that link to a resource, growing."""
        rows = self._rows("SELECT body FROM inlinks WHERE resource = ?", number)
        return unpack_numbers(rows[0][0]) if rows else []

    def text(self, digest: str, extractor: str | None = None) -> str | None:
        """The text of a payload; by the newest extractor if none is named."""
        found = self.page_text(digest, extractor)
        return None if found is None else found.text

    def page_text(self, digest: str, extractor: str | None = None) -> PageText | None:
        """The same with what is known about it."""
        words = "SELECT extractor, body FROM content WHERE digest = ?"
        found = {row[0]: row[1] for row in self._rows(words, digest)}
        chosen = extractor if extractor is not None else max(found, key=lambda name: (len(name), name), default="")
        return page_text(unpacked(found[chosen])) if chosen in found else None

    def texts(self) -> Iterator[tuple[str, str, str]]:
        """Digest, extractor and text, as it is kept, of every payload that has some."""
        last: tuple[str, str] = ("", "")
        while rows := self._rows(_TEXTS, *last):
            last = rows[-1][0], rows[-1][1]
            for digest, extractor, body in rows:
                yield digest, extractor, unpacked(body)

    def text_keys(self) -> Iterator[tuple[str, str]]:
        """Digest and extractor of every text, growing."""
        last: tuple[str, str] = ("", "")
        while rows := self._rows(_TEXT_KEYS, *last):
            last = rows[-1]
            yield from rows

    def extractors(self) -> frozenset[str]:
        """The versions of the extractor that made the texts."""
        return frozenset(row[0] for row in self._rows("SELECT DISTINCT extractor FROM content"))

    def outcomes(self) -> dict[str, int]:
        """How many resources have each outcome."""
        return dict(self._rows("SELECT outcome, count(*) FROM resource GROUP BY outcome ORDER BY outcome"))

    def captured_bytes(self, numbers: Sequence[int] | None = None) -> int:
        """The sizes of all captures together, or of those with some numbers."""
        if numbers is None:
            return int(self._rows("SELECT coalesce(sum(size), 0) FROM resource")[0][0])
        marks = ", ".join("?" * len(numbers))
        words = f"SELECT coalesce(sum(size), 0) FROM resource WHERE id IN ({marks})"  # noqa: S608 - marks only
        return int(self._rows(words, *numbers)[0][0])

    def places_of(self, numbers: Sequence[int]) -> list[tuple[str, float, str, int]]:
        """URL, time, file and offset of every capture of those of some resources that this file has."""
        marks = ", ".join("?" * len(numbers))
        rows = self._rows(f"{_PLACES} AND r.id IN ({marks})", *numbers)
        if self.format >= DERIVABLE:
            rows += self._rows(f"{_EARLIER_PLACES} AND r.id IN ({marks})", *numbers)
        return rows

    def removed(self) -> Iterator[Removed]:
        """The resources of the parent that this result leaves out."""
        last = -1
        words = f"SELECT resource, outcome, replaced_by FROM removed WHERE resource > ? ORDER BY 1 LIMIT {_PORTION}"  # noqa: S608 - ours
        while self.format >= DERIVABLE and (rows := self._rows(words, last)):
            last = rows[-1][0]
            yield from (Removed(*row) for row in rows)

    def removed_among(self, numbers: Sequence[int]) -> set[int]:
        """Those of some resources of the parent that this result leaves out."""
        if self.format < DERIVABLE or not numbers:
            return set()
        marks = ", ".join("?" * len(numbers))
        return {row[0] for row in self._rows(f"SELECT resource FROM removed WHERE resource IN ({marks})", *numbers)}  # noqa: S608 - ours

    def removed_outcomes(self) -> dict[str, int]:
        """How many of those that are left out had each outcome."""
        if self.format < DERIVABLE:
            return {}
        return dict(self._rows("SELECT outcome, count(*) FROM removed GROUP BY outcome ORDER BY outcome"))

    def earlier(self) -> Iterator[EarlierCapture]:
        """Further captures of added resources, by number and time."""
        last: tuple[object, ...] = (-1, 0.0, 0, 0)
        while self.format >= DERIVABLE and (rows := self._rows(_EARLIER, *last)):
            last = (rows[-1][0], rows[-1][1], rows[-1][-1], rows[-1][-3])
            yield from map(_earlier, rows)

    def ends(self) -> tuple[int, int]:
        """The highest numbers of a resource and of a host; -1 where there is none."""
        ((resource,),) = self._rows("SELECT max(id) FROM resource")
        ((host,),) = self._rows("SELECT max(id) FROM host")
        return -1 if resource is None else int(resource), -1 if host is None else int(host)

    def host(self, number: int) -> ResultHost | None:
        """A host by its number."""
        rows = self._rows(f"{_HOSTS} WHERE id = ?", number)
        return _host(rows[0]) if rows else None

    def host_named(self, name: str) -> ResultHost | None:
        """A host by its name, with the port where it is unusual."""
        rows = self._rows(f"{_HOSTS} WHERE name = ?", name)
        return _host(rows[0]) if rows else None

    def hosts(self) -> Iterator[ResultHost]:
        """All hosts by number."""
        last = -1
        words = f"{_HOSTS} WHERE id > ? ORDER BY id LIMIT {_PORTION}"
        while rows := self._rows(words, last):
            last = rows[-1][0]
            yield from map(_host, rows)

    def warcs(self) -> list[ResultWarc]:
        """The WARC files in the order of their beginning."""
        rows = self._rows("SELECT file, size, sha256 FROM warc ORDER BY id")
        return [ResultWarc(file=file, size=size, sha256=digest) for file, size, digest in rows]

    def counters(self) -> dict[str, int]:
        """The numbers of the crawl."""
        return dict(self._rows("SELECT name, value FROM counter ORDER BY name"))

    def denials(self) -> list[Denied]:
        """Some examples for each rule that denied links."""
        return [Denied(*row) for row in self._rows("SELECT rule, url, parent FROM denial ORDER BY rule, url")]

    def orders(self) -> list[GivenOrder]:
        """The orders that the crawl was given."""
        rows = self._rows("SELECT id, what, by, at, arguments, done FROM command ORDER BY id")
        return [
            GivenOrder(id=row[0], what=row[1], by=row[2], at=row[3], arguments=self._json(row[4]), done=row[5])
            for row in rows
        ]

    def check(self) -> None:
        """Read the whole file; `DamagedResult` if it is not sound."""
        found = [str(row[0]) for row in self._rows("PRAGMA integrity_check(3)")]
        if found != ["ok"]:
            raise self._damaged(found[0])

    def _known_format(self) -> int:
        ((application,),) = self._rows("PRAGMA application_id")
        if application != APPLICATION_ID:
            remedy = "Give the file results/result-1.db of a crawl."
            raise NotAResult("the file is a database, but no result", where=str(self._path), remedy=remedy)
        ((version,),) = self._rows("PRAGMA user_version")
        if version > FORMAT:
            raise NewerResult(
                f"the result has form {version}, and this Opilio reads forms up to {FORMAT}",
                where=str(self._path),
                remedy="Read it with the newer Opilio that wrote it.",
            )
        return int(version)

    def _head(self) -> Head:
        found: dict[str, str] = dict(self._rows("SELECT name, value FROM meta"))
        try:
            return Head(
                number=int(found["number"]),
                sealed=found["sealed"],
                software=found["software"],
                plan=found["plan"],
                report=self._json(found["report"]),
                parent=int(found["parent"]) if "parent" in found else None,
                parent_digest=found.get("parent_digest", ""),
                by=found.get("by", ""),
                note=found.get("note", ""),
                changes=_texts(found.get("changes", "[]")),
                copied=_texts(found.get("copied", "[]")),
            )
        except (KeyError, ValueError, RecursionError):
            raise self._damaged("it does not say what it is") from None

    def _json(self, text: str) -> dict[str, Any]:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise self._damaged("a document in it cannot be read")
        return found

    def _one(self, where: str, *values: object) -> Resource | None:
        rows = self._rows(f"{_RESOURCES} WHERE {where} LIMIT 1", *values)
        return _resource(rows[0]) if rows else None

    def _rows(self, words: str, *values: object) -> list[Any]:
        with self._lock, mapped(self._path):
            try:
                return self._connection.execute(words, values).fetchall()
            except sqlite3.ProgrammingError as error:
                raise self._damaged(f"it cannot be read: {error}") from error

    def _damaged(self, what: str) -> DamagedResult:
        return DamagedResult(
            f"the result is damaged: {what[:200]}", where=str(self._path), remedy="Restore the file from a copy."
        )


def trail(keyed: Callable[[tuple[int, int]], Resource | None], resource: Resource) -> tuple[str, ...]:
    """The URLs from the seed to the one that led to a resource, found by their keys."""
    found: list[str] = []
    passed, parent = {resource.key}, resource.parent
    while parent is not None and parent not in passed and len(passed) <= _LONGEST_WAY:
        passed.add(parent)
        above = keyed(parent)
        if above is None:
            break
        found.append(above.url)
        parent = above.parent
    return tuple(reversed(found))


def _texts(text: str) -> tuple[str, ...]:
    found = json.loads(text)
    if not isinstance(found, list):
        raise ValueError("no list")
    return tuple(map(str, found))


def _earlier(row: Sequence[Any]) -> EarlierCapture:
    number, at, status, mime, digest, revisit, original_url, original_at, file, start, length, _ = row
    return EarlierCapture(
        resource=number, at=at, status=status, mime=mime, digest=digest, revisit=bool(revisit),
        original_url=original_url or "", original_at=original_at,
        place=Position(file=file, offset=start, length=length),
    )  # fmt: skip


def _host(row: Sequence[Any]) -> ResultHost:
    number, name, delay, pages, size, errors, robots = row
    return ResultHost(id=number, name=name, delay=delay, pages=pages, bytes=size, errors=errors, robots=robots)


def _resource(row: Sequence[Any]) -> Resource:
    (
        number, host, hash64, url, seed, outcome, reason, status, kind, extension, size, digest, title, language, meta,
        modified, etag, depth, hops, parent_host, parent_hash, path, _, start, length, ms, tries, robots, at, counted,
        original_url, original_at, file,
    ) = row  # fmt: skip
    return Resource(
        id=number, key=(host, hash64), url=url, seed=seed, outcome=outcome, reason=reason, status=status, type=kind,
        extension=extension, size=size, digest=digest, title=title, language=language, meta=meta,
        last_modified=modified, etag=etag, depth=depth, hops=hops,
        parent=(parent_host, parent_hash) if parent_hash is not None else None, path=path,
        place=Position(file=file, offset=start, length=length) if file is not None else None,
        ms=ms, tries=tries, robots=robots, at=at, counted=bool(counted), original_url=original_url or "",
        original_at=original_at,
    )  # fmt: skip
