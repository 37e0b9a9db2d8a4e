"""What is taken from the block of a record while it is passed: the HTTP head, and the digest of the rest if wanted.

Used with `verify.scanning.scan`, which gives the block piece by piece; a block of any length takes bounded memory.
"""

import hashlib
import re

from opilio.archive.warc.payload import header_values
from opilio.kernel.digests import Algorithm, Digest

_MOST_HEAD = 1 << 20  # bytes
_END = re.compile(rb"\r?\n\r?\n")


class HeadBlock:
    """Keeps the HTTP head of a block, and digests what follows it."""

    def __init__(self, *, http: bool, digest: bool) -> None:
        self.head = b""
        self.length = 0  # bytes of the block
        self._start = bytearray()
        self._http = http
        self._hash = hashlib.sha1(usedforsecurity=False) if digest else None

    def feed(self, piece: memoryview) -> None:
        """The next bytes."""
        self.length += len(piece)
        if not self._http:
            self._rest(piece)
            return
        self._start += piece
        if not self._start.startswith(b"HTTP/"[: len(self._start)]):
            self._end_head(0)
        elif found := _END.search(self._start):
            self._end_head(found.end())
        elif len(self._start) >= _MOST_HEAD:
            self._end_head(len(self._start))

    def finish(self) -> None:
        """The block is over."""
        if self._http:
            self._end_head(len(self._start) if self._start.startswith(b"HTTP/") else 0)

    @property
    def digest(self) -> Digest | None:
        """Of what follows the head, where it is the payload: without a transfer coding."""
        if self._hash is None or header_values(self.head, b"transfer-encoding"):
            return None
        return Digest(Algorithm.SHA1, self._hash.digest())

    @property
    def body_length(self) -> int:
        """Bytes behind the head."""
        return self.length - len(self.head)

    def _end_head(self, end: int) -> None:
        self._http = False
        self.head = bytes(self._start[:end])
        self._rest(memoryview(self._start)[end:])

    def _rest(self, piece: memoryview) -> None:
        if self._hash is not None:
            self._hash.update(piece)


class WholeBlock:
    """Keeps a short block; of a longer one its beginning."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._data = bytearray()

    def feed(self, piece: memoryview) -> None:
        """The next bytes."""
        if len(self._data) < self._most:
            self._data += piece[: self._most - len(self._data)]

    @property
    def data(self) -> bytes:
        """What was kept."""
        return bytes(self._data)
