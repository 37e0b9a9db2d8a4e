"""How changes are told to people."""

import math

import pytest

from opilio.curation.change_rate import Rate, Suggestion
from opilio.curation.change_words import lasting, rate_words, suggestion_words


@pytest.mark.parametrize(("days", "words"), [
    (0, "1 hour"), (0.2, "5 hours"), (1, "1 day"), (9.4, "9 days"), (1_000, "3 years"), (math.inf, "ever"),
])  # fmt: skip
def test_spans_are_told_in_a_fitting_unit(days, words):
    """From hours to years."""
    assert lasting(days) == words


def test_rates_are_told_with_their_interval():
    """One without an upper bound says so, and no rate is a rate below zero."""
    rate = Rate(per_day=0.0, low=0.0, high=0.05612, checks=4, changes=0)
    assert rate_words(rate) == "0 a day (95 %: 0 to 0.056)"
    assert rate_words(Rate(per_day=0.4, low=0.16, high=None, checks=4, changes=4)) == "0.4 a day (95 %: 0.16 or more)"
    assert rate_words(Rate(per_day=0.0001, low=0, high=1, checks=4, changes=4)) == "1e-04 a day (95 %: 0 to 1)"


def test_a_suggestion_tells_why():
    """An interval that is none is left out; what never changes has no end."""
    made = Suggestion(days=7, name="weekly", exact=9.0, least=5.0, most=30.0)
    assert (
        suggestion_words(made) == "Weekly: a fifth of the pages has changed after 9 days (between 5 days and 30 days)."
    )
    close = Suggestion(days=7, name="weekly", exact=9.0, least=9.1, most=8.9)
    assert suggestion_words(close) == "Weekly: a fifth of the pages has changed after 9 days."
    never = Suggestion(days=365, name="yearly", exact=math.inf, least=math.inf, most=math.inf)
    assert suggestion_words(never) == "Yearly: a fifth of the pages has changed at no time that can be foreseen."
