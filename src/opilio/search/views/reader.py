"""Reads the views: ids, words, links, in either direction, in pieces where there may be many."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import numpy as np

from opilio.search.views import database
from opilio.search.views.patching import ITEM_BITS
from opilio.search.views.rows import Rows, empty, joined, read
from opilio.search.views.states import PageState

#: The id that all stop words share.
STOP_WORD = 0
_AT_ONCE = 500
_STOPS_AT_ONCE = 128  # pages whose stop words are worked out in one piece


class PageRow(NamedTuple):
    """What the views know of a page."""

    id: int
    url: str
    state: PageState
    last_modified: float  # seconds since 1970 UTC; 0: never fetched, or not said
    language: str
    words: int  # all of them
    stops: int  # those of them that are stop words


class WordRow(NamedTuple):
    """A word of the lexicon."""

    id: int
    word: str
    stem: str  # in the language of the page on which it was met first


class Frequency(NamedTuple):
    """In how many, and how often in all."""

    distinct: int
    occurrences: int


class Counts(NamedTuple):
    """How much the views hold."""

    pages: int  # URLs, fetched or not
    words: int  # different ones, without stop words
    links: int  # pairs of pages


class Views:
    """The views of one file, which nobody changes any more. May be shared between threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection = database.opened(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the file back."""
        self._connection.close()

    @property
    def analysis(self) -> str:
        """The fingerprint of the analyzer that read the pages."""
        return str(self._one("SELECT value FROM meta WHERE name = 'analysis'")[0])

    def page_id(self, url: str) -> int | None:
        """The id of a URL; also of a page that is gone."""
        with self._mapped():
            row = self._connection.execute("SELECT id FROM page WHERE url = ?", (_storable(url),)).fetchone()
        return None if row is None else int(row[0])

    def page(self, number: int) -> PageRow | None:
        """What is known of a page."""
        return next(self._page_rows("WHERE id = ?", number), None)

    def pages(self, *, by_url: bool = False) -> Iterator[PageRow]:
        """All pages but those that are gone, by id or by URL."""
        return self._page_rows(f"WHERE state != ? ORDER BY {'url' if by_url else 'id'}", PageState.GONE)

    def urls(self, numbers: Sequence[int]) -> list[str]:
        """The URL of each id."""
        return self._names("SELECT id, url FROM page WHERE id IN", numbers)

    def word(self, word: str) -> WordRow | None:
        """A folded word of the lexicon; the one of all stop words for a word that was met as such only."""
        with self._mapped():
            row = self._connection.execute(
                "SELECT id, word, stem FROM word WHERE word = ?", (_storable(word),)
            ).fetchone()
            if row is not None and row[0] != STOP_WORD:
                return WordRow(*row)
            stop = self._connection.execute("SELECT 1 FROM stop_word WHERE word = ?", (_storable(word),)).fetchone()
        return WordRow(STOP_WORD, word, "") if stop else None

    def words(self, numbers: Sequence[int]) -> list[str]:
        """The word of each id; empty for the one of all stop words."""
        return self._names("SELECT id, word FROM word WHERE id IN", numbers)

    def lexicon(self) -> Iterator[WordRow]:
        """All words by id, without that of the stop words."""
        with self._mapped():
            for row in self._connection.execute("SELECT id, word, stem FROM word WHERE id > 0 ORDER BY id"):
                yield WordRow(*row)

    def word_ids(self) -> Iterator[tuple[str, int]]:
        """All words with their ids in the order of the words; stop words that never were anything else have id 0."""
        ask = (
            "SELECT word, id FROM word WHERE id > 0 UNION ALL SELECT word, 0 FROM stop_word"
            " WHERE word NOT IN (SELECT word FROM word) ORDER BY word"
        )
        with self._mapped():
            yield from self._connection.execute(ask)

    def words_of(self, page: int) -> Rows:
        """The words of a page by id, with counts and positions; those of id 0 are its stop words."""
        row = self.page(page)
        found = self._forward("page_words", page)
        return joined([_stops(row, found), found]) if row and row.stops else found

    def pages_of(self, word: int, *, after: int = -1) -> Iterator[Rows]:
        """The pages of a word by id, with counts and positions, in pieces; those with a higher id than `after`."""
        if word == STOP_WORD:
            return self._stop_pages(after)
        return self._inverse("word_pages", word, after)

    def frequency(self, word: int) -> Frequency:
        """On how many pages a word is, and how often in all."""
        if word == STOP_WORD:
            return Frequency(*self._one("SELECT count(*), coalesce(sum(stops), 0) FROM page WHERE stops > 0"))
        return self._counted("word_pages", word)

    def children(self, page: int) -> Rows:
        """The pages that a page links to by id, and how often."""
        return self._forward("children", page)

    def parents(self, page: int, *, after: int = -1) -> Iterator[Rows]:
        """The pages that link to a page by id, and how often, in pieces."""
        return self._inverse("parents", page, after)

    def backlinks(self, page: int) -> Frequency:
        """From how many pages a page is linked to, and by how many links."""
        return self._counted("parents", page)

    def all_children(self) -> Iterator[Rows]:
        """The links of each page that has some, page by page."""
        return self._all("children", 0)

    def all_parents(self) -> Iterator[Rows]:
        """The links to each page that is linked to, in pieces, page by page."""
        return self._all("parents", ITEM_BITS)

    def all_pages_of_words(self) -> Iterator[Rows]:
        """The pages of each word but the stop words, in pieces, word by word."""
        return self._all("word_pages", ITEM_BITS)

    def page_count(self) -> int:
        """How many ids were given to pages."""
        return int(self._one("SELECT coalesce(max(id), -1) + 1 FROM page")[0])

    def counts(self) -> Counts:
        """How much there is."""
        (pages,) = self._one("SELECT count(*) FROM page WHERE state != ?", PageState.GONE)
        (words,) = self._one("SELECT count(*) - 1 FROM word")
        (links,) = self._one("SELECT coalesce(sum(rows), 0) FROM children")
        return Counts(pages, words, links)

    def _stop_pages(self, after: int) -> Iterator[Rows]:
        while rows := list(self._page_rows("WHERE stops > 0 AND id > ? ORDER BY id LIMIT ?", after, _STOPS_AT_ONCE)):
            yield joined([_turned(_stops(row, self._forward("page_words", row.id))) for row in rows])
            after = rows[-1].id

    def _page_rows(self, rest: str, *values: object) -> Iterator[PageRow]:
        ask = f"SELECT id, url, state, modified, language, words, stops FROM page {rest}"  # noqa: S608 - our own text
        with self._mapped():
            for number, url, state, *others in self._connection.execute(ask, values):
                yield PageRow(number, url, PageState(state), *others)

    def _names(self, ask: str, numbers: Sequence[int]) -> list[str]:
        found: dict[int, str] = {}
        with self._mapped():
            for start in range(0, len(numbers), _AT_ONCE):
                part = [int(number) for number in numbers[start : start + _AT_ONCE]]
                found.update(self._connection.execute(f"{ask} ({','.join('?' * len(part))})", part))
            return [found[int(number)] for number in numbers]

    def _forward(self, table: str, key: int) -> Rows:
        with self._mapped():
            row = self._connection.execute(f"SELECT data FROM {table} WHERE id = ?", (key,)).fetchone()  # noqa: S608 - own names
            return read(key, row[0]) if row else empty()

    def _inverse(self, table: str, key: int, after: int) -> Iterator[Rows]:
        base = key << ITEM_BITS
        place = base + after + 1
        starts = f"SELECT coalesce(max(id), ?) FROM {table} WHERE id BETWEEN ? AND ?"  # noqa: S608 - our own names
        (begin,) = self._one(starts, place, base, place)
        ask = f"SELECT data FROM {table} WHERE id >= ? AND id < ? ORDER BY id"  # noqa: S608 - our own names
        with self._mapped():
            for (data,) in self._connection.execute(ask, (begin, (key + 1) << ITEM_BITS)):
                rows = read(key, data)
                rows = rows if int(rows.items[0]) > after else rows.taken(np.flatnonzero(rows.items > after))
                if len(rows):
                    yield rows

    def _all(self, table: str, shift: int) -> Iterator[Rows]:
        with self._mapped():
            for number, data in self._connection.execute(f"SELECT id, data FROM {table} ORDER BY id"):  # noqa: S608 - own names
                yield read(number >> shift, data)

    def _counted(self, table: str, key: int) -> Frequency:
        ask = f"SELECT coalesce(sum(rows), 0), coalesce(sum(total), 0) FROM {table} WHERE id >= ? AND id < ?"  # noqa: S608 - own names
        return Frequency(*self._one(ask, key << ITEM_BITS, (key + 1) << ITEM_BITS))

    def _one(self, ask: str, *values: object) -> tuple[int, ...]:
        with self._mapped():
            row: tuple[int, ...] = self._connection.execute(ask, values).fetchone()
            return row

    def _mapped(self) -> AbstractContextManager[None]:
        return database.reading(self._path)


def _stops(page: PageRow, words: Rows) -> Rows:
    """The stop words of a page: they stand where no other word does."""
    free = np.ones(page.words, dtype=np.bool_)
    free[words.positions] = False
    one = np.array([STOP_WORD], dtype=np.int64)
    positions = np.flatnonzero(free)
    return Rows(np.full(1, page.id, dtype=np.int64), one, np.array([len(positions)], dtype=np.int64), positions)


def _turned(rows: Rows) -> Rows:
    return Rows(rows.items, rows.keys, rows.counts, rows.positions)


def _storable(name: str) -> str:
    """A name that SQLite can be asked for: without halves of characters."""
    return name.encode("utf-8", "replace").decode("utf-8")
