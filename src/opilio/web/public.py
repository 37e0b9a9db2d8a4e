"""Marks the few views that are open to people who have not signed in."""

from collections.abc import Callable
from typing import Any, TypeVar

V = TypeVar("V", bound=Callable[..., Any])
_OPEN = "opilio_public"
_WHILE_FORCED = "opilio_while_forced"


def public(view: V) -> V:
    """Open to everybody."""
    setattr(view, _OPEN, True)
    return view


def while_forced(view: V) -> V:
    """Open also to somebody who must choose a new password first."""
    setattr(view, _WHILE_FORCED, True)
    return view


def is_public(view: Callable[..., Any]) -> bool:
    """Whether strangers may see it."""
    return bool(getattr(view, _OPEN, False))


def is_open_while_forced(view: Callable[..., Any]) -> bool:
    """Whether it may be used before a forced change of the password."""
    return is_public(view) or bool(getattr(view, _WHILE_FORCED, False))
