"""Answers a query from an index, a line at a time. Lines that do not belong to the answer come as empty ones.

So a walk over millions of lines of which none is wanted can be left between any two of them.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Any, Protocol

from opilio.archive.cdx.keys import Match, Span, lines_of
from opilio.archive.cdx.query import Output, Query, Resume, Sort
from opilio.archive.cdx.rows import UNKNOWN, no_line, take_apart, word
from opilio.archive.cdx.searching import Searchable, begin_of, closest, time_of
from opilio.archive.cdx.seeking import Line
from opilio.kernel.errors import InvalidInput

COLUMNS = ("urlkey", "timestamp", "url", "mime", "status", "digest", "length", "offset", "filename")
_NOTHING = b""


class Decision(Protocol):
    """Whether somebody may see a capture."""

    @property
    def allowed(self) -> bool:
        """The answer."""
        ...


#: Decides about a capture by its URL and time.
Access = Callable[[str, datetime], Decision]


def answer(index: Searchable, query: Query, access: Access | None = None) -> Iterator[bytes]:
    """The lines of the answer, each with its end; empty ones stand for lines that are not in it."""
    if query.count_pages:
        yield from _pages_counted(index, query, access)
        return
    given = 0
    seen = _Seen(query.resume)
    for line in _walk(index, query):
        if seen.before(line):
            yield _NOTHING
            continue
        text = _told(line, query, access)
        if text and given == query.limit:
            if query.show_resume:
                yield _resume_line(seen.resume, query.output)
            return
        given += bool(text)
        yield text


class _Seen:
    """Counts lines of the same key and time, by which an answer can be resumed."""

    def __init__(self, resume: Resume | None) -> None:
        self._last = _NOTHING
        self._skip = resume.skip if resume else 0
        self._begin = resume.begin if resume else _NOTHING
        self._count = 0

    def before(self, line: Line) -> bool:
        """Whether a line belongs to an earlier answer."""
        begin = begin_of(line)
        self._count = self._count + 1 if begin == self._last else 1
        self._last = begin
        return begin == self._begin and self._count <= self._skip

    @property
    def resume(self) -> Resume:
        """A key with which the line at hand comes first."""
        return Resume(begin=self._last, skip=self._count - 1)


def _walk(index: Searchable, query: Query) -> Iterator[Line]:
    """All lines that could belong to the answer, in its order."""
    if query.closest is not None:
        yield from closest(index, query.key, query.closest)
        return
    chosen = _chosen(query)
    if query.page is not None:
        chosen = _page(index, chosen, query)
    backward = query.sort is Sort.REVERSE
    for span in reversed(chosen) if backward else chosen:
        if span.start < span.end:
            yield from index.lines(span, backward=backward)


def _chosen(query: Query) -> list[Span]:
    return [_narrowed(span, query) for span in query.spans]


def _narrowed(span: Span, query: Query) -> Span:
    """Less of a span, where times or a resume key allow it."""
    if query.match is Match.EXACT:
        start = lines_of(query.key).start
        span = Span(start + query.since.encode(), start + query.until.encode() + b"~")
    return Span(max(span.start, query.resume.begin), span.end) if query.resume else span


def _page(index: Searchable, chosen: list[Span], query: Query) -> list[Span]:
    """The parts of spans that are on a page."""
    counts = [index.blocks(span) for span in chosen]
    pages = max(1, -(-sum(counts) // query.page_size))
    if query.page is None or query.page >= pages:
        remedy = f"Give a number from 0 to {pages - 1}."
        raise InvalidInput(f"there is no page {query.page}", where="page", remedy=remedy)
    first = query.page * query.page_size
    found = []
    for span, count in zip(chosen, counts, strict=True):
        low, high = max(first, 0), min(first + query.page_size, count)
        if low < high:
            found.append(Span(index.cut(span, low), index.cut(span, high) if high < count else span.end))
        first -= count
    return found


def _pages_counted(index: Searchable, query: Query, access: Access | None) -> Iterator[bytes]:
    """The number of pages; nothing that the reader may not see is counted where there is nothing else."""
    blocks = sum(index.blocks(span) for span in _chosen(query))
    for line in _walk(index, query):
        if _allowed(line, _apart(line)[2], access):
            break
        yield _NOTHING
    else:
        blocks = 0
    pages = -(-blocks // query.page_size)
    yield json.dumps({"blocks": blocks, "pages": pages, "pageSize": query.page_size}).encode() + b"\n"


def _told(line: Line, query: Query, access: Access | None) -> bytes:
    """A line as it is wanted; nothing when it does not belong to the answer."""
    key, time, fields = _apart(line)
    if not query.since <= time <= query.until.ljust(17, "9"):
        return _NOTHING
    named = {"urlkey": key, "timestamp": time} | {name: _shown(value) for name, value in fields.items()}
    whole = line.text.decode("utf-8", "replace")
    if not all(each.passes(named, whole) for each in query.filters) or not _allowed(line, fields, access):
        return _NOTHING
    return _written(line, query, {"urlkey": key, "timestamp": time, **fields}, named)


def _written(line: Line, query: Query, fields: dict[str, Any], named: dict[str, str]) -> bytes:
    if query.output is Output.TEXT:
        words = (word(named.get(name, UNKNOWN)) or UNKNOWN for name in query.fields or COLUMNS)
        return " ".join(words).encode("utf-8", "backslashreplace") + b"\n"
    chosen = {name: fields[name] for name in query.fields if name in fields} if query.fields else fields
    if query.output is Output.JSON:
        return json.dumps(chosen).encode() + b"\n"
    if not query.fields:
        return line.text + b"\n"
    rest = {name: value for name, value in chosen.items() if name not in COLUMNS[:2]}
    return begin_of(line) + b" " + json.dumps(rest).encode() + b"\n"


def _resume_line(resume: Resume, output: Output) -> bytes:
    if output is Output.JSON:
        return json.dumps({"resumeKey": str(resume)}).encode() + b"\n"
    return f"\n{resume}\n".encode()


def _allowed(line: Line, fields: Mapping[str, Any], access: Access | None) -> bool:
    if access is None:
        return True
    url = fields.get("url")
    return isinstance(url, str) and access(url, time_of(line)).allowed


def _apart(line: Line) -> tuple[str, str, dict[str, Any]]:
    try:
        return take_apart(line.text)
    except (ValueError, RecursionError):
        raise no_line(line.text, line.where) from None


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def portions(lines: Iterator[bytes], *, size: int, steps: int) -> Iterator[bytes]:
    """The lines in pieces of about `size` bytes; after so many steps a piece ends, however small it is."""
    while True:
        taken = list(islice(_until(lines, size), steps))
        if not taken:
            return
        yield b"".join(taken)


def _until(lines: Iterator[bytes], size: int) -> Iterator[bytes]:
    length = 0
    for line in lines:
        yield line
        length += len(line)
        if length >= size:
            return
