"""How the line is divided: the worked cases of the reference system, and what restrictions mean."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.curation.bandwidth import Restriction, Rules, Share, Weekday, allocate, limit_at, refusal

MONDAY = datetime.datetime(2026, 11, 16, 12, 0, tzinfo=datetime.UTC)


def shares(*percents):
    return [Share(harvest=number, percent=percent) for number, percent in enumerate(percents)]


@pytest.mark.parametrize(
    ("limit", "percents", "wanted"),
    [
        (None, (50, None), (None, None)),  # without limit
        (1000, (), ()),
        (1000, (None,), (1000,)),
        (1000, (None, None, None, None), (250, 250, 250, 250)),
        (1000, (30,), (1000,)),  # one by hand alone has everything
        (1000, (30, 50), (375, 625)),  # several alone, in proportion
        (1000, (30, None), (300, 700)),  # one by hand beside others has its percentage
        (1000, (30, None, None), (300, 350, 350)),
        (1000, (90, None), (900, 100)),  # the most by hand counts only for several
        (1000, (50, 50, None), (400, 400, 200)),  # several beside others: 80 % in proportion
        (1000, (10, 30, None, None), (200, 600, 100, 100)),
        (0, (50, None), (0, 0)),
        (7, (None, None, None), (2, 2, 2)),
    ],
)
def test_the_line_is_divided(limit, percents, wanted):
    """Shares by hand first, the rest evenly."""
    given_shares = allocate(limit, shares(*percents))
    assert tuple(given_shares[number] for number in range(len(percents))) == wanted


def test_the_most_by_hand_is_a_rule():
    """An installation may leave less to shares by hand."""
    assert dict(allocate(1000, shares(50, 50, None), Rules(most_by_hand=50))) == {0: 250, 1: 250, 2: 500}


@given(
    st.integers(0, 10**6),
    st.lists(st.one_of(st.none(), st.integers(1, 100)), max_size=20),
    st.integers(1, 100),
)
def test_never_more_than_there_is(limit, percents, most):
    """Whatever the shares, together they do not exceed the line."""
    assert sum(allocate(limit, shares(*percents), Rules(most_by_hand=most)).values()) <= limit


@pytest.mark.parametrize(
    ("limit", "running", "newcomer", "word"),
    [
        (None, (), None, ""),
        (100, (), None, ""),
        (9, (), None, "limit of the line is 9"),
        (9, (), 50, "limit of the line is 9"),
        (0, (), None, "limit of the line is 0"),
        (20, (None,), None, ""),
        (19, (None,), None, "2 harvests would have less"),
        (100, (95, None), 50, ""),  # two by hand leave 20 % to the other
        (40, (50, None), 50, "1 harvests would have less"),
        (100, (95,), None, "1 harvests would have less"),
    ],
)
def test_a_newcomer_may_have_to_wait(limit, running, newcomer, word):
    """Nobody without a share by hand may fall below the least."""
    told = refusal(limit, shares(*running), Share(harvest=99, percent=newcomer))
    assert word in told if word else told == ""


def row(day, start, end, limit=100):
    return Restriction(weekday=Weekday(day), start=datetime.time(start), end=datetime.time(end), limit=limit)


def test_without_rows_there_is_no_limit():
    """And with one, the time outside it has nothing."""
    assert limit_at([], MONDAY) is None
    assert limit_at([row(0, 8, 18)], MONDAY) == 100
    assert limit_at([row(0, 8, 12)], MONDAY) == 0  # the end does not count
    assert limit_at([row(0, 12, 13)], MONDAY) == 100  # the start does
    assert limit_at([row(1, 8, 18)], MONDAY) == 0
    assert limit_at([row(0, 8, 0)], MONDAY.replace(hour=23, minute=59)) == 100  # midnight ends the day


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        ((0, 8, 12), (0, 12, 18), False),
        ((0, 8, 13), (0, 12, 18), True),
        ((0, 8, 12), (1, 8, 12), False),
        ((0, 8, 0), (0, 23, 0), True),
        ((0, 0, 0), (0, 8, 9), True),
    ],
)
def test_rows_of_a_day_overlap_or_not(one, other, wanted):
    """Touching is not overlapping."""
    assert row(*one).overlaps(row(*other)) is wanted
    assert row(*other).overlaps(row(*one)) is wanted
