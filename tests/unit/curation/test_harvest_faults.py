"""Bad moments for harvests: clocks that jump, thousands at once, profiles that cannot be used, orders too late."""

import datetime

import pytest

from opilio.curation import harvest_care, scheduler
from opilio.curation.actions import harvest_orders, harvest_running
from opilio.curation.actions.harvest_queue import launch_harvest
from opilio.curation.actions.harvest_running import begin
from opilio.curation.actions.target_moves import cancel_target
from opilio.curation.harvest_workflow import replayed
from opilio.curation.models import Harvest, HarvestEvent, HarvestOrder, HarvestState, Priority, Profile
from opilio.curation.run_guard import Verdict
from opilio.curation.workflow import NoSuchMove
from opilio.jobs.models import Job
from opilio.kernel.errors import Conflict
from opilio.people.actions.rows import delete_row
from opilio.people.models import Task
from tests.harvest_desk import HOUR, NETWORK, HarvestDesk

YEAR = datetime.timedelta(days=365)


@pytest.fixture
def desk(db):
    return HarvestDesk()


def tick(desk):
    return scheduler.tick(desk.town.system, NETWORK, should_stop=lambda: False)


def again(made):
    return Harvest.objects.get(pk=made.pk)


def running(desk):
    made = desk.harvest()
    launch_harvest(desk.town.system, harvest_id=made.pk, network=NETWORK)
    begin(desk.town.system, harvest_id=made.pk, agent="barn#1")
    return again(made)


def test_a_clock_that_is_set_back_repeats_nothing(desk):
    """What was queued stays queued once; what was not due waits for its time."""
    made, later = desk.harvest(), desk.harvest(scheduled_at=desk.now + HOUR)
    tick(desk)
    desk.town.clock.set_back(6 * HOUR.total_seconds())
    assert tick(desk) == {}
    harvest_care.look_after(desk.town.system, should_stop=lambda: False)
    assert Job.objects.count() == 1
    assert (again(made).state, again(later).state) == ("queued", "scheduled")
    begin(desk.town.system, harvest_id=made.pk, agent="barn#1")
    assert replayed(HarvestEvent.objects.filter(harvest=made).order_by("number")) == "running"


def test_a_clock_that_jumps_ahead_runs_the_latest_of_each_schedule(desk):
    """A year of missed weeks is one harvest, not fifty; back in time, nothing of it is done again."""
    target = desk.ready()
    schedule = desk.schedule(target)
    times = [desk.now + number * datetime.timedelta(days=7) for number in range(1, 6)]
    rows = [desk.harvest(target, schedule=schedule, scheduled_at=at, planned_for=at) for at in times]
    desk.town.clock.advance(YEAR.total_seconds())
    assert tick(desk) == {Verdict.DROP: 4, Verdict.GO: 1}
    assert [again(row).state for row in rows] == ["aborted"] * 4 + ["queued"]
    desk.town.clock.set_back(YEAR.total_seconds())
    assert tick(desk) == {}


def test_a_harvest_that_was_begun_in_the_future_is_not_late_for_ever(desk):
    """After the clock is right again its state has a time to be over, and heals or is flagged by it."""
    made = running(desk)
    desk.town.clock.advance(HOUR.total_seconds())
    harvest_orders.order_move(desk.town.system, harvest_id=made.pk, what="pause")
    ((number, _, _),) = harvest_running.waiting_orders(made.pk)
    harvest_running.obeyed(desk.town.system, order_id=number, agent="barn#1")
    desk.town.clock.set_back(2 * HOUR.total_seconds())
    assert harvest_care.look_after(desk.town.system, should_stop=lambda: False) == 0
    desk.town.clock.advance(datetime.timedelta(days=8).total_seconds())
    assert harvest_care.look_after(desk.town.system, should_stop=lambda: False) == 1
    assert again(made).flagged


def test_thousands_due_at_once_are_taken_in_order_in_several_ticks(desk, monkeypatch):
    """A tick ends after its time; the next goes on; each harvest is considered once, the most urgent first."""
    target = desk.ready()
    rows = [
        Harvest(
            abstract_target_id=target.pk, scheduled_at=desk.now - datetime.timedelta(seconds=number % 60),
            state_since=desk.now, owner_id=target.owner_id, agency_id=target.agency_id, created=desk.now,
            updated=desk.now, priority=(Priority.HIGH, Priority.NORMAL, Priority.LOW)[number % 3],
        )
        for number in range(1_000)
    ]  # fmt: skip
    Harvest.objects.bulk_create(rows)
    seen = []

    def consider(actor, *, harvest_id, network):
        seen.append(harvest_id)
        desk.town.clock.ticks += scheduler.LONGEST / 256
        Harvest.objects.filter(pk=harvest_id).update(state=HarvestState.QUEUED)
        return Verdict.GO

    monkeypatch.setattr(scheduler, "consider_due", consider)
    counts = [tick(desk).get(Verdict.GO, 0) for _ in range(4)]
    assert (sum(counts), max(counts)) == (1_000, 256)
    urgent_first = sorted(rows, key=lambda row: (row.priority, row.scheduled_at, row.pk))
    assert seen == [row.pk for row in urgent_first]


@pytest.mark.parametrize(
    "settings",
    [
        {"scope": {"kind": "nonsense"}},
        {"limits": {"pages": -5}},
        {"manners": {"delay": "soon"}},
        {"unknown": 1},
        {"scope": {"exclude": ["(unclosed"]}},
        {"scope": 7},
    ],
)
def test_a_profile_that_cannot_be_used_holds_its_harvests(desk, settings):
    """Also one that was spoilt outside Opilio; the reason names it, people are asked, and once mended it runs."""
    made = desk.harvest()
    sound = Profile.objects.get().settings
    Profile.objects.update(settings=settings)
    assert tick(desk) == {Verdict.HOLD: 1}
    assert "No crawl can be planned" in again(made).reason
    assert Task.objects.get().kind == "harvest-held"
    Profile.objects.update(settings=sound)
    launch_harvest(desk.town.system, harvest_id=made.pk, network=NETWORK)
    assert not Task.objects.exists()


def test_a_target_that_is_being_harvested_cannot_be_deleted(desk):
    """What was collected keeps its description; the answer says what to do instead."""
    made = running(desk)
    with pytest.raises(Conflict, match="cancel or reject it instead"):
        delete_row(desk.town.system, kind_name="target", row_id=made.abstract_target_id)
    assert again(made).state == "running"


def test_a_target_that_is_cancelled_lets_its_harvest_end(desk):
    """What runs was rightly begun; what was planned is gone."""
    made = running(desk)
    desk.harvest(made.abstract_target, scheduled_at=desk.now + HOUR)
    cancel_target(desk.town.system, target_id=made.abstract_target_id)
    assert list(Harvest.objects.values_list("pk", flat=True)) == [made.pk]
    harvest_running.keep(desk.town.system, harvest_id=made.pk, agent="barn#1", reason="", files=[])
    assert again(made).state == "harvested"


@pytest.mark.parametrize("what", ["pause", "resume", "stop", "abort"])
def test_an_order_to_a_harvest_that_just_ended_is_answered(desk, what):
    """It says where the harvest stands; nothing is written."""
    made = running(desk)
    harvest_running.keep(desk.town.system, harvest_id=made.pk, agent="barn#1", reason="", files=[])
    with pytest.raises(NoSuchMove, match="that is harvested"):
        harvest_orders.order_move(desk.town.system, harvest_id=made.pk, what=what)
    assert not HarvestOrder.objects.exists()


@pytest.mark.parametrize("ending", ["keep", "abort"])
def test_an_order_that_came_too_late_says_so(desk, ending):
    """The harvest ended while it waited: it is closed with the reason instead of waiting for ever."""
    made = running(desk)
    order = harvest_orders.order_delay(desk.town.system, harvest_id=made.pk, seconds=3)
    if ending == "keep":
        harvest_running.keep(desk.town.system, harvest_id=made.pk, agent="barn#1", reason="", files=[])
    else:
        harvest_running.give_up(desk.town.system, harvest_id=made.pk, agent="barn#1", reason="x", ordered=True)
    order.refresh_from_db()
    assert "ended before" in order.refused
    assert order.done_at is not None
    harvest_running.obeyed(desk.town.system, order_id=order.pk, agent="barn#1")
    assert again(made).state == ("harvested" if ending == "keep" else "aborted")


def test_a_lost_job_is_found_behind_a_long_queue(desk, monkeypatch):
    """However many harvests wait before it."""
    monkeypatch.setattr(harvest_care, "_MOST", 2)
    rows = [desk.harvest() for _ in range(5)]
    tick(desk)
    Job.objects.filter(pk=again(rows[-1]).job).delete()
    assert harvest_care.look_after(desk.town.system, should_stop=lambda: False) == 1
    assert Job.objects.filter(pk=again(rows[-1]).job).exists()


def test_trouble_is_told_once_in_a_row(desk):
    """An agent that meets the same full disk every half minute does not fill the log."""
    made = running(desk)
    for _ in range(5):
        harvest_running.trouble(desk.town.system, harvest_id=made.pk, agent="barn#1", reason="The disk is full")
    harvest_running.trouble(desk.town.system, harvest_id=made.pk, agent="barn#1", reason="Something else")
    assert HarvestEvent.objects.filter(harvest=made, name="trouble").count() == 2
