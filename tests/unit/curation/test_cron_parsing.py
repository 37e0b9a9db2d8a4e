"""Cron expressions are read as Quartz and cron mean them, and refused with the field and what to do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.curation.cron.errors import BadCron
from opilio.curation.cron.parsing import parse


@pytest.mark.parametrize(
    ("text", "minutes", "hours"),
    [
        ("0 */20 8-17/3 * * ?", (0, 20, 40), (8, 11, 14, 17)),
        ("0 50/4 22-2 ? * *", (50, 54, 58), (0, 1, 2, 22, 23)),
        ("5,10,5 0 * * *", (5, 10), (0,)),
        ("  0\t7   1,2  * *   ? ", (7,), (1, 2)),
    ],
)
def test_lists_ranges_and_steps(text, minutes, hours):
    """Lists are sorted, ranges of Quartz go over midnight, steps begin where they are told."""
    found = parse(text)
    assert (found.minutes, found.hours) == (minutes, hours)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("0 0 0 ? * MON *", {0}),
        ("0 0 0 ? * 1 *", {6}),  # Quartz counts from Sunday
        ("0 0 0 ? * 2-6 *", {0, 1, 2, 3, 4}),
        ("0 0 0 ? * FRI-MON *", {4, 5, 6, 0}),
        ("0 0 0 ? * L", {5}),
        ("0 0 * * 0", {6}),
        ("0 0 * * 7", {6}),
        ("0 0 * * 1", {0}),
        ("0 0 * * fri-sun", {4, 5, 6}),
        ("0 0 * * 5-7", {4, 5, 6}),
    ],
)
def test_weekdays_by_either_count(text, days):
    """Quartz counts from Sunday as 1, the classic form from Sunday as 0 or 7; names are names."""
    assert parse(text).days.of_week.numbers == days


def test_all_that_stands_for_days():
    """L, L-n, W and LW, # and nL are understood, also in lists."""
    month = parse("0 0 0 L,L-2,15W,LW,3 * ?").days.of_month
    assert (month.from_end, month.nearest, month.last_working, month.numbers) == ({0, 2}, {15}, True, {3})
    week = parse("0 0 0 ? * FRI#3,MONL,2 *").days.of_week
    assert (week.nth, week.last, week.numbers) == ({(4, 3)}, {0}, {0})


def test_a_star_with_a_step_restricts_the_other_field():
    """As in cron: `*/10` and a weekday must both fit, `10,20` and a weekday need not."""
    assert not parse("0 0 */10 * MON").days.either
    assert parse("0 0 10,20 * MON").days.either


@pytest.mark.parametrize(
    ("text", "field", "remedy"),
    [
        ("60 * * * *", "field 1, minute", "0 to 59"),
        ("0 24 * * *", "field 2, hour", "0 to 23"),
        ("0 0 0 32 * ?", "field 4, day of month", "1 to 31"),
        ("0 0 0 0 * ?", "field 4, day of month", "1 to 31"),
        ("0 0 0 1 13 ?", "field 5, month", "1 to 12"),
        ("0 0 0 ? * 8", "field 6, day of week", "1 to 7"),
        ("0 0 * * 8", "field 5, day of week", "0 to 7"),
        ("0 0 0 1 1 ? 1969", "field 7, year", "1970 to 2199"),
        ("0 0 0 1 1 ? 2030-2020", "field 7, year", "Turn it round"),
        ("0 0 0 1 FOO ?", "field 5, month", "JAN"),
        ("0 0 0 ? * MON#6", "field 6, day of week", "#1 to #5"),
        ("0 0 0 ? * MON#0", "field 6, day of week", "#1 to #5"),
        ("0 0 0 L-31 * ?", "field 4, day of month", "L-30"),
        ("0 0 0 40W * ?", "field 4, day of month", "1 to 31"),
        ("0 0/0 * * * ?", "field 2, minute", "from 1 to"),
        ("0 0/70 * * * ?", "field 2, minute", "from 1 to"),
        ("10-5 * * * *", "field 1, minute", "10-59,0-5"),
        ("? * * * *", "field 1, minute", "*"),
        ("0 0 0 1,, * ?", "field 4, day of month", "commas"),
        ("0 0 0 1-2-3 * ?", "field 4, day of month", "ranges"),
        ("0 0 0 W * ?", "field 4, day of month", "numbers"),
        ("0 0 0 ? * ?", "field 4, day of month", "Write * or a day"),
        ("0 0 0 1 * MON", "field 6, day of week", "? in one of them"),
    ],
)
def test_what_is_wrong_is_named(text, field, remedy):
    """The message names the field by number and word, and says what to write."""
    with pytest.raises(BadCron) as refused:
        parse(text)
    assert refused.value.where == field
    assert remedy in refused.value.remedy


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "* * * *", "* * * * * * * *", "@daily", "0 0 * * MON; rm", "<b>0</b> 0 * * *", "٣ 0 * * *",
        "0 0 * * \u202eMON",
        "1," * 500 + "1 * * * *", "😀 * * * *", "0\x00 0 * * *", "-1 * * * *", "1e3 * * * *", "0x1 * * * *",
    ],
)  # fmt: skip
def test_hostile_texts_are_refused(text):
    """Odd signs, endless lists, wrong numbers of fields: a message, never something else."""
    with pytest.raises(BadCron) as refused:
        parse(text)
    assert refused.value.remedy
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize("thing", [None, 5, b"0 0 * * *", ["0 0 * * *"]])
def test_things_that_are_no_text_are_refused(thing):
    """A number or bytes are no expression."""
    with pytest.raises(BadCron):
        parse(thing)


@given(st.text(alphabet="0123456789*?/,-#LWMONFRIJA ", max_size=40))
def test_whatever_is_typed_is_read_or_refused(text):
    """There is no third way."""
    try:
        assert parse(text).text == " ".join(text.split())
    except BadCron:
        return
