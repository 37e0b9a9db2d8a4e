"""What became of each page of a target over its harvests: one SQLite file, which can be made anew from results.

A harvest is recorded once, in one transaction; asking for it again gives what was recorded.
"""

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

from opilio.kernel.errors import Damaged, Missing, NoSpace, OpilioError, Unavailable
from opilio.kernel.files import ensure_folder

FORMAT = 1
_APPLICATION = 0x4F704368  # "OpCh"
_PATIENCE = 60.0  # seconds that another writer is waited for
_DAY = 86_400.0  # seconds
_TABLES = """
CREATE TABLE harvest (
    id INTEGER PRIMARY KEY, at REAL NOT NULL, since INTEGER, days REAL NOT NULL, not_modified INTEGER NOT NULL,
    same INTEGER NOT NULL, changed INTEGER NOT NULL, new INTEGER NOT NULL, gone INTEGER NOT NULL
);
CREATE TABLE page (
    url TEXT PRIMARY KEY, digest TEXT NOT NULL, present INTEGER NOT NULL, harvest INTEGER NOT NULL, -- the last one
    first REAL NOT NULL, last REAL NOT NULL, changed REAL, -- seconds since 1970; changed: when that was seen last
    checks INTEGER NOT NULL, changes INTEGER NOT NULL, days REAL NOT NULL -- between the checks, together
) WITHOUT ROWID;
CREATE INDEX page_changes ON page (changes DESC, url);
"""
_NEW = "INSERT INTO page VALUES (?, ?, 1, ?, ?, ?, NULL, 0, 0, 0)"
_BACK = "UPDATE page SET digest = ?, present = 1, harvest = ?, last = ? WHERE url = ?"
_CHECKED = """
    UPDATE page SET digest = ?, harvest = ?, last = ?, changed = coalesce(?, changed), checks = checks + 1,
    changes = changes + ?, days = days + ? WHERE url = ?
"""
_LEFT = "UPDATE page SET present = 0, harvest = ?, last = ? WHERE url = ? AND present = 1"
_UNMET = "UPDATE page SET present = 0 WHERE present = 1 AND harvest <> ?"
_LISTED = """
    SELECT url, present, first, last, changed, checks, changes, days FROM page WHERE url LIKE ? ESCAPE '\\'
    ORDER BY changes DESC, url LIMIT ? OFFSET ?
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """How a harvest found one page."""

    url: str
    at: float  # seconds since 1970
    digest: str = ""  # empty: it was met, but not as a whole page, and tells nothing
    not_modified: bool = False  # the server said so
    gone: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Tally:
    """What a harvest found changed since the one before."""

    since: int | None = None  # the harvest before; None: it is the first
    days: float = 0  # between the two
    not_modified: int = 0
    same: int = 0
    changed: int = 0
    new: int = 0
    gone: int = 0

    @property
    def checked(self) -> int:
        """Pages that were there both times."""
        return self.not_modified + self.same + self.changed


@dataclass(frozen=True, kw_only=True, slots=True)
class PageHistory:
    """What is known of one page."""

    url: str
    present: bool  # in the last harvest that could tell
    first: float
    last: float
    changed: float | None
    checks: int
    changes: int
    days: float


class ChangeHistory:
    """The open file of one target or group."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        self._path = path
        if not create and not path.is_file():
            remedy = "It is written when a harvest ends; make it anew: opilio harvest changes --rebuild."
            raise Missing("there is no history of changes", where=str(path), remedy=remedy)
        if create:
            ensure_folder(path.parent)
        with self._ours():
            place = f"file:{quote(str(path.absolute()))}?mode={'rwc' if create else 'ro'}"
            self._database = sqlite3.connect(place, uri=True, isolation_level=None, timeout=_PATIENCE)
        try:
            with self._ours():
                self._prepare(create=create)
        except BaseException:
            self._database.close()
            raise

    def __enter__(self) -> "ChangeHistory":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._database.close()

    def of(self, harvest: int) -> Tally | None:
        """What was recorded of a harvest."""
        names = [field.name for field in fields(Tally)]
        words = f"SELECT {', '.join(names)} FROM harvest WHERE id = ?"  # noqa: S608 - ours
        with self._ours():
            row = self._database.execute(words, (harvest,)).fetchone()
        return Tally(**dict(zip(names, row, strict=True))) if row else None

    def record(self, harvest: int, at: float, pages: Iterable[Seen], *, whole: bool) -> Tally:
        """Take a harvest down; `whole`: what it did not meet is gone, for it met everything."""
        with self._ours(), self._writing():
            known = self.of(harvest)
            return known if known is not None else self._recorded(harvest, at, pages, whole=whole)

    def pages(self, *, text: str = "", limit: int = 100, offset: int = 0) -> list[PageHistory]:
        """Pages, those that changed most often first; those whose URL contains a text, if one is given."""
        wanted = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        with self._ours():
            rows = self._database.execute(_LISTED, (f"%{wanted}%", limit, offset)).fetchall()
        names = ("url", "present", "first", "last", "changed", "checks", "changes", "days")
        found = (dict(zip(names, row, strict=True)) for row in rows)
        return [PageHistory(**{**one, "present": bool(one["present"])}) for one in found]

    def _recorded(self, harvest: int, at: float, pages: Iterable[Seen], *, whole: bool) -> Tally:
        before = self._database.execute("SELECT id, at FROM harvest ORDER BY at DESC, id DESC LIMIT 1").fetchone()
        counts = dict.fromkeys(("not_modified", "same", "changed", "new", "gone"), 0)
        for page in pages:
            if (found := self._page(harvest, page)) is not None:
                counts[found] += 1
        if whole:
            counts["gone"] += self._database.execute(_UNMET, (harvest,)).rowcount
        tally = Tally(**counts)
        if before is not None:
            tally = replace(tally, since=before[0], days=max(0.0, (at - before[1]) / _DAY))
        values = {"id": harvest, "at": at, **asdict(tally)}
        marks = ", ".join(f":{name}" for name in values)
        self._database.execute(f"INSERT INTO harvest ({', '.join(values)}) VALUES ({marks})", values)  # noqa: S608 - ours
        return tally

    def _page(self, harvest: int, page: Seen) -> str | None:
        """Take one page down; which count it adds to."""
        if page.gone:
            left = self._database.execute(_LEFT, (harvest, page.at, page.url)).rowcount
            return "gone" if left else None
        if not page.digest:
            self._database.execute("UPDATE page SET harvest = ? WHERE url = ?", (harvest, page.url))
            return None
        known = self._database.execute("SELECT digest, present, last FROM page WHERE url = ?", (page.url,)).fetchone()
        if known is None:
            self._database.execute(_NEW, (page.url, page.digest, harvest, page.at, page.at))
            return "new"
        digest, present, last = known
        if not present:
            self._database.execute(_BACK, (page.digest, harvest, page.at, page.url))
            return "new"
        changed = digest != page.digest
        days = max(0.0, (page.at - last) / _DAY)
        moment = page.at if changed else None
        self._database.execute(_CHECKED, (page.digest, harvest, page.at, moment, changed, days, page.url))
        return "changed" if changed else "not_modified" if page.not_modified else "same"

    def _prepare(self, *, create: bool) -> None:
        if create and not self._database.execute("PRAGMA schema_version").fetchone()[0]:
            named = f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {FORMAT};"
            self._database.executescript(f"BEGIN IMMEDIATE; {_TABLES} {named} COMMIT;")
        known = self._database.execute("PRAGMA application_id").fetchone()[0] == _APPLICATION
        version = self._database.execute("PRAGMA user_version").fetchone()[0]
        if not known or version != FORMAT:
            what = f"the history of changes has form {version}" if known else "this is no history of changes"
            raise Damaged(what, where=str(self._path), remedy=_REMEDY)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    @contextlib.contextmanager
    def _ours(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._error(error) from error

    def _error(self, error: sqlite3.Error) -> OpilioError:
        where, code = str(self._path), getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_FULL:
            return NoSpace("the disk is full", where=where, remedy="Free some space, then do it again.")
        if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            return Damaged("the history of changes is damaged", where=where, remedy=_REMEDY)
        return Unavailable(f"the history of changes cannot be used: {error}", where=where, remedy="Try again.")


_REMEDY = "Make it anew from the results: opilio harvest changes --rebuild."
