"""Expressions are explained, warned about, and refused when they never fire or fire too often."""

from datetime import UTC, datetime, timedelta

import pytest

from opilio.curation.cron.checks import check, too_often, warnings
from opilio.curation.cron.errors import BadCron, BadZone, FiresTooOften, NeverFires
from opilio.curation.cron.parsing import parse
from opilio.curation.cron.patterns import NAMES, Choice, Pattern, expression
from opilio.curation.cron.words import explain
from opilio.curation.cron.zones import zone

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
UTC_ZONE = zone("UTC")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("00 00 21 ? * MON *", "At 21:00 on Mondays"),
        ("0 0 9,21 * * ?", "At 09:00 and 21:00 every day"),
        ("15 30 3 1,15 * ?", "At 03:30:15 on the 1st and the 15th of each month"),
        ("0 0 3 1 JAN,JUL ? 2027-2030", "At 03:00 on the 1st in January and July in 2027 to 2030"),
        ("0 0 3 LW * ?", "At 03:00 on the last working day of each month"),
        ("0 0 3 L-2 * ?", "At 03:00 on the day 2 before the last of each month"),
        ("0 0 3 15W * ?", "At 03:00 on the working day nearest the 15th of each month"),
        ("0 0 3 ? * FRI#3", "At 03:00 on the third Friday of each month"),
        ("0 0 3 ? * MONL", "At 03:00 on the last Monday of each month"),
        ("0 0 3 ? * MON-FRI", "At 03:00 on Monday to Friday"),
        ("0 15 * * * ?", "Every hour at 15 minutes past every day"),
        ("0 15 0/2 * * ?", "Every 2 hours at 15 minutes past every day"),
        ("0 15 8-17 * * ?", "In hour 8 to 17 at 15 minutes past every day"),
        ("*/5 * * * *", "At minute 0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50 and 55 of every hour every day"),
        ("* * * * * ?", "At second any of minute any of every hour every day"),
        ("0 0 1 * MON", "At 00:00 on the 1st, and also on Mondays"),
        ("0 0 */10 * MON", "At 00:00 on the 1st, the 11th, the 21st and the 31st, but only on Mondays"),
    ],
)
def test_explained_in_words(text, words):
    """A sentence says when."""
    assert explain(parse(text)) == words


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("0 0 0 30 2 ?", "no such day"),
        ("0 0 0 31 FEB,APR,JUN,SEP,NOV ?", "no such day"),
        ("0 0 0 1 1 ? 2020", "2020"),
        ("0 0 0 29 2 ? 2027", "further years"),
        ("0 0 0 1 1 ? 2026", "further years"),
        ("0 0 0 L-30 2 ?", "no such day"),
    ],
)
def test_what_never_happens_is_refused(text, remedy):
    """The 30th of February, years that are over, and the like."""
    with pytest.raises(NeverFires) as refused:
        check(parse(text), UTC_ZONE, now=NOW)
    assert remedy in refused.value.remedy or remedy in refused.value.what


def test_rare_days_are_found():
    """The 29th of February comes in 2028; after 2096 it comes in 2104."""
    assert check(parse("0 0 0 29 2 ?"), UTC_ZONE, now=NOW).first == datetime(2028, 2, 29, tzinfo=UTC)
    late = datetime(2097, 1, 1, tzinfo=UTC)
    assert check(parse("0 0 0 29 2 ?"), UTC_ZONE, now=late).first == datetime(2104, 2, 29, tzinfo=UTC)


def test_start_and_end_bound_the_first_time():
    """The start itself counts; a schedule that ends before its first time is refused."""
    start = datetime(2027, 1, 1, tzinfo=UTC)
    cron = parse("0 0 0 1 * ?")
    assert check(cron, UTC_ZONE, now=NOW, start=start).first == start
    assert check(cron, UTC_ZONE, now=NOW, end=datetime(2026, 12, 1, tzinfo=UTC)).first.month == 12
    with pytest.raises(NeverFires) as refused:
        check(cron, UTC_ZONE, now=NOW, end=datetime(2026, 11, 30, tzinfo=UTC))
    assert "2026-12-01" in refused.value.what


@pytest.mark.parametrize(
    ("text", "least", "spoken"),
    [
        ("* * * * * ?", timedelta(hours=1), "every second"),
        ("0 0/30 * * * ?", timedelta(hours=1), "every 30 minutes"),
        ("* * * * *", timedelta(hours=1), "every minute"),
        ("0,30 4 * * *", timedelta(hours=1), "every 30 minutes"),
        ("0 0 0,23 * * ?", timedelta(hours=2), "every hour"),
        ("0 0 0,23 ? * MON,TUE", timedelta(hours=2), "every hour"),
        ("0 0 0 * * ?", timedelta(days=2), "every 24 hours"),
    ],
)
def test_what_happens_too_often_is_refused(text, least, spoken):
    """The message says how often it would be, and what is the least."""
    with pytest.raises(FiresTooOften) as refused:
        too_often(parse(text), least)
    assert spoken in refused.value.what
    assert refused.value.remedy


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("0 * * * *", timedelta(hours=1)),
        ("0 0 0,23 ? * MON", timedelta(hours=2)),  # the next day does not fit
        ("0 0 0,23 15 * ?", timedelta(hours=23)),
        ("0 0/30 * * * ?", timedelta(minutes=30)),
        ("0 0 0,23 15 * ? 2027", timedelta(hours=2)),
    ],
)
def test_what_is_seldom_enough_passes(text, least):
    """Each hour is allowed by default, and nights count only between days in a row."""
    too_often(parse(text), least)


def test_months_without_the_day_are_named():
    """The 29th, 30th and 31st are missing somewhere; the last day never is."""
    found = warnings(parse("0 0 0 31 * ?"))
    lacking = "February, April, June, September and November"
    assert found == (f"There is no 31st in {lacking}: nothing happens there. L means the last day.",)
    assert "30th in February" in warnings(parse("0 0 0 30 * ?"))[0]
    assert "leap years" in warnings(parse("0 0 0 29 * ?"))[0]
    assert "31st" in warnings(parse("0 0 0 31W * ?"))[0]
    assert "fifth Friday" in warnings(parse("0 0 0 ? * FRI#5"))[0]
    for silent in ("0 0 0 31 1,3 ?", "0 0 0 L * ?", "0 0 0 * * ?", "0 0 */2 * *", "0 0 0 28 * ?", "0 0 0 29 3 ?"):
        assert warnings(parse(silent)) == ()


@pytest.mark.parametrize(
    ("pattern", "choice", "text"),
    [
        (Pattern.DAILY, Choice(hour=3, minute=30), "0 30 3 ? * * *"),
        (Pattern.WEEKLY, Choice(hour=21, weekday=0), "0 0 21 ? * MON *"),
        (Pattern.MONTHLY, Choice(day=0), "0 0 0 L * ? *"),
        (Pattern.BI_MONTHLY, Choice(day=5, month=2), "0 0 0 5 FEB,APR,JUN,AUG,OCT,DEC ? *"),
        (Pattern.QUARTERLY, Choice(month=11), "0 0 0 1 FEB,MAY,AUG,NOV ? *"),
        (Pattern.HALF_YEARLY, Choice(month=3), "0 0 0 1 MAR,SEP ? *"),
        (Pattern.ANNUALLY, Choice(day=24, month=12), "0 0 0 24 DEC ? *"),
    ],
)
def test_named_patterns_become_expressions(pattern, choice, text):
    """Each named pattern is an expression that can be read."""
    assert expression(pattern, choice) == text
    assert parse(text).text == text


def test_patterns_are_checked():
    """Numbers out of range are refused by name, and every pattern has one."""
    assert set(NAMES) == set(Pattern)
    with pytest.raises(BadCron):
        expression(Pattern.CUSTOM, Choice())
    for wrong in (
        {"hour": 24},
        {"minute": -1},
        {"weekday": 7},
        {"day": 32},
        {"month": 0},
        {"hour": "3"},
        {"day": True},
    ):
        with pytest.raises(BadCron) as refused:
            Choice(**wrong)
        assert refused.value.where in wrong


@pytest.mark.parametrize(
    "name", ["", "Mars/Olympus", "../../etc/passwd", "America", "a" * 5000, None, 7, "UTC\x00", "\U0001f600"]
)
def test_zones_that_are_none(name):
    """A name that is no zone is refused, whatever it is."""
    with pytest.raises(BadZone):
        zone(name)
