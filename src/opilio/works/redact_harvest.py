"""Destroys captures in the folder of a harvest: records, texts, titles, links, pictures, index lines, the crawl store.

No Django. Every step may be done again: what is gone is not found any more, and results are written last. Somebody who
reads a derived result in that moment is told that it is damaged; the next try, or the end of this one, mends that.
"""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path

from opilio.archive.cdxj import parse_line
from opilio.archive.redaction import left_in, redact_file, stand_ins
from opilio.archive.results.database import opened
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.manifest import read_manifest, sha256_of
from opilio.archive.results.rewriting import Rewritten, rewrite_results, settled
from opilio.archive.results.schema import DERIVABLE
from opilio.crawl.outcomes import Outcome
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import OpilioError
from opilio.kernel.files import append_synced, mapped, sync_folder, writing
from opilio.kernel.locks import locked
from opilio.works.crawl_folder import CrawlFolder
from opilio.works.redact_reach import RedactionOrder

_JOURNAL = "redactions.jsonl"
_MADE_AGAIN = ("crawl.db", "crawl.db-*", "*.tree.db", "*.tree.db-*", "*.needs.jsonl", "compared/*")
_PORTION = 5_000  # rows
_EMPTIED = """
    UPDATE resource SET outcome = ?, reason = ?, status = NULL, type = '', size = 0, digest = '', title = '',
    language = '', meta = '', last_modified = '', etag = '', warc = NULL, start = NULL, length = NULL, robots = '',
    original_url = NULL, original_at = NULL WHERE id = ?
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class FileChange:
    """A WARC file of which records were taken out."""

    name: str
    before: str  # sha256
    after: str
    records: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Redaction:
    """What was destroyed in one folder."""

    records: int = 0
    resources: int = 0
    lines: int = 0  # of indexes
    files: tuple[FileChange, ...] = ()
    warcs: dict[str, str] = field(default_factory=dict)  # digests of WARC files that changed, now or before
    results: tuple[Rewritten, ...] = ()
    payloads: tuple[str, ...] = ()  # digests of what was destroyed, as records had them

    @property
    def empty(self) -> bool:
        """Whether nothing was there to be destroyed."""
        return not (self.records or self.resources or self.lines or self.results)


def redact(folder: Path, order: RedactionOrder, *, clock: Clock = SYSTEM) -> Redaction:
    """Destroy what an order reaches; `Conflict` while somebody works in the folder, `Damaged` when it is not sound.

    When that was done before, what was done then is told again.
    """
    with locked(CrawlFolder(folder).lock, purpose="destroying captures", clock=clock):
        done = _redacted(folder, order, clock)
        if done.empty:
            return _noted(folder, order) or done
        _note(folder, order, done, clock)
    return done


def _redacted(folder: Path, order: RedactionOrder, clock: Clock) -> Redaction:
    payloads: set[str] = set()
    for path in _below(folder, "*.warc*"):
        found = redact_file(path, order.holds, order.name)
        payloads |= {taken.payload for taken in found.taken if taken.payload} if found is not None else set()
    lines = sum(_without_lines(path, order) for path in _below(folder, "*.cdxj"))
    for pattern in _MADE_AGAIN:
        for path in _below(folder, pattern):
            with mapped(path):
                path.unlink()
            sync_folder(path.parent)
    change = _Change(order)
    done = {place: _rewritten(place, order, change, clock) for place in _crawls(folder)}
    files, warcs, results = done.get(folder, ((), {}, ()))
    return Redaction(
        records=sum(file.records for file in files), resources=change.resources, lines=lines, files=files, warcs=warcs,
        results=results, payloads=tuple(sorted(payloads | change.payloads)),
    )  # fmt: skip


def _rewritten(
    place: Path, order: RedactionOrder, change: "_Change", clock: Clock
) -> tuple[tuple[FileChange, ...], dict[str, str], tuple[Rewritten, ...]]:
    """Write the results of a crawl anew, if they have anything of it, name a file that changed, or were left half done.

    The manifests have the old digests until then, and a note is written first, so that a run after a fall tells the
    same as one without.
    """
    results = ResultsFolder(place)
    marked = {path: found for path in _below(results.warcs, "*.warc*") if (found := stand_ins(path))}
    warcs = {path.name: sha256_of(path) for path in marked}
    manifests = [read_manifest(results.manifest(number)) for number in results.numbers()]
    before = {name: digest for manifest in manifests for name, digest in manifest.items()}
    files = tuple(
        FileChange(name=path.name, before=old, after=warcs[path.name], records=found.get(order.name, 0))
        for path, found in marked.items()
        if (old := before.get(f"{results.warcs.name}/{path.name}", "")) != warcs[path.name]
    )
    concerned = any(change.concerns(results.file(number)) for number in results.numbers())
    if not concerned and settled(results, warcs):
        return (), warcs, ()
    begun = Redaction(
        records=sum(file.records for file in files), resources=change.count(results), files=files, warcs=warcs,
    )  # fmt: skip
    _note(place, order, begun, clock)
    return files, warcs, tuple(rewrite_results(results, change, warcs))


class _Change:
    """Empties the rows of destroyed captures in one result after the other."""

    def __init__(self, order: RedactionOrder) -> None:
        self._order = order
        self.resources = 0
        self.payloads: set[str] = set()

    def concerns(self, path: Path, *, all_of_them: bool = False) -> int:
        """Whether a result has something to be destroyed; or how much."""
        db = opened(path)
        try:
            found = self._matching(db)
            return sum(1 for _ in (found if all_of_them else islice(found, 1)))
        finally:
            db.close()

    def count(self, results: ResultsFolder) -> int:
        """How many resources of all results are to be emptied."""
        return sum(self.concerns(results.file(number), all_of_them=True) for number in results.numbers())

    def __call__(self, db: sqlite3.Connection) -> None:
        reason = f"destroyed: {self._order.name}"
        for number, digest in list(self._matching(db)):
            self.resources += 1
            db.execute(_EMPTIED, (Outcome.EXCLUDED.value, reason, number))
            db.execute("DELETE FROM outlinks WHERE resource = ?", (number,))
            self._drop_text(db, digest)
        self._drop_earlier(db)

    def _matching(self, db: sqlite3.Connection) -> Iterator[tuple[int, str]]:
        last = -1
        words = "SELECT id, url, at, digest, title, warc FROM resource WHERE id > ? ORDER BY id LIMIT ?"
        while rows := db.execute(words, (last, _PORTION)).fetchall():
            last = rows[-1][0]
            for number, url, at, digest, title, warc in rows:
                if (digest or title or warc is not None) and self._order.holds_at(url, at):
                    yield number, digest

    def _drop_text(self, db: sqlite3.Connection, digest: str) -> None:
        if digest:
            self.payloads.add(digest)
            kept = "SELECT 1 FROM resource WHERE digest = ?"
            db.execute(f"DELETE FROM content WHERE digest = ? AND NOT EXISTS ({kept})", (digest, digest))  # noqa: S608 - ours

    def _drop_earlier(self, db: sqlite3.Connection) -> None:
        if db.execute("PRAGMA user_version").fetchone()[0] < DERIVABLE:
            return
        rows = db.execute(
            "SELECT e.resource, e.at, e.warc, e.start, e.digest, r.url FROM earlier e "
            "JOIN resource r ON r.id = e.resource"
        ).fetchall()
        for resource, at, warc, start, digest, url in rows:
            if self._order.holds_at(url, at):
                key = (resource, at, warc, start)
                db.execute("DELETE FROM earlier WHERE resource = ? AND at = ? AND warc = ? AND start = ?", key)
                self._drop_text(db, digest)


def left(folder: Path, order: RedactionOrder) -> list[str]:
    """Where something is left that an order reaches; to be asked afterwards, as a proof."""
    found = [
        f"{path.relative_to(folder)}: {count} records"
        for path in _below(folder, "*.warc*")
        if (count := left_in(path, order.holds))
    ]
    found += [str(path.relative_to(folder)) for path in _below(folder, "*.cdxj") if any(_lines(path, order))]
    change = _Change(order)
    for place in _crawls(folder):
        results = ResultsFolder(place)
        paths = [results.file(number) for number in results.numbers()]
        found += [str(path.relative_to(folder)) for path in paths if change.concerns(path)]
    return found + [str(path.relative_to(folder)) for path in _below(folder, "crawl.db")]


def _without_lines(path: Path, order: RedactionOrder) -> int:
    """Write an index anew without the captures that went; how many lines went."""
    gone = sum(_lines(path, order))
    if not gone:
        return 0
    with writing(path, mode=path.stat().st_mode & 0o777) as stream, path.open("rb") as lines:
        stream.writelines(line for line in lines if not _reached(line, path, order))
    return gone


def _lines(path: Path, order: RedactionOrder) -> Iterator[bool]:
    with mapped(path), path.open("rb") as lines:
        yield from (True for line in lines if _reached(line, path, order))


def _reached(line: bytes, path: Path, order: RedactionOrder) -> bool:
    try:
        row = parse_line(line, where=str(path))
    except OpilioError:
        return False  # a legend, or no line of an index
    return order.holds(row.url, row.at)


def _crawls(folder: Path) -> list[Path]:
    """The harvest's own crawl, and those of its patches."""
    return sorted({path.parent for path in folder.rglob("results") if path.is_dir()}, key=lambda path: len(path.parts))


def _below(folder: Path, pattern: str) -> list[Path]:
    return sorted(path for path in folder.rglob(pattern) if path.is_file() and not path.is_symlink())


def _note(folder: Path, order: RedactionOrder, done: Redaction, clock: Clock) -> None:
    """Keep in the folder what was done to its files, so that their digests can be explained for ever."""
    told = {"order": order.name, "at": clock.now().isoformat(), **asdict(done)}
    append_synced(folder / _JOURNAL, json.dumps(told).encode() + b"\n")


def _noted(folder: Path, order: RedactionOrder) -> Redaction | None:
    """What an order did in a folder before."""
    path = folder / _JOURNAL
    if not path.is_file():
        return None
    with mapped(path):
        told = [json.loads(line) for line in path.read_bytes().splitlines()]
    last = next((each for each in reversed(told) if each["order"] == order.name), None)
    if last is None:
        return None
    digests = ResultsFolder(folder)
    results = [Rewritten(**each) for each in last["results"]] or [
        Rewritten(number=number, before="", after=digests.digest(number)) for number in digests.numbers()
    ]
    return Redaction(
        records=last["records"], resources=last["resources"], lines=last["lines"], warcs=last["warcs"],
        files=tuple(FileChange(**each) for each in last["files"]),
        results=tuple(results), payloads=tuple(last["payloads"]),
    )  # fmt: skip
