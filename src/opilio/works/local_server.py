"""Serves one application from this process until SIGINT or SIGTERM; the last answers have two seconds."""

import asyncio
import contextlib
import signal
from collections.abc import Callable
from typing import Any

from granian.constants import Interfaces
from granian.server.embed import Server

_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_PATIENCE = 2.0  # seconds for the last answers


async def serve_locally(
    app: Any, *, host: str, port: int, ready: Callable[[], bool], when_ready: Callable[[], None],
    when_stopping: Callable[[], None] = lambda: None,
) -> None:  # fmt: skip
    """`when_ready` is called once `ready` says that the server answers, `when_stopping` before it stops to."""
    server = Server(
        app, address=host, port=port, interface=Interfaces.ASGINL, websockets=False, log_enabled=False
    )  # fmt: skip
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in _SIGNALS:
        loop.add_signal_handler(number, stop.set)
    serving = asyncio.ensure_future(server.serve())
    stopping = asyncio.ensure_future(stop.wait())
    try:
        while not await asyncio.to_thread(ready):
            if serving.done() or stop.is_set():
                break
        if not serving.done() and not stop.is_set():
            await asyncio.to_thread(when_ready)
        await asyncio.wait((serving, stopping), return_when=asyncio.FIRST_COMPLETED)
    finally:
        when_stopping()
        server.stop()  # type: ignore[no-untyped-call]  # granian's
        stopping.cancel()
        await _ended(serving)
        for number in _SIGNALS:
            loop.remove_signal_handler(number)


async def _ended(serving: "asyncio.Future[None]") -> None:
    done, _ = await asyncio.wait((serving,), timeout=_PATIENCE)
    if not done:
        serving.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await serving
    elif serving.exception() is not None:
        raise serving.exception()  # type: ignore[misc]  # asked before
