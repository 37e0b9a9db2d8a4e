"""Names of generations."""

from datetime import UTC, datetime, timedelta

import pytest

from opilio.search.generations.errors import BadGenerationId
from opilio.search.generations.identifiers import begun, checked_id, is_id, new_id

NOON = datetime(2026, 11, 16, 12, 0, 0, 123456, tzinfo=UTC)


def test_names_sort_by_time_and_never_meet():
    """Of many names made at one moment, no two are the same; a later one sorts behind."""
    names = {new_id(NOON) for _ in range(500)}
    assert len(names) == 500
    assert max(names) < new_id(NOON + timedelta(microseconds=1))
    assert all(begun(name) == NOON for name in names)


def test_a_clock_that_was_set_back_does_not_change_the_order():
    """A name sorts behind the newest known one, whatever the clock says."""
    newest = new_id(NOON)
    later = new_id(NOON - timedelta(days=3), after=newest)
    assert newest < later
    assert begun(later) == NOON + timedelta(microseconds=1)


STAMP = "20261116T120000123456"


@pytest.mark.parametrize(
    "text",
    ["", "x", "../etc", STAMP, f"{STAMP}-0000000G", f"{STAMP}-00000000\n", "20269916T120000123456-00000000", 7, None],
)
def test_other_texts_name_nothing(text):
    """A text of another form, or of no real time, is refused."""
    assert not isinstance(text, str) or not is_id(text)
    with pytest.raises(BadGenerationId):
        checked_id(text)
