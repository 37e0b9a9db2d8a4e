"""The settings of a profile as people fill them in: groups, labels, a sentence each; and between text and JSON."""

import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from enum import Enum, StrEnum
from typing import Any

from opilio.curation.profile_field_words import GROUPS
from opilio.curation.profile_settings import RESERVED, ProfileSettings, leaves


class Control(StrEnum):
    """How a value is typed."""

    CHOICE = "choice"
    SWITCH = "switch"
    WHOLE = "whole"
    NUMBER = "number"
    LINE = "line"
    LINES = "lines"  # one entry on each line
    PAIRS = "pairs"  # `name = value` on each line


@dataclass(frozen=True, kw_only=True, slots=True)
class ProfileField:
    """One setting."""

    place: str  # scope.kind
    label: str
    help: str
    control: Control
    choices: tuple[str, ...] = ()
    optional: bool = False  # may be left empty, which means none


def profile_fields() -> tuple[tuple[str, tuple[ProfileField, ...]], ...]:
    """All settings by group, in the order in which people read them."""
    kinds = dict(_kinds(ProfileSettings, ""))
    return tuple(
        (legend, tuple(_field(place, label, told, kinds[place]) for place, label, told in rows))
        for legend, rows in GROUPS
    )


def to_typed(settings: ProfileSettings) -> dict[str, Any]:
    """What stands in the fields for these settings."""
    return {place: _typed(value) for place, value in leaves(settings) if place not in RESERVED}


def from_typed(typed: Mapping[str, Any]) -> dict[str, Any]:
    """The settings as JSON, as `from_plain` reads them, from what stands in the fields."""
    found: dict[str, Any] = {}
    for _, fields in profile_fields():
        for field in fields:
            if field.place in typed:
                _put(found, field.place, _plain(field, typed[field.place]))
    return found


def _kinds(kind: Any, place: str) -> Iterator[tuple[str, Any]]:
    for name, hint in typing.get_type_hints(kind).items():
        where = f"{place}.{name}".lstrip(".")
        if is_dataclass(hint):
            yield from _kinds(hint, where)
        else:
            yield where, hint


def _field(place: str, label: str, told: str, hint: Any) -> ProfileField:
    optional = typing.get_origin(hint) is types.UnionType
    kind = typing.get_args(hint)[0] if optional else hint
    choices = tuple(str(one.value) for one in kind) if isinstance(kind, type) and issubclass(kind, Enum) else ()
    return ProfileField(
        place=place, label=label, help=told, control=_control(kind), choices=choices,
        optional=optional or kind is str,
    )  # fmt: skip


def _control(kind: Any) -> Control:
    if isinstance(kind, type) and issubclass(kind, Enum):
        return Control.CHOICE
    if typing.get_origin(kind) is not None:
        return Control.PAIRS if issubclass(typing.get_origin(kind), Mapping) else Control.LINES
    return {bool: Control.SWITCH, int: Control.WHOLE, float: Control.NUMBER, str: Control.LINE}[kind]


def _typed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return "\n".join(f"{name} = {item}" for name, item in value.items())
    return "\n".join(value) if isinstance(value, list) else value


def _plain(field: ProfileField, value: Any) -> Any:
    if field.control is Control.LINES:
        return [line.strip() for line in str(value or "").splitlines() if line.strip()]
    if field.control is Control.PAIRS:
        lines = (line.partition("=") for line in str(value or "").splitlines() if line.strip())
        return {name.strip(): item.strip() for name, _, item in lines}
    return value


def _put(found: dict[str, Any], place: str, value: Any) -> None:
    *path, name = place.split(".")
    for part in path:
        found = found.setdefault(part, {})
    found[name] = value
