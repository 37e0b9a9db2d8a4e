"""The rules of groups, without a database."""

import datetime

import pytest

from opilio.curation.group_rules import computed, date_faults, ended, holds, type_fault
from opilio.curation.models import State

DAY = datetime.date(2026, 3, 1)
PENDING, APPROVED, REJECTED, COMPLETED = State.PENDING, State.APPROVED, State.REJECTED, State.COMPLETED
ACTIVE, INACTIVE, WAITING = State.GROUP_ACTIVE, State.GROUP_INACTIVE, State.GROUP_PENDING


@pytest.mark.parametrize(
    ("states", "over", "expected"),
    [
        ([], False, WAITING),
        ([], True, INACTIVE),
        ([PENDING, REJECTED], False, WAITING),
        ([PENDING, APPROVED], False, ACTIVE),
        ([COMPLETED], False, ACTIVE),
        ([ACTIVE, INACTIVE], False, ACTIVE),
        ([INACTIVE, INACTIVE], False, INACTIVE),
        ([INACTIVE, PENDING], False, WAITING),
        ([INACTIVE, WAITING], False, WAITING),
        ([APPROVED, ACTIVE], True, INACTIVE),
        ([State.CANCELLED], False, WAITING),
    ],
)
def test_the_status_follows_from_the_members_and_the_last_day(states, over, expected):
    """One live member is enough, the last day ends it, and an empty group is pending."""
    assert computed(states, ended=over) == expected


def test_the_last_day_counts_whole_where_the_agency_is():
    """In Auckland the day is over when in London it has hardly begun."""
    noon = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
    assert not ended(DAY, noon, "Europe/London")
    assert ended(DAY, noon, "Pacific/Auckland")
    assert not ended(None, noon, "Pacific/Auckland")


@pytest.mark.parametrize(
    ("start", "end", "belongs"),
    [
        (None, None, True),
        (DAY, DAY, True),
        (DAY + datetime.timedelta(days=1), None, False),
        (None, DAY - datetime.timedelta(days=1), False),
    ],
)
def test_members_belong_from_the_first_day_to_the_last(start, end, belongs):
    """Both days count."""
    at = datetime.datetime(2026, 3, 1, 23, 59, tzinfo=datetime.UTC)
    assert holds(start, end, at, "UTC") is belongs


def test_a_last_day_before_the_first_is_told_beside_its_field():
    """Equal days are one day."""
    assert date_faults(DAY, DAY) == {}
    assert set(date_faults(DAY, DAY - datetime.timedelta(days=1))) == {"end_date"}


@pytest.mark.parametrize(
    ("group_type", "parents", "fits"),
    [
        ("Sub-Group", [], False),
        ("Sub-Group", ["Subject"], False),
        ("Sub-Group", ["Subject", "Event"], True),
        ("Sub-Group", ["Sub-Group"], False),
        ("Collection", [], True),
        ("", [], True),
    ],
)
def test_a_sub_group_needs_a_fitting_group_above(group_type, parents, fits):
    """A collection, a thematic group or an event."""
    assert (type_fault(group_type, parents) == "") is fits
