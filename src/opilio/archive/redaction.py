"""Takes records out of a WARC file for good: each is replaced by a record of exactly its length that says so.

Because no other record moves, every index and every result keeps its positions: docs/decisions/0028. The stand-in
keeps identifier, date and address of what was there, and nothing of its content.
"""

import struct
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from opilio.archive.dedup.rewriting import copied, damaged, refuse
from opilio.archive.results.manifest import sha256_of
from opilio.archive.verify.framing import Scanned, State
from opilio.archive.verify.header import Header
from opilio.archive.verify.scanning import scan
from opilio.kernel.files import require_space, writing

#: Whether the captures of a URL at a time are to go; the time is None where a record does not tell it.
Wanted = Callable[[str, datetime | None], bool]

_MARK = "opilio-redacted"  # field of a stand-in
_CHUNK = 65_535  # bytes of a stored block of deflate
_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"  # of a gzip member
_COMMENTED = b"\x1f\x8b\x08\x10\x00\x00\x00\x00\x00\xff"  # of one with a comment
_FRAME = len(_HEAD) + 8  # bytes of a member beside its blocks
_MOST_DIGITS = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Taken:
    """A record that was taken out."""

    offset: int
    length: int
    kind: str
    url: str
    payload: str  # its payload digest, as the record had it; empty: none


@dataclass(frozen=True, kw_only=True, slots=True)
class RedactedFile:
    """A WARC file of which records were taken out."""

    name: str
    before: str  # sha256
    after: str
    taken: tuple[Taken, ...]


def redact_file(path: Path, wanted: Wanted, note: str) -> RedactedFile | None:
    """Take the wanted records out of a file; None when it has none, or none any more."""
    if not any(_goes(scanned, wanted) for scanned in scan(path, refuse)):
        return None
    before, size = sha256_of(path), path.stat().st_size
    require_space(path.parent, size)
    with writing(path, mode=path.stat().st_mode & 0o777) as stream:
        taken = tuple(_written(path, stream, wanted, note))
    if path.stat().st_size != size:
        raise AssertionError(f"{path} has another length than before")
    return RedactedFile(name=path.name, before=before, after=sha256_of(path), taken=taken)


def left_in(path: Path, wanted: Wanted) -> int:
    """How many records that should be gone a file still has."""
    return sum(_goes(scanned, wanted) for scanned in scan(path, lambda fault: None))


def stand_ins(path: Path) -> dict[str, int]:
    """How many records were taken out of a file, now or earlier, by what their stand-ins say."""
    found = (each.header.named[_MARK] for each in scan(path, lambda fault: None) if is_stand_in(each.header))
    return dict(Counter(found))


def is_stand_in(header: Header) -> bool:
    """Whether a record stands in the place of one that was taken out."""
    return _MARK in header.named


def _goes(scanned: Scanned, wanted: Wanted) -> bool:
    header = scanned.header
    return bool(header.url) and not is_stand_in(header) and wanted(header.url, _date(header))


def _date(header: Header) -> datetime | None:
    try:
        found = datetime.fromisoformat(header.named.get("warc-date", ""))
    except ValueError:
        return None
    return found if found.tzinfo is not None else None


def _written(path: Path, stream: BinaryIO, wanted: Wanted, note: str) -> Iterator[Taken]:
    for scanned in scan(path, refuse):
        if scanned.end is None or scanned.within or scanned.state is not State.WHOLE:
            raise damaged(f"{path} at {scanned.offset}", "a record is not packed by itself")
        if not _goes(scanned, wanted):
            copied(path, scanned, stream)
            continue
        length = scanned.end - scanned.offset
        header = scanned.header
        with path.open("rb") as begin:
            begin.seek(scanned.offset)
            packed = begin.read(2) == _HEAD[:2]
        stream.write(stand_in(header, length, packed=packed, note=note))
        yield Taken(
            offset=scanned.offset, length=length, kind=header.kind, url=header.url,
            payload=header.named.get("warc-payload-digest", ""),
        )  # fmt: skip


def stand_in(header: Header, length: int, *, packed: bool, note: str) -> bytes:
    """A record of exactly `length` bytes in the file; the address goes where there is no room for it."""
    room = length - _FRAME if packed else length
    for fields in _forms(header, note):
        made = (_stored(fields, room) or _squeezed(fields, length)) if packed else _filled(fields, room)
        if made is not None:
            return made
    raise damaged(header.id, f"{length} bytes are too few for the record that would stand there")


def _forms(header: Header, note: str) -> Iterator[list[str]]:
    """What a stand-in says of itself, from much to little."""
    least = ["WARC/1.1", "WARC-Type: metadata", f"WARC-Record-ID: <{header.id}>",
             f"WARC-Date: {header.named.get('warc-date', '1970-01-01T00:00:00Z')}"]  # fmt: skip
    mark = f"Opilio-Redacted: {note}"
    yield [*least, f"WARC-Target-URI: {header.url}", mark, "Content-Type: text/plain"]
    yield [*least, mark, "Content-Type: text/plain"]
    yield [*least, "Opilio-Redacted: yes"]


def _record(fields: list[str], filler: int) -> bytes:
    head = "\r\n".join([*fields, f"Content-Length: {filler}"]).encode("utf-8", "replace")
    return head + b"\r\n\r\n" + b"." * filler + b"\r\n\r\n"


def _filled(fields: list[str], size: int) -> bytes | None:
    """The record with so much filler that it has a size; None when that cannot be."""
    bare = len(_record(fields, 0)) - 1
    for digits in range(1, _MOST_DIGITS):
        filler = size - bare - digits
        if filler >= 0 and len(str(filler)) == digits:
            return _record(fields, filler)
    return None


def _stored(fields: list[str], room: int) -> bytes | None:
    """A gzip member that holds the record unpacked; what blocks cannot fill stands in its comment."""
    for blocks in range(max(1, room // (_CHUNK + 5)), room // (_CHUNK + 5) + 3):
        for comment in range(8):
            size = room - 5 * blocks - comment
            if -(-size // _CHUNK) == blocks and (record := _filled(fields, size)) is not None:
                return _member(b"".join(_blocks(record)), record, comment)
    return None


def _squeezed(fields: list[str], length: int) -> bytes | None:
    """A gzip member that holds the record packed, for records that were short; the rest stands in its comment."""
    record = _record(fields, 0)
    machine = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = machine.compress(record) + machine.flush()
    comment = length - _FRAME - len(body)
    return _member(body, record, comment) if comment >= 0 else None


def _member(body: bytes, record: bytes, comment: int) -> bytes:
    head = _HEAD if not comment else _COMMENTED + b"." * (comment - 1) + b"\x00"
    return head + body + struct.pack("<II", zlib.crc32(record), len(record) & 0xFFFFFFFF)


def _blocks(record: bytes) -> Iterator[bytes]:
    for start in range(0, len(record), _CHUNK):
        piece = record[start : start + _CHUNK]
        last = start + _CHUNK >= len(record)
        yield struct.pack("<BHH", last, len(piece), len(piece) ^ 0xFFFF) + piece
