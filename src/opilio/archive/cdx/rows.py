"""The lines of an index, and the captures that they tell: CDXJ, `surt time {json}`, and the older CDX with columns."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from json.encoder import encode_basestring_ascii as quoted
from typing import Any

from opilio.archive.cdx.keys import key_of
from opilio.archive.warc.records import label
from opilio.kernel.digests import Algorithm, Digest, parse_digest
from opilio.kernel.errors import Damaged, InvalidInput

REVISIT = "warc/revisit"  # the type by which readers know a line without a body
LEGEND_11 = b" CDX N b a m s k r M S V g"
UNKNOWN = "-"
_BLANK = re.compile(r"[\x00-\x20\x7f]")
_MIME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}/[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}")
# Lines as we and most others write them need no JSON reader; whatever is different goes the long way.
_TEXT = r'"([^"\\\x00-\x1f]+)"'
_USUAL = re.compile(
    rf'[^ ]+ ([0-9]{{14}}(?:[0-9]{{3}})?) \{{"url": {_TEXT}, "mime": {_TEXT}, (?:"status": "([0-9]{{1,3}})", )?'
    rf'(?:"digest": {_TEXT}, )?"length": "([0-9]{{1,18}})", "offset": "([0-9]{{1,18}})", "filename": {_TEXT}\}}\r?\n?'
)
_BARE_SHA1 = re.compile(r"[A-Z2-7]{32}", re.IGNORECASE)


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
    length: int  # bytes; 0 where an older index does not tell
    revisit: bool = False  # the body is in an earlier capture
    original_url: str = ""  # of that capture, where known
    original_at: datetime | None = None

    @property
    def type(self) -> str:
        """The type of the line: lower case, no parameters, `warc/revisit` for revisits, `unk` for nonsense."""
        return REVISIT if self.revisit else _type(self.mime)


@lru_cache(maxsize=1024)  # few types, many captures
def _type(mime: str) -> str:
    found = _MIME.match(mime.strip().lower())
    return found[0] if found else "unk"


def cdxj(row: CdxRow, *, digits: int = 14) -> bytes:
    """A line of CDXJ; the time has 14 digits (seconds) or 17 (milliseconds)."""
    status = f'"status": "{row.status}", ' if row.status is not None else ""
    digest = f'"digest": "{label(row.digest)}", ' if row.digest is not None else ""
    original = f', "original_url": {quoted(row.original_url)}' if row.original_url else ""
    if row.original_at is not None:
        original += f', "original_time": "{stamp(row.original_at, 17)}"'
    text = (
        f'{key_of(row.url)} {stamp(row.at, digits)} {{"url": {quoted(row.url)}, "mime": {quoted(row.type)}, {status}'
        f'{digest}"length": "{row.length}", "offset": "{row.offset}", "filename": {quoted(row.file)}{original}}}\n'
    )
    return text.encode("ascii", "backslashreplace")


def cdx11(row: CdxRow) -> bytes:
    """A line of the older form: N b a m s k r M S V g."""
    digest = label(row.digest).removeprefix("sha1:") if row.digest is not None else UNKNOWN
    columns = (
        key_of(row.url),
        stamp(row.at, 14),
        word(row.url),
        row.type,
        str(row.status) if row.status is not None else UNKNOWN,
        digest,
        UNKNOWN,
        UNKNOWN,
        str(row.length),
        str(row.offset),
        word(row.file),
    )
    return f"{' '.join(columns)}\n".encode("utf-8", "backslashreplace")


def parse_line(line: bytes, *, where: str = "a CDXJ file") -> CdxRow:
    """A row from a line of CDXJ, ours or another's; `Damaged` when it is none."""
    try:
        usual = _USUAL.fullmatch(line.decode("utf-8"))
        if usual is not None and usual[3] != UNKNOWN:
            return _usual_row(usual)
        _, time, fields = take_apart(line)
        return row_of(fields, unstamp(time))
    except (ValueError, KeyError, TypeError, RecursionError, InvalidInput):
        raise no_line(line, where) from None


def _usual_row(found: re.Match[str]) -> CdxRow:
    time, url, mime, status, digest, length, offset, file = found.groups()
    return CdxRow(
        url=url, at=unstamp(time), mime=mime, status=int(status) if status else None, digest=_digest(digest),
        file=file, offset=int(offset), length=int(length), revisit=mime == REVISIT,
    )  # fmt: skip


def take_apart(line: bytes) -> tuple[str, str, dict[str, Any]]:
    """Key, time and fields of a line; ValueError when it is none."""
    key, time, text = line.decode("utf-8").rstrip("\r\n").split(" ", 2)
    fields = json.loads(text)
    if not isinstance(fields, dict) or not time.isascii() or not time.isdigit():
        raise ValueError
    return key, time, fields


def no_line(line: bytes, where: str) -> Damaged:
    """The error of a line that is none."""
    shown = line[:120].decode("utf-8", "replace")
    return Damaged(f"{shown!r} is no line of CDXJ", where=where, remedy="Make the index again.")


def row_of(fields: Mapping[str, Any], at: datetime) -> CdxRow:
    """A row from fields as pywb, cdxj-indexer and others write them: numbers or strings, `-` or nothing if unknown."""
    mime = str(_known(fields, "mime", "mimetype") or "unk")
    offset, length = int(fields["offset"]), int(str(_known(fields, "length") or 0))
    if min(offset, length) < 0:
        raise ValueError
    status, original = str(_known(fields, "status", "statuscode") or ""), fields.get("original_time")
    return CdxRow(
        url=str(fields["url"] if "url" in fields else fields["original"]),
        at=at,
        mime=mime,
        status=int(status) if status.isascii() and status.isdigit() and len(status) <= 3 else None,
        digest=_digest(_known(fields, "digest")),
        file=str(fields["filename"]),
        offset=offset,
        length=length,
        revisit=mime == REVISIT,
        original_url=str(_known(fields, "original_url") or ""),
        original_at=unstamp(str(original)) if original else None,
    )


def stamp(at: datetime, digits: int) -> str:
    """A time as 14 digits, or 17 with milliseconds."""
    if digits not in (14, 17):
        raise InvalidInput(f"times in an index have 14 or 17 digits, not {digits}", remedy="Choose one of them.")
    days = (at.year * 100 + at.month) * 100 + at.day
    number = ((days * 100 + at.hour) * 100 + at.minute) * 100 + at.second
    return f"{number:014d}" if digits == 14 else f"{number:014d}{at.microsecond // 1000:03d}"


def unstamp(text: str) -> datetime:
    """The time of 14 or 17 digits."""
    if len(text) not in (14, 17) or not (text.isascii() and text.isdigit()):
        raise InvalidInput(f"{text[:40]!r} is no time of an index", remedy="Write it as 20260131235959.")
    try:
        return datetime(
            int(text[:4]), int(text[4:6]), int(text[6:8]), int(text[8:10]), int(text[10:12]), int(text[12:14]),
            int(text[14:] or 0) * 1000, tzinfo=UTC,
        )  # fmt: skip
    except ValueError:
        raise InvalidInput(f"{text!r} is no time", remedy="Write it as 20260131235959.") from None


def word(text: str) -> str:
    """Text without blanks, for a column."""
    return _BLANK.sub(lambda found: f"%{ord(found[0]):02X}", text)


def _known(fields: Mapping[str, Any], *names: str) -> object:
    found = next((fields[name] for name in names if name in fields), None)
    return None if found == UNKNOWN else found


def _digest(value: object) -> Digest | None:
    """A digest with or without its label; None for kinds that nobody here can compare."""
    text = str(value or "")
    if not text or text == UNKNOWN:
        return None
    try:
        return parse_digest(f"{Algorithm.SHA1}:{text}" if _BARE_SHA1.fullmatch(text) else text)
    except InvalidInput:
        return None
