"""Clusters of similar pages with the riskiest of each, and the sample that a reviewer should look at. Bounded."""

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from opilio.works.quality.duplicates import GROUP
from opilio.works.quality.shapes import key_of, shape_of
from opilio.works.quality.values import Cluster, RiskyPage

_CLUSTERS = 5_000  # that are told apart
_LISTED = 300
_OF_CLUSTER = 5  # of its riskiest pages that are kept
_EXAMPLES = 3
_RISKY = 200
MOST_SAMPLED = 200
_LEAST_SAMPLED = 5  # where there are so many clusters
_OTHERS = "other pages"


@dataclass(slots=True)
class _Kept:
    label: str
    pages: int = 0
    riskiest: list[tuple[float, int, RiskyPage]] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)


class Clusters:
    """Takes pages one after the other."""

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}
        self._taken = 0

    def take(self, page: RiskyPage, *, same_text: int | None = None, group: int = 0) -> None:
        """One page; `same_text` is its group of near-duplicates, which has `group` pages so far."""
        label = shape_of(page.url)
        if same_text is not None and group >= GROUP:
            label = f"{label} · same text {same_text}"
        self._add(self._of(label), page)

    def _of(self, label: str) -> str:
        if key_of(label) in self._kept or len(self._kept) < _CLUSTERS:
            key = key_of(label)
            self._kept.setdefault(key, _Kept(label=label))
            return key
        self._kept.setdefault(_OTHERS, _Kept(label=_OTHERS))
        return _OTHERS

    def _add(self, key: str, page: RiskyPage) -> None:
        kept, self._taken = self._kept[key], self._taken + 1
        kept.pages += 1
        if len(kept.examples) < _EXAMPLES:
            kept.examples.append(page.url)
        entry = (page.risk, -self._taken, replace(page, cluster=key))
        push = heapq.heappush if len(kept.riskiest) < _OF_CLUSTER else heapq.heappushpop
        push(kept.riskiest, entry)

    def __len__(self) -> int:
        return len(self._kept)

    def clusters(self) -> tuple[Cluster, ...]:
        """The largest clusters."""
        rows = sorted(self._kept.items(), key=lambda one: (-one[1].pages, one[1].label))
        return tuple(
            Cluster(
                key=key, label=kept.label, pages=kept.pages, risk=_risk(kept),
                examples=tuple(kept.examples),
            )
            for key, kept in rows[:_LISTED]
        )  # fmt: skip

    def riskiest(self) -> tuple[RiskyPage, ...]:
        """Pages by risk, the riskiest first; of a cluster only some, however many are alike."""
        every = (entry for kept in self._kept.values() for entry in kept.riskiest)
        return tuple(page for *_, page in heapq.nlargest(_RISKY, every, key=lambda entry: entry[:2]))

    def sample(self, percent: int) -> tuple[RiskyPage, ...]:
        """Pages to look at, the riskiest first: one of each cluster, by their risk and size, then more of them."""
        wanted = sample_size(self._taken_pages(), percent, clusters=len(self._kept))
        kept = sorted(self._kept.values(), key=lambda one: (-_risk(one), -one.pages, one.label))
        ranked = [sorted(one.riskiest, key=lambda entry: entry[:2], reverse=True) for one in kept]
        chosen: list[RiskyPage] = []
        for place in range(_OF_CLUSTER):
            chosen += [entries[place][2] for entries in ranked if len(entries) > place]
        return by_risk(chosen[:wanted])

    def _taken_pages(self) -> int:
        return sum(kept.pages for kept in self._kept.values())


def _risk(kept: _Kept) -> float:
    return max(entry[0] for entry in kept.riskiest)


def sample_size(pages: int, percent: int, *, clusters: int) -> int:
    """How many pages make a sample: a share of them, some at least, never more than anybody would look at."""
    least = min(_LEAST_SAMPLED, clusters)
    return min(MOST_SAMPLED, pages, max(least, math.ceil(pages * percent / 100)))


def by_risk(pages: Sequence[RiskyPage]) -> tuple[RiskyPage, ...]:
    """The riskiest first, else as they came."""
    return tuple(sorted(pages, key=lambda page: -page.risk))
