"""The captures of a folder of WARC files by the URL that was asked for, looked up in a sorted index on the disk."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from opilio.archive.cdxj import CdxFile, CdxRow, stamp, write_cdxj
from opilio.archive.warc.names import WarcFile, all_files
from opilio.archive.warc.reader import StoredRecord, iterate, read_at
from opilio.crawl.engine.replaying import RecordedAnswer
from opilio.crawl.fetch.exchange import Answer
from opilio.crawl.frontier.values import Kept
from opilio.crawl.revisits import NOT_MODIFIED
from opilio.kernel.addresses import to_address
from opilio.kernel.capture import Position, Truncated
from opilio.kernel.errors import OpilioError

_WEB = ("http://", "https://")
_GET = re.compile(rb"GET\s")
_VERSIONS = {"http/0.9": "0.9", "http/1.0": "1.0", "http/1.1": "1.1", "h2": "2", "h3": "3"}
_DIGITS = 17  # milliseconds
_MOST = 2 << 30  # bytes of one record


class RecordedCaptures:
    """Captures of GET requests; those of other methods (as to sign in) are no pages."""

    def __init__(self, folder: Path, index: Path, *, since: bool) -> None:
        self._folder = folder
        self._since = since  # whether the earlier crawl is there, which has what a server did not send again
        self._rows = CdxFile(index)
        self._find = lru_cache(maxsize=1_000)(self._found)

    @classmethod
    def indexed(
        cls, folder: Path, index: Path, told: Callable[[int], None], *, since: bool = False
    ) -> tuple["RecordedCaptures", int, datetime | None]:
        """Read all files once; with the number of captures, and the time of the last one."""
        last: list[datetime] = []

        def rows() -> Iterator[CdxRow]:
            done = 0
            for file in all_files(folder):
                for row in _captures(file, folder):
                    last[:] = [max([row.at, *last])]
                    yield row
                done += file.path.stat().st_size
                told(done)

        count = write_cdxj(index, rows(), digits=_DIGITS)
        return cls(folder, index, since=since), count, last[0] if last else None

    def answer(self, url: str) -> RecordedAnswer | None:
        """The last capture of a URL; None when there is none, or its body lies in another crawl."""
        rows = self._find(url)
        if not rows:
            return None
        row = rows[-1]
        record = read_at(self._folder, _place(row), most=_MOST)
        body, original = record.body, None
        if row.revisit and not (self._since and record.status == NOT_MODIFIED):
            source = self._source(row)
            if source is None:
                return None
            body, original = source.body, Kept((row.original_at or row.at).timestamp(), row.original_url)
        return RecordedAnswer(answer=_answer(record, body), place=_place(row), tries=len(rows), original=original)

    def _source(self, row: CdxRow) -> StoredRecord | None:
        """The record that has the body of one that was written without it."""
        if not row.original_url or row.original_at is None:
            return None
        wanted = stamp(row.original_at, _DIGITS)
        for each in self._find(row.original_url):
            if not each.revisit and stamp(each.at, _DIGITS) == wanted:
                return read_at(self._folder, _place(each), most=_MOST)
        return None

    def _found(self, url: str) -> list[CdxRow]:
        rows = [row for row in self._rows.exact(url) if row.url == url]
        return sorted(rows, key=lambda row: (row.at, row.file, row.offset))


def _captures(file: WarcFile, folder: Path) -> Iterator[CdxRow]:
    """The captures of a file; each is followed by its request, which tells the method."""
    held: StoredRecord | None = None
    for record in iterate(file.path, blocks=False):
        if held is not None and not _asked_otherwise(record, held, folder):
            yield _row(held)
        held = record if record.kind in ("response", "revisit") and (record.url or "").startswith(_WEB) else None
    if held is not None:
        yield _row(held)


def _asked_otherwise(record: StoredRecord, response: StoredRecord, folder: Path) -> bool:
    """Whether a record is the request of the response before it, and no GET."""
    if record.kind != "request" or (record.field("WARC-Concurrent-To") or "").strip("<>") != response.id:
        return False
    return _GET.match(read_at(folder, record.place).block) is None


def _row(record: StoredRecord) -> CdxRow:
    refers = record.field("WARC-Refers-To-Date")
    return CdxRow(
        url=record.url or "",
        at=record.at.astimezone(UTC),
        mime="unk",
        status=None,
        digest=None,
        file=record.place.file,
        offset=record.place.offset,
        length=record.place.length,
        revisit=record.kind == "revisit",
        original_url=(record.field("WARC-Refers-To-Target-URI") or "").strip("<>"),
        original_at=_time(refers) if refers else None,
    )


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except ValueError:
        return None


def _answer(record: StoredRecord, body: bytes) -> Answer:
    at = record.at.astimezone(UTC)
    protocol = next((value for name, value in record.fields if name.lower() == "warc-protocol"), "")
    cut = record.field("WARC-Truncated")
    return Answer(
        status=record.status or 200,
        version=_VERSIONS.get(protocol, "1.1" if record.head else "0.9"),
        request=b"",
        head=record.head,
        body=body,
        started=at,
        finished=at,
        first_byte=0.0,
        seconds=0.0,
        address=_address(record.field("WARC-IP-Address")),
        truncated=Truncated(cut) if cut in set(Truncated) and record.kind == "response" else None,
    )


def _address(text: str | None) -> str | None:
    try:
        return str(to_address(text)) if text else None
    except OpilioError:
        return None


def _place(row: CdxRow) -> Position:
    return Position(file=row.file, offset=row.offset, length=row.length)
