"""What can be said of a WARC file that nobody finished: its warcinfo, and where its last whole record ends."""

import os
import re
from pathlib import Path
from typing import BinaryIO

from isal import isal_zlib

from opilio.kernel.errors import Damaged
from opilio.kernel.files import mapped

_BLOCK = 1 << 14
_GZIP = 31
_BROKEN: type[Exception] = isal_zlib.error  # type: ignore[assignment]  # its stub says instance for class
_MOST_HEADER = 1 << 16  # bytes of the header of one record of ours
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,15})[ \t]*\r\n", re.IGNORECASE)
_ID = re.compile(rb"\r\nwarc-record-id:[ \t]*<([^>\r\n]{1,200})>", re.IGNORECASE)


def cut_torn_tail(path: Path) -> int:
    """Cut a file to its whole records; the bytes that were dropped."""
    with mapped(path), path.open("r+b") as stream:
        length = whole_length(stream)
        torn = os.fstat(stream.fileno()).st_size - length
        if length == 0:
            path.unlink()
        elif torn:
            stream.truncate(length)
            os.fsync(stream.fileno())
        return torn


def whole_length(stream: BinaryIO) -> int:
    """Bytes from the start that hold whole records."""
    good = 0
    while (end := record_end(stream, good)) is not None:
        good = end
    return good


def record_end(stream: BinaryIO, start: int) -> int | None:
    """Where the record that begins at `start` ends; None when there is no whole one."""
    stream.seek(start)
    block = stream.read(_BLOCK)
    if block[:2] == b"\x1f\x8b":
        return _end_of_member(stream, start, block)
    return _end_of_plain(stream, start, block)


def warcinfo_id(path: Path) -> str:
    """The id of a file's first record."""
    with mapped(path), path.open("rb") as stream:
        start = stream.read(_MOST_HEADER)
    if start[:2] == b"\x1f\x8b":
        start = _unpacked(start)
    found = _ID.search(start.partition(b"\r\n\r\n")[0])
    if found is None or not start.startswith(b"WARC/"):
        remedy = "Move the file away, or run `opilio archive recover` on it."
        raise Damaged("the file does not begin with a WARC record", where=str(path), remedy=remedy)
    return found[1].decode("ascii", "replace")


def _unpacked(start: bytes) -> bytes:
    try:
        return isal_zlib.decompressobj(wbits=_GZIP).decompress(start, _MOST_HEADER)
    except _BROKEN:
        return b""


def _end_of_member(stream: BinaryIO, start: int, block: bytes) -> int | None:
    """A gzip member is whole when its checksum is right."""
    member = isal_zlib.decompressobj(wbits=_GZIP)
    read = start
    while block:
        read += len(block)
        try:
            member.decompress(block)
        except _BROKEN:
            return None
        if member.eof:
            return read - len(member.unused_data)
        block = stream.read(_BLOCK)
    return None


def _end_of_plain(stream: BinaryIO, start: int, block: bytes) -> int | None:
    """A record that is not packed is whole when its length leads to the two line ends behind it."""
    header, end, _ = (block + stream.read(_MOST_HEADER)).partition(b"\r\n\r\n")
    found = _LENGTH.search(header + b"\r\n")
    if not end or found is None or not header.startswith(b"WARC/"):
        return None
    after = start + len(header) + 4 + int(found[1])
    stream.seek(after)
    return after + 4 if stream.read(4) == b"\r\n\r\n" else None
