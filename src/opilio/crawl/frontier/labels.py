"""How a URL was reached: the labels by which depth is found by shortest path, whatever the order of events.

A URL keeps every label that no other label covers. Seeds that admit the same URLs (`plan.admissions`) share their
paths; paths of other seeds are followed apart, because a longer path may be admitted further than a shorter one.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Label(NamedTuple):
    """One way to a URL; the smallest label is the one that a URL is charged to."""

    depth: int  # link hops from the seed
    seed: int  # number of the seed in the plan
    hops: int  # embeds and redirects since the last link


def covers(known: tuple[int, int, int], new: tuple[int, int, int], admission: Sequence[int]) -> bool:
    """Whether a URL known under one label gains nothing from the other."""
    return (
        known[2] <= new[2]
        and (known[0], known[1]) <= (new[0], new[1])
        and (known[1] == new[1] or admission[known[1]] == admission[new[1]])
    )


def merged(labels: Iterable[Label], admission: Sequence[int]) -> tuple[Label, ...]:
    """The labels that no other one covers, smallest first."""
    kept: list[Label] = []
    for label in sorted(set(labels)):
        if not any(covers(other, label, admission) for other in kept):
            kept.append(label)
    return tuple(kept)


def uncovered(labels: Iterable[Label], known: Sequence[Label], admission: Sequence[int]) -> bool:
    """Whether one of the labels is covered by none of the known ones."""
    return any(not any(covers(other, label, admission) for other in known) for label in labels)
