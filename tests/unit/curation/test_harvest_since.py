"""A harvest goes by the last good one of its target."""

import pytest

from opilio.curation import snapshots
from opilio.curation.actions.harvest_queue import consider_due
from opilio.curation.actions.harvest_revisits import fetch_all
from opilio.curation.models import Harvest, HarvestEvent, HarvestState, Profile
from tests.harvest_desk import HOUR, NETWORK, HarvestDesk


@pytest.fixture
def desk(db):
    return HarvestDesk()


def _queued(desk, row):
    made = desk.harvest(row)
    consider_due(desk.town.system, harvest_id=made.pk, network=NETWORK)
    return Harvest.objects.get(pk=made.pk)


def test_the_last_good_harvest_is_gone_by(desk):
    """Neither rejected nor aborted nor purged ones, nor those of another target; the snapshot says which."""
    row = desk.ready()
    desk.harvest(row, state=HarvestState.ARCHIVED, started_at=desk.now - 9 * HOUR)
    good = desk.harvest(row, state=HarvestState.ENDORSED, started_at=desk.now - 8 * HOUR)
    for state in (HarvestState.REJECTED, HarvestState.ABORTED, HarvestState.RUNNING):
        desk.harvest(row, state=state, started_at=desk.now - HOUR)
    desk.harvest(row, state=HarvestState.HARVESTED, started_at=desk.now - HOUR, purged=True)
    desk.harvest(desk.ready(), state=HarvestState.HARVESTED, started_at=desk.now - HOUR)
    made = _queued(desk, row)
    assert (made.state, made.since_id) == ("queued", good.pk)
    assert snapshots.sections(made.pk)["since"]["id"] == str(good.pk)
    assert snapshots.frozen_plan(made.pk).fetch.since == ""  # where it lies, the agent knows


def test_the_first_harvest_goes_by_none(desk):
    """Its snapshot says so too."""
    made = _queued(desk, desk.ready())
    assert made.since_id is None
    assert snapshots.sections(made.pk)["since"] is None


def test_a_profile_may_want_everything_anew(desk):
    """Then no earlier harvest is gone by."""
    row = desk.ready()
    Profile.objects.filter(is_default=True).update(settings={"version": 1, "warc": {"revisits": False}})
    desk.harvest(row, state=HarvestState.HARVESTED, started_at=desk.now - HOUR)
    assert _queued(desk, row).since_id is None


@pytest.mark.parametrize(("begun", "kept"), [(False, False), (True, True)])
def test_an_agent_that_cannot_read_the_earlier_one_says_so(desk, begun, kept):
    """The log names it; a harvest that has records which refer to it keeps naming it."""
    row = desk.ready()
    good = desk.harvest(row, state=HarvestState.HARVESTED, started_at=desk.now - HOUR)
    made = _queued(desk, row)
    fetch_all(desk.town.system, harvest_id=made.pk, agent="barn#1", begun=begun)
    event = HarvestEvent.objects.get(harvest=made, name="fetch-all")
    assert f"harvest {good.pk} " in event.reason
    assert event.details == {"since": str(good.pk)}
    assert (Harvest.objects.get(pk=made.pk).since_id is not None) is kept
