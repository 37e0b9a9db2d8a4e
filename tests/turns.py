"""In which order the tests of a run begin, so that no process is left with all that takes long.

`--dist worksteal` gives each process one piece of the list and later lets those that are done take from the end of the
longest: what stands at the beginning of a piece stays with its process. Each kind of long tests therefore begins a
piece of its own, and those of one kind, which share what they have started, stay together.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

One = TypeVar("One")


def turns(
    tests: Sequence[One], kinds: Sequence[Hashable], workers: int, kind_of: Callable[[One], Hashable]
) -> list[One]:
    """The same tests: those of each kind at the beginning of a process's piece, the others after, in their order."""
    long: list[list[One]] = [[] for _ in range(max(1, workers))]
    for place, kind in enumerate(kinds):
        long[place % len(long)] += [test for test in tests if kind_of(test) == kind]
    others = iter([test for test in tests if kind_of(test) not in kinds])
    found: list[One] = []
    for place, begun in enumerate(long):
        size = (len(tests) - len(found)) // (len(long) - place)
        found += begun
        found += [test for _, test in zip(range(size - len(begun)), others, strict=False)]
    return found + list(others)
