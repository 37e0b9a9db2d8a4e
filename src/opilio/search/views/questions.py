"""What people ask of the views: the story of a page, of a word, of the links of a page. Answers are plain values."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np

from opilio.search.analysis.splitting import words
from opilio.search.views.errors import BadWord, NoSuchPage, NoSuchWord
from opilio.search.views.reader import STOP_WORD, PageRow, Views
from opilio.search.views.rows import Rows
from opilio.search.views.states import PageState

MOST = 10_000  # pages or words of one answer


class WordCount(NamedTuple):
    """A word of a page."""

    id: int
    word: str
    occurrences: int
    positions: tuple[int, ...]


class PageCount(NamedTuple):
    """A page that has a word."""

    id: int
    url: str
    occurrences: int
    positions: tuple[int, ...]


class Link(NamedTuple):
    """A page at the other end of links."""

    id: int
    url: str
    occurrences: int


@dataclass(frozen=True, kw_only=True, slots=True)
class LinksAnswer:
    """The links of a page. A list is cut where `more_…` is not None: ask again with it as `after`."""

    id: int
    url: str
    children: tuple[Link, ...]
    children_count: int
    parents: tuple[Link, ...]
    more_parents: int | None
    backlinks: int  # links to it, each one counted
    backlink_pages: int  # pages that link to it


@dataclass(frozen=True, kw_only=True, slots=True)
class PageAnswer:
    """The story of a page as far as the views know it."""

    id: int
    url: str
    fetched: bool
    last_modified: float | None  # seconds since 1970 UTC; None: never
    language: str
    words: int  # all, stop words too
    stop_words: int
    top_words: tuple[WordCount, ...]  # most frequent first, without stop words
    links: LinksAnswer


@dataclass(frozen=True, kw_only=True, slots=True)
class WordAnswer:
    """The story of a word."""

    id: int  # 0: a stop word; the figures are those of all stop words then
    word: str
    stem: str
    pages: int  # document frequency
    occurrences: int  # collection frequency
    first: tuple[PageCount, ...]
    more: int | None  # to be given as `after` for the pages that follow; None: there are none


def page(views: Views, asked: str | int, *, top: int = 20, links: int = 100) -> PageAnswer:
    """The story of a page, by its URL or id."""
    row = _page(views, asked)
    return PageAnswer(
        id=row.id,
        url=row.url,
        fetched=row.state is PageState.FETCHED,
        last_modified=row.last_modified or None,
        language=row.language,
        words=row.words,
        stop_words=row.stops,
        top_words=_top(views, views.words_of(row.id), _bounded(top)),
        links=links_of(views, row.id, first=links),
    )


def links_of(views: Views, asked: str | int, *, first: int = 100, after: int = -1) -> LinksAnswer:
    """The links of a page in both directions, by its URL or id."""
    row = _page(views, asked)
    first = _bounded(first)
    children = views.children(row.id)
    backlinks = views.backlinks(row.id)
    parents, more = _first_links(views, row.id, first, after)
    return LinksAnswer(
        id=row.id,
        url=row.url,
        children=_links(views, children.taken(np.arange(min(first, len(children))))),
        children_count=len(children),
        parents=parents,
        more_parents=more,
        backlinks=backlinks.occurrences,
        backlink_pages=backlinks.distinct,
    )


def word(views: Views, asked: str, *, first: int = 100, after: int = -1) -> WordAnswer:
    """The story of a word, written in any case."""
    parts = words(asked)
    if len(parts) != 1:
        raise BadWord(f"{asked[:100]!r} is not one word", remedy="Ask for one word.")
    row = views.word(parts[0])
    if row is None:
        raise NoSuchWord(f"no page has the word {parts[0]!r}", remedy="Try another form of it, or search for it.")
    frequency = views.frequency(row.id)
    found = list(islice(_page_counts(views, row.id, after), _bounded(first) + 1))
    shown = found[: _bounded(first)]
    return WordAnswer(
        id=row.id,
        word=row.word,
        stem=row.stem,
        pages=frequency.distinct,
        occurrences=frequency.occurrences,
        first=_with_urls(views, shown),
        more=shown[-1][0] if shown and len(found) > len(shown) else None,
    )


def _page(views: Views, asked: str | int) -> PageRow:
    number = asked if isinstance(asked, int) else views.page_id(asked)
    row = views.page(number) if number is not None and 0 <= number < 1 << 62 else None
    if row is None:
        remedy = "Check the URL; only pages of this generation are known."
        raise NoSuchPage(f"the views do not know the page {str(asked)[:200]}", remedy=remedy)
    return row


def _bounded(count: int) -> int:
    return max(1, min(count, MOST))


def _rows(rows: Rows) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    starts = rows.starts.tolist()
    positions = rows.positions.tolist()
    for at, (item, count) in enumerate(zip(rows.items.tolist(), rows.counts.tolist(), strict=True)):
        yield item, count, tuple(positions[starts[at] : starts[at + 1]])


def _page_counts(views: Views, number: int, after: int) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    for rows in views.pages_of(number, after=after):
        yield from _rows(rows)


def _with_urls(views: Views, found: list[tuple[int, int, tuple[int, ...]]]) -> tuple[PageCount, ...]:
    urls = views.urls([number for number, _, _ in found])
    return tuple(PageCount(number, url, count, at) for (number, count, at), url in zip(found, urls, strict=True))


def _top(views: Views, rows: Rows, top: int) -> tuple[WordCount, ...]:
    order = np.lexsort((rows.items, -rows.counts))
    chosen = rows.taken(order[rows.items[order] != STOP_WORD][:top])
    names = views.words(chosen.items.tolist())
    found = zip(_rows(chosen), names, strict=True)
    return tuple(WordCount(number, name, count, places) for (number, count, places), name in found)


def _links(views: Views, rows: Rows) -> tuple[Link, ...]:
    numbers = rows.items.tolist()
    return tuple(map(Link, numbers, views.urls(numbers), rows.counts.tolist()))


def _first_links(views: Views, number: int, first: int, after: int) -> tuple[tuple[Link, ...], int | None]:
    found: list[Link] = []
    for rows in views.parents(number, after=after):
        found += _links(views, rows.taken(np.arange(min(len(rows), first + 1 - len(found)))))
        if len(found) > first:
            return tuple(found[:first]), found[first - 1].id
    return tuple(found), None
