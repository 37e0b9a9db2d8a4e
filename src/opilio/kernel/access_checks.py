"""What fields of a rule of access may hold. Each check names what is wrong, so that a rule can be put right."""

from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from opilio.kernel.errors import InvalidInput

MAX_ID = 200  # characters
_MAX_NAMES = 10_000  # users, roles, agencies or rooms of one rule

E = TypeVar("E", bound=StrEnum)


class BadRule(InvalidInput):
    """A rule of access that cannot be meant."""


def require_time(at: object, what: str) -> datetime:
    """An aware time, or `BadRule`."""
    if not isinstance(at, datetime) or at.utcoffset() is None:
        raise BadRule(f"{what} must be a time with a zone", where=str(at)[:80], remedy="Write 2026-01-31T00:00:00Z.")
    return at


def member(kind: type[E], value: object, what: str) -> E:
    """A member of an enum by its value."""
    found = next((each for each in kind if each == value), None)
    if found is None:
        raise BadRule(f"{str(value)[:80]!r} is no {what}", remedy=f"Known are: {', '.join(kind)}.")
    return found


def require_text(value: object, what: str, most: int) -> None:
    """Text of at most so many characters that every reader can show."""
    if not isinstance(value, str):
        raise BadRule(f"{what} must be text, not {type(value).__name__}", remedy="Write it in quotes.")
    if len(value) > most:
        raise BadRule(f"{what} is longer than {most} characters", remedy="Shorten it.")
    if value.isprintable():
        return
    if any(ord(sign) < 32 and sign not in "\n\t\r" for sign in value):
        raise BadRule(f"{what} holds control characters", remedy="Remove them.")
    if any(0xD800 <= ord(sign) < 0xE000 for sign in value):
        raise BadRule(f"{what} is not Unicode", remedy="Write it in UTF-8.")


def names(values: object, what: str) -> frozenset[str]:
    """A set of names."""
    if not isinstance(values, frozenset | set | tuple | list):
        raise BadRule(f"{what} must be a list of names", remedy='Write ["one", "two"].')
    if len(values) > _MAX_NAMES:
        raise BadRule(f"there are more than {_MAX_NAMES} {what}", remedy="Use a role in place of single users.")
    for value in values:
        require_text(value, f"one of the {what}", MAX_ID)
        if not value:
            raise BadRule(f"one of the {what} is empty", remedy="Remove it.")
    return frozenset(values)


def require_whole(value: object, what: str, most: int) -> None:
    """A whole number between 0 and `most`."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadRule(f"{what} must be a whole number", where=str(value)[:80], remedy="Correct it.")
    if not 0 <= value <= most:
        raise BadRule(f"{what} must lie between 0 and {most}", where=str(value)[:80], remedy="Correct it.")


def require_order(what: str, first: datetime | None, last: datetime | None) -> None:
    """Two times in their order, where both are given."""
    for at in (first, last):
        if at is not None:
            require_time(at, f"a bound of “{what}”")
    if first is not None and last is not None and first >= last:
        raise BadRule(f"“{what}” ends before it begins", remedy="Exchange the two times.")
