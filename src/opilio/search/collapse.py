"""Near-duplicates behind one hit: of each group only the first in order stays."""

from collections.abc import Iterable, Iterator


def firsts(groups: Iterable[int]) -> Iterator[int]:
    """The places of the first of each group, in order."""
    seen: set[int] = set()
    for place, group in enumerate(groups):
        if group not in seen:
            seen.add(group)
            yield place
