"""The waits between attempts."""

from hypothesis import given
from hypothesis import strategies as st

from opilio.jobs.backoff import JOBS, Backoff


def test_doubles_up_to_the_longest():
    """Without jitter taken off, waits double and then stay."""
    backoff = Backoff(first=1, longest=10)
    assert [backoff.delay(failures, 1.0).total_seconds() for failures in range(1, 7)] == [1, 2, 4, 8, 10, 10]


@given(st.integers(-5, 10**9), st.floats(allow_nan=False))
def test_bounds(failures, jitter):
    """Whatever is asked, a wait lies between half the first and the longest."""
    assert JOBS.first / 2 <= JOBS.delay(failures, jitter).total_seconds() <= JOBS.longest


def test_jitter_spreads():
    """Jobs that failed together do not come back together."""
    waits = [Backoff(first=8).delay(1, jitter).total_seconds() for jitter in (0.0, 0.5, 1.0)]
    assert waits == [4, 6, 8]
