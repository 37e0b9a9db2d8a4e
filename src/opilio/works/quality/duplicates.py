"""Groups of pages that say nearly the same: by fingerprints of their texts, four bands of sixteen bits each.

Two fingerprints that differ in three bits or fewer agree in at least one band, so only those are compared. As many are
kept as the caller feeds, and callers feed a sample of bounded size.
"""

from collections import defaultdict
from dataclasses import dataclass, field

from opilio.extract.simhash import near
from opilio.works.quality.values import Lines, NearDuplicates

GROUP = 10  # pages from which on a group counts
_BANDS = 4
_WIDTH = 16
_MASK = (1 << _WIDTH) - 1
_SHOWN = 50
_COMPARED = 64  # leaders of a band that are compared with


@dataclass(slots=True)
class _Group:
    fingerprint: int
    pages: int = 0
    examples: list[str] = field(default_factory=list)


class Groups:
    """Takes pages and tells which belong together."""

    def __init__(self) -> None:
        self._groups: list[_Group] = []
        self._bands: dict[tuple[int, int], list[int]] = defaultdict(list)
        self._looked = 0

    def take(self, url: str, fingerprint: int) -> int | None:
        """The number of the page's group; None for a page without words."""
        if not fingerprint:
            return None
        self._looked += 1
        found = self._found(fingerprint)
        number = found if found is not None else self._opened(fingerprint)
        group = self._groups[number]
        group.pages += 1
        if len(group.examples) < _SHOWN:
            group.examples.append(url)
        return number

    def size(self, number: int) -> int:
        """How many pages a group has so far."""
        return self._groups[number].pages

    def found(self) -> NearDuplicates:
        """What became of it."""
        large = [group for group in self._groups if group.pages >= GROUP]
        most = max(large, key=lambda group: group.pages, default=None)
        lines = Lines(total=most.pages, listed=tuple(most.examples)) if most else Lines()
        return NearDuplicates(looked_at=self._looked, alike=sum(group.pages for group in large), largest=lines)

    def _found(self, fingerprint: int) -> int | None:
        for band in _bands(fingerprint):
            for number in self._bands[band][:_COMPARED]:
                if near(self._groups[number].fingerprint, fingerprint):
                    return number
        return None

    def _opened(self, fingerprint: int) -> int:
        self._groups.append(_Group(fingerprint=fingerprint))
        number = len(self._groups) - 1
        for band in _bands(fingerprint):
            self._bands[band].append(number)
        return number


def _bands(fingerprint: int) -> list[tuple[int, int]]:
    return [(band, (fingerprint >> (band * _WIDTH)) & _MASK) for band in range(_BANDS)]
