"""Declares what a job carries: a frozen dataclass, registered under a kind, and its strict form in JSON.

A payload holds identifiers and small values, never contents: the runner reads the present state itself.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from types import MappingProxyType
from typing import Any, TypeVar, get_type_hints

from opilio.jobs.errors import BadPayload
from opilio.jobs.payload_types import Codec, codec
from opilio.jobs.states import Priority

LARGEST = 65_536  # bytes of JSON
_KIND = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+")
_KIND_LENGTH = 100
_MOST_ATTEMPTS = 1_000

Class = TypeVar("Class", bound=type)


@dataclass(frozen=True, kw_only=True)
class Spec:
    """What was said about a payload class when it was declared."""

    kind: str
    payload: type
    max_attempts: int
    priority: int
    codecs: Mapping[str, Codec]
    required: frozenset[str]


_BY_KIND: dict[str, Spec] = {}
_BY_CLASS: dict[type, Spec] = {}


def job(*, kind: str, max_attempts: int = 5, priority: int = Priority.NORMAL) -> Callable[[Class], Class]:
    """Declare a frozen dataclass to be the payload of the jobs of this kind: `people.send_email`."""

    def declare(payload: Class) -> Class:
        spec = _spec(payload, kind, max_attempts, priority)
        known = _BY_KIND.get(kind)
        if known is not None and _place(known.payload) != _place(payload):
            raise _bad(f"Kind {kind} is declared twice", f"{_place(known.payload)} and {_place(payload)}")
        _BY_KIND[kind] = _BY_CLASS[payload] = spec
        return payload

    return declare


def declared() -> Mapping[type, Spec]:
    """Every payload class that has been declared so far, by importing its module."""
    return MappingProxyType({spec.payload: spec for spec in _BY_KIND.values()})


def spec_of(payload: object) -> Spec:
    """How the class of this payload was declared."""
    spec = _BY_CLASS.get(type(payload))
    if spec is None:
        raise BadPayload(
            f"{type(payload).__name__} is not the payload of a job",
            where=_place(type(payload)),
            remedy="Declare it with @job(kind=…).",
        )
    return spec


def to_json(payload: object) -> dict[str, Any]:
    """The payload as JSON can hold it; every field is checked against its declared type."""
    spec = spec_of(payload)
    document = {name: _coded(spec, name, known.encode, getattr(payload, name)) for name, known in spec.codecs.items()}
    size = len(json.dumps(document, ensure_ascii=False).encode())
    if size > LARGEST:
        raise BadPayload(
            f"The payload takes {size} bytes, more than {LARGEST}",
            where=spec.kind,
            remedy="Store the contents and pass an identifier.",
        )
    return document


def from_json(kind: str, document: object) -> Any:
    """The payload that was stored as `document`; any other shape is an error that names the field."""
    spec = _BY_KIND.get(kind)
    if spec is None:
        raise BadPayload(f"No payload class is declared for kind {kind!r}", where="jobs", remedy="Update this agent.")
    if not isinstance(document, dict):
        raise BadPayload("The payload is no JSON object", where=kind, remedy="Enqueue the job again.")
    _same_fields(spec, document)
    return spec.payload(**{name: _coded(spec, name, spec.codecs[name].decode, raw) for name, raw in document.items()})


def _same_fields(spec: Spec, document: Mapping[str, object]) -> None:
    for name in document:
        if name not in spec.codecs:
            raise BadPayload(f"Unknown field {name!r}", where=spec.kind, remedy="Enqueue the job again.")
    for name in sorted(spec.required - document.keys()):
        raise BadPayload(f"Field {name!r} is missing", where=spec.kind, remedy="Enqueue the job again.")


def _coded(spec: Spec, name: str, change: Callable[[Any], Any], value: object) -> Any:
    try:
        return change(value)
    except ValueError as error:
        raise BadPayload(
            f"Field {name!r} must be {spec.codecs[name].spoken}: {error}",
            where=spec.kind,
            remedy="Correct what enqueues the job.",
        ) from error


def _spec(payload: type, kind: str, max_attempts: int, priority: int) -> Spec:
    place = _place(payload)
    if not _KIND.fullmatch(kind) or len(kind) > _KIND_LENGTH:
        raise _bad(f"Kind {kind!r} is not of the form package.what_it_does", place)
    if not 1 <= max_attempts <= _MOST_ATTEMPTS:
        raise _bad(f"max_attempts must lie between 1 and {_MOST_ATTEMPTS}, not {max_attempts}", place)
    if not is_dataclass(payload) or not payload.__dataclass_params__.frozen:  # type: ignore[attr-defined]  # set by dataclass()
        raise _bad("A payload is a frozen dataclass", place)
    declared_fields = fields(payload)
    hints = get_type_hints(payload)
    return Spec(
        kind=kind,
        payload=payload,
        max_attempts=max_attempts,
        priority=priority,
        codecs=MappingProxyType({field.name: _codec(hints[field.name], field, place) for field in declared_fields}),
        required=frozenset(field.name for field in declared_fields if _must_be_given(field)),
    )


def _codec(hint: Any, field: Field[Any], place: str) -> Codec:
    found = codec(hint)
    if found is None or not field.init:
        raise _bad(f"Field {field.name!r} has a type that a job cannot carry", place)
    return found


def _must_be_given(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _place(payload: type) -> str:
    return f"{payload.__module__}.{payload.__qualname__}"


def _bad(what: str, place: str) -> BadPayload:
    return BadPayload(what, where=place, remedy="See docs/explanation/jobs.md, “What a job carries”.")
