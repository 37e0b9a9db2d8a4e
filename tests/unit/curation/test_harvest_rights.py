"""A harvest whose right ends while it runs pauses and asks; with a decision, or the right again, it goes on."""

import datetime

import pytest

from opilio.curation import harvest_care, line
from opilio.curation.actions import harvest_orders, harvest_running
from opilio.curation.actions.bandwidth import divide_line
from opilio.curation.actions.harvest_queue import launch_harvest
from opilio.curation.actions.permissions import (
    approve_permission,
    reject_permission,
    set_exclusions,
    update_permission,
)
from opilio.curation.actions.targets import update_target
from opilio.curation.harvest_workflow import replayed
from opilio.curation.models import (
    Harvest,
    HarvestEvent,
    HarvestOrder,
    HarvestState,
    Permission,
    Seed,
    SeedPermission,
)
from opilio.curation.rights_watch import RightLost
from opilio.people.errors import NotAllowed
from opilio.people.models import Notification, Task
from opilio.people.privileges import Privilege, Scope
from tests.harvest_desk import NETWORK, HarvestDesk

DAY = datetime.timedelta(days=1)
TARGET = "http://www.site.example/"


@pytest.fixture
def desk(db):
    return HarvestDesk()


def running(desk, row=None):
    """A harvest that was frozen, queued and begun."""
    made = desk.harvest(row or desk.ready(owner=desk.town.user(notify_on_general=True)))
    launch_harvest(desk.town.system, harvest_id=made.pk, network=NETWORK)
    harvest_running.begin(desk.town.system, harvest_id=made.pk, agent="barn#1")
    return again(made)


def again(made):
    return Harvest.objects.get(pk=made.pk)


def obey(desk, made):
    """What its agent does with the orders that wait."""
    waiting = harvest_running.waiting_orders(made.pk)
    for number, _, _ in waiting:
        harvest_running.obeyed(desk.town.system, order_id=number, agent="barn#1")
    return [what for _, what, _ in waiting]


def look_after(desk):
    return harvest_care.look_after(desk.town.system, should_stop=lambda: False)


def events(made):
    return list(HarvestEvent.objects.filter(harvest=made).order_by("number").values_list("name", flat=True))


def refuse(desk):
    reject_permission(desk.town.system, permission_id=Permission.objects.get().pk)


def lost(desk):
    """A harvest that paused because its permission was refused."""
    made = running(desk)
    refuse(desk)
    obey(desk, made)
    return again(made)


def test_a_refusal_pauses_the_harvest_in_the_same_transaction(desk):
    """With an event, a task for those who decide, and word to the owner."""
    made = running(desk)
    refuse(desk)
    assert again(made).held
    assert obey(desk, made) == ["pause"]
    found = again(made)
    assert (found.state, found.held) == ("paused", True)
    assert "is Rejected, not Approved" in found.reason
    task = Task.objects.get(resource_id=made.pk)
    assert (task.kind, task.privilege, task.agency_id) == (
        "harvest-held", Privilege.MANAGE_TARGET_INSTANCES, made.agency_id,
    )  # fmt: skip
    assert Notification.objects.filter(kind="harvest-right-lost", user_id=made.owner_id).count() == 1
    assert events(made)[-3:] == ["rights-lost", "ordered", "pause"]


def expire(desk):
    desk.town.clock.advance(DAY.total_seconds() * 2)


def end_early(desk):
    row = Permission.objects.get()
    update_permission(
        desk.town.system, permission_id=row.pk, version=row.version, start_date=datetime.date(2020, 1, 1),
        end_date=datetime.date(2020, 1, 2),
    )  # fmt: skip


def exclude_the_seed(desk):
    row = Permission.objects.get()
    set_exclusions(desk.town.system, permission_id=row.pk, exclusions=[{"url": TARGET + "*", "reason": "theirs"}])


def unlink(desk):
    SeedPermission.objects.all().delete()


def vanish(desk):
    Permission.objects.update(deleted=True)


@pytest.mark.parametrize("change", [refuse, expire, end_early, exclude_the_seed, unlink, vanish])
def test_however_a_right_ends_the_harvest_asks_once(desk, change):
    """By a person, by the calendar, or by an edit that nobody thought of."""
    target = desk.ready()
    Permission.objects.update(end_date=desk.now.date() + DAY)
    made = running(desk, target)
    change(desk)
    look_after(desk)
    assert obey(desk, made) == ["pause"]
    assert again(made).held
    assert look_after(desk) == 0
    assert Task.objects.filter(resource_id=made.pk).count() == 1


def test_edits_of_the_target_change_nothing(desk):
    """A harvest is run with what was frozen: name, new seeds, seeds that are gone."""
    target = desk.ready()
    made = running(desk, target)
    update_target(desk.town.system, target_id=target.pk, version=None, name="Another name")
    desk.seed(target, "http://new.example/")
    Seed.objects.filter(url=TARGET).update(deleted=True)
    SeedPermission.objects.all().delete()
    assert look_after(desk) == 0
    assert not again(made).held


def test_a_seed_that_moved_to_another_permission_keeps_its_right(desk):
    """What it relies on now counts, not what it relied on."""
    made = running(desk)
    other = desk.permission(TARGET + "*")
    SeedPermission.objects.update(permission=other)
    Permission.objects.exclude(pk=other.pk).update(status=3)
    assert look_after(desk) == 0
    assert not again(made).held


def test_a_right_that_is_back_lets_the_harvest_go_on(desk):
    """Of itself; nobody is asked any more."""
    made = lost(desk)
    approve_permission(desk.town.system, permission_id=Permission.objects.get().pk)
    assert not Task.objects.filter(resource_id=made.pk).exists()
    assert obey(desk, made) == ["resume"]
    found = again(made)
    assert (found.state, found.held) == ("running", False)
    assert "rights-back" in events(made)


def test_what_a_person_paused_stays_paused(desk):
    """Also when a right that was lost meanwhile is back."""
    made = running(desk)
    harvest_orders.order_move(desk.town.system, harvest_id=made.pk, what="pause")
    obey(desk, made)
    refuse(desk)
    assert again(made).held
    approve_permission(desk.town.system, permission_id=Permission.objects.get().pk)
    assert obey(desk, made) == []
    assert again(made).state == "paused"


def test_going_on_asks_for_a_decision(desk):
    """Without one it is refused, and told what there is to do."""
    made = lost(desk)
    with pytest.raises(RightLost, match="is Rejected") as caught:
        harvest_orders.order_move(desk.town.system, harvest_id=made.pk, what="resume", decision="  ")
    assert "stop the harvest" in str(caught.value)
    assert again(made).held


def test_a_decision_lets_it_go_on(desk):
    """It is kept in the log with its reason, and counts for what it was about, not for what comes later."""
    made = lost(desk)
    decision = "The publisher agreed by telephone. " + "☎" * 20
    harvest_orders.order_move(desk.town.system, harvest_id=made.pk, what="resume", decision=decision)
    assert obey(desk, made) == ["resume"]
    assert (again(made).state, again(made).held) == ("running", False)
    event = HarvestEvent.objects.get(harvest=made, name="decided")
    assert event.reason == decision.strip()
    assert not Task.objects.filter(resource_id=made.pk).exists()
    assert look_after(desk) == 0
    SeedPermission.objects.all().delete()
    assert look_after(desk) == 1
    assert again(made).held


def test_deciding_needs_the_privilege_to_confirm_permissions(desk):
    """Managing harvests is not enough to collect without a right."""
    made = lost(desk)
    actor = desk.town.holder(Privilege.MANAGE_TARGET_INSTANCES, Scope.ALL)
    with pytest.raises(NotAllowed, match="CONFIRM_PERMISSION"):
        harvest_orders.order_move(actor, harvest_id=made.pk, what="resume", decision="It may.")
    both = {Privilege.MANAGE_TARGET_INSTANCES: Scope.ALL, Privilege.CONFIRM_PERMISSION: Scope.AGENCY}
    harvest_orders.order_move(
        desk.town.actor(privileges=both), harvest_id=made.pk, what="resume", decision="It may."
    )  # fmt: skip
    assert not again(made).held


def test_a_stop_keeps_what_is_there_and_closes_the_question(desk):
    """No decision is needed for that."""
    made = lost(desk)
    harvest_orders.order_move(desk.town.system, harvest_id=made.pk, what="stop")
    obey(desk, made)
    harvest_running.keep(desk.town.system, harvest_id=made.pk, agent="barn#1", reason="", files=[])
    found = again(made)
    assert (found.state, found.held) == ("harvested", False)
    assert not Task.objects.filter(kind="harvest-held").exists()
    assert replayed(HarvestEvent.objects.filter(harvest=made).order_by("number")) == "harvested"


def test_the_line_does_not_let_a_harvest_go_on_that_lost_its_right(desk):
    """It had paused it, and has room again; the right is still missing."""
    made = running(desk)
    HarvestOrder(harvest=made, what="pause", by=line.BY, at=desk.now).save()
    obey(desk, made)
    refuse(desk)
    divide_line(desk.town.system)
    assert obey(desk, made) == []
    assert again(made).state == "paused"


def test_a_right_that_ends_in_the_queue_puts_the_harvest_back(desk):
    """The agent that takes it does not begin; the scheduler puts it off as any other without a right."""
    made = desk.harvest()
    launch_harvest(desk.town.system, harvest_id=made.pk, network=NETWORK)
    refuse(desk)
    assert harvest_running.begin(desk.town.system, harvest_id=made.pk, agent="barn#1") is None
    found = again(made)
    assert (found.state, found.job) == ("scheduled", None)
    assert "is Rejected" in found.reason
    assert events(made) == ["launch", "return"]


def test_a_long_decision_is_cut_in_the_log(desk):
    """Nothing else becomes of hostile lengths."""
    made = lost(desk)
    harvest_orders.order_move(desk.town.system, harvest_id=made.pk, what="resume", decision="\u202e" + "x" * 9_000)
    assert len(HarvestEvent.objects.get(harvest=made, name="decided").reason) == 4_000


@pytest.mark.parametrize("state", [HarvestState.HARVESTED, HarvestState.STOPPING, HarvestState.SCHEDULED])
def test_what_does_not_run_is_not_asked_about(desk, state):
    """Its rights are asked at its time, or do not matter any more."""
    made = running(desk)
    Harvest.objects.filter(pk=made.pk).update(state=state)
    refuse(desk)
    assert not again(made).held
