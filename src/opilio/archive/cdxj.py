"""CDXJ: the sorted index of captures by URL and time, one line each; written from committed rows, found by halving.

A line is `surt time {json}`. Lines are in byte order, as `LC_ALL=C sort` gives, so that files of any size can be
merged and searched without being read. `cdx11` writes the older form with eleven columns.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from opilio.archive.sorting import sorted_lines
from opilio.archive.warc.records import label
from opilio.kernel.digests import Digest, parse_digest
from opilio.kernel.errors import Damaged, InvalidInput
from opilio.kernel.files import mapped, writing
from opilio.kernel.surt import surt

REVISIT = "warc/revisit"  # the type by which readers know a line without a body
_CDX11 = b" CDX N b a m s k r M S V g\n"
_LONGEST_LINE = 1 << 20  # bytes
_BLANK = re.compile(r"[\x00-\x20\x7f]")
_MIME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}/[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}")


@dataclass(frozen=True, kw_only=True, slots=True)
class CdxRow:
    """One capture as the index knows it."""

    url: str
    at: datetime  # aware, UTC
    mime: str  # as the server said, parameters and all
    status: int | None
    digest: Digest | None
    file: str
    offset: int
    length: int
    revisit: bool = False  # the body is in an earlier capture
    original_url: str = ""  # of that capture, where known
    original_at: datetime | None = None

    @property
    def type(self) -> str:
        """The type of the line: lower case, no parameters, `warc/revisit` for revisits, `unk` for nonsense."""
        if self.revisit:
            return REVISIT
        found = _MIME.match(self.mime.strip().lower())
        return found[0] if found else "unk"


def cdxj(row: CdxRow, *, digits: int = 14) -> bytes:
    """A line of CDXJ; the time has 14 digits (seconds) or 17 (milliseconds)."""
    fields: dict[str, str] = {"url": row.url, "mime": row.type}
    if row.status is not None:
        fields["status"] = str(row.status)
    if row.digest is not None:
        fields["digest"] = label(row.digest)
    fields |= {"length": str(row.length), "offset": str(row.offset), "filename": row.file}
    if row.original_url:
        fields["original_url"] = row.original_url
    if row.original_at is not None:
        fields["original_time"] = stamp(row.original_at, 17)
    return f"{surt(row.url)} {stamp(row.at, digits)} {json.dumps(fields)}\n".encode("ascii", "backslashreplace")


def cdx11(row: CdxRow) -> bytes:
    """A line of the older form: N b a m s k r M S V g."""
    digest = label(row.digest).removeprefix("sha1:") if row.digest is not None else "-"
    columns = (
        surt(row.url),
        stamp(row.at, 14),
        _word(row.url),
        row.type,
        str(row.status) if row.status is not None else "-",
        digest,
        "-",
        "-",
        str(row.length),
        str(row.offset),
        _word(row.file),
    )
    return f"{' '.join(columns)}\n".encode("utf-8", "backslashreplace")


def write_cdxj(path: Path, rows: Iterable[CdxRow], *, digits: int = 14, memory: int = 64 << 20) -> int:
    """Write a sorted file that appears whole; memory use does not grow with the rows. The number of lines."""
    return _write(path, rows, lambda row: cdxj(row, digits=digits), b"", memory)


def write_cdx11(path: Path, rows: Iterable[CdxRow], *, memory: int = 64 << 20) -> int:
    """The same in the older form."""
    return _write(path, rows, cdx11, _CDX11, memory)


def parse_line(line: bytes, *, where: str = "a CDXJ file") -> CdxRow:
    """A row from a line; `Damaged` when it is none."""
    try:
        _, time, text = line.decode("utf-8").rstrip("\r\n").split(" ", 2)
        fields = json.loads(text)
        return _row(fields, unstamp(time))
    except (ValueError, KeyError, TypeError, RecursionError, InvalidInput):
        shown = line[:120].decode("utf-8", "replace")
        raise Damaged(f"{shown!r} is no line of CDXJ", where=where, remedy="Make the index again.") from None


class CdxFile:
    """A sorted CDXJ file, searched in place."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def exact(self, url: str) -> Iterator[CdxRow]:
        """All captures of a URL, oldest first; URLs with the same SURT key are one here."""
        return self.prefix(f"{surt(url)} ")

    def prefix(self, key: str) -> Iterator[CdxRow]:
        """All captures whose line begins with `key`, such as `org,example)/news/`."""
        start = key.encode("utf-8", "backslashreplace")
        with mapped(self._path), self._path.open("rb") as stream:
            _seek(stream, start)
            while (line := self._line(stream)).startswith(start) and line:
                yield parse_line(line, where=str(self._path))

    def _line(self, stream: BinaryIO) -> bytes:
        line = stream.readline(_LONGEST_LINE)
        if len(line) >= _LONGEST_LINE:
            raise Damaged("a line is too long", where=str(self._path), remedy="Make the index again.")
        return line


def stamp(at: datetime, digits: int) -> str:
    """A time as 14 digits, or 17 with milliseconds."""
    if digits not in (14, 17):
        raise InvalidInput(f"times in an index have 14 or 17 digits, not {digits}", remedy="Choose one of them.")
    text = f"{at.year:04d}{at:%m%d%H%M%S}{at.microsecond // 1000:03d}"
    return text[:digits]


def unstamp(text: str) -> datetime:
    """The time of 14 or 17 digits."""
    if len(text) not in (14, 17) or not (text.isascii() and text.isdigit()):
        raise InvalidInput(f"{text[:40]!r} is no time of an index", remedy="Write it as 20260131235959.")
    try:
        return datetime.strptime(text[:14], "%Y%m%d%H%M%S").replace(tzinfo=UTC, microsecond=int(text[14:] or 0) * 1000)
    except ValueError:
        raise InvalidInput(f"{text!r} is no time", remedy="Write it as 20260131235959.") from None


def _write(path: Path, rows: Iterable[CdxRow], line: Callable[[CdxRow], bytes], header: bytes, memory: int) -> int:
    count = 0
    with writing(path) as stream:
        stream.write(header)
        for text in sorted_lines(map(line, rows), folder=path.parent, memory=memory):
            stream.write(text)
            count += 1
    return count


def _row(fields: dict[str, Any], at: datetime) -> CdxRow:
    digest, original = fields.get("digest"), fields.get("original_time")
    return CdxRow(
        url=str(fields["url"]),
        at=at,
        mime=str(fields.get("mime", "unk")),
        status=int(fields["status"]) if "status" in fields else None,
        digest=parse_digest(str(digest)) if digest else None,
        file=str(fields["filename"]),
        offset=int(fields["offset"]),
        length=int(fields["length"]),
        revisit=fields.get("mime") == REVISIT,
        original_url=str(fields.get("original_url", "")),
        original_at=unstamp(original) if original else None,
    )


def _seek(stream: BinaryIO, key: bytes) -> None:
    """Go to the first line that is not before `key`."""
    low, high = 0, stream.seek(0, os.SEEK_END)  # a line begins at low, and it is the first or before key
    while low < high:
        middle = (low + high) // 2
        stream.seek(middle)
        stream.readline(_LONGEST_LINE)
        begin = stream.tell()
        line = stream.readline(_LONGEST_LINE)
        if line and line < key:
            low = begin
        else:
            high = middle
    stream.seek(low)
    while True:
        begin = stream.tell()
        line = stream.readline(_LONGEST_LINE)
        if not line or line >= key:
            stream.seek(begin)
            return


def _word(text: str) -> str:
    return _BLANK.sub(lambda found: f"%{ord(found[0]):02X}", text)
