"""The stream of server-sent events to one viewer (HTML standard, §9.2), from a seat at the board.

A comment now and then keeps proxies from hanging up. A stream ends by itself after some minutes: the browser asks
again, and its rights with it.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass

from asgiref.sync import sync_to_async
from django.db import connections

from opilio.web.live.board import Board, Seat, Shown

KIND = "text/event-stream; charset=utf-8"
FIRST = b"retry: 2000\n\n"
STILL_THERE = b": still there\n\n"
OVER = b"event: over\ndata: {}\n\n"


@dataclass(frozen=True, kw_only=True)
class Patience:
    """How long a stream lasts, and how long it is silent."""

    whole: float = 600.0  # seconds
    silent: float = 15.0  # seconds


USUAL = Patience()


def _nothing() -> None:
    """Nothing is to be done before."""


async def streamed(
    board: Board, harvest: int, *, last: str = "", patience: Patience = USUAL, begin: Callable[[], None] = _nothing
) -> AsyncIterator[bytes]:  # fmt: skip
    """The events of a harvest, without the one that the viewer saw last; `begin` is called in the loop."""
    begin()
    await sync_to_async(_let_go)()
    loop, woken = asyncio.get_running_loop(), asyncio.Event()

    def wake() -> None:
        with contextlib.suppress(RuntimeError):  # the loop ended, and the viewer with it
            loop.call_soon_threadsafe(woken.set)

    end = loop.time() + patience.whole
    seat = board.sit(harvest, wake)
    try:
        yield FIRST
        while not seat.closed and (left := end - loop.time()) > 0:
            shown = await _newest(seat, woken, min(left, patience.silent))
            if shown is None:
                yield STILL_THERE
            elif shown.mark != last:
                last = shown.mark
                yield shown.event
            if shown is not None and shown.over:
                yield OVER
                return
    finally:
        board.leave(seat)


def stepped(pieces: AsyncIterator[bytes]) -> Iterator[bytes]:
    """The same for a server that knows no event loop."""

    async def following() -> bytes | None:
        return await anext(pieces, None)

    with asyncio.Runner() as runner:
        while (piece := runner.run(following())) is not None:
            yield piece


async def _newest(seat: Seat, woken: asyncio.Event, seconds: float) -> Shown | None:
    """What lies at the seat, once there is something new; None when the time is over, or the seat is closed."""
    try:
        await asyncio.wait_for(woken.wait(), seconds)
    except TimeoutError:
        return None
    woken.clear()
    return seat.taken()


def _let_go() -> None:
    """The request's thread needs the database no more; its connection would stay open as long as the stream."""
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:
            connection.close()
