"""The event loop of a worker: uvloop's where it is installed. While it runs, Python looks for cycles seldom."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from opilio.works.seldom_collected import seldom_collected

try:
    import uvloop
except ImportError:  # not available on every system
    uvloop = None  # type: ignore[assignment]  # a module or nothing

T = TypeVar("T")


def run_loop(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine to its end."""
    factory = asyncio.new_event_loop if uvloop is None else uvloop.new_event_loop
    with seldom_collected(), asyncio.Runner(loop_factory=factory) as runner:
        return runner.run(work())
