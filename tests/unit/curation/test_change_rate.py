"""The estimator of how often pages change."""

import math
import random

import pytest

from opilio.curation.change_rate import Comparison, Rate, page_rate, share_after, suggestion, target_rate


def test_the_estimator_of_a_page_is_that_of_the_literature():
    """Ten checks a week apart with six changes: -ln((10 - 6 + 0.5) / 10.5) / 7."""
    found = page_rate(checks=10, changes=6, days=70)
    assert found.per_day == pytest.approx(-math.log(4.5 / 10.5) / 7)
    assert found.low < found.per_day < found.high


def test_a_page_that_always_changed_has_no_upper_bound():
    """Its rate is finite all the same; one that never did has the rate 0, and an upper bound."""
    always, never = page_rate(checks=5, changes=5, days=5), page_rate(checks=5, changes=0, days=5)
    assert (always.high, math.isfinite(always.per_day)) == (None, True)
    assert (never.per_day, never.low) == (0, 0)
    assert never.high > 0


@pytest.mark.parametrize(("checks", "days"), [(3, 30), (9, 0), (0, 0)])
def test_little_evidence_of_a_page_is_none(checks, days):
    """Nothing is guessed from it."""
    assert page_rate(checks=checks, changes=0, days=days) is None


def test_equal_times_give_the_same_for_a_target_as_for_a_page():
    """The largest likelihood agrees with the formula."""
    told = [Comparison(days=7, checked=10, changed=changed) for changed in (2, 3, 4, 3)]
    assert target_rate(told).per_day == pytest.approx(-math.log((40 - 12 + 0.5) / 40.5) / 7, rel=1e-6)


def test_a_known_rate_is_found_again():
    """Of 500 pages that change once in 20 days, checked at unequal times, the estimate lies near, within its bounds."""
    dice = random.Random(7)
    told = []
    for days in (1, 3, 7, 7, 14, 30, 5, 9):
        changed = sum(dice.random() < 1 - math.exp(-days / 20) for _ in range(500))
        told.append(Comparison(days=days, checked=500, changed=changed))
    found = target_rate(told)
    assert found.per_day == pytest.approx(1 / 20, rel=0.1)
    assert found.low <= 1 / 20 <= found.high


def test_a_new_design_widens_the_interval():
    """All pages changing at once are the evidence of one harvest, not of each page."""
    calm = [Comparison(days=7, checked=100, changed=10)] * 5
    once = [*([Comparison(days=7, checked=100, changed=1)] * 4), Comparison(days=7, checked=100, changed=46)]
    narrow, wide = target_rate(calm), target_rate(once)
    assert narrow.high - narrow.low < 1e-6
    assert wide.high - wide.low > 0.02


@pytest.mark.parametrize("told", [
    [], [Comparison(days=7, checked=10, changed=1)] * 2,
    [Comparison(days=0, checked=10, changed=1)] * 5, [Comparison(days=7, checked=0, changed=0)] * 5,
])  # fmt: skip
def test_little_evidence_of_a_target_is_none(told):
    """Too few harvests, no time between them, or no page that was there twice."""
    assert target_rate(told) is None


@pytest.mark.parametrize(("per_day", "name"), [
    (0, "yearly"), (0.001, "half-yearly"), (0.007, "monthly"), (0.03, "weekly"), (0.2, "daily"), (50, "daily"),
])  # fmt: skip
def test_the_suggestion_follows_the_rate(per_day, name):
    """So that no more than a fifth of the pages has changed; never more often than daily."""
    rate = Rate(per_day=per_day, low=per_day / 2, high=per_day * 2, checks=1, changes=1)
    found = suggestion(rate)
    assert found.name == name
    assert found.least <= found.exact <= found.most
    assert found.days == 1 or share_after(rate, found.days) <= 0.2


def test_everything_changing_at_all_times_is_still_a_number():
    """Also where pages change more often than can be seen."""
    found = target_rate([Comparison(days=1 / 24, checked=9, changed=9)] * 3)
    assert math.isfinite(found.per_day)
    assert suggestion(found).name == "daily"
