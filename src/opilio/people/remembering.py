"""Asks for small things that hardly change once for many actions that are done together, within one transaction.

Outside of `remembered` nothing is kept: every action asks anew.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

_KEPT: ContextVar[dict[Hashable, Any] | None] = ContextVar("kept", default=None)

Found = TypeVar("Found")


@contextmanager
def remembered() -> Iterator[None]:
    """What `once` finds inside is kept until the end; for short transactions that do not change what it asks for."""
    token = _KEPT.set({})
    try:
        yield
    finally:
        _KEPT.reset(token)


def once(key: Hashable, ask: Callable[[], Found]) -> Found:
    """What was found for the key before, else what is found now."""
    kept = _KEPT.get()
    if kept is None:
        return ask()
    if key not in kept:
        kept[key] = ask()
    found: Found = kept[key]
    return found
