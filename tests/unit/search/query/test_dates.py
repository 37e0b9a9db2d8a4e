"""Dates in queries."""

import datetime

import pytest

from opilio.search.query.dates import as_date, begins, ends


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2024", "2024"), ("2024-2", "2024-02"), ("2024/02/09", "2024-02-09"),
        ("20240209", "2024-02-09"), ("2024-02-09-1", ""),
        ("2024-13", ""), ("2023-02-29", ""), ("0000", ""), ("yesterday", ""), ("", ""), ("٢٠٢٤", ""),
    ],
)  # fmt: skip
def test_dates_have_one_form(text, date):
    """A year, a month or a day; anything else is none."""
    assert as_date(text) == date


@pytest.mark.parametrize(
    ("date", "first", "last"),
    [
        ("2024", (2024, 1, 1), (2025, 1, 1)),
        ("2024-12", (2024, 12, 1), (2025, 1, 1)),
        ("2024-02", (2024, 2, 1), (2024, 3, 1)),
        ("2024-02-29", (2024, 2, 29), (2024, 3, 1)),
    ],
)
def test_spans(date, first, last):
    """A date lasts from its first second to the first after it, in UTC."""
    assert begins(date) == datetime.datetime(*first, tzinfo=datetime.UTC).timestamp()
    assert ends(date) == datetime.datetime(*last, tzinfo=datetime.UTC).timestamp()


def test_the_last_year_ends():
    """The year 9999 has an end although no date comes after it."""
    assert ends("9999") == ends("9999-12-31") == begins("9999-12-31") + 86_400
