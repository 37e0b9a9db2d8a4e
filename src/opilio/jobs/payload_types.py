"""The types that a field of a payload may have, and how each is written in JSON.

str, int, float, bool, aware datetime, a StrEnum, any of them or None, and tuples of them.
"""

import math
import types
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Union, get_args, get_origin

_LARGEST_INT = 2**63 - 1


@dataclass(frozen=True, kw_only=True)
class Codec:
    """Both ways between a field and JSON; either raises ValueError on what does not fit."""

    spoken: str
    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]


def codec(hint: Any) -> Codec | None:
    """How fields of this type are written, or None if a job cannot carry it."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _choice(hint)
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType) and len(parts) == 2 and types.NoneType in parts:
        return _optional(codec(next(part for part in parts if part is not types.NoneType)))
    if origin is tuple and len(parts) == 2 and parts[1] is Ellipsis:
        return _several(codec(parts[0]))
    return None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"not {type(value).__name__}")
    if "\x00" in value:
        raise ValueError("it holds a NUL character")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError("it is not valid Unicode") from error
    return str(value)


def _integer(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"not {type(value).__name__}")
    if abs(value) > _LARGEST_INT:
        raise ValueError("it does not fit in 64 bits")
    return int(value)


def _float(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ValueError(f"not {type(value).__name__}")
    try:
        number = float(value)
    except OverflowError as error:
        raise ValueError("it is too large") from error
    if not math.isfinite(number):
        raise ValueError("it is not finite")
    return number


def _boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"not {type(value).__name__}")
    return value


def _moment(value: object) -> datetime:
    if not isinstance(value, datetime):
        raise ValueError(f"not {type(value).__name__}")
    if value.tzinfo is None:
        raise ValueError("it has no time zone")
    return value


def _moment_from(value: object) -> datetime:
    return _moment(datetime.fromisoformat(_text(value)))


def _choice(kind: type[StrEnum]) -> Codec:
    def encode(value: object) -> str:
        if not isinstance(value, kind):
            raise ValueError(f"not {type(value).__name__}")
        return value.value

    return Codec(
        spoken=f"one of {', '.join(member.value for member in kind)}",
        encode=encode,
        decode=lambda value: kind(_text(value)),
    )


def _optional(inner: Codec | None) -> Codec | None:
    if inner is None:
        return None
    return Codec(
        spoken=f"{inner.spoken} or nothing",
        encode=lambda value: None if value is None else inner.encode(value),
        decode=lambda value: None if value is None else inner.decode(value),
    )


def _several(inner: Codec | None) -> Codec | None:
    if inner is None:
        return None

    def encode(value: object) -> list[Any]:
        if not isinstance(value, tuple):
            raise ValueError(f"not {type(value).__name__}")
        return [inner.encode(part) for part in value]

    def decode(value: object) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise ValueError(f"not {type(value).__name__}")
        return tuple(inner.decode(part) for part in value)

    return Codec(spoken=f"a list, each {inner.spoken}", encode=encode, decode=decode)


_PLAIN: dict[Any, Codec] = {
    str: Codec(spoken="text", encode=_text, decode=_text),
    int: Codec(spoken="a whole number", encode=_integer, decode=_integer),
    float: Codec(spoken="a number", encode=_float, decode=_float),
    bool: Codec(spoken="true or false", encode=_boolean, decode=_boolean),
    datetime: Codec(
        spoken="a time with its zone", encode=lambda value: _moment(value).isoformat(), decode=_moment_from
    ),
}
