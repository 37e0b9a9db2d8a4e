"""What the operations of a store need to know of its plan."""

from collections.abc import Sequence
from dataclasses import dataclass

from opilio.crawl.plan import CrawlPlan, Order, admissions, limit


@dataclass(frozen=True, kw_only=True, slots=True)
class Terms:
    """The plan, and what was worked out from it once."""

    plan: CrawlPlan
    admission: Sequence[int]  # per seed, see plan.admissions
    sign: int  # of the depth in the order of the queue
    recharges: bool  # whether a fetched page may be charged to another seed later

    def rank(self, depth: int) -> int:
        """The place of a depth in the order of the queue."""
        return self.sign * depth


def terms_of(plan: CrawlPlan) -> Terms:
    """Work them out. Where a seed has a limit of pages, a page stays charged to the seed it was fetched for."""
    return Terms(
        plan=plan,
        admission=admissions(plan),
        sign=1 if plan.order is Order.BREADTH else -1,
        recharges=not any(limit(seed.max_pages) for seed in plan.seeds),
    )
