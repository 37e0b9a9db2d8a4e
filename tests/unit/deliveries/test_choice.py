"""From which source a file comes."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from opilio.deliveries.choice import Candidate, Copy, Record, again_at, broken, disagreeing, pause, ranked

NOW = datetime(2024, 5, 1, tzinfo=UTC)


def order(*candidates):
    """The sources in the order in which they are asked."""
    return [one.source for one in ranked(candidates, NOW)]


def test_the_own_source_of_the_producer_comes_first():
    """Then the preferred, the reliable and the quick one."""
    plain = Candidate(source=1)
    assert order(plain, Candidate(source=2, own=True)) == [2, 1]
    assert order(plain, Candidate(source=2, preference=5)) == [2, 1]
    poor = replace(plain, record=Record(attempts=10, failures=5))
    assert order(poor, Candidate(source=2)) == [2, 1]
    assert order(plain, Candidate(source=2, record=Record(bytes_per_second=9.0))) == [2, 1]


def test_all_candidates_stay_also_when_they_are_equal():
    """None is lost on the way."""
    assert order(*(Candidate(source=number) for number in (3, 1, 2))) == [1, 2, 3]


def test_who_failed_with_this_file_is_asked_after_the_others():
    """That is failover."""
    assert order(Candidate(source=1, own=True, tried=1), Candidate(source=2)) == [2, 1]


def test_a_source_that_fails_in_a_row_is_left_alone():
    """For a while that grows, and then it is tried again."""
    record = Record(attempts=3, failures=3, failed_in_a_row=3, last_failure=NOW - timedelta(minutes=4))
    assert broken(record, NOW)
    assert order(Candidate(source=1, record=record), Candidate(source=2)) == [2]
    assert not broken(replace(record, last_failure=NOW - timedelta(minutes=6)), NOW)
    assert broken(replace(record, failed_in_a_row=4, last_failure=NOW - timedelta(minutes=6)), NOW)
    assert not broken(replace(record, failed_in_a_row=2), NOW)


@pytest.mark.parametrize(
    ("failures", "minutes"), [(0, 5), (1, 5), (2, 10), (3, 20), (9, 1280), (10, 1440), (10**6, 1440)]
)
def test_the_pause_doubles_up_to_a_day(failures, minutes):
    """From five minutes."""
    assert pause(failures) == timedelta(minutes=minutes)
    assert again_at(failures, NOW) == NOW + timedelta(minutes=minutes)


@pytest.mark.parametrize(
    ("copies", "expected"),
    [
        ([(1, 5, "a"), (2, 5, "a")], []),
        ([(1, 5, "a"), (2, 5, "b")], [1, 2]),
        ([(1, 5, ""), (2, 6, "")], [1, 2]),
        ([(1, None, ""), (2, 6, "x")], []),
        ([(1, 5, "a")], []),
        ([], []),
    ],
)
def test_mirrors_that_disagree_are_both_named(copies, expected):
    """Nobody knows which one is right."""
    assert disagreeing([Copy(source=source, size=size, sha256=digest) for source, size, digest in copies]) == expected
