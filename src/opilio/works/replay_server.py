"""Serves replay on this machine until it is told to stop, which takes no longer than the current piece of an answer."""

import asyncio
from collections.abc import Callable

from opilio.archive.replay.asgi import ReplayApp
from opilio.works.local_server import serve_locally


def serve(app: ReplayApp, *, host: str, port: int, ready: Callable[[], bool], when_ready: Callable[[], None]) -> None:
    """Serve until SIGINT or SIGTERM; `when_ready` is called once `ready` says that the server answers."""
    asyncio.run(
        serve_locally(app, host=host, port=port, ready=ready, when_ready=when_ready, when_stopping=app.end)
    )  # fmt: skip
