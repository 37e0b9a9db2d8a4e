"""Serves a node, or the reader endpoint, until it is told to stop; a thread follows what is to be served."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from opilio.kernel import logs
from opilio.works.local_server import serve_locally

_PATIENCE = 2.0  # seconds for the turn that goes on

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
        asyncio.run(serve_locally(app, host=host, port=port, ready=ready, when_ready=when_ready))
    finally:
        if follower is not None:
            follower.stop()
        app.end()
