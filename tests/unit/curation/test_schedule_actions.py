"""Schedules: checked when they are saved, planned at once, told to owners; planned harvests changed by hand stay."""

import datetime

import pytest

from opilio.curation.actions.harvests import plan_harvest, update_harvest
from opilio.curation.actions.schedule_patterns import create_schedule_pattern, update_schedule_pattern
from opilio.curation.actions.schedules import create_schedule, pause_schedule, update_schedule
from opilio.curation.models import Harvest, HarvestState, Priority, Schedule, SchedulePattern, State, Target
from opilio.curation.queries import schedules as queries
from opilio.kernel.errors import Conflict
from opilio.people.actions.rows import delete_row, restore_row
from opilio.people.errors import InvalidFields, NotAllowed, NotFound, Stale
from opilio.people.models import AuditEntry, Notification
from opilio.people.privileges import Privilege, Scope

MONDAYS = "0 0 21 ? * MON *"
DAY = datetime.timedelta(days=1)


@pytest.fixture
def planner(town):
    return town.actor(
        privileges={
            Privilege.ADD_SCHEDULE_TO_TARGET: Scope.AGENCY,
            Privilege.MANAGE_GROUP_SCHEDULE: Scope.AGENCY,
            Privilege.MANAGE_TARGET_INSTANCES: Scope.AGENCY,
        }
    )


def _times(row):
    return list(Harvest.objects.filter(abstract_target_id=row.pk).values_list("scheduled_at", flat=True))


def test_an_approved_target_is_planned_at_once(town, desk, planner):
    """Ninety days of Mondays, owned by whoever scheduled them, each a harvest in state Scheduled."""
    target = desk.target(state=State.APPROVED, allow_early_start=True)
    row = create_schedule(planner, holder_id=target.pk, cron=MONDAYS, time_zone="Europe/Vienna")
    found = list(Harvest.objects.filter(schedule=row))
    assert len(found) == 13
    assert [harvest.scheduled_at.isoformat() for harvest in found[:2]] == [
        "2026-01-05T20:00:00+00:00",
        "2026-01-12T20:00:00+00:00",
    ]
    assert {(one.state, one.owner_id, one.agency_id, one.edited, one.allow_early_start) for one in found} == {
        (HarvestState.SCHEDULED, planner.user, town.library.id, False, True)
    }
    stored = Schedule.objects.get(id=row.id)
    assert stored.planned_until == found[-1].scheduled_at
    assert stored.next_time == found[-1].scheduled_at + 7 * DAY


def test_a_pending_target_waits(desk, planner):
    """Nothing is planned before the target is approved."""
    target = desk.target()
    create_schedule(planner, holder_id=target.pk, cron=MONDAYS)
    assert _times(target) == []


def test_the_zone_is_the_agencys_unless_told(town, desk, planner):
    """An agency's schedules are in its own zone."""
    assert create_schedule(planner, holder_id=desk.target().pk, cron=MONDAYS).time_zone == town.library.time_zone


def test_the_owner_is_told_who_else_added_a_schedule(town, desk, planner):
    """Somebody else's schedule is told; one's own is not."""
    target = desk.target()
    create_schedule(planner, holder_id=target.pk, cron=MONDAYS)
    told = Notification.objects.get()
    assert (told.user_id, told.kind, told.resource_id) == (target.owner_id, "schedule-added", target.pk)
    assert planner.username in told.message
    owner = town.user(privileges={Privilege.ADD_SCHEDULE_TO_TARGET: Scope.OWNER})
    create_schedule(town.actor(owner), holder_id=desk.target(owner=owner).pk, cron=MONDAYS)
    assert Notification.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "wrong", "told"),
    [
        ({"cron": "0 0 0 30 2 ?"}, "cron", "never"),
        ({"cron": "* * * * * ?"}, "cron", "every second"),
        ({"cron": "0 0 0 1 1 ? 2020"}, "cron", "2020"),
        ({"cron": "0 0 99 * * ?"}, "cron", "hour"),
        ({"cron": "<script>"}, "cron", "cannot stand"),
        ({"cron": "x" * 4_000}, "cron", "characters"),
        ({"time_zone": "Mars/Olympus"}, "time_zone", "no time zone"),
        ({"end": datetime.datetime(2025, 1, 1, tzinfo=datetime.UTC)}, "end", "before the start"),
        ({"end": datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC)}, "cron", "after the schedule ends"),
        ({"start": datetime.datetime(2026, 1, 2)}, "start", "time zone"),  # noqa: DTZ001 - on purpose
    ],
)
def test_schedules_that_make_no_sense_are_refused(desk, planner, fields, wrong, told):
    """The message stands beside the field, and says what to do."""
    with pytest.raises(InvalidFields) as refused:
        create_schedule(planner, holder_id=desk.target().pk, **{"cron": MONDAYS, **fields})
    assert told in refused.value.messages[wrong][0]
    assert not Schedule.objects.exists()


def test_how_often_is_a_parameter(town, desk, planner):
    """An installation may allow or forbid more."""
    with pytest.raises(InvalidFields):
        create_schedule(planner, holder_id=desk.target().pk, cron="0 0/30 * * * ?")
    town.parameter("schedule_least_minutes", "30")
    create_schedule(planner, holder_id=desk.target().pk, cron="0 0/30 * * * ?")


def test_an_edit_plans_anew_and_keeps_what_was_changed_by_hand(town, desk, planner):
    """Times that still hold keep their harvests; those changed by hand stay; nothing is planned twice."""
    target = desk.target(state=State.APPROVED)
    row = create_schedule(planner, holder_id=target.pk, cron="0 0 21 ? * MON,THU *")
    monday, thursday = Harvest.objects.filter(schedule=row, scheduled_at__week_day=2)[:2]
    moved = Harvest.objects.filter(schedule=row, scheduled_at__week_day=5)[0]
    update_harvest(planner, harvest_id=moved.id, version=1, scheduled_at=moved.scheduled_at + DAY / 2)
    update_harvest(planner, harvest_id=monday.id, version=1, scheduled_at=monday.scheduled_at + DAY / 2)
    update_schedule(planner, schedule_id=row.id, version=1, cron=MONDAYS)
    found = {one.id: one for one in Harvest.objects.filter(schedule=row)}
    assert found[moved.id].edited
    assert found[monday.id].scheduled_at == monday.scheduled_at + DAY / 2
    assert found[thursday.id].scheduled_at == thursday.scheduled_at
    assert len(found) == 13 + 1
    assert len({one.planned_for for one in found.values()}) == 14


def test_pausing_removes_plans_and_going_on_makes_them(desk, planner):
    """While a schedule is paused nothing is planned."""
    target = desk.target(state=State.APPROVED)
    row = create_schedule(planner, holder_id=target.pk, cron=MONDAYS)
    pause_schedule(planner, schedule_id=row.id, paused=True)
    assert _times(target) == []
    pause_schedule(planner, schedule_id=row.id, paused=False)
    assert len(_times(target)) == 13
    pause_schedule(planner, schedule_id=row.id, paused=False)
    assert AuditEntry.objects.filter(action="schedule.pause", message__contains="on").count() == 1


def test_a_deleted_schedule_plans_nothing(desk, planner):
    """Its harvests go with it."""
    target = desk.target(state=State.APPROVED)
    row = create_schedule(planner, holder_id=target.pk, cron=MONDAYS)
    delete_row(planner, kind_name="schedule", row_id=row.id)
    assert _times(target) == []


def test_the_next_time_is_planned_however_far_away(desk, planner):
    """A yearly schedule has its next harvest planned, though it lies beyond the look-ahead."""
    target = desk.target(state=State.APPROVED)
    create_schedule(planner, holder_id=target.pk, cron="0 0 3 24 DEC ? *")
    assert [moment.isoformat() for moment in _times(target)] == ["2026-12-24T03:00:00+00:00"]


def test_two_editors_of_a_schedule(desk, planner):
    """An old version does not win."""
    row = create_schedule(planner, holder_id=desk.target().pk, cron=MONDAYS)
    update_schedule(planner, schedule_id=row.id, version=1, cron="0 0 22 ? * MON *")
    with pytest.raises(Stale):
        update_schedule(planner, schedule_id=row.id, version=1, cron="0 0 23 ? * MON *")


def test_a_completed_target_goes_on_for_those_who_could_approve_it(town, desk, planner):
    """A schedule added by somebody with both privileges approves it again; another's does not."""
    target = desk.target(state=State.COMPLETED)
    create_schedule(planner, holder_id=target.pk, cron=MONDAYS)
    assert Target.objects.get(pk=target.pk).state == State.COMPLETED
    chief = town.actor(
        privileges={
            Privilege.ADD_SCHEDULE_TO_TARGET: Scope.AGENCY,
            Privilege.APPROVE_TARGET: Scope.AGENCY,
            Privilege.REINSTATE_TARGET: Scope.AGENCY,
        }
    )
    create_schedule(chief, holder_id=target.pk, cron="0 0 3 1 * ?")
    assert Target.objects.get(pk=target.pk).state == State.APPROVED


def test_groups_need_a_privilege_of_their_own(town, desk, planner):
    """ADD_SCHEDULE_TO_TARGET does not schedule a group."""
    group = desk.group()
    with pytest.raises(NotAllowed):
        create_schedule(town.holder(Privilege.ADD_SCHEDULE_TO_TARGET, Scope.AGENCY), holder_id=group.pk, cron=MONDAYS)
    create_schedule(planner, holder_id=group.pk, cron=MONDAYS)


def test_one_harvest_by_hand(town, desk, planner):
    """In five minutes or at a time; only for what is approved, never in the past."""
    target = desk.target(state=State.APPROVED)
    made = plan_harvest(planner, holder_id=target.pk)
    assert made.scheduled_at == desk.now + datetime.timedelta(minutes=5)
    assert plan_harvest(planner, holder_id=target.pk, at=desk.now + DAY).schedule_id is None
    with pytest.raises(InvalidFields):
        plan_harvest(planner, holder_id=target.pk, at=desk.now - DAY)
    with pytest.raises(Conflict):
        plan_harvest(planner, holder_id=desk.target().pk)


def test_only_harvests_that_wait_are_changed(desk, planner):
    """Time, priority and owner of what has not begun."""
    target = desk.target(state=State.APPROVED)
    row = plan_harvest(planner, holder_id=target.pk)
    changed = update_harvest(planner, harvest_id=row.id, version=1, priority=Priority.HIGH)
    assert (changed.priority, changed.edited) == (Priority.HIGH, True)
    with pytest.raises(InvalidFields):
        update_harvest(planner, harvest_id=row.id, version=2, scheduled_at=desk.now - DAY)
    Harvest.objects.filter(id=row.id).update(state=HarvestState.RUNNING)
    with pytest.raises(Conflict):
        update_harvest(planner, harvest_id=row.id, version=2, priority=Priority.LOW)
    with pytest.raises(NotFound):
        queries.planned_harvest(planner, row.id)


def test_patterns_are_offered_to_everybody(town):
    """The one that every installation has, and those that it made."""
    made = create_schedule_pattern(town.system, name="Nights", cron="0 0 2 * * ?")
    assert (made.number, made.cron) == (2, "0 0 2 * * ?")
    assert [one.name for one in queries.offered_patterns()] == ["Mondays at 21:00", "Nights"]
    update_schedule_pattern(town.system, pattern_id=made.id, version=1, name="Every night")
    assert SchedulePattern.objects.get().name == "Every night"
    for wrong in ({"cron": "* * * * *"}, {"cron": "no"}, {"number": -3}, {"name": ""}):
        with pytest.raises(InvalidFields):
            create_schedule_pattern(town.system, **{"name": "Wrong", "cron": "0 0 2 * * ?", **wrong})


def test_schedules_of_other_agencies_are_not_seen(town, desk, planner):
    """They are as if they were not there."""
    foreign = desk.schedule(desk.target(agency=town.museum))
    with pytest.raises(NotFound):
        queries.schedule(planner, foreign.id)
    with pytest.raises(NotAllowed):
        update_schedule(planner, schedule_id=foreign.id, version=1, cron="0 0 22 ? * MON *")


def test_a_restored_schedule_plans_again(desk, planner):
    """Deleting removes its plans, restoring makes them."""
    target = desk.target(state=State.APPROVED)
    row = create_schedule(planner, holder_id=target.pk, cron=MONDAYS)
    delete_row(planner, kind_name="schedule", row_id=row.id)
    restore_row(planner, kind_name="schedule", row_id=row.id)
    assert len(_times(target)) == 13
