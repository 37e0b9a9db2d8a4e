"""The event loop of a worker: uvloop's where it is installed. While it runs, Python looks for cycles seldom."""

import asyncio
import contextlib
import gc
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

try:
    import uvloop
except ImportError:  # not available on every system
    uvloop = None  # type: ignore[assignment]  # a module or nothing

T = TypeVar("T")
#: Objects made and not gone before the young ones are searched, and how many such searches come before a wider one. A
#: worker holds a hundred thousand objects that no cycle goes through; with Python's own numbers it searched them
#: again and again, for a tenth of its time where a million URLs were known.
_SELDOM = (20_000, 20, 50)


def run_loop(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine to its end."""
    factory = asyncio.new_event_loop if uvloop is None else uvloop.new_event_loop
    with _seldom_collected(), asyncio.Runner(loop_factory=factory) as runner:
        return runner.run(work())


@contextlib.contextmanager
def _seldom_collected() -> Iterator[None]:
    """Leave what the program is made of out of the search for cycles, and search the rest seldom."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
