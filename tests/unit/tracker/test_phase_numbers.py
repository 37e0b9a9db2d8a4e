"""Phases by the numbers and names of a profile."""

import pytest

from opilio.deliveries.profile import profile
from opilio.deliveries.states import Phase
from opilio.tracker.dump_tables import TABLES, PhaseNumbers
from opilio.tracker.errors import BadTrackerDump


def test_the_eleven_phases_of_impc():
    """Each has its number; a phase of ours that it does not name counts as the one before."""
    numbers = PhaseNumbers(profile("impc"))
    assert numbers.names[1] == "download"
    assert sorted(numbers.names) == list(range(1, 12))
    assert all(numbers.theirs(numbers.ours(number)) == number for number in numbers.names)
    assert numbers.theirs(Phase.SETTLE) == numbers.theirs(Phase.NAME) == 2
    with pytest.raises(ValueError, match="no phase 12"):
        numbers.ours(12)


def test_a_profile_without_names_of_phases():
    """It cannot be used for a dump."""
    with pytest.raises(BadTrackerDump, match="csv-manifest"):
        PhaseNumbers(profile("csv-manifest"))


def test_tables_come_after_those_they_refer_to():
    """So that rows can be made in this order."""
    seen = set()
    for table in TABLES:
        assert {column.refers for column in table.columns.values()} - {""} <= seen
        seen.add(table.name)
