"""Time windows of sources as people write them, and back."""

import pytest
from django import forms
from hypothesis import given
from hypothesis import strategies as some

from opilio.web.forms.delivery_sources import window, window_lines


@pytest.mark.parametrize(
    ("line", "days"),
    [
        ("08:00-09:30", [0, 1, 2, 3, 4, 5, 6]), ("mon-fri 08:00-09:30", [0, 1, 2, 3, 4]),
        ("sat,sun 08:00-09:30", [5, 6]), ("fri-mon 08:00-09:30", [0, 4, 5, 6]), ("Tue Thu 08:00 - 09:30", [1, 3]),
        ("mon,wed-fri 08:00-09:30", [0, 2, 3, 4]),
    ],
)  # fmt: skip
def test_days_are_named_alone_or_from_one_to_another(line, days):
    """Over the end of the week too."""
    assert window(line) == {"days": days, "start": "08:00", "end": "09:30"}


@pytest.mark.parametrize("line", ["", "always", "monday 08:00-09:00", "8:00-9:00", "mon- 08:00", "08:00-09:00 mon"])
def test_what_is_no_window_is_refused(line):
    """With what was written."""
    with pytest.raises(forms.ValidationError):
        window(line)


@given(some.sets(some.integers(0, 6), min_size=1), some.times(), some.times())
def test_a_window_comes_back_as_it_was_kept(days, start, end):
    """Whatever the days and times."""
    kept = {"days": sorted(days), "start": f"{start:%H:%M}", "end": f"{end:%H:%M}"}
    assert window(window_lines([kept])) == kept
