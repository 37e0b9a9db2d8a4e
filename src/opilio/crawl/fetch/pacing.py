"""Lets transfers that wait for bandwidth go on, in turn, so that all get their share of what is there.

A transfer that may not take its next bytes is paused: nothing is read from its socket, and the server has to wait.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from opilio.crawl.fetch.exchange import Ask
from opilio.kernel.clock import Clock

_SOONEST, _LATEST = 0.01, 0.1  # seconds until the next look; rates may change meanwhile


class _Pausing(Protocol):
    ask: Ask
    done: "asyncio.Future[int]"
    paused: float


LineT = TypeVar("LineT")
TransferT = TypeVar("TransferT", bound=_Pausing)


class Pacer(Generic[LineT, TransferT]):
    """The transfers of one fetcher that are paused, the one that waited longest first."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, clock: Clock, go_on: Callable[[LineT, TransferT], None]
    ) -> None:
        self._loop = loop
        self._clock = clock
        self._go_on = go_on
        self._waiting: deque[tuple[LineT, TransferT, float]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def pause(self, line: LineT, transfer: TransferT, seconds: float) -> None:
        """Let a transfer wait for its turn."""
        self._waiting.append((line, transfer, self._clock.monotonic()))
        if self._timer is None:
            self._look_in(seconds)

    def close(self) -> None:
        """Nobody goes on any more."""
        self._waiting.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _look_in(self, seconds: float) -> None:
        self._timer = self._loop.call_later(min(max(seconds, _SOONEST), _LATEST), self._look)

    def _look(self) -> None:
        self._timer = None
        soonest = _LATEST
        for _ in range(len(self._waiting)):
            line, transfer, since = self._waiting.popleft()
            if transfer.done.done():
                continue
            wait = transfer.ask.meter.wait() if transfer.ask.meter is not None else 0.0
            if wait > 0:
                self._waiting.append((line, transfer, since))
                soonest = min(soonest, wait)
                continue
            transfer.paused += max(0.0, self._clock.monotonic() - since)
            self._go_on(line, transfer)
        if self._waiting and self._timer is None:
            self._look_in(soonest)
