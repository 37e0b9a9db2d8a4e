"""How many bytes a second all connections to a source may carry together."""

import threading
from collections.abc import Callable
from time import sleep

from opilio.kernel.clock import SYSTEM, Clock

_BURST = 0.25  # seconds that may be had at once


class Throttle:
    """Waits until bytes that came were allowed to come; shared by threads."""

    def __init__(self, rate: int | None, clock: Clock = SYSTEM, rest: Callable[[float], None] = sleep) -> None:
        self._rate = rate
        self._clock = clock
        self._rest = rest
        self._paid = clock.monotonic()
        self._lock = threading.Lock()

    def took(self, count: int) -> None:
        """Say that some bytes came."""
        if self._rate is None:
            return
        with self._lock:
            now = self._clock.monotonic()
            self._paid = max(self._paid, now - _BURST) + count / self._rate
            wait = self._paid - now
        if wait > 0:
            self._rest(wait)
