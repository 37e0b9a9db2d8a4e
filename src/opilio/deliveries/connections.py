"""Connections to sources, used again, and never more at once than a source allows."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from opilio.deliveries.source import Connection, Source
from opilio.deliveries.throttle import Throttle


class Connections:
    """A pool per source: two accounts on one host are two sources."""

    def __init__(self, sources: Sequence[Source], opener: Callable[[Source], Connection]) -> None:
        self._opener = opener
        self._room = {source.name: threading.Semaphore(source.connections) for source in sources}
        self._idle: dict[str, list[Connection]] = {source.name: [] for source in sources}
        self._lock = threading.Lock()
        self.throttles = {source.name: Throttle(source.bytes_per_second) for source in sources}

    @contextmanager
    def borrowed(self, source: Source) -> Iterator[Connection]:
        """A connection for the length of a block; one that failed is not used again."""
        with self._room[source.name]:
            with self._lock:
                idle = self._idle[source.name]
                connection = idle.pop() if idle else None
            connection = connection or self._opener(source)
            try:
                yield connection
            except BaseException:
                connection.close()
                raise
            with self._lock:
                self._idle[source.name].append(connection)

    def close(self) -> None:
        """End those that nobody uses."""
        with self._lock:
            idle = [one for all_of_one in self._idle.values() for one in all_of_one]
            self._idle = {name: [] for name in self._idle}
        for connection in idle:
            connection.close()
