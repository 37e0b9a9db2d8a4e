"""One function decides every change of phase and status."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.deliveries.states import START, Phase, Standing, Status, advanced, promoted

ALL = [Standing(phase=phase, status=status) for phase in Phase for status in Status]
STANDINGS = st.sampled_from(ALL)


def at(phase, status):
    """A standing by names."""
    return Standing(phase=Phase[phase], status=Status[status])


@pytest.mark.parametrize(
    ("now", "offered", "expected"),
    [
        (("SCHEMA", "RUNNING"), ("SCHEMA", "DONE"), ("SCHEMA", "DONE")),
        (("SCHEMA", "DONE"), ("SCHEMA", "RUNNING"), ("SCHEMA", "DONE")),  # no step back
        (("SCHEMA", "DONE"), ("LOAD", "PENDING"), ("LOAD", "PENDING")),
        (("LOAD", "PENDING"), ("SCHEMA", "DONE"), ("LOAD", "PENDING")),
        (("LOAD", "DONE"), ("SCHEMA", "FAILED"), ("SCHEMA", "FAILED")),  # a failure wins
        (("SCHEMA", "FAILED"), ("LOAD", "DONE"), ("SCHEMA", "FAILED")),
        (("SCHEMA", "FAILED"), ("UNPACK", "FAILED"), ("UNPACK", "FAILED")),  # the earliest failure
        (("UNPACK", "FAILED"), ("SCHEMA", "FAILED"), ("UNPACK", "FAILED")),
        (("LOAD", "PENDING"), ("LOAD", "CANCELLED"), ("LOAD", "CANCELLED")),
        (("LOAD", "CANCELLED"), ("QUALITY", "DONE"), ("LOAD", "CANCELLED")),  # what was cancelled stays so
        (("LOAD", "CANCELLED"), ("LOAD", "FAILED"), ("LOAD", "FAILED")),  # but a failure is a failure
    ],
)
def test_the_rule_by_example(now, offered, expected):
    """Failure first, earliest phase, else forward only."""
    assert advanced(at(*now), at(*offered)) == at(*expected)


def test_the_phases_are_in_the_order_of_the_pipeline():
    """Their numbers decide; so do those of the statuses."""
    assert [phase.name for phase in sorted(Phase)] == [
        "NAME", "SETTLE", "DOWNLOAD", "CHECKSUM", "UNPACK", "DOCUMENT_NAME", "SCHEMA", "LOAD", "INTEGRITY", "CONTEXT",
        "OVERVIEW", "QUALITY",
    ]  # fmt: skip
    assert [status.name for status in sorted(Status)] == ["PENDING", "RUNNING", "DONE", "CANCELLED", "FAILED"]
    assert Phase.DOCUMENT_NAME.title == "Document name"


def test_no_standing_ever_moves_back():
    """For each pair: the same, further on, cancelled, or failed; a failure only to an earlier failure."""
    for now, offered in itertools.product(ALL, ALL):
        made = advanced(now, offered)
        assert made in (now, offered)
        if now.status is Status.FAILED:
            assert made.status is Status.FAILED
            assert made.phase <= now.phase
        elif made.status not in (Status.FAILED, Status.CANCELLED):
            assert made >= now


@given(now=STANDINGS, parts=st.lists(STANDINGS, max_size=6), order=st.randoms())
def test_the_whole_does_not_depend_on_the_order_of_its_parts(now, parts, order):
    """Failures and progress alike; only which of several cancellations is told may differ."""
    mixed = parts[:]
    order.shuffle(mixed)
    one, other = promoted(now, parts), promoted(now, mixed)
    assert one.status == other.status
    if one.status is not Status.CANCELLED:
        assert one == other


@given(now=STANDINGS, parts=st.lists(STANDINGS, max_size=6))
def test_telling_twice_changes_nothing(now, parts):
    """After a crash everything may be told again."""
    once = promoted(now, parts)
    assert promoted(once, parts) == once


def test_everything_begins_with_its_name():
    """Nothing is known yet."""
    assert at("NAME", "PENDING") == START
    assert not START.over
    assert at("LOAD", "FAILED").over
