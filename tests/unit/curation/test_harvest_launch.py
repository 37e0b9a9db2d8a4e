"""Launching by hand, orders to harvests, and what they were frozen with."""

import pytest

from opilio.crawl.errors import BadPlan
from opilio.curation import snapshots
from opilio.curation.actions import harvest_orders
from opilio.curation.actions.agents import switch_queue
from opilio.curation.actions.harvest_flags import flag_harvest
from opilio.curation.actions.harvest_now import harvest_now
from opilio.curation.actions.harvest_queue import MayNotRun, consider_due, launch_harvest
from opilio.curation.actions.harvest_running import begin, obeyed
from opilio.curation.actions.harvests import update_harvest
from opilio.curation.models import (
    Harvest,
    HarvestEvent,
    HarvestOrder,
    HarvestState,
    PermissionStatus,
    SeedPermission,
    Snapshot,
    SnapshotPart,
)
from opilio.curation.queries import harvests as query
from opilio.curation.workflow import NoSuchMove
from opilio.jobs.models import Job
from opilio.jobs.states import JobState
from opilio.kernel.errors import Conflict
from opilio.people.actions.rows import delete_row
from opilio.people.errors import InvalidFields, NotAllowed
from opilio.people.models import Task
from opilio.people.privileges import Privilege, Scope
from tests.harvest_desk import HOUR, NETWORK, HarvestDesk


@pytest.fixture
def desk(db):
    return HarvestDesk()


def _launched(desk, **more):
    made = desk.harvest()
    return launch_harvest(desk.town.system, harvest_id=made.pk, network=NETWORK, **more)


def _running(desk):
    made = _launched(desk)
    begin(desk.town.system, harvest_id=made.pk, agent="barn#1")
    return Harvest.objects.get(pk=made.pk)


def test_a_launch_goes_before_all_planned_ones(desk):
    """Also while the queue is paused, and on the chosen agent."""
    switch_queue(desk.town.system, paused=True)
    made = _launched(desk, agent=" barn ")
    job = Job.objects.get()
    assert (made.state, made.launched, made.wanted_agent) == ("queued", True, "barn")
    assert (job.priority, job.for_agent, job.tag) == (90, "barn", f"agency {made.agency_id}")


def test_a_launch_without_a_right_is_refused(desk):
    """The seed and what it lacks are named, and nothing is changed."""
    made = desk.harvest()
    SeedPermission.objects.all().delete()
    with pytest.raises(MayNotRun, match=r"www\.site\.example"):
        launch_harvest(desk.town.system, harvest_id=made.pk, network=NETWORK)
    assert Harvest.objects.get().state == "scheduled"
    assert not Job.objects.exists()
    assert not Snapshot.objects.exists()


def test_a_permission_that_is_only_requested_is_no_right(desk):
    """As at its time."""
    target = desk.target(state=5)
    desk.link(desk.seed(target), desk.permission("http://www.site.example/*", status=PermissionStatus.REQUESTED))
    made = desk.harvest(target)
    with pytest.raises(MayNotRun):
        launch_harvest(desk.town.system, harvest_id=made.pk, network=NETWORK)


def test_a_launch_without_the_privilege_is_refused(desk):
    """Managing harvests is not enough."""
    made = desk.harvest()
    actor = desk.town.holder(Privilege.MANAGE_TARGET_INSTANCES, Scope.ALL)
    with pytest.raises(NotAllowed):
        launch_harvest(actor, harvest_id=made.pk, network=NETWORK)


def _held(desk):
    """A harvest that lacked a right too often; the right is there again."""
    made = desk.harvest()
    desk.town.parameter("harvest_most_deferrals", "0")
    links = list(SeedPermission.objects.all())
    SeedPermission.objects.all().delete()
    consider_due(desk.town.system, harvest_id=made.pk, network=NETWORK)
    assert (Harvest.objects.get().held, Task.objects.count()) == (True, 1)
    SeedPermission.objects.bulk_create(links)
    return Harvest.objects.get()


def test_a_held_harvest_is_launched(desk):
    """It is not held any more, and nobody is asked any more."""
    launch_harvest(desk.town.system, harvest_id=_held(desk).pk, network=NETWORK)
    assert Harvest.objects.get().held is False
    assert not Task.objects.exists()


def test_a_held_harvest_is_given_another_time(desk):
    """Then the scheduler considers it again, with all its deferrals."""
    made = _held(desk)
    later = desk.now + HOUR
    update_harvest(desk.town.system, harvest_id=made.pk, version=made.version, scheduled_at=later)
    found = Harvest.objects.get()
    assert (found.held, found.deferrals, found.scheduled_at) == (False, 0, later)
    assert not Task.objects.exists()


def test_a_held_harvest_is_deleted(desk):
    """And with it the task."""
    delete_row(desk.town.system, kind_name="harvest", row_id=_held(desk).pk)
    assert not Task.objects.exists()


def test_a_harvest_that_runs_cannot_be_launched(desk):
    """And keeps the snapshot that it has."""
    made = _running(desk)
    digest = Snapshot.objects.get().digest
    with pytest.raises(NoSuchMove):
        launch_harvest(desk.town.system, harvest_id=made.pk, network=NETWORK)
    assert Snapshot.objects.get().digest == digest


def test_a_harvest_now_is_planned_and_launched_at_once(desk):
    """Or not at all."""
    target = desk.ready()
    assert harvest_now(desk.town.system, holder_id=target.pk, network=NETWORK).state == "queued"
    SeedPermission.objects.all().delete()
    with pytest.raises(MayNotRun):
        harvest_now(desk.town.system, holder_id=target.pk, network=NETWORK)
    pending = desk.approvable()
    with pytest.raises(Conflict, match="pending"):
        harvest_now(desk.town.system, holder_id=pending.pk, network=NETWORK)
    assert Harvest.objects.count() == 1


def test_a_snapshot_has_what_the_harvest_is_run_with(desk):
    """And later edits do not change it."""
    made = _launched(desk)
    before = snapshots.sections(made.pk)
    assert {"plan", "target", "seeds", "permissions", "profile", "people", "software"} <= set(before)
    assert [seed["url"] for seed in before["seeds"]] == ["http://www.site.example/"]
    seed = made.abstract_target.target.seeds.get()
    seed.url = "http://elsewhere.example/"
    seed.save()
    assert snapshots.sections(made.pk) == before
    assert [one.url for one in snapshots.frozen_plan(made.pk).seeds] == ["http://www.site.example/"]


@pytest.mark.parametrize("change", ["value", "key", "gone", "more"])
def test_a_changed_snapshot_is_noticed(desk, change):
    """A part that was changed, renamed, removed or added outside Opilio."""
    made = _launched(desk)
    part = SnapshotPart.objects.filter(key="software")
    if change == "value":
        part.update(value='{"opilio":"9"}')
    elif change == "key":
        part.update(key="hardware")
    elif change == "gone":
        part.delete()
    else:
        SnapshotPart(snapshot=Snapshot.objects.get(), key="extra", value="1").save()
    with pytest.raises(snapshots.Tampered, match="not what was frozen"):
        snapshots.sections(made.pk)
    assert query.frozen(made).fault


def test_the_digest_does_not_depend_on_the_order():
    """But on every letter."""
    parts = {"a": "1", "b": "2"}
    assert snapshots.digest(parts) == snapshots.digest({"b": "2", "a": "1"})
    assert snapshots.digest(parts) != snapshots.digest({"a": "2", "b": "1"})


def test_an_order_waits_for_its_agent(desk):
    """The state follows what the agent did, not what was ordered."""
    made = _running(desk)
    order = harvest_orders.order_move(desk.town.system, harvest_id=made.pk, what="pause")
    assert Harvest.objects.get().state == "running"
    obeyed(desk.town.system, order_id=order.pk, agent="barn#1")
    assert Harvest.objects.get().state == "paused"
    assert list(HarvestEvent.objects.order_by("number").values_list("name", flat=True)) == [
        "launch", "begin", "ordered", "pause",
    ]  # fmt: skip


def test_an_order_that_was_refused_leaves_the_state(desk):
    """And says why."""
    made = _running(desk)
    order = harvest_orders.order_delay(desk.town.system, harvest_id=made.pk, seconds=2)
    obeyed(desk.town.system, order_id=order.pk, agent="barn#1", refused="no such crawl")
    assert HarvestOrder.objects.get().refused == "no such crawl"
    assert HarvestEvent.objects.latest("number").name == "refused"


def test_a_waiting_harvest_is_aborted_at_once(desk):
    """Its job is taken back; no agent will begin it."""
    made = _launched(desk)
    assert harvest_orders.order_move(desk.town.system, harvest_id=made.pk, what="abort") is None
    assert Harvest.objects.get().state == "aborted"
    assert Job.objects.get().state == JobState.CANCELLED


def test_an_abort_of_what_an_agent_has_just_taken_is_ordered(desk):
    """The agent carries it out."""
    made = _launched(desk)
    Job.objects.update(state=JobState.RUNNING, owner="barn#1", lease_until=desk.now)
    assert harvest_orders.order_move(desk.town.system, harvest_id=made.pk, what="abort").what == "abort"
    assert Harvest.objects.get().state == "queued"


@pytest.mark.parametrize("state", [one for one in HarvestState if one not in ("running", "paused")])
def test_limits_are_for_running_harvests(desk, state):
    """In other states they are refused."""
    made = desk.harvest(state=state)
    with pytest.raises(NoSuchMove):
        harvest_orders.order_limits(desk.town.system, harvest_id=made.pk, pages=1)


def test_orders_that_make_no_sense_are_refused(desk):
    """By the field."""
    made = desk.harvest(state=HarvestState.RUNNING)
    me, number = desk.town.system, made.pk
    for call in (
        lambda: harvest_orders.order_move(me, harvest_id=number, what="explode" * 40),
        lambda: harvest_orders.order_limits(me, harvest_id=number),
        lambda: harvest_orders.order_limits(me, harvest_id=number, pages=-1),
        lambda: harvest_orders.order_limits(me, harvest_id=number, bytes_=10**16),
        lambda: harvest_orders.order_delay(me, harvest_id=number, seconds=float("nan")),
        lambda: harvest_orders.order_exclusion(me, harvest_id=number),
        lambda: harvest_orders.set_bandwidth(me, harvest_id=number, percent=0),
    ):
        with pytest.raises(InvalidFields):
            call()
    with pytest.raises(BadPlan, match="no expression"):
        harvest_orders.order_exclusion(me, harvest_id=number, patterns=("(",))
    assert not HarvestOrder.objects.exists()


def test_a_flag_is_told_once(desk):
    """Setting it twice changes nothing."""
    made = desk.harvest()
    flag_harvest(desk.town.system, harvest_id=made.pk)
    flag_harvest(desk.town.system, harvest_id=made.pk)
    assert HarvestEvent.objects.count() == 1


def test_what_comes_next(desk):
    """In words that fit what it waits for."""
    assert "A person decides" in query.next_step(desk.harvest(held=True), paused=True)
    assert "queue is paused" in query.next_step(desk.harvest(), paused=True)
    assert "agent barn" in query.next_step(desk.harvest(state=HarvestState.QUEUED, wanted_agent="barn"), paused=False)
    assert query.next_step(desk.harvest(), paused=False) == "It is queued when its time comes."


def test_the_queue_and_the_counts(desk):
    """What waits for an agent in its order; how many harvests are in each state, running ones first."""
    target = desk.ready()
    normal = desk.harvest(target, state=HarvestState.QUEUED)
    high = desk.harvest(target, state=HarvestState.QUEUED, priority=0)
    launched = desk.harvest(target, state=HarvestState.QUEUED, launched=True)
    desk.harvest(target, state=HarvestState.ABORTED)
    desk.harvest(target, state=HarvestState.RUNNING)
    assert list(query.queue(desk.town.system)) == [launched, high, normal]
    assert list(query.counts(desk.town.system).items()) == [("running", 1), ("queued", 3), ("aborted", 1)]
