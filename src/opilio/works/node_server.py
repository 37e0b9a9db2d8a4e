"""Serves a node, or the reader endpoint, until it is told to stop; a thread follows what is to be served."""

import asyncio
import contextlib
import signal
import threading
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from granian.constants import Interfaces
from granian.server.embed import Server

from opilio.kernel import logs

_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_PATIENCE = 2.0  # seconds for the last answers

log = logs.logger("node")


class NodeApplication(Protocol):
    """An ASGI application that can be ended."""

    def __call__(self, scope: Any, receive: Any, send: Any) -> Awaitable[None]: ...

    def end(self) -> None:
        """Let go of everything."""
        ...


class Follower:
    """Calls `follow` again and again in a thread of its own; an error is logged, and the next turn comes."""

    def __init__(self, follow: Callable[[], object], *, seconds: float = 0.5) -> None:
        self._follow = follow
        self._seconds = seconds
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="follower", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End after the current turn, which is not waited for long: it may be reading a large generation."""
        self._stop.set()
        self._thread.join(_PATIENCE)

    def _run(self) -> None:
        told = ""
        while not self._stop.is_set():
            try:
                self._follow()
                told = ""
            except Exception as error:  # noqa: BLE001 - a node that follows no more would serve old pages for ever
                if str(error) != told:
                    log.warning("node_follow_failed", error=str(error), kind=type(error).__name__)
                told = str(error)
            self._stop.wait(self._seconds)


def serve_node(
    app: NodeApplication,
    *,
    host: str,
    port: int,
    follow: Callable[[], object] | None = None,
    seconds: float = 0.5,
    ready: Callable[[], bool],
    when_ready: Callable[[], None],
) -> None:
    """Serve until SIGINT or SIGTERM; `follow` is called every few `seconds`, `when_ready` once the server answers."""
    follower = Follower(follow, seconds=seconds) if follow is not None else None
    if follower is not None:
        follower.start()
    try:
        asyncio.run(_serve(app, host, port, ready, when_ready))
    finally:
        if follower is not None:
            follower.stop()
        app.end()


async def _serve(
    app: NodeApplication, host: str, port: int, ready: Callable[[], bool], when_ready: Callable[[], None]
) -> None:  # fmt: skip
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
