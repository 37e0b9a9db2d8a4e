"""Values in a record by their path: `@gender`, `procedure/@procedureID`, `row_column`. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any

TEXT = "#text"


def values(record: Mapping[str, Any], path: str) -> list[str]:
    """All values at a path, as text; elements that hold nothing but text count as their text."""
    return [text for found in _walk(record, path.split("/")) if (text := _text(found)) is not None]


def value(record: Mapping[str, Any], path: str) -> str:
    """The first value at a path; empty when there is none."""
    return next(iter(values(record, path)), "")


def _walk(found: Any, steps: list[str]) -> Iterator[Any]:
    if not steps:
        yield found
        return
    inner = found.get(steps[0]) if isinstance(found, Mapping) else None
    for one in inner if isinstance(inner, list) else [] if inner is None else [inner]:
        yield from _walk(one, steps[1:])


def _text(found: Any) -> str | None:
    if isinstance(found, Mapping):
        found = found.get(TEXT)
    return found if isinstance(found, str) else None
