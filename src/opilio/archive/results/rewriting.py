"""Writes the results of a crawl anew where the law or a purge demands it: the one exception to their being immutable.

Each result gets a fresh file in which nothing of what was taken out is left between its pages; derived results follow
their parents' new digests; manifests come last. A run that broke off is simply done again: docs/decisions/0028.
"""

import os
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from opilio.archive.results.database import mapped, opened
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.manifest import read_manifest, sha256_of, write_manifest
from opilio.kernel import files
from opilio.kernel.files import sync_folder

#: Changes the tables of one result; it must do nothing when it is done once more.
Change = Callable[[sqlite3.Connection], None]
#: The digests of WARC files that were written anew, or None for those that were removed.
NewWarcs = Mapping[str, str | None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Rewritten:
    """A result that has a new file."""

    number: int
    before: str  # sha256, as the manifest had it
    after: str


def rewrite_results(results: ResultsFolder, change: Change, warcs: NewWarcs) -> list[Rewritten]:
    """Write every result of a crawl anew. To be called under the lock of the crawl."""
    done = []
    for number in results.numbers():
        before = results.digest(number)
        path = results.file(number)
        with opened(path) as source:
            parent = _parent(source, path)
        digest = results.digest(parent) if parent is not None else ""
        rewrite_database(path, lambda db, known=digest: _changed(db, change, known, warcs))  # type: ignore[misc]
        after = sha256_of(path)
        _write_manifest(results, number, after, warcs)
        done.append(Rewritten(number=number, before=before, after=after))
    return done


def settled(results: ResultsFolder, warcs: NewWarcs) -> bool:
    """Whether every result is what its manifest says, follows its parent, and names these digests of WARC files."""
    for number in results.numbers():
        manifest = read_manifest(results.manifest(number))
        if any(manifest.get(f"{results.warcs.name}/{name}", digest) != digest for name, digest in warcs.items()):
            return False
        path = results.file(number)
        if sha256_of(path) != results.digest(number) or not _follows(results, path):
            return False
    return True


def _follows(results: ResultsFolder, path: Path) -> bool:
    db = opened(path)
    try:
        with mapped(path):
            words = "SELECT name, value FROM meta WHERE name IN ('parent', 'parent_digest')"
            found = dict(db.execute(words).fetchall())
    finally:
        db.close()
    return "parent" not in found or results.digest(int(found["parent"])) == found.get("parent_digest")


def rewrite_database(path: Path, change: Change) -> None:
    """Replace an SQLite file by one with a change, in which no freed page keeps what was there."""
    aside = path.with_name(f".opilio-{path.name}.new")
    with files.mapped(aside):
        aside.unlink(missing_ok=True)
    mode = path.stat().st_mode & 0o777
    with opened(path) as source, mapped(path):
        source.execute("VACUUM INTO ?", (str(aside),))
    source.close()
    _change(aside, change)
    with files.mapped(aside):
        aside.chmod(mode)
        with aside.open("rb") as stream:
            os.fsync(stream.fileno())
        aside.replace(path)
    sync_folder(path.parent)


def _change(path: Path, change: Change) -> None:
    with mapped(path):
        db = sqlite3.connect(path, isolation_level=None)
        try:
            db.execute("PRAGMA journal_mode = OFF")
            db.execute("PRAGMA secure_delete = ON")
            db.execute("BEGIN")
            change(db)
            db.execute("COMMIT")
            db.execute("VACUUM")
        finally:
            db.close()


def _changed(db: sqlite3.Connection, change: Change, parent_digest: str, warcs: NewWarcs) -> None:
    change(db)
    if parent_digest:
        db.execute("UPDATE meta SET value = ? WHERE name = 'parent_digest'", (parent_digest,))
    for name, digest in warcs.items():
        if digest is not None:
            db.execute("UPDATE warc SET sha256 = ? WHERE file = ?", (digest, name))


def _parent(db: sqlite3.Connection, path: Path) -> int | None:
    with mapped(path):
        row = db.execute("SELECT value FROM meta WHERE name = 'parent'").fetchone()
    return int(row[0]) if row else None


def _write_manifest(results: ResultsFolder, number: int, digest: str, warcs: NewWarcs) -> None:
    own = f"{results.path.name}/{results.file(number).name}"
    folder = results.warcs.name
    lines = {}
    for name, known in read_manifest(results.manifest(number)).items():
        file = name.removeprefix(f"{folder}/")
        found = warcs.get(file, known) if name.startswith(f"{folder}/") else known
        if found is not None:
            lines[name] = found
    write_manifest(results.manifest(number), {**lines, own: digest})
