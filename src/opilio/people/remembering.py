"""Asks for small things that hardly change once for many actions that are done together, within one transaction.

Outside of `remembered` nothing is kept: every action asks anew.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
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


def keep(found: Mapping[Hashable, Any]) -> None:
    """Let `once` find what was asked for many actions together; outside of `remembered` it is forgotten."""
    keeping = _KEPT.get()
    if keeping is not None:
        keeping.update(found)


def kept(key: Hashable) -> Any:
    """What was kept under a key; None when there is nothing."""
    return (_KEPT.get() or {}).get(key)


def taken(key: Hashable) -> Any:
    """What was kept under a key, which is forgotten with that; None when there is nothing."""
    keeping = _KEPT.get()
    return None if keeping is None else keeping.pop(key, None)


def once(key: Hashable, ask: Callable[[], Found]) -> Found:
    """What was found for the key before, else what is found now."""
    keeping = _KEPT.get()
    if keeping is None:
        return ask()
    if key not in keeping:
        keeping[key] = ask()
    found: Found = keeping[key]
    return found
