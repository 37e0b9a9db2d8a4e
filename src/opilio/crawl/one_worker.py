"""Crawls that one worker must do alone: those whose delays hold for an IP address, and so for hosts of any worker."""

from opilio.crawl.errors import BadPlan, OneWorkerOnly
from opilio.crawl.plan import CrawlPlan

_WHY = "the plan's delays hold for each IP address (manners.per_address), which one worker alone can keep"


def require_one_worker(plan: CrawlPlan, workers: int) -> None:
    """`BadPlan` when several workers are asked for and only one may work."""
    if plan.manners.per_address and workers > 1:
        remedy = "Crawl with --workers 1, or without per_address."
        raise BadPlan(f"{workers} workers cannot do this crawl: {_WHY}", where="manners", remedy=remedy)


def refuse_beside(other: str, where: str) -> OneWorkerOnly:
    """The error for a worker that comes while another is at work."""
    remedy = "Wait until it has ended, and resume then; or plan a crawl without per_address."
    return OneWorkerOnly(f"worker {other} does this crawl, and it does so alone: {_WHY}", where=where, remedy=remedy)
