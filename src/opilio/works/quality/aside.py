"""Runs a browser in a thread of its own, and tells how far it is in the thread of whoever waits for it.

The library that steers the browser keeps an event loop in the thread that uses it, and there the database of whoever
waits would refuse to work.
"""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import TypeVar

T = TypeVar("T")
Told = Callable[[int], None]


class _Left(Exception):
    """Whoever waited does not wait any more."""


def aside(work: Callable[[Told], T], told: Told) -> T:
    """What `work` gives; where `told` raises, the work ends the next time it tells something."""
    numbers: SimpleQueue[int | None] = SimpleQueue()
    left = threading.Event()

    def tell(number: int) -> None:
        if left.is_set():
            raise _Left
        numbers.put(number)

    def run() -> T:
        try:
            return work(tell)
        finally:
            numbers.put(None)

    with ThreadPoolExecutor(1) as thread:
        made = thread.submit(run)
        try:
            while (number := numbers.get()) is not None:
                told(number)
        except BaseException:
            left.set()
            raise
        return made.result()
