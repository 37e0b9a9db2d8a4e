"""Finds the patterns that cover a URL without trying all of them: by domain, then by path.

A look-up costs as many steps as the host has labels and the domain's patterns have different lengths of path, no
matter whether a hundred patterns are held or a hundred thousand, or all of them lie on one host.
"""

from bisect import bisect_right, insort
from collections.abc import Iterator
from typing import Generic, TypeVar

from opilio.curation.patterns import UrlPattern
from opilio.curation.places import Place

Held = TypeVar("Held")


class PatternIndex(Generic[Held]):
    """Patterns, each with what it stands for."""

    def __init__(self) -> None:
        self._domains: dict[str, _Domain[Held]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, pattern: UrlPattern, held: Held) -> None:
        """Take a pattern in."""
        self._domains.setdefault(pattern.domain, _Domain()).add(pattern, held)
        self._count += 1

    def covering(self, place: Place) -> Iterator[tuple[UrlPattern, Held]]:
        """Every pattern that covers the URL, the most particular domain first."""
        for domain in self._of(place):
            for pattern, held in domain.near(place.path):
                if pattern.covers(place):
                    yield pattern, held

    def candidates(self, place: Place) -> Iterator[tuple[UrlPattern, Held]]:
        """Every pattern of the host, of the domains above it and of any host, whether it covers the URL or not."""
        for domain in self._of(place):
            yield from domain.all()

    def _of(self, place: Place) -> "Iterator[_Domain[Held]]":
        return (self._domains[key] for key in place.keys if key in self._domains)


class _Domain(Generic[Held]):
    """The patterns of one domain."""

    def __init__(self) -> None:
        self._exact: dict[str, list[tuple[UrlPattern, Held]]] = {}
        self._begins: dict[str, list[tuple[UrlPattern, Held]]] = {}
        self._lengths: list[int] = []  # of the beginnings, ascending

    def add(self, pattern: UrlPattern, held: Held) -> None:
        paths = self._begins if pattern.begins else self._exact
        paths.setdefault(pattern.path, []).append((pattern, held))
        length = len(pattern.path)
        if pattern.begins and length not in self._lengths:
            insort(self._lengths, length)

    def near(self, path: str) -> Iterator[tuple[UrlPattern, Held]]:
        """Those whose path agrees; host and port are still to be compared."""
        yield from self._exact.get(path, ())
        for length in self._lengths[: bisect_right(self._lengths, len(path))]:
            yield from self._begins.get(path[:length], ())

    def all(self) -> Iterator[tuple[UrlPattern, Held]]:
        for paths in (self._exact, self._begins):
            for entries in paths.values():
                yield from entries
