"""The captures of a WARC file as rows of an index, from the heads of its records alone; parsing is fastwarc's."""

import hashlib
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple

from opilio.archive.cdx.rows import CdxRow
from opilio.archive.indexing.flaws import Flaw
from opilio.archive.indexing.heads import (
    KINDS,
    Fields,
    address,
    fields_of,
    head_end,
    is_capture,
    is_http,
    mime_of,
    moment,
    recorded_digest,
    status_of,
    text,
)
from opilio.archive.indexing.scanned import scanned_captures
from opilio.archive.warc.fast import ArchiveIterator, WarcRecord
from opilio.archive.warc.names import OPEN
from opilio.archive.warc.payload import header_values
from opilio.archive.warc.recover import record_end
from opilio.archive.warc.streamed_payload import coding_names, known, undone
from opilio.kernel.digests import Algorithm, Digest
from opilio.kernel.files import reading

_MAGIC = b"\x1f\x8b"
_HEAD = 1 << 11  # bytes in which an HTTP head mostly ends
_LONGEST_HEAD = 1 << 20
_SHARED = "the record shares its gzip member with others, so that it cannot be read alone"
_TELL = 100  # records between two words about how far it came
_PIECE = 1 << 16  # bytes of a body that are digested at a time

#: Told how far reading came: bytes.
Told = Callable[[int], None]


def captures(path: Path, flaws: list[Flaw], told: Told = lambda at: None) -> Iterator[CdxRow]:
    """Responses, revisits, resources and what metadata records hold besides notes, in the order of the file.

    ARC files, and whatever follows damage, are read the slow way, which finds the next record that is whole.
    """
    with reading(path), path.open("rb") as stream, path.open("rb") as ends:
        held: _Held | None = None
        last: int | None = None
        descriptor = stream.fileno()
        packed = os.pread(descriptor, 2, 0) == _MAGIC
        for number, record in enumerate(_records(path, stream, packed=packed)):
            if held is not None:
                yield held.until(record.stream_pos)
            last = record.stream_pos
            held = _held(record, path, flaws)
            if held is not None and packed and os.pread(descriptor, 2, last) != _MAGIC:
                flaws.append(Flaw(file=str(path), offset=last, what=_SHARED))
                held = None
            if number % _TELL == 0:
                told(last)
        end = record_end(ends, last) if last is not None else None
        if end is not None and held is not None:
            yield held.until(end)
        begun = end or last or 0
        if begun < path.stat().st_size:
            yield from scanned_captures(path, flaws, start=begun, told=told)


class _Held(NamedTuple):  # quicker to make than a dataclass, and there is one for each capture
    """A capture whose end is not known yet: fastwarc tells where records begin."""

    path: Path
    offset: int
    url: str
    at: datetime
    revisit: bool
    answer: "_Answer"
    original_url: str
    original_at: datetime | None

    def until(self, end: int) -> CdxRow:
        """The row, once it is known where the next record begins."""
        return CdxRow(
            url=self.url,
            at=self.at,
            mime=self.answer.mime,
            status=self.answer.status,
            digest=self.answer.digest,
            file=self.path.name.removesuffix(OPEN),
            offset=self.offset,
            length=end - self.offset,
            revisit=self.revisit,
            original_url=self.original_url,
            original_at=self.original_at,
        )


def _held(record: WarcRecord, path: Path, flaws: list[Flaw]) -> _Held | None:
    """What is to be kept of a record; None when it is no capture."""
    kind = str(record.record_type)
    if kind not in KINDS:
        return None
    fields = fields_of(record.headers.items_bytes())
    if not is_capture(kind, fields):
        return None
    url, at = address(fields, b"warc-target-uri"), moment(fields.get(b"warc-date", b"")) or record.record_date
    if not url or at is None:
        what = f"the {kind} has no {'address' if not url else 'date that can be read'}"
        flaws.append(Flaw(file=str(path), offset=record.stream_pos, what=what))
        return None
    revisit = kind == "revisit"
    answer = _answer(record, fields, revisit=revisit)
    original, original_at = address(fields, b"warc-refers-to-target-uri"), fields.get(b"warc-refers-to-date", b"")
    return _Held(path, record.stream_pos, url, at.astimezone(UTC), revisit, answer, original, moment(original_at))


def _records(path: Path, stream: BinaryIO, *, packed: bool) -> Iterator[WarcRecord]:
    """fastwarc's records up to the first that it cannot read; its errors are OSError without a number.

    By path it is quicker, but believes the name.
    """
    source = str(path) if packed and path.suffix == ".gz" else stream
    try:
        yield from ArchiveIterator(source, parse_http=False, fsspec_args=False)
    except OSError as error:
        if error.errno is not None:
            raise


class _Answer(NamedTuple):
    """What the block of a record tells."""

    status: int | None
    mime: str
    digest: Digest | None  # of the payload


def _answer(record: WarcRecord, fields: Fields, *, revisit: bool) -> _Answer:
    digest = recorded_digest(fields)
    made = digest is None and not revisit
    if not is_http(fields):
        return _Answer(None, text(fields.get(b"content-type", b"")), _digest(record, b"", b"") if made else digest)
    head, rest = _http_head(record)
    return _Answer(status_of(head), mime_of(head), _digest(record, head, rest) if made else digest)


def _http_head(record: WarcRecord) -> tuple[bytes, bytes]:
    """The HTTP head, and what was read of the body with it; where there is no end, all that there is."""
    data: bytes = record.reader.read(_HEAD)
    while (end := head_end(data)) < 0 and len(data) < _LONGEST_HEAD:
        more = record.reader.read(_HEAD)
        if not more:
            return data, b""
        data += more
    return (data[:end], data[end:]) if end >= 0 else (data, b"")


def _digest(record: WarcRecord, head: bytes, rest: bytes) -> Digest | None:
    """That of the payload without transfer coding; None when it cannot be read to its end."""
    pieces = chain([rest] if rest else [], iter(lambda: record.reader.read(_PIECE), b""))
    codings = coding_names(header_values(head, b"transfer-encoding")) if head else []
    digest = hashlib.sha1(usedforsecurity=False)
    try:
        for piece in undone(pieces, codings) if known(codings) else pieces:
            digest.update(piece)
    except OSError:
        return None
    return Digest(Algorithm.SHA1, digest.digest())
