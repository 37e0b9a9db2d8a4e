"""A stored object as a file: read in parts, as they are needed."""

import io
import os
from collections.abc import Callable

_PART = 8 << 20  # bytes
Fetch = Callable[[int, int], bytes]  # start, end → exactly these bytes


class RangedFile(io.RawIOBase):
    """A stream over something that is fetched by ranges. Wrap it in a BufferedReader."""

    def __init__(self, size: int, fetch: Fetch) -> None:
        super().__init__()
        self._size = size
        self._fetch = fetch
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # typeshed asks for any buffer
        end = min(self._at + len(buffer), self._size)
        if end <= self._at:
            return 0
        data = self._fetch(self._at, end)
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def readall(self) -> bytes:
        """All that is left, in large parts; the library's own way is a request for every 8 kB."""
        found = []
        while self._at < self._size:
            found.append(self._fetch(self._at, min(self._at + _PART, self._size)))
            self._at += len(found[-1])
        return b"".join(found)
