"""Builds the views, whole or from earlier ones, beside the file they become: it appears finished or not at all.

Page ids are dense from 0 and word ids from 1, in the order in which pages and words are met; an id that was given stays
with its URL or word for ever, also in every file that grows from this one.
"""

import math
import os
import secrets
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from opilio.kernel.files import mapped as mapped_files
from opilio.kernel.files import sync_folder
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.analysis.languages import language_code
from opilio.search.views import database
from opilio.search.views.errors import BadPage
from opilio.search.views.identities import Identities
from opilio.search.views.packing import PackedPage
from opilio.search.views.patching import ITEM_BITS
from opilio.search.views.relation import Relation
from opilio.search.views.rows import Rows, empty, joined
from opilio.search.views.states import PageState

_BATCH = 1_000_000  # words and links in memory at most, about
_NAMES = 200_000  # names in memory that the file does not hold yet, about
_LONGEST_URL = 65_536  # characters
_LINKED = "EXISTS (SELECT 1 FROM parents WHERE parents.id >= page.id * :span AND parents.id < (page.id + 1) * :span)"
_LINKING = "EXISTS (SELECT 1 FROM children WHERE children.id = page.id)"
_FOUND_AGAIN = f"UPDATE page SET state = :found WHERE state = :gone AND (told OR {_LINKED} OR {_LINKING})"  # noqa: S608 - our own text
_LOST = f"UPDATE page SET state = :gone WHERE state = :found AND NOT (told OR {_LINKED} OR {_LINKING})"  # noqa: S608 - our own text


@dataclass(frozen=True, kw_only=True, slots=True)
class BuildReport:
    """What a build did."""

    pages: int  # URLs that the views hold, fetched or not
    fetched: int
    words: int  # different ones, without stop words
    links: int  # pairs of pages
    changed: int  # pages that were new or had other words than before
    unchanged: int
    removed: int
    cut: int  # pages whose text was too long to be kept whole


class ViewsBuild:
    """Takes pages and links, in any order, a page at most once; `finish` makes the file appear."""

    def __init__(self, path: Path, analyzer: Analyzer, *, earlier: Path | None = None) -> None:
        self._path = path
        self._temporary = path.with_name(f".opilio-{secrets.token_hex(8)}.tmp")
        self._analyzer = analyzer
        self._connection = self._begun(earlier)
        try:
            self._same_analysis = self._prepared()
        except BaseException:
            self._connection.close()
            self._temporary.unlink(missing_ok=True)
            raise
        self._new_pages: list[tuple[int, str, int]] = []
        self._new_words: list[tuple[int, str, str]] = []
        self._told: list[tuple[int]] = []
        self._read_pages: list[tuple[object, ...]] = []
        self._waiting_words: list[tuple[int, Rows]] = []
        self._waiting_links: list[tuple[int, Rows]] = []
        self._size = 0
        self._met: set[int] = set()
        self._linked: set[int] = set()
        self._did: Counter[str] = Counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Leave nothing behind but what `finish` made."""
        self._forward.close()
        self._links.close()
        self._connection.close()
        self._temporary.unlink(missing_ok=True)

    def unchanged(self, url: str, digest: str, *, last_modified: float = 0.0) -> bool:
        """Whether a page need not be read again, since the earlier views know it with this digest; it stays if so."""
        if not digest or not self._same_analysis:
            return False
        (number,) = self._pages.known([_url(url)])
        if number is None:
            return False
        with database.mapped(self._path):
            ask = "SELECT state, digest, modified FROM page WHERE id = ?"
            found = self._connection.execute(ask, (number,)).fetchone()
            if found is None or found[:2] != (PageState.FETCHED, digest):
                return False
            modified = _time(last_modified, url)
            if found[2] != modified:
                self._connection.execute("UPDATE page SET modified = ? WHERE id = ?", (modified, number))
        self._met.add(number)
        self._did["unchanged"] += 1
        return True

    def add(self, page: PackedPage) -> int:
        """Take in a fetched page; its id."""
        number = self._page(page.url)
        rows = self._rows(number, page)
        self._waiting_words.append((number, rows))
        stops = page.length - len(rows.positions)
        self._read_pages.append(
            (PageState.FETCHED, _time(page.last_modified, page.url), language_code(page.language), page.digest,
             page.length, stops, number)
        )  # fmt: skip
        self._met.add(number)
        self._did.update(changed=1, cut=int(page.cut))
        self._grow(len(rows.positions))
        return number

    def link(self, parent: str, children: Iterable[tuple[str, int]]) -> None:
        """Let a page have links to these URLs, so often each, and to no others."""
        found: Counter[str] = Counter()
        for url, occurrences in children:
            if not isinstance(occurrences, int) or occurrences < 1:
                raise _bad(f"a link cannot occur {occurrences!r} times", parent)
            found[url] += occurrences
        number = self._page(parent)
        self._linked.add(number)
        items = np.array(self._numbers([_url(url) for url in found]), dtype=np.int64)
        keys, nothing = np.full(len(items), number, dtype=np.int64), np.zeros(0, dtype=np.int64)
        counts = np.array(list(found.values()), dtype=np.int64)
        self._waiting_links.append((number, Rows(keys, items, counts, nothing)))
        self._grow(len(items))

    def discover(self, url: str) -> int:
        """Take in a URL that is known and not fetched; its id."""
        number = self._page(url)
        self._told.append((number,))
        self._grow(1)
        return number

    def forget_told(self) -> None:
        """Let URLs be known no longer only because the earlier views were told of them: all will be told anew."""
        with database.mapped(self._path):
            self._connection.execute("UPDATE page SET told = 0")

    def remove(self, url: str) -> bool:
        """Take a page out; its id stays its own. False when there was none."""
        (number,) = self._pages.known([_url(url)])
        if number is None:
            return False
        with database.reading(self._path):
            self._flush()
            self._linked.discard(number)
            self._remove([number])
        return True

    def finish(self, *, complete: bool = False) -> BuildReport:
        """Write what is left and let the file appear.

        `complete`: pages of the earlier views that were neither added nor found unchanged are removed.
        """
        with database.reading(self._path):
            self._flush()
            if complete:
                every = self._connection.execute("SELECT id FROM page WHERE state = ?", (PageState.FETCHED,))
                self._remove([number for (number,) in every if number not in self._met])
            self._forward.finish()
            self._links.finish()
            self._settle_states()
            report = self._report()
            self._sign()
            self._connection.execute("COMMIT")
            self._connection.close()
        with mapped_files(self._path):
            _sync(self._temporary)
            self._temporary.replace(self._path)
            sync_folder(self._path.parent)
        return report

    def _begun(self, earlier: Path | None) -> sqlite3.Connection:
        with mapped_files(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
        if earlier is None:
            return database.made(self._temporary)
        database.opened(earlier).close()
        try:
            with mapped_files(self._temporary):
                shutil.copyfile(earlier, self._temporary)
            return database.changed(self._temporary)
        except BaseException:
            self._temporary.unlink(missing_ok=True)
            raise

    def _prepared(self) -> bool:
        """Read what is known; whether the words of the earlier views still count."""
        with database.reading(self._path):
            self._connection.execute("BEGIN")
            fresh = not self._connection.execute("SELECT 1 FROM page LIMIT 1").fetchone()
            self._pages = Identities(self._connection, table="page", name="url", first=0)
            self._words = Identities(self._connection, table="word", name="word", first=1)
            self._stops = {word for (word,) in self._connection.execute("SELECT word FROM stop_word")}
        place = self._path.parent
        self._forward = Relation(
            self._connection, forward="page_words", inverse="word_pages", folder=place, fresh=fresh
        )
        self._links = Relation(self._connection, forward="children", inverse="parents", folder=place, fresh=fresh)
        return self._take_over(fresh)

    def _take_over(self, fresh: bool) -> bool:
        """Whether the words of the earlier views are those that this analyzer gives; else they are forgotten."""
        with database.reading(self._path):
            row = self._connection.execute("SELECT value FROM meta WHERE name = 'analysis'").fetchone()
            self._connection.execute("DELETE FROM meta")
            if fresh or (row and row[0] == self._analyzer.fingerprint):
                return True
            self._forward.clear()
            self._connection.execute("DELETE FROM stop_word")
            self._stops.clear()
            self._connection.execute("UPDATE page SET digest = '', words = 0, stops = 0")
            return False

    def _page(self, url: str) -> int:
        return self._numbers([_url(url)])[0]

    def _numbers(self, urls: list[str]) -> list[int]:
        with database.reading(self._path):
            found = self._pages.known(urls)
        numbers = []
        for url, number in zip(urls, found, strict=True):
            if number is None:
                number = self._pages.give(url)
                self._new_pages.append((number, url, PageState.FOUND))
            numbers.append(number)
        return numbers

    def _rows(self, page: int, packed: PackedPage) -> Rows:
        counts = np.frombuffer(packed.counts, dtype=np.uint32).astype(np.int64)
        positions = np.frombuffer(packed.positions, dtype=np.uint32).astype(np.int64)
        with database.reading(self._path):
            numbers = self._words.known(packed.words)
            stops = [(word,) for word in packed.stop_words if word not in self._stops]
            if stops:
                self._connection.executemany("INSERT INTO stop_word VALUES (?)", stops)
                self._stops.update(packed.stop_words)
        if None in numbers:
            self._name(packed, numbers, positions[np.cumsum(counts) - counts].tolist())
        items = np.array(numbers, dtype=np.int64)
        return Rows(np.full(len(items), page, dtype=np.int64), items, counts, positions)

    def _name(self, packed: PackedPage, numbers: list[int | None], places: list[int]) -> None:
        """Numbers for the new words, in the order in which the page has them."""
        for _, at in sorted((places[at], at) for at, number in enumerate(numbers) if number is None):
            number = numbers[at] = self._words.give(packed.words[at])
            self._new_words.append((number, packed.words[at], packed.stems[at]))

    def _grow(self, size: int) -> None:
        self._size += size
        if self._size >= _BATCH or len(self._new_pages) + len(self._new_words) >= _NAMES:
            with database.reading(self._path):
                self._flush()

    def _flush(self) -> None:
        self._flush_names()
        self._connection.executemany("UPDATE page SET told = 1 WHERE id = ?", self._told)
        self._told.clear()
        change = "UPDATE page SET state = ?, modified = ?, language = ?, digest = ?, words = ?, stops = ? WHERE id = ?"
        self._connection.executemany(change, self._read_pages)
        self._read_pages.clear()
        for relation, waiting in ((self._forward, self._waiting_words), (self._links, self._waiting_links)):
            latest = dict(waiting)
            waiting.clear()
            if latest:
                relation.put(list(latest), joined(list(latest.values())).sorted())
        self._size = 0

    def _flush_names(self) -> None:
        self._connection.executemany("INSERT INTO page (id, url, state) VALUES (?, ?, ?)", self._new_pages)
        self._connection.executemany("INSERT INTO word VALUES (?, ?, ?)", self._new_words)
        self._new_pages.clear()
        self._new_words.clear()
        self._pages.forget()
        self._words.forget()

    def _remove(self, numbers: list[int]) -> None:
        self._forward.put(numbers, empty())
        self._links.put([number for number in numbers if number not in self._linked], empty())
        change = (
            "UPDATE page SET state = ?, told = 0, modified = 0, language = '', digest = '', words = 0, stops = 0"
            " WHERE id = ?"
        )
        self._connection.executemany(change, [(PageState.GONE, number) for number in numbers])
        self._met.difference_update(numbers)
        self._did["removed"] += len(numbers)

    def _settle_states(self) -> None:
        """A page that nobody names or links to is gone; one that is linked to again is found again."""
        values = {"span": 1 << ITEM_BITS, "gone": PageState.GONE, "found": PageState.FOUND}
        self._connection.execute(_FOUND_AGAIN, values)
        self._connection.execute(_LOST, values)

    def _report(self) -> BuildReport:
        def counted(ask: str, *values: int) -> int:
            return int(self._connection.execute(ask, values).fetchone()[0] or 0)

        return BuildReport(
            pages=counted("SELECT count(*) FROM page WHERE state != ?", PageState.GONE),
            fetched=counted("SELECT count(*) FROM page WHERE state = ?", PageState.FETCHED),
            words=counted("SELECT count(*) - 1 FROM word"),
            links=counted("SELECT sum(rows) FROM children"),
            changed=self._did["changed"],
            unchanged=self._did["unchanged"],
            removed=self._did["removed"],
            cut=self._did["cut"],
        )

    def _sign(self) -> None:
        values = [("analysis", self._analyzer.fingerprint), ("finished", "yes")]
        self._connection.executemany("INSERT INTO meta VALUES (?, ?)", values)


def _url(url: str) -> str:
    """The URL, if it can be a name in the views."""
    if not isinstance(url, str) or not url or len(url) > _LONGEST_URL or not url.isprintable():
        raise _bad("the URL is empty, too long or holds characters that no URL has", repr(url)[:200])
    return url


def _time(seconds: float, url: str) -> float:
    if not isinstance(seconds, int | float) or not math.isfinite(seconds):
        raise _bad(f"{seconds!r} is no time", url)
    return float(seconds)


def _bad(what: str, where: str) -> BadPage:
    return BadPage(what, where=where, remedy="Give the page in the form in which the crawl store keeps it.")


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
