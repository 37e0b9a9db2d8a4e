"""Bytes per second, for the crawl and for hosts."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.crawl.bandwidth import Bandwidth, Bucket
from opilio.kernel.clock import ManualClock
from opilio.kernel.errors import InvalidInput


@pytest.fixture
def clock():
    """A clock that moves when told."""
    return ManualClock()


def test_without_a_limit_nothing_waits(clock):
    """No rate, no wait."""
    bandwidth = Bandwidth(clock=clock)
    bandwidth.received("h", 10**12)
    assert bandwidth.wait("h") == 0


def test_a_large_answer_is_paid_for_before_the_next_request(clock):
    """The bytes that came too early are waited for, by this host and, at the crawl's rate, by all."""
    bandwidth = Bandwidth(clock=clock, crawl=1000, host=100)
    bandwidth.received("h", 500)
    assert bandwidth.wait("h") == 5
    assert bandwidth.wait("other") == 0.5
    clock.advance(4)
    assert bandwidth.wait("h") == 1
    assert bandwidth.wait("other") == 0


def test_a_rate_of_zero_stops_the_crawl(clock):
    """Outside the hours that were allotted nothing is fetched, until the rate changes."""
    bandwidth = Bandwidth(clock=clock, crawl=0)
    assert bandwidth.wait("h") == math.inf
    bandwidth.change(crawl=1000, host=None)
    assert bandwidth.wait("h") == 0


def test_rates_change_while_the_crawl_runs(clock):
    """The debt stays and is paid at the new rate; one host may have a rate of its own."""
    bandwidth = Bandwidth(clock=clock, host=100)
    bandwidth.received("h", 1000)
    assert bandwidth.wait("h") == 10
    bandwidth.change(crawl=None, host=1000)
    assert bandwidth.wait("h") == 1
    bandwidth.change_host("h", 10)
    assert bandwidth.wait("h") == 100
    bandwidth.change(crawl=None, host=None)
    assert bandwidth.wait("h") == 100
    bandwidth.change_host("h", None)
    assert bandwidth.wait("h") == 0
    bandwidth.change_host("h", 5)
    bandwidth.forget("h")
    bandwidth.received("h", 5)
    assert bandwidth.wait("h") == 1


@pytest.mark.parametrize("rate", [-1, math.inf, math.nan])
def test_rates_that_make_no_sense(clock, rate):
    """They are refused with what to give instead."""
    with pytest.raises(InvalidInput) as caught:
        Bandwidth(clock=clock, host=rate)
    assert caught.value.remedy


@given(st.lists(st.tuples(st.floats(0, 10), st.integers(0, 5000)), min_size=1, max_size=40), st.floats(1, 5000))
def test_over_any_time_the_rate_holds(steps, rate):
    """Whoever waits as told receives no more than the rate times the time, plus one answer and what was saved up."""
    bucket, now, total = Bucket(rate=rate), 0.0, 0
    for pause, size in steps:
        now += pause
        now += bucket.wait(now)
        assert total <= rate * (now + 1) + 5000 + 1e-6 * total
        bucket = bucket.spent(size, now)
        total += size
    assert bucket.wait(now + total / rate + 1) == pytest.approx(0, abs=1e-6)


def test_a_clock_that_stands_still_or_back_gives_nothing():
    """Tokens come with time that passes only."""
    bucket = Bucket(rate=10, at=100).spent(50, 100)
    assert bucket.wait(90) == 5
    assert bucket.filled(90).at == 100


def test_a_meter_counts_while_bytes_come_and_the_rest_at_the_end(clock):
    """Nothing twice, nothing left out, and anew for the next answer."""
    bandwidth = Bandwidth(clock=clock, crawl=100)
    meter = bandwidth.meter("h")
    meter.took(300)
    assert meter.wait() == 3
    meter.settle(500)
    assert meter.wait() == bandwidth.wait("other") == 5
    meter.settle(100)
    assert meter.wait() == 6


def test_a_meter_that_counted_more_than_the_answer_has_takes_nothing_back(clock):
    """What came of an answer that failed did come."""
    bandwidth = Bandwidth(clock=clock, host=100)
    meter = bandwidth.meter("h")
    meter.took(300)
    meter.settle()
    assert (bandwidth.wait("h"), bandwidth.wait("other")) == (3, 0)


def test_a_limit_of_one_host_holds_where_there_is_no_other(clock):
    """And ends with it."""
    bandwidth = Bandwidth(clock=clock)
    bandwidth.change_host("h", 100)
    bandwidth.received("h", 300)
    bandwidth.received("other", 10**9)
    assert (bandwidth.wait("h"), bandwidth.wait("other")) == (3, 0)
    bandwidth.change_host("h", None)
    assert bandwidth.wait("h") == 0
