"""Cron expressions give the moments that a slow walk through time gives, in zones whose clocks are turned oddly."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opilio.curation.cron.parsing import parse
from opilio.curation.cron.times import between, coming, following
from opilio.curation.cron.zones import zone
from tests.unit.curation.cron_oracle import Spec, days, fired, utc_minute

#: A day close to which the clocks of the zone are turned (Kathmandu's never are, since 1986).
TURNED = [
    ("Australia/Lord_Howe", date(2026, 10, 3)),
    ("Australia/Lord_Howe", date(2027, 4, 3)),
    ("Europe/Dublin", date(2027, 3, 28)),
    ("Europe/Dublin", date(2026, 10, 25)),
    ("America/New_York", date(2027, 3, 14)),
    ("America/New_York", date(2026, 11, 1)),
    ("Asia/Kathmandu", date(1986, 1, 1)),
    ("Asia/Kathmandu", date(2026, 12, 31)),
    ("Africa/Casablanca", date(2027, 2, 7)),
    ("Africa/Casablanca", date(2027, 3, 14)),
    ("Pacific/Apia", date(2011, 12, 30)),
    ("America/St_Johns", date(2010, 11, 7)),
    ("America/Havana", date(2026, 11, 1)),
]

_MONTH_ITEMS = st.one_of(
    st.tuples(st.just("day"), st.integers(1, 31)),
    st.tuples(st.just("end"), st.integers(0, 30)),
    st.tuples(st.just("near"), st.integers(1, 31)),
    st.just(("lw", 0)),
)
_WEEK_ITEMS = st.one_of(
    st.tuples(st.just("day"), st.integers(0, 6), st.just(0)),
    st.tuples(st.just("nth"), st.integers(0, 6), st.integers(1, 5)),
    st.tuples(st.just("last"), st.integers(0, 6), st.just(0)),
)


def _some(items, most):
    return st.lists(items, min_size=1, max_size=most, unique=True).map(tuple)


_MINUTES, _HOURS = _some(st.integers(0, 59), 3), _some(st.integers(0, 23), 4)
_MONTHS = st.one_of(st.just(tuple(range(1, 13))), _some(st.integers(1, 12), 5).map(lambda found: tuple(sorted(found))))
_BY_MONTH, _BY_WEEK = _some(_MONTH_ITEMS, 4), _some(_WEEK_ITEMS, 4)
_DAYS = st.one_of(
    st.just((None, None)),
    st.tuples(_BY_MONTH, st.none()),
    st.tuples(st.none(), _BY_WEEK),
)


@given(days_=_DAYS, months=_MONTHS, year=st.integers(1995, 2100))
@settings(max_examples=150, deadline=None)
def test_days_are_those_that_a_calendar_gives(days_, months, year):
    """Day by day over three years, exactly the days that fit are found, and in order."""
    spec = Spec(minutes=(7,), hours=(3,), by_month=days_[0], months=months, by_week=days_[1])
    first, last = date(year, 1, 1), date(year + 2, 12, 31)
    wanted = [utc_minute(day, 3, 7) for day in days(spec, first, last)]
    found = between(parse(spec.quartz()), zone("UTC"), utc_minute(first, 0, 0), utc_minute(last, 23, 59))
    assert found == wanted


@given(by_month=_BY_MONTH, by_week=_BY_WEEK, months=_MONTHS, year=st.integers(1995, 2100))
@settings(max_examples=60, deadline=None)
def test_classic_days_need_fit_one_field_only(by_month, by_week, months, year):
    """With both fields of days given, the classic form means days that fit either."""
    spec = Spec(minutes=(7,), hours=(3,), by_month=by_month, months=months, by_week=by_week)
    first, last = date(year, 1, 1), date(year + 1, 12, 31)
    found = between(parse(spec.classic()), zone("UTC"), utc_minute(first, 0, 0), utc_minute(last, 23, 59))
    assert found == [utc_minute(day, 3, 7) for day in days(spec, first, last)]


@pytest.mark.parametrize(("name", "day"), TURNED)
@given(minutes=_MINUTES, hours=_HOURS, start=st.integers(0, 40 * 60))
@settings(max_examples=6, deadline=None)
def test_turned_clocks_skip_nothing_and_double_nothing(name, day, minutes, hours, start):
    """Around the turn, the moments are those of a walk through real time, minute by minute."""
    spec = Spec(minutes=minutes, hours=hours, by_month=None, months=tuple(range(1, 13)), by_week=None)
    after = utc_minute(day, 0, 0) - timedelta(days=1) + timedelta(minutes=start)
    until = after + timedelta(days=2)
    assert between(parse(spec.quartz()), zone(name), after, until) == fired(spec, zone(name), after, until)


def _utc(*parts):
    return datetime(*parts, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "name", "after", "wanted"),
    [
        ("0 30 2 * * ?", "America/New_York", _utc(2027, 3, 14), _utc(2027, 3, 14, 7)),  # 03:00 EDT
        ("0 30 1 * * ?", "America/New_York", _utc(2026, 11, 1), _utc(2026, 11, 1, 5, 30)),  # 01:30 EDT, once
        (
            "0 15 2 * * ?",
            "Australia/Lord_Howe",
            _utc(2026, 10, 3, 12),
            _utc(2026, 10, 3, 15, 30),
        ),  # 02:30, half an hour
        ("0 0 12 30 12 ?", "Pacific/Apia", _utc(2011, 12, 29), _utc(2011, 12, 30, 10)),  # the day that was not
        ("0 5 0 1 1 ?", "Asia/Kathmandu", _utc(1985, 12, 31), _utc(1985, 12, 31, 18, 30)),  # to 00:15
        ("0 30 1 * * ?", "Europe/Dublin", _utc(2027, 3, 27, 12), _utc(2027, 3, 28, 1)),
        ("0 30 2 * * ?", "Africa/Casablanca", _utc(2027, 2, 6, 12), _utc(2027, 2, 7, 1, 30)),
    ],
)
def test_the_rule_for_turned_clocks(text, name, after, wanted):
    """A skipped time counts right after the gap, a doubled one the first time."""
    assert following(parse(text), zone(name), after) == wanted


def test_a_doubled_time_comes_once():
    """On the day on which 01:30 comes twice, there is one moment, and the next is a day later."""
    found = coming(parse("30 1 * * *"), zone("America/New_York"), _utc(2026, 11, 1), 2)
    assert found == [_utc(2026, 11, 1, 5, 30), _utc(2026, 11, 2, 6, 30)]


def test_times_that_fall_together_count_once():
    """02:30 is skipped to 03:00, which is asked for as well: that is one moment."""
    found = between(parse("0 0,30 2-3 * * ?"), zone("America/New_York"), _utc(2027, 3, 14), _utc(2027, 3, 14, 12))
    assert found == [_utc(2027, 3, 14, 7), _utc(2027, 3, 14, 7, 30)]
    assert coming(parse("0 0,30 2-3 * * ?"), zone("America/New_York"), _utc(2027, 3, 14), 2) == found


def test_seconds_count():
    """The second is part of the moment, and `after` itself is not."""
    found = coming(parse("30 0 0 1 1 ? 2030-2031"), zone("UTC"), _utc(2030, 1, 1, 0, 0, 30), 5)
    assert found == [_utc(2031, 1, 1, 0, 0, 30)]


@given(after=st.datetimes(timezones=st.just(UTC)), until=st.datetimes(timezones=st.just(UTC)))
@settings(max_examples=40, deadline=None)
def test_no_time_is_too_early_or_too_late(after, until):
    """From year 1 to 9999 there is an answer, and it lies in between."""
    found = between(parse("0 0 4 29 2 ?"), zone("Pacific/Apia"), after, until)
    assert all(after < moment <= until for moment in found)
    assert found == sorted(found)
    coming(parse("0 0 4 29 2 ?"), zone("Pacific/Apia"), after, 1)
