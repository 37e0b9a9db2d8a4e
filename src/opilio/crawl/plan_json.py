"""A crawl plan as JSON and back, strictly: unknown names, wrong types and odd values are refused with their place.

Fields that have their default are written too, so that a stored plan means the same after a default changes.
"""

import hashlib
import json
import math
import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum

from opilio.crawl.errors import BadPlan
from opilio.crawl.plan import PLAN_VERSION, CrawlPlan
from opilio.kernel.errors import OpilioError

#: A longer text is refused before it is parsed.
MOST_CHARACTERS = 512 * 1024 * 1024


def to_json(plan: CrawlPlan) -> str:
    """The plan as text; equal plans give equal texts."""
    return json.dumps({"version": PLAN_VERSION, **plain(plan)}, sort_keys=True, allow_nan=False)


def from_json(text: str) -> CrawlPlan:
    """The plan that a text holds; `BadPlan` names the field that is wrong."""
    if not isinstance(text, str) or len(text) > MOST_CHARACTERS:
        raise BadPlan("a plan must be a text of reasonable length", remedy="Give the JSON that `to_json` wrote.")
    try:
        found = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise BadPlan(f"the plan is not JSON: {str(error)[:200]}", remedy="Correct it, or write it anew.") from None
    if not isinstance(found, dict):
        raise _wrong("plan", "an object", found)
    version = found.pop("version", None)
    if version != PLAN_VERSION:
        raise BadPlan(
            f"the plan has version {str(version)[:20]}, and this Opilio reads {PLAN_VERSION}",
            remedy="Use the Opilio that wrote it, or write the plan anew.",
        )
    made: CrawlPlan = _dataclass(CrawlPlan, found, "plan")
    return made


def fingerprint(plan: CrawlPlan) -> str:
    """A short name of the plan's content, by which a store knows it again."""
    return hashlib.blake2b(to_json(plan).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def plain(value: typing.Any) -> typing.Any:
    """A part of a plan as JSON carries it."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        return {item.name: plain(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value


def _dataclass(kind: typing.Any, value: object, where: str) -> typing.Any:
    if not isinstance(value, dict):
        raise _wrong(where, "an object", value)
    kinds = typing.get_type_hints(kind)
    names = {item.name for item in fields(kind)}
    if unknown := sorted(set(value) - names):
        raise BadPlan(
            f"there is no {str(unknown[0])[:80]!r}", where=where, remedy=f"Known: {', '.join(sorted(names))}."
        )
    given = {name: _decoded(kinds[name], item, f"{where}.{name}") for name, item in value.items()}
    try:
        return kind(**given)
    except TypeError as error:
        raise BadPlan(f"something is missing: {error}", where=where, remedy="Add it.") from None
    except BadPlan as error:
        raise BadPlan(error.what, where=where, remedy=error.remedy) from None


def _decoded(kind: typing.Any, value: object, where: str) -> typing.Any:
    origin = typing.get_origin(kind)
    if origin is types.UnionType:
        return None if value is None else _decoded(typing.get_args(kind)[0], value, where)
    if origin in (tuple, frozenset):
        return origin(_items(typing.get_args(kind)[0], value, where))
    if origin is Mapping:
        return _mapping(typing.get_args(kind)[1], value, where)
    if is_dataclass(kind):
        return _dataclass(kind, value, where)
    if issubclass(kind, Enum):
        return _member(kind, value, where)
    return _scalar(kind, value, where)


def _items(kind: typing.Any, value: object, where: str) -> list[typing.Any]:
    if not isinstance(value, list):
        raise _wrong(where, "a list", value)
    return [_decoded(kind, item, f"{where}[{number}]") for number, item in enumerate(value)]


def _mapping(kind: typing.Any, value: object, where: str) -> dict[str, typing.Any]:
    if not isinstance(value, dict):
        raise _wrong(where, "an object", value)
    return {name: _decoded(kind, item, f"{where}.{name[:80]}") for name, item in value.items()}


def _member(kind: type[Enum], value: object, where: str) -> Enum:
    try:
        return kind(value)
    except (ValueError, TypeError):
        known = ", ".join(str(member.value) for member in kind)
        raise BadPlan(
            f"{str(value)[:80]!r} is not known here", where=where, remedy=f"Choose one of: {known}."
        ) from None


def _scalar(kind: type, value: object, where: str) -> object:
    if kind is float and type(value) is int and abs(value) < 1 << 63:
        value = float(value)
    if type(value) is not kind:
        raise _wrong(where, {str: "text", int: "a whole number", float: "a number", bool: "true or false"}[kind], value)
    if isinstance(value, float) and not math.isfinite(value):
        raise _wrong(where, "a finite number", value)
    if type(value) is int and abs(value) >= 1 << 63:
        raise _wrong(where, "a whole number of at most 63 bits", value)
    return value


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def _wrong(where: str, wanted: str, value: object) -> OpilioError:
    return BadPlan(f"{str(value)[:80]!r} is not {wanted}", where=where, remedy=f"Give {wanted}.")
