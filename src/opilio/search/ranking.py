"""The order of hits: by text, the first of them gently corrected by link rank and freshness.

Paging is stable: how many pages are asked for never changes the order of those before.
"""

from dataclasses import dataclass
from typing import NamedTuple

import tantivy
from tantivy import Order, Query

from opilio.search.query.profile import Profile
from opilio.search.request import Sort
from opilio.search.snapshot import Snapshot


class Ranked(NamedTuple):
    """A page in its place."""

    page: int
    group: int
    date: float  # seconds since 1970
    score: float
    text: float  # the part of the score that is the text's
    rank: float
    address: tantivy.DocAddress


@dataclass(frozen=True, kw_only=True, slots=True)
class Ranking:
    """Ranks the pages of one snapshot by one profile."""

    snapshot: Snapshot
    profile: Profile

    def first(self, query: Query, most: int, sort: Sort) -> tuple[list[Ranked], int]:
        """The first pages in order, and how many the query finds in all."""
        searcher = self.snapshot.searcher
        if sort is Sort.DATE:
            found = searcher.search(query, most, order_by_field="date", order=Order.Desc)
            hits = [(0.0, address) for _, address in found.hits]
        else:
            found = searcher.search(query, most)
            hits = [(float(score), address) for score, address in found.hits]
        total: int = found.count  # type: ignore[attr-defined] # missing in the library's stubs
        pages = self._ranked(hits)
        return (pages if sort is Sort.DATE else self._rescored(pages)), total

    def factors(self, rank: float, date: float) -> tuple[float, float]:
        """The shares that link rank and freshness add to a score."""
        age = max(0.0, self.snapshot.newest - date)
        return self.profile.link_rank * rank, self.profile.freshness * 0.5 ** (age / self.profile.half_life)

    def _ranked(self, hits: list[tuple[float, tantivy.DocAddress]]) -> list[Ranked]:
        addresses = [address for _, address in hits]
        values = [
            self.snapshot.searcher.fast_field_values(name, addresses) for name in ("page", "group", "date", "rank")
        ]
        return [
            Ranked(int(page or 0), int(group or 0), float(date or 0), score, score, float(rank or 0), address)
            for (score, address), page, group, date, rank in zip(hits, *values, strict=True)
        ]

    def _rescored(self, pages: list[Ranked]) -> list[Ranked]:
        best = pages[: self.profile.rescored]
        changed = [each._replace(score=each.text * (1 + sum(self.factors(each.rank, each.date)))) for each in best]
        return sorted(changed, key=lambda each: (-each.score, each.page)) + pages[self.profile.rescored :]
