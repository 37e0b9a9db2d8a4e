"""A store in memory, for tests of what works on stores."""

import io
import threading
from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO

from opilio.archive.store.errors import ChangedMeanwhile, NoSuchKey
from opilio.archive.store.keys import checked_folder, checked_key
from opilio.archive.store.sources import algorithm_of, checked_range, opened, require, taken
from opilio.archive.store.store import Source, Stored
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.digests import Digest, digest_of


class MemoryStore:
    """Objects that end with the process; see `Store` for the promises."""

    address = "memory"

    def __init__(self, clock: Clock = SYSTEM) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._objects: dict[str, tuple[bytes, datetime]] = {}

    def put(self, key: str, source: Source, *, expected: Digest | None = None) -> bool:
        checked_key(key)
        with opened(source) as stream:
            data = stream.read()
        require(digest_of(data, algorithm_of(expected)), expected, where=key)
        with self._lock:
            there = self._objects.get(key)
            if there is None:
                self._objects[key] = (data, self._clock.now())
                return True
        if there[0] != data:
            raise taken(key, self.address)
        return False

    def replace(self, key: str, data: bytes, *, instead_of: bytes) -> None:
        with self._lock:
            if self._content(key) != instead_of:
                raise ChangedMeanwhile("somebody else changed the object", where=key, remedy="Read it again.")
            self._objects[key] = (data, self._clock.now())

    def open(self, key: str) -> BinaryIO:
        return io.BytesIO(self._content(key))

    def read(self, key: str, start: int, length: int) -> bytes:
        checked_range(start, length)
        return self._content(key)[start : start + length]

    def head(self, key: str) -> Stored | None:
        found = self._objects.get(checked_key(key))
        return Stored(key=key, size=len(found[0]), modified=found[1]) if found else None

    def list(self, folder: str = "") -> Iterator[Stored]:
        start = f"{checked_folder(folder)}/" if folder else ""
        for key, (data, at) in sorted(self._objects.items()):
            if key.startswith(start):
                yield Stored(key=key, size=len(data), modified=at)

    def delete(self, key: str) -> None:
        self._objects.pop(checked_key(key), None)

    def clean(self, before: datetime) -> int:
        return 0  # nothing is ever half there

    def _content(self, key: str) -> bytes:
        found = self._objects.get(checked_key(key))
        if found is None:
            raise NoSuchKey("there is no such object", where=key, remedy="Check the key.")
        return found[0]
