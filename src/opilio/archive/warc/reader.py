"""Reads WARC files: all records of one in order, or one record at its place. Parsing is fastwarc's."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from opilio.archive.warc.fast import ArchiveIterator, WarcRecord
from opilio.archive.warc.names import OPEN, find
from opilio.archive.warc.payload import MOST, Payload, payload_of
from opilio.archive.warc.records import PAYLOAD_DIGEST_FIELD
from opilio.archive.warc.recover import record_end
from opilio.kernel.capture import Position
from opilio.kernel.digests import Digest, digest_of, parse_digest
from opilio.kernel.errors import Damaged, InvalidInput, Missing
from opilio.kernel.files import mapped

_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
_STATUS = re.compile(rb"HTTP/[0-9.]+[ \t]+(\d{3})(?!\d)")


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredRecord:
    """One record as it lies in a file."""

    place: Position
    kind: str  # warcinfo, response, resource, request, metadata, revisit, conversion or continuation
    id: str  # urn:uuid:…
    at: datetime
    fields: tuple[tuple[str, str], ...]
    block: bytes  # empty when only headers were asked for

    def field(self, name: str) -> str | None:
        """The first value of a header field of the record."""
        wanted = name.lower()
        return next((value for key, value in self.fields if key.lower() == wanted), None)

    @property
    def url(self) -> str | None:
        """What the record is about."""
        found = self.field("WARC-Target-URI")
        return found.strip("<>") if found else None

    @property
    def head(self) -> bytes:
        """The HTTP head, where the block has one."""
        return self.block[: self._body_start]

    @property
    def body(self) -> bytes:
        """What follows the head, codings in place; the whole block where there is no head."""
        return self.block[self._body_start :]

    @property
    def status(self) -> int | None:
        """The HTTP status."""
        found = _STATUS.match(self.head)
        return int(found[1]) if found else None

    @property
    def payload_digest(self) -> Digest | None:
        """The digest that was recorded for the payload; None when there is none that can be read."""
        text = self.field("WARC-Payload-Digest") or self.field(PAYLOAD_DIGEST_FIELD)
        return _digest(text)

    @property
    def intact(self) -> bool | None:
        """Whether the block has its recorded digest; None when none was recorded."""
        recorded = _digest(self.field("WARC-Block-Digest"))
        return None if recorded is None else digest_of(self.block, recorded.algorithm).matches(recorded)

    def payload(self, *, most: int = MOST) -> Payload:
        """The body with its codings undone."""
        return payload_of(self.head, self.body, most=most)

    @property
    def _body_start(self) -> int:
        if "application/http" not in (self.field("Content-Type") or "") or not self.block.startswith(b"HTTP/"):
            return 0
        found = _END_OF_HEAD.search(self.block)
        return found.end() if found else len(self.block)


def iterate(path: Path, *, blocks: bool = True, most: int = MOST) -> Iterator[StoredRecord]:
    """All records of a file with their places; `Damaged` where it breaks off or holds something else.

    `blocks=False` leaves the blocks out, which is quicker. A block longer than `most` is an `InvalidInput`.
    """
    name = path.name.removesuffix(OPEN)
    with mapped(path), path.open("rb") as stream, path.open("rb") as ends:
        held: _Held | None = None
        for record in _records(stream, path):
            if held is not None:
                yield held.stored(name, record.stream_pos)
            held = _Held(record, path, blocks=blocks, most=most)
        size = path.stat().st_size
        good = 0
        if held is not None:
            good = record_end(ends, held.offset) or 0
            if not good:
                raise _broken(path, held.offset)
            yield held.stored(name, good)
        if good < size:  # fastwarc ends in silence at a record that is cut
            raise _broken(path, good)


def read_at(folder: Path, place: Position, *, most: int = MOST) -> StoredRecord:
    """The record at a place; its file may still be open."""
    path = find(folder, place.file)
    if path is None:
        raise Missing("the WARC file is not there", where=place.file[:200], remedy="Check where the archive lies.")
    with mapped(path), path.open("rb") as stream:
        stream.seek(place.offset)
        data = stream.read(place.length)
    record = next(_records(io.BytesIO(data), path), None)
    if record is None or len(data) < place.length:
        raise _broken(path, place.offset)
    return _Held(record, path, blocks=True, most=most, base=place.offset).stored(
        place.file, place.offset + place.length
    )


class _Held:
    """A record whose end is not known yet: fastwarc tells where records begin."""

    def __init__(self, record: WarcRecord, path: Path, *, blocks: bool, most: int, base: int = 0) -> None:
        self.offset = base + record.stream_pos
        self._kind = str(record.record_type)
        self._id = (record.record_id or "").strip("<>")
        self._at = record.record_date
        self._fields = record.headers.to_tuples()
        self._block = self._read(record, path, most) if blocks else b""

    def stored(self, name: str, end: int) -> StoredRecord:
        """The record, once it is known where the next one begins."""
        place = Position(file=name, offset=self.offset, length=end - self.offset)
        return StoredRecord(
            place=place, kind=self._kind, id=self._id, at=self._at, fields=self._fields, block=self._block
        )

    def _read(self, record: WarcRecord, path: Path, most: int) -> bytes:
        length = record.content_length
        if length > most:
            remedy = "Ask for a higher limit, or for the headers only."
            raise InvalidInput(f"the record at {self.offset} has {length} bytes", where=str(path), remedy=remedy)
        block = record.reader.read()
        if len(block) != length:
            raise _broken(path, self.offset)
        return block


def _records(stream: BinaryIO, path: Path) -> Iterator[WarcRecord]:
    """fastwarc's records; its errors are OSError without a number."""
    records = iter(ArchiveIterator(stream, parse_http=False))
    while True:
        try:
            record = next(records)
        except StopIteration:
            return
        except OSError as error:
            if error.errno is not None:
                raise
            raise _broken(path, None) from error
        if record.record_id is None:
            raise _broken(path, record.stream_pos)
        yield record


def _broken(path: Path, offset: int | None) -> Damaged:
    where = str(path) if offset is None else f"{path} at {offset}"
    return Damaged("this is not a whole WARC record", where=where, remedy="Run `opilio archive verify` on the file.")


def _digest(text: str | None) -> Digest | None:
    if text is None:
        return None
    try:
        return parse_digest(text)
    except InvalidInput:
        return None
