"""The scheduler: which harvests it hands over, in which order, and what it does with the rest."""

import datetime

import pytest
from django.db import connection

from opilio.curation import scheduler
from opilio.curation.actions.agents import switch_queue
from opilio.curation.harvest_workflow import replayed
from opilio.curation.models import Harvest, HarvestEvent, Priority, SeedPermission, Snapshot, State
from opilio.curation.run_guard import Verdict
from opilio.jobs import queue
from opilio.jobs.models import Job
from opilio.people.models import Notification, Task
from tests.harvest_desk import HOUR, NETWORK, HarvestDesk

DAY = datetime.timedelta(days=1)


@pytest.fixture
def desk(db):
    return HarvestDesk()


def _tick(desk):
    return scheduler.tick(desk.town.system, NETWORK, should_stop=lambda: False)


def _again(row):
    return Harvest.objects.get(pk=row.pk)


def test_a_due_harvest_is_frozen_and_handed_over(desk):
    """With a job, a snapshot, and the locked copy of its profile."""
    made = desk.harvest()
    assert _tick(desk) == {Verdict.GO: 1}
    found = _again(made)
    assert found.state == "queued"
    assert queue.unfinished(found.job)
    assert Snapshot.objects.filter(harvest=found).exists()
    assert found.profile.status == 2
    assert found.expected_until == desk.now + datetime.timedelta(hours=12)


def test_a_harvest_is_handed_over_once(desk):
    """However often the scheduler looks."""
    desk.harvest()
    _tick(desk)
    assert _tick(desk) == {}
    assert Job.objects.count() == 1


def test_what_is_not_due_waits(desk):
    """Until its time."""
    made = desk.harvest(scheduled_at=desk.now + HOUR)
    assert _tick(desk) == {}
    desk.town.clock.advance(HOUR.total_seconds())
    assert _tick(desk) == {Verdict.GO: 1}
    assert _again(made).state == "queued"


def test_the_order_of_the_queue(desk):
    """Priority, then time, then identifier; jobs are claimed in the same order."""
    target = desk.ready()
    low = desk.harvest(target, priority=Priority.LOW, scheduled_at=desk.now - 9 * HOUR)
    later = desk.harvest(target, scheduled_at=desk.now - HOUR)
    earlier = desk.harvest(target, scheduled_at=desk.now - 2 * HOUR)
    high = desk.harvest(target, priority=Priority.HIGH)
    _tick(desk)
    jobs = Job.objects.order_by("priority", "run_after", "id").values_list("payload", flat=True)
    assert [job["harvest"] for job in jobs] == [high.pk, earlier.pk, later.pk, low.pk]


def test_of_missed_times_only_the_latest_is_run(desk):
    """The others of the same schedule are skipped, and say why."""
    target = desk.ready()
    schedule = desk.schedule(target)
    times = [desk.now - number * DAY for number in (3, 2, 1)]
    rows = [desk.harvest(target, schedule=schedule, scheduled_at=at, planned_for=at) for at in times]
    _tick(desk)
    assert [_again(row).state for row in rows] == ["aborted", "aborted", "queued"]
    assert "a later one is run" in _again(rows[0]).reason


def test_missed_times_that_were_moved_by_hand_are_all_run(desk):
    """Somebody wanted each of them."""
    target = desk.ready()
    schedule = desk.schedule(target)
    for number in (2, 1):
        desk.harvest(target, schedule=schedule, edited=True, scheduled_at=desk.now - number * DAY)
    assert _tick(desk) == {Verdict.GO: 2}


def test_a_paused_queue_leaves_everything(desk):
    """With the reason; when it goes on, harvests begin."""
    made = desk.harvest()
    switch_queue(desk.town.system, paused=True)
    assert _tick(desk) == {Verdict.WAIT: 1}
    assert (_again(made).state, _again(made).reason) == ("scheduled", "The queue is paused.")
    switch_queue(desk.town.system, paused=False)
    assert _tick(desk) == {Verdict.GO: 1}
    assert not HarvestEvent.objects.filter(harvest=made).exclude(name="queue").exists()


def test_an_early_start_while_agents_are_idle(desk):
    """Only what may, only within the hours, only beyond the reserve."""
    target = desk.ready()
    may = desk.harvest(target, allow_early_start=True, scheduled_at=desk.now + HOUR)
    desk.harvest(target, scheduled_at=desk.now + HOUR)
    far = desk.harvest(target, allow_early_start=True, scheduled_at=desk.now + 13 * HOUR)
    assert _tick(desk) == {}  # no agent at all
    desk.registered(slots=1)
    assert _tick(desk) == {}  # one slot, which is kept free
    desk.registered("other", slots=1)
    assert _tick(desk) == {Verdict.GO: 1}
    assert (_again(may).state, _again(far).state) == ("queued", "scheduled")


def test_no_early_start_when_it_is_switched_off(desk):
    """By its parameter."""
    desk.harvest(allow_early_start=True, scheduled_at=desk.now + HOUR)
    desk.registered(slots=5)
    desk.town.parameter("harvest_early_hours", "0")
    assert _tick(desk) == {}


def test_without_a_right_it_is_put_off_and_then_held(desk):
    """A day each time, the owner told; at the cap a task waits, and the scheduler leaves it alone."""
    made = desk.harvest()
    SeedPermission.objects.all().delete()
    desk.town.parameter("harvest_most_deferrals", "2")
    for number in (1, 2):
        assert _tick(desk) == {Verdict.DEFER: 1}
        assert _again(made).deferrals == number
        assert _again(made).scheduled_at == desk.now + DAY
        desk.town.clock.advance(DAY.total_seconds())
    assert Notification.objects.filter(kind="harvest-deferred", user_id=made.owner_id).count() == 2
    assert _tick(desk) == {Verdict.HOLD: 1}
    assert (_again(made).held, _again(made).state) == (True, "scheduled")
    assert Task.objects.get().kind == "harvest-held"
    assert _tick(desk) == {}
    names = list(HarvestEvent.objects.filter(harvest=made).order_by("number").values_list("name", "number"))
    assert names == [("deferred", 1), ("deferred", 2), ("held", 3)]


def test_a_cancelled_target_is_not_harvested(desk):
    """Its harvest ends with the reason."""
    made = desk.harvest(desk.ready(state=State.CANCELLED))
    assert _tick(desk) == {Verdict.DROP: 1}
    assert (_again(made).state, _again(made).reason) == ("aborted", "Its target or group is cancelled.")


def test_all_agents_busy_is_told(desk):
    """The owner learns that it waits."""
    desk.harvest()
    _tick(desk)
    assert Notification.objects.get().kind == "harvest-queued"


def test_a_stop_ends_the_tick(desk):
    """What is left is considered in the next one."""
    desk.harvest()
    assert scheduler.tick(desk.town.system, NETWORK, should_stop=lambda: True) == {}


def test_many_due_harvests_are_all_considered(desk, monkeypatch):
    """Also those behind the first page, each once."""
    monkeypatch.setattr(scheduler, "BATCH", 2)
    target = desk.ready(state=State.CANCELLED)
    for number in range(5):
        desk.harvest(target, priority=(Priority.HIGH, Priority.NORMAL)[number % 2])
    assert _tick(desk) == {Verdict.DROP: 5}


def test_the_log_replays_to_the_state(desk):
    """After whatever the scheduler did."""
    rows = [desk.harvest(), desk.harvest(desk.ready(state=State.CANCELLED)), desk.harvest(scheduled_at=desk.now + DAY)]
    _tick(desk)
    for row in rows:
        assert replayed(HarvestEvent.objects.filter(harvest=row).order_by("number")) == _again(row).state


def test_the_scheduler_gives_way_to_other_writers_where_there_is_but_one(desk):
    for _ in range(3):
        desk.harvest()
    rests = []
    scheduler.tick(desk.town.system, NETWORK, should_stop=lambda: False, rest=rests.append)
    assert len(rests) == (3 if connection.vendor == "sqlite" else 0)
