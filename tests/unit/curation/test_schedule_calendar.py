"""The calendar: days in their places, in the colours of their load."""

from datetime import date

from opilio.curation.calendar import CELL, GAP, later, levels, months

VALUES = {
    "heat_low_from": 1, "heat_medium_from": 7, "heat_high_from": 12, "heat_low_colour": "8FBC8F",
    "heat_medium_colour": "F0E68C", "heat_high_colour": "FF6347",
}  # fmt: skip


def test_days_stand_below_their_weekdays():
    """1 February 2027 is a Monday, 1 August 2027 a Sunday."""
    (february,) = months(date(2027, 2, 15), 1, {}, levels(VALUES))
    assert [(day.x, day.y) for day in february.days[:2]] == [(0, 0), (CELL + GAP, 0)]
    assert (len(february.days), february.height) == (28, 4 * (CELL + GAP) - GAP)
    (august,) = months(date(2027, 8, 1), 1, {}, levels(VALUES))
    assert (august.days[0].x, august.days[1].x, august.days[1].y) == (6 * (CELL + GAP), 0, CELL + GAP)


def test_levels_are_those_of_the_parameters():
    """One, seven and twelve harvests have colours; none has none."""
    counts = {"2027-02-01": 1, "2027-02-02": 7, "2027-02-03": 11, "2027-02-04": 12}
    (month,) = months(date(2027, 2, 1), 1, counts, levels(VALUES))
    found = [day.level.name if day.level else "" for day in month.days[:5]]
    assert found == ["low", "medium", "medium", "high", ""]
    assert month.total == 31
    assert month.days[1].spoken == "2 February 2027: 7 harvests, medium load"
    assert month.days[0].spoken == "1 February 2027: 1 harvest, low load"


def test_wrong_colours_are_the_usual_ones_and_letters_can_be_read():
    """A colour that is none does no harm; dark colours have light letters."""
    found = {one.name: one for one in levels({**VALUES, "heat_low_colour": "url(x)", "heat_high_colour": "#000080"})}
    assert (found["low"].colour, found["high"].colour) == ("8FBC8F", "000080")
    assert (found["low"].ink, found["high"].ink) == ("1A1A1A", "FFFFFF")


def test_months_follow_each_other_over_the_year():
    """Forwards and backwards."""
    assert [month.first.month for month in months(date(2026, 11, 30), 4, {}, ())] == [11, 12, 1, 2]
    assert (later(date(2026, 11, 1), 4), later(date(2026, 1, 1), -1)) == (date(2027, 3, 1), date(2025, 12, 1))
