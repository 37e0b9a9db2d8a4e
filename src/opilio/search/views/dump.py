"""Writes each of the nine tables of the indexer's database scheme (seed B) as text: key, a tab, value, one per line.

Nothing is escaped: neither URLs nor words, the only free texts, can hold a tab or the end of a line. Pages that are
gone are left out; URLs that were never fetched are there, last modified in 1970. Word 0 stands for all stop words.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import TextIO

from opilio.search.views.errors import UnknownTable
from opilio.search.views.reader import STOP_WORD, Views
from opilio.search.views.rows import Rows

#: What word 0 is called.
STOP_WORDS = "(stop words)"
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_SECOND = 253_402_300_799  # of the year 9999


def dump(views: Views, table: str) -> Iterator[str]:
    """The lines of a table, without their ends; its name may be written in any case."""
    names = {name.lower(): name for name in TABLES}
    name = names.get(table.lower())
    if name is None:
        raise UnknownTable(f"there is no table {table!r}", remedy=f"Choose one of {', '.join(TABLES)}.")
    return (f"{key}\t{value}" for key, value in TABLES[name](views))


def write_dump(views: Views, table: str, stream: TextIO) -> int:
    """Write a table; the number of its lines."""
    count = 0
    for line in dump(views, table):
        stream.write(line + "\n")
        count += 1
    return count


def time_text(seconds: float) -> str:
    """A time in the form of the seed: `Thu Jun 16 16:47:39 UTC 2022`; the same in every locale."""
    moment = _EPOCH + timedelta(seconds=int(min(max(seconds, 0), _LAST_SECOND)))
    day, month = _DAYS[moment.weekday()], _MONTHS[moment.month - 1]
    return f"{day} {month} {moment.day:02d} {moment:%H:%M:%S} UTC {moment.year:04d}"


_Pairs = Iterator[tuple[object, object]]


def _page_urls(views: Views) -> _Pairs:
    return ((page.id, page.url) for page in views.pages())


def _url_pages(views: Views) -> _Pairs:
    return ((page.url, page.id) for page in views.pages(by_url=True))


def _page_times(views: Views) -> _Pairs:
    return ((page.id, time_text(page.last_modified)) for page in views.pages())


def _id_words(views: Views) -> _Pairs:
    yield STOP_WORD, STOP_WORDS
    yield from ((row.id, row.word) for row in views.lexicon())


def _word_ids(views: Views) -> _Pairs:
    yield from views.word_ids()


def _children(views: Views) -> _Pairs:
    return _grouped(views.all_children(), _ids)


def _parents(views: Views) -> _Pairs:
    return _grouped(views.all_parents(), _ids)


def _page_words(views: Views) -> _Pairs:
    for page in views.pages():
        if page.words:
            yield page.id, _frequencies(views.words_of(page.id))


def _word_pages(views: Views) -> _Pairs:
    yield from _grouped(views.pages_of(STOP_WORD), _frequencies)
    yield from _grouped(views.all_pages_of_words(), _frequencies)


def _grouped(parts: Iterable[Rows], text: Callable[[Rows], str]) -> _Pairs:
    """The pieces of each key as one value."""
    for key, pieces in groupby(parts, key=lambda rows: int(rows.keys[0])):
        yield key, "".join(text(piece) for piece in pieces)


def _ids(rows: Rows) -> str:
    return "".join(f"{item};" for item in rows.items.tolist())


def _frequencies(rows: Rows) -> str:
    return "".join(f"{item} {count};" for item, count in zip(rows.items.tolist(), rows.counts.tolist(), strict=True))


#: The tables by their names in the seed.
TABLES: dict[str, Callable[[Views], _Pairs]] = {
    "PageIDtoURL": _page_urls,
    "URLtoPageID": _url_pages,
    "PageIDtoTime": _page_times,
    "WordIDtoWord": _id_words,
    "WordtoWordID": _word_ids,
    "ParenttoChild": _children,
    "ChildtoParent": _parents,
    "PageIDtoWordID": _page_words,
    "WordIDtoPageID": _word_pages,
}
