"""One record of a WARC or ARC file as a stream: its header and HTTP head in memory, its body piece by piece.

For whoever hands bodies on: a record of many gigabytes is never in memory as a whole. Parsing here is our own, because
fastwarc reads blocks whole.
"""

import os
import re
import zlib
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import BinaryIO, Protocol

from opilio.kernel.errors import Damaged

PIECE = 1 << 16  # bytes
_MOST_HEADER = 1 << 20  # bytes of the header of a record
_MOST_HEAD = 1 << 20  # bytes of an HTTP head
_GZIP = b"\x1f\x8b"
_FIELD = re.compile(rb"(?m)^([^:\s]{1,200}):[ \t]*([^\r\n]*)")
_END = re.compile(rb"\r?\n\r?\n")
_STATUS = re.compile(rb"HTTP/[0-9.]{1,5}[ \t]+(\d{3})(?!\d)")
_ARC = re.compile(rb"([a-zA-Z][^ \r\n]*) [^ \r\n]+ (\d{14}) ([^\r\n]*?)(\d{1,15})\r?\n")
_NUMBER = re.compile(r"\d{1,18}")


class Source(Protocol):
    """Bytes in order."""

    def read(self, size: int) -> bytes:
        """The next bytes, at most so many; empty at the end."""
        ...

    def skip(self, count: int) -> None:
        """Leave bytes out."""
        ...


class StreamedRecord:
    """A record whose body is read once, from its beginning. Close it, or use it in a `with`."""

    def __init__(self, stream: BinaryIO, *, where: str = "a record") -> None:
        """`stream` stands at the beginning of the record, and is closed with it."""
        self._stream = stream
        self._where = where
        self._buffer = b""
        try:
            self._source = _source(stream)
            self.kind, self.fields, self.length = self._read_header()  # length: bytes of the block
            self.head = self._read_head()  # the HTTP head; empty where the block has none
        except (zlib.error, OSError) as error:
            stream.close()
            raise self._broken() from error
        except Damaged:
            stream.close()
            raise
        self._left = self.length - len(self.head)  # bytes of the body that were not read yet
        self.body_length = self._left

    def __enter__(self) -> "StreamedRecord":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._stream.close()

    @property
    def status(self) -> int | None:
        """The HTTP status."""
        found = _STATUS.match(self.head)
        return int(found[1]) if found else None

    def pieces(self) -> Iterator[bytes]:
        """What is left of the body, codings in place; `Damaged` where the file breaks off."""
        while self._left > 0:
            piece = self._take(min(PIECE, self._left))
            if not piece:
                raise self._broken()
            self._left -= len(piece)
            yield piece

    def skip(self, count: int) -> None:
        """Leave out the next bytes of the body; a file that is not packed is not even read there."""
        count = min(count, self._left)
        self._left -= count
        held, self._buffer = self._buffer[:count], self._buffer[count:]
        if count > len(held):
            try:
                self._source.skip(count - len(held))
            except zlib.error as error:
                raise self._broken() from error

    def _read_header(self) -> tuple[str, Mapping[str, str], int]:
        start = self._more()
        if not start.startswith(b"WARC/"):
            return self._arc_header()
        end = self._until(_END, _MOST_HEADER)
        fields = {
            name.decode("latin-1").lower(): value.strip().decode("utf-8", "replace")
            for name, value in reversed(_FIELD.findall(self._buffer[:end]))
        }
        self._buffer = self._buffer[end:]
        length = fields.get("content-length", "")
        if not _NUMBER.fullmatch(length):
            raise self._broken()
        return fields.get("warc-type", "").lower(), fields, int(length)

    def _arc_header(self) -> tuple[str, Mapping[str, str], int]:
        while b"\n" not in self._buffer and len(self._buffer) < PIECE:
            if not self._more():
                break
        found = _ARC.match(self._buffer)
        if found is None:
            raise self._broken()
        self._buffer = self._buffer[found.end() :]
        url, kind = found[1].decode("utf-8", "replace"), found[3].partition(b" ")[0].decode("latin-1")
        return "response", {"warc-target-uri": url, "arc-type": kind, "content-type": "application/http"}, int(found[4])

    def _read_head(self) -> bytes:
        """An HTTP head at the start of the block; a block without one is body from its first byte."""
        if "application/http" not in self.fields.get("content-type", ""):
            return b""
        while len(self._buffer) < min(5, self.length) and self._more():
            pass
        if not self._buffer.startswith(b"HTTP/"):
            return b""
        end = min(self._until(_END, min(_MOST_HEAD, self.length)), self.length)
        head, self._buffer = self._buffer[:end], self._buffer[end:]
        return head

    def _until(self, pattern: re.Pattern[bytes], most: int) -> int:
        """Where the first match in the buffer ends, read as far as needed; `most` where there is none."""
        searched = 0
        while (found := pattern.search(self._buffer, searched)) is None:
            searched = max(0, len(self._buffer) - 3)
            if len(self._buffer) >= most:
                return most
            if not self._more():
                return min(len(self._buffer), most)
        return found.end()

    def _more(self) -> bytes:
        more = self._source.read(PIECE)
        self._buffer += more
        return more

    def _take(self, size: int) -> bytes:
        if self._buffer:
            piece, self._buffer = self._buffer[:size], self._buffer[size:]
            return piece
        try:
            return self._source.read(size)
        except zlib.error as error:
            raise self._broken() from error

    def _broken(self) -> Damaged:
        remedy = "Run `opilio archive verify` on the file."
        return Damaged("this is not a whole record", where=self._where, remedy=remedy)


def _source(stream: BinaryIO) -> Source:
    start = stream.read(2)
    stream.seek(-len(start), os.SEEK_CUR)
    return _Packed(stream) if start == _GZIP else _Plain(stream)


class _Plain:
    """A record as it is."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def read(self, size: int) -> bytes:
        return self._stream.read(size)

    def skip(self, count: int) -> None:
        self._stream.seek(count, os.SEEK_CUR)


class _Packed:
    """A record in a gzip member of its own."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._member = zlib.decompressobj(wbits=31)
        self._rest = b""

    def read(self, size: int) -> bytes:
        while not self._member.eof:
            packed = self._rest or self._stream.read(PIECE)
            piece = self._member.decompress(packed, size)
            self._rest = self._member.unconsumed_tail
            if piece:
                return piece
            if not packed:
                raise zlib.error("the member breaks off")
        return b""

    def skip(self, count: int) -> None:
        while count > 0 and (piece := self.read(min(count, PIECE))):
            count -= len(piece)
