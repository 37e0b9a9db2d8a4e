"""Harvests that nothing would move any more are healed, given up or flagged."""

import datetime

import pytest

from opilio.curation import harvest_care
from opilio.curation.actions.harvest_care import MOST_HEALINGS, flag_late, heal
from opilio.curation.actions.harvest_queue import launch_harvest
from opilio.curation.models import Harvest, HarvestEvent, HarvestState
from opilio.jobs.models import Job
from opilio.jobs.states import JobState
from opilio.people.errors import NotAllowed
from opilio.people.models import Notification
from opilio.people.privileges import Privilege, Scope
from tests.harvest_desk import NETWORK, HarvestDesk

SECOND = datetime.timedelta(seconds=1)


@pytest.fixture
def desk(db):
    return HarvestDesk()


def _round(desk):
    return harvest_care.look_after(desk.town.system, should_stop=lambda: False)


def _watched(desk):
    """A target whose owner wants to be warned."""
    return desk.ready(owner=desk.town.user(notify_on_warnings=True))


def _queued(desk):
    made = desk.harvest(_watched(desk))
    launch_harvest(desk.town.system, harvest_id=made.pk, network=NETWORK)
    return Harvest.objects.get(pk=made.pk)


def test_a_harvest_with_a_job_needs_no_care(desk):
    """Nothing is done to it."""
    _queued(desk)
    assert _round(desk) == 0
    assert Job.objects.count() == 1


@pytest.mark.parametrize("state", [JobState.DEAD, JobState.CANCELLED, JobState.DONE])
def test_a_harvest_that_lost_its_job_gets_another(desk, state):
    """With the reason of the old one in the log."""
    made = _queued(desk)
    Job.objects.update(state=state, last_error="the disk was full")
    assert _round(desk) == 1
    found = Harvest.objects.get()
    assert found.job != made.job
    assert Job.objects.get(pk=found.job).state == JobState.READY
    event = HarvestEvent.objects.latest("number")
    assert (event.name, event.reason) == ("healed", "the disk was full")
    assert _round(desk) == 0


def test_a_job_that_is_gone_is_noticed_too(desk):
    """As after a restore of an old backup."""
    _queued(desk)
    Job.objects.all().delete()
    assert _round(desk) == 1
    assert HarvestEvent.objects.latest("number").reason == "Its job is gone."


def test_what_is_healed_in_vain_is_given_up(desk):
    """After some times, with the reason, and the owner is told."""
    made = _queued(desk)
    for _ in range(MOST_HEALINGS + 1):
        Job.objects.update(state=JobState.DEAD, last_error="the disk was full")
        assert heal(desk.town.system, harvest_id=made.pk)
    found = Harvest.objects.get()
    assert found.state == "aborted"
    assert "the disk was full" in found.reason
    assert Notification.objects.filter(kind="harvest-aborted", user_id=made.owner_id).count() == 1
    assert _round(desk) == 0


@pytest.mark.parametrize("state", [HarvestState.SCHEDULED, HarvestState.HARVESTED, HarvestState.ABORTED])
def test_what_no_job_runs_is_not_healed(desk, state):
    """In states that wait for something else."""
    made = desk.harvest(state=state)
    assert not heal(desk.town.system, harvest_id=made.pk)
    assert not heal(desk.town.system, harvest_id=7)


def test_a_late_harvest_is_flagged_once(desk):
    """Its owner is told what to do."""
    made = desk.harvest(_watched(desk), state=HarvestState.STOPPING, expected_until=desk.now - SECOND, job=None)
    assert flag_late(desk.town.system, harvest_id=made.pk)
    assert not flag_late(desk.town.system, harvest_id=made.pk)
    found = Harvest.objects.get()
    assert found.flagged
    assert "stopping" in found.reason
    note = Notification.objects.get()
    assert note.kind == "harvest-late"
    assert "The agent seals what was collected." in note.message


@pytest.mark.parametrize("until", [None, SECOND])
def test_what_is_in_time_is_not_flagged(desk, until):
    """Or has no time by which it should be over."""
    made = desk.harvest(state=HarvestState.ABORTED, expected_until=desk.now + until if until else None)
    assert not flag_late(desk.town.system, harvest_id=made.pk)
    assert not Harvest.objects.get().flagged


def test_people_do_not_look_after_harvests(desk):
    """Whatever they hold."""
    actor = desk.town.holder(Privilege.MANAGE_TARGET_INSTANCES, Scope.ALL)
    with pytest.raises(NotAllowed):
        heal(actor, harvest_id=desk.harvest().pk)
