"""The differences between two results, of one crawl or of two, streamed in the order of SURT keys.

Both are read once, side by side; of the URLs that share a SURT key all are in memory, and nothing else.
"""

import heapq
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from opilio.archive.results.values import Resource


class Kind(StrEnum):
    """What became of a URL from the first result to the second."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


#: What is compared of a resource.
FIELDS = ("digest", "status", "type", "title")


class Ordered(Protocol):
    """A result, as far as it is compared."""

    def with_surt(self, prefix: str = "") -> Iterator[tuple[str, Resource]]:
        """Resources in the order of their SURT keys, with these."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """One URL in both results."""

    url: str
    before: Resource | None = None
    after: Resource | None = None
    fields: tuple[str, ...] = ()  # what changed

    @property
    def kind(self) -> Kind:
        """What became of it."""
        if self.before is None:
            return Kind.ADDED
        if self.after is None:
            return Kind.REMOVED
        return Kind.CHANGED if self.fields else Kind.UNCHANGED

    def document(self) -> dict[str, Any]:
        """For machines."""
        found: dict[str, Any] = {"url": self.url, "kind": self.kind.value}
        if self.fields:
            found["fields"] = list(self.fields)
        for name, side in (("before", self.before), ("after", self.after)):
            if side is not None:
                found[name] = {field: getattr(side, field) for field in ("outcome", *FIELDS)}
        return found


@dataclass(slots=True)
class Totals:
    """How many there are of each; counts along while differences pass."""

    kinds: Counter[str] = field(default_factory=Counter)
    fields: Counter[str] = field(default_factory=Counter)

    def counted(self, rows: Iterable[Difference]) -> Iterator[Difference]:
        """The same differences."""
        for row in rows:
            self.kinds[row.kind.value] += 1
            self.fields.update(row.fields)
            yield row

    def document(self) -> dict[str, dict[str, int]]:
        """For machines: every kind and field, also those that never came."""
        kinds = {kind.value: self.kinds[kind.value] for kind in Kind}
        return {"kinds": kinds, "fields": {name: self.fields[name] for name in FIELDS}}


def differences(before: Ordered, after: Ordered, *, prefix: str = "", every: bool = False) -> Iterator[Difference]:
    """What became of every URL whose SURT key begins with `prefix`.

    Only what was captured counts as being there, unless `every` resource does: also those that were denied or failed.
    """
    first = ((key, 0, resource) for key, resource in before.with_surt(prefix) if every or resource.place is not None)
    second = ((key, 1, resource) for key, resource in after.with_surt(prefix) if every or resource.place is not None)
    rows = heapq.merge(first, second, key=lambda row: (row[0], row[1]))
    for _, group in itertools.groupby(rows, lambda row: row[0]):
        yield from _of_key(group)


def _of_key(rows: Iterable[tuple[str, int, Resource]]) -> Iterator[Difference]:
    sides: tuple[dict[str, Resource], dict[str, Resource]] = ({}, {})
    for _, side, resource in rows:
        sides[side][resource.url] = resource
    for url in sorted(sides[0].keys() | sides[1].keys()):
        yield _compared(url, sides[0].get(url), sides[1].get(url))


def _compared(url: str, before: Resource | None, after: Resource | None) -> Difference:
    if before is None or after is None:
        return Difference(url=url, before=before, after=after)
    fields = tuple(name for name in FIELDS if getattr(before, name) != getattr(after, name))
    return Difference(url=url, before=before, after=after, fields=fields)
