"""Each worker's share of the bandwidth: what the plan says, until an order says something else."""

import math
from types import SimpleNamespace

import pytest

from opilio.crawl.engine.parts import Parts
from opilio.crawl.frontier.control import Control
from opilio.crawl.plan import CrawlPlan, Limits, Manners, Seed


@pytest.mark.parametrize(
    ("planned", "ordered", "share"),
    [
        (None, None, None),
        (0, None, None),  # as every limit of a plan: 0 is none
        (1_000, None, 500.0),
        (1_000, math.inf, None),
        (1_000, 0, 0.0),  # an order may stop everything
        (0, 0, 0.0),
        (0, 300, 150.0),
    ],
)
def test_nothing_is_no_limit_in_a_plan_and_a_stop_in_an_order(planned, ordered, share):
    """Shared by two workers."""
    plan = CrawlPlan(seeds=(Seed(url="https://a.example/"),), manners=Manners(bandwidth=planned))
    parts = SimpleNamespace(plan=plan, workers=2)
    assert Parts._share(parts, Control(limits=Limits(), bandwidth=ordered)) == share
