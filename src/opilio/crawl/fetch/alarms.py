"""Timers that cost nothing per exchange: one for libcurl, one for all transfers that wait for their first byte.

A timer that goes off too early looks again; so a later time never has to be told to the event loop.
"""

import asyncio
import math
import time
from collections.abc import Callable

_GRAIN = 0.001  # seconds by which a loop may wake us too early


class Alarm:
    """Calls something at the earliest of the times it was set to; each call may set it anew."""

    def __init__(self, loop: asyncio.AbstractEventLoop, ring: Callable[[], None]) -> None:
        self._loop = loop
        self._ring = ring
        self._at = math.inf  # when to ring
        self._handle: asyncio.TimerHandle | None = None
        self._handle_at = math.inf  # when the loop wakes us; never later than `_at`

    def set(self, seconds: float) -> None:
        """Ring in so many seconds, whatever was said before; infinite: not at all."""
        self._at = time.monotonic() + seconds
        if self._at < self._handle_at:
            self._wake()

    def set_earlier(self, seconds: float) -> None:
        """Ring in so many seconds, unless it does so earlier anyway."""
        if time.monotonic() + seconds < self._at:
            self.set(seconds)

    def close(self) -> None:
        """Never ring again."""
        self._at = math.inf
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _wake(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
        self._handle_at = self._at
        self._handle = self._loop.call_later(max(0.0, self._at - time.monotonic()) + _GRAIN, self._woken)

    def _woken(self) -> None:
        self._handle, self._handle_at = None, math.inf
        if self._at == math.inf:
            return
        if self._at > time.monotonic():
            self._wake()
            return
        self._at = math.inf
        self._ring()
