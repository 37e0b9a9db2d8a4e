"""Which captures need the body of another, and where that one lies: in the same crawl, in another one, or nowhere.

Read from CDXJ indexes, so that no WARC file is opened. A list for a whole result is kept beside it as JSON lines.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from opilio.archive.cdxj import CdxFile, CdxRow, parse_line, stamp
from opilio.archive.warc.names import find
from opilio.archive.warc.records import label
from opilio.kernel.errors import BadUrl, Damaged
from opilio.kernel.files import mapped, writing

#: Raised whenever a field of the list changes its meaning.
FORMAT = 1
_REVISIT = b'"warc/revisit"'


@dataclass(frozen=True, slots=True)
class IndexedCrawl:
    """A crawl whose captures may be needed: its WARC files and their index."""

    name: str  # as messages and lists call it: its folder
    warcs: Path
    index: Path

    def has(self, row: CdxRow) -> bool:
        """Whether the file of a capture is there."""
        return find(self.warcs, row.file) is not None


@dataclass(frozen=True, slots=True)
class Need:
    """A capture without a body, and the one that has it."""

    revisit: CdxRow
    original: CdxRow | None  # None: nobody knows where it is
    crawl: IndexedCrawl | None  # where the original lies


def revisits(lines: Iterable[bytes], where: str) -> Iterator[CdxRow]:
    """The captures of an index that have no body."""
    for line in lines:
        if _REVISIT in line:
            yield parse_line(line, where=where)


def needs_of(own: IndexedCrawl, others: Sequence[IndexedCrawl]) -> Iterator[Need]:
    """What the captures of a crawl need; what it has itself is looked for first."""
    with mapped(own.index), own.index.open("rb") as lines:
        for row in revisits(lines, str(own.index)):
            yield _resolved(row, (own, *others))


def original_of(row: CdxRow, crawl: IndexedCrawl) -> CdxRow | None:
    """The capture of a crawl that has the body of another; its file must be there."""
    try:
        found = [each for each in CdxFile(crawl.index).exact(row.original_url or row.url) if not each.revisit]
    except BadUrl:
        return None
    return next((each for each in sorted(found, key=lambda each: _rank(each, row)) if _fits(each, row, crawl)), None)


def lines_of_needs(needs: Iterable[Need], *, result: int, made: datetime, own: IndexedCrawl) -> Iterator[bytes]:
    """The list as it is kept: a line about itself, then one for each capture that needs another."""
    yield _line({"format": FORMAT, "result": result, "made": made.isoformat(timespec="seconds")})
    for need in needs:
        row = need.revisit
        told: dict[str, Any] = {
            "file": row.file,
            "offset": row.offset,
            "url": row.url,
            "at": stamp(row.at, 14),
            "digest": label(row.digest) if row.digest else "",
            "original": _original(need, own),
        }
        yield _line(told)


def write_needs(path: Path, lines: Iterable[bytes]) -> None:
    """Keep a list; it appears whole."""
    with writing(path) as stream:
        stream.writelines(lines)


def read_needs(path: Path) -> Iterator[dict[str, Any]]:
    """The entries of a list; `Damaged` when it is none."""
    with mapped(path), path.open("rb") as stream:
        head = _parsed(stream.readline(), path)
        if head.get("format") != FORMAT:
            raise _unreadable(path)
        for line in stream:
            yield _parsed(line, path)


def _original(need: Need, own: IndexedCrawl) -> dict[str, Any]:
    row, original = need.revisit, need.original
    if original is None or need.crawl is None:
        known = {"url": row.original_url, "at": stamp(row.original_at, 14) if row.original_at else ""}
        return {**{name: value for name, value in known.items() if value}, "missing": True}
    found: dict[str, Any] = {"file": original.file, "offset": original.offset, "length": original.length}
    if need.crawl is not own:
        found["crawl"] = need.crawl.name
    return {"url": original.url, "at": stamp(original.at, 14), **found}


def _resolved(row: CdxRow, crawls: Sequence[IndexedCrawl]) -> Need:
    for crawl in crawls:
        original = original_of(row, crawl)
        if original is not None:
            return Need(row, original, crawl)
    return Need(row, None, None)


def _fits(found: CdxRow, row: CdxRow, crawl: IndexedCrawl) -> bool:
    """The time that is named must be met; without one the digest must, and the capture must be no later."""
    if row.digest and found.digest and row.digest.algorithm is found.digest.algorithm and row.digest != found.digest:
        return False
    if row.original_at is not None:
        return stamp(found.at, 14) == stamp(row.original_at, 14) and crawl.has(found)
    return found.digest is not None and found.digest == row.digest and found.at <= row.at and crawl.has(found)


def _rank(found: CdxRow, row: CdxRow) -> tuple[bool, float]:
    """Of several that fit, one with the very URL, then the nearest in time."""
    wanted = row.original_at or row.at
    return found.url != (row.original_url or row.url), abs((found.at - wanted).total_seconds())


def _line(told: dict[str, Any]) -> bytes:
    return f"{json.dumps(told, ensure_ascii=False)}\n".encode("utf-8", "replace")


def _parsed(line: bytes, path: Path) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise _unreadable(path) from None
    if not isinstance(found, dict):
        raise _unreadable(path)
    return found


def _unreadable(path: Path) -> Damaged:
    return Damaged("the list of needed captures cannot be read", where=str(path), remedy="Remove it; it is made anew.")
