"""Which files may go, decided from rows alone."""

from datetime import UTC, datetime, timedelta

import pytest

from opilio.deliveries.states import Phase, Status
from opilio.tracker.models import Attempt
from opilio.tracker.retention import Keeping, _why

NOW = datetime(2024, 6, 1, tzinfo=UTC)


def attempt(phase, status, *, days, folder="add/a/1", dropped=False):
    """An attempt that came so many days ago."""
    return Attempt(
        phase_id=phase, status_id=status, received=NOW - timedelta(days=days), folder=folder, dropped=dropped
    )


@pytest.mark.parametrize(
    ("phase", "status", "goes"),
    [
        (Phase.INTEGRITY, Status.DONE, True),
        (Phase.CONTEXT, Status.DONE, True),
        (Phase.DOWNLOAD, Status.CANCELLED, True),
        (Phase.UNPACK, Status.FAILED, True),
        (Phase.SCHEMA, Status.FAILED, False),
        (Phase.INTEGRITY, Status.FAILED, False),
        (Phase.LOAD, Status.RUNNING, False),
        (Phase.SCHEMA, Status.DONE, False),
    ],
)
def test_only_what_no_session_needs_goes(phase, status, goes):
    """Loaded, given up, or hopeless."""
    keeping = Keeping(days=10, revisions=0, quarantine_days=10)
    assert bool(_why([attempt(phase, status, days=11)], 0, keeping, NOW)) is goes
    assert not _why([attempt(phase, status, days=9)], 0, keeping, NOW)


def test_for_ever_means_for_ever():
    """0 days, 0 revisions."""
    keeping = Keeping(days=0, revisions=0, quarantine_days=0)
    done = attempt(Phase.INTEGRITY, Status.DONE, days=10_000)
    away = attempt(Phase.UNPACK, Status.FAILED, days=10_000, folder="quarantine/7")
    assert not _why([done], 5, keeping, NOW)
    assert not _why([away], 5, keeping, NOW)


def test_revisions_and_quarantine_have_rules_of_their_own():
    """Newer revisions push older ones out; quarantine counts its own days."""
    keeping = Keeping(days=0, revisions=2, quarantine_days=30)
    done = attempt(Phase.INTEGRITY, Status.DONE, days=1)
    assert not _why([done], 1, keeping, NOW)
    assert "2 newer" in _why([done], 2, keeping, NOW)
    away = attempt(Phase.UNPACK, Status.FAILED, days=29, folder="quarantine/7")
    assert not _why([away], 9, keeping, NOW)
    assert "30 days" in _why([attempt(Phase.UNPACK, Status.FAILED, days=30, folder="quarantine/7")], 0, keeping, NOW)


def test_what_is_dropped_goes_by_the_same_days():
    """Also in the middle of its way."""
    keeping = Keeping(days=10, revisions=0, quarantine_days=10)
    assert _why([attempt(Phase.SCHEMA, Status.FAILED, days=11, dropped=True)], 0, keeping, NOW)
