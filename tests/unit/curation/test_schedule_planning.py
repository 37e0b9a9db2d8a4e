"""The look-ahead: what is planned when time passes, states change, and groups harvest their members."""

import datetime

import pytest

from opilio.curation import plan_ahead, planning
from opilio.curation.look_ahead import Dates, next_times, outlook
from opilio.curation.models import AbstractTarget, Group, Harvest, HarvestAs, HarvestState, Schedule, State, Target
from opilio.people.acting import action
from opilio.people.models import AuditEntry

NOW = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
DAY = datetime.timedelta(days=1)
MONDAYS = "0 0 21 ? * MON *"


def _replan(town, row):
    @action("test.replan", "Plan anew.")
    def run(act, /):
        act.require_that(True, "plan", "")
        return planning.replan(act, AbstractTarget.objects.get(pk=row.pk))

    return run(town.system)


def _extend(town):
    return plan_ahead.extend_all(town.system, should_stop=lambda: False)


def _planned(row):
    return list(Harvest.objects.filter(abstract_target_id=row.pk).values_list("planned_for", flat=True))


def test_the_window_and_the_first_time_after_it():
    """Up to ninety days ahead, within start and end."""
    dates = Dates(cron=MONDAYS, time_zone="UTC", start=NOW + 10 * DAY, end=NOW + 30 * DAY)
    found = outlook(dates, NOW)
    assert [tick.day for tick in found.ticks] == [12, 19, 26]
    assert (found.following, found.until) == (None, found.ticks[-1])
    assert next_times(dates, NOW, 10) == list(found.ticks)


def test_the_next_time_is_always_planned():
    """A yearly time beyond the window is planned, once; after it has passed, the next one is."""
    dates = Dates(cron="0 0 0 24 12 ?", time_zone="UTC", start=NOW)
    first = outlook(dates, NOW)
    assert [tick.year for tick in first.ticks] == [2026]
    assert first.following.year == 2027
    later = outlook(dates, NOW + 300 * DAY, after=first.until)
    assert later.ticks == ()
    past = outlook(dates, first.until, after=first.until)
    assert [tick.year for tick in past.ticks] == [2027]


def test_the_start_itself_counts():
    """A schedule that starts at one of its times has its first harvest there."""
    monday = datetime.datetime(2026, 1, 5, 21, tzinfo=datetime.UTC)
    assert outlook(Dates(cron=MONDAYS, time_zone="UTC", start=monday), NOW).ticks[0] == monday


def test_time_passes_and_the_plan_grows(town, desk):
    """Day by day nothing is planned twice and nothing is left out, however often it is looked."""
    target = desk.target(state=State.APPROVED)
    desk.schedule(target)
    _replan(town, target)
    for _ in range(6):
        town.clock.advance(20 * 86_400)
        _extend(town)
        assert _extend(town) == 0
    wanted = outlook(Dates(cron=MONDAYS, time_zone="UTC", start=NOW), NOW, window=210 * DAY).ticks
    assert _planned(target) == list(wanted)
    assert AuditEntry.objects.filter(action="schedule.extend").exists()


def test_a_yearly_schedule_is_never_without_its_next_harvest(town, desk):
    """When its day has come, the next year's is planned."""
    target = desk.target(state=State.APPROVED)
    desk.schedule(target, cron="0 0 0 24 12 ?")
    _replan(town, target)
    town.clock.advance(360 * 86_400)
    assert _extend(town) == 1
    assert [moment.year for moment in _planned(target)] == [2026, 2027]


def test_only_what_is_collected_is_extended(town, desk):
    """Paused schedules and targets that were cancelled get nothing."""
    rows = [desk.target(state=State.APPROVED) for _ in range(3)]
    made = [desk.schedule(row) for row in rows]
    for row in rows:
        _replan(town, row)
    Schedule.objects.filter(id=made[0].id).update(paused=True)
    Target.objects.filter(pk=rows[1].pk).update(state=State.CANCELLED)
    town.clock.advance(20 * 86_400)
    _extend(town)
    assert [len(_planned(row)) for row in rows] == [13, 13, 16]


def test_batches_are_small_and_complete(town, desk, monkeypatch):
    """More schedules than a batch holds are all extended."""
    monkeypatch.setattr(plan_ahead, "BATCH", 2)
    rows = [desk.target(state=State.APPROVED) for _ in range(5)]
    for row in rows:
        desk.schedule(row)
        _replan(town, row)
    town.clock.advance(20 * 86_400)
    _extend(town)
    assert [len(_planned(row)) for row in rows] == [16] * 5


def test_the_look_ahead_is_a_parameter(town, desk):
    """An installation may plan less far."""
    town.parameter("look_ahead_days", "20")
    target = desk.target(state=State.APPROVED)
    desk.schedule(target)
    _replan(town, target)
    assert len(_planned(target)) == 3


def test_a_target_that_is_not_collected_has_no_plans(town, desk):
    """Not even those that were changed by hand."""
    target = desk.target(state=State.APPROVED)
    desk.schedule(target)
    _replan(town, target)
    Harvest.objects.filter(id=Harvest.objects.first().id).update(edited=True)
    Target.objects.filter(pk=target.pk).update(state=State.CANCELLED)
    assert _replan(town, target) == 13
    assert _planned(target) == []


def test_harvests_that_began_stay(town, desk):
    """A plan never touches what runs or ran."""
    target = desk.target(state=State.APPROVED)
    row = desk.schedule(target)
    _replan(town, target)
    first = Harvest.objects.filter(schedule=row).first()
    Harvest.objects.filter(id=first.id).update(state=HarvestState.RUNNING)
    Schedule.objects.filter(id=row.id).update(cron="0 0 5 1 * ?")
    _replan(town, target)
    assert Harvest.objects.filter(id=first.id).exists()


@pytest.fixture
def three(town, desk):
    """Approved targets of one agency, a pending one, and one of another agency."""
    good = [desk.target(state=State.APPROVED) for _ in range(2)]
    return [*good, desk.target(), desk.target(state=State.APPROVED, agency=town.museum)]


def test_a_group_is_harvested_as_one(town, desk, three):
    """Together: one harvest for each time, of the group itself."""
    group = desk.group(*three, state=State.GROUP_ACTIVE, harvest_as=HarvestAs.COMBINED)
    desk.schedule(group)
    _replan(town, group)
    assert len(_planned(group)) == 13
    assert not any(_planned(row) for row in three)


def test_members_are_harvested_each_by_itself(town, desk, three):
    """Separate: each member that is collected, of the agency of the schedule's owner."""
    inner = desk.group(three[1], state=State.GROUP_ACTIVE)
    group = desk.group(three[0], *three[2:], inner, state=State.GROUP_ACTIVE, harvest_as=HarvestAs.SEPARATE)
    desk.schedule(group)
    _replan(town, group)
    assert [len(_planned(row)) for row in three] == [13, 13, 0, 0]
    assert _planned(group) == []


def test_sub_groups_are_not_opened(town, desk, three):
    """Members of a Sub-Group are not harvested with those of its parent."""
    inner = desk.group(three[1], state=State.GROUP_ACTIVE, group_type="Sub-Group")
    group = desk.group(three[0], inner, state=State.GROUP_ACTIVE, harvest_as=HarvestAs.SEPARATE)
    desk.schedule(group)
    _replan(town, group)
    assert [len(_planned(row)) for row in three[:2]] == [13, 0]


def test_members_belong_between_the_groups_dates(town, desk, three):
    """Before the first and after the last day nothing is harvested; other dates plan anew."""
    dates = {"start_date": datetime.date(2026, 1, 12), "end_date": datetime.date(2026, 1, 26)}
    group = desk.group(three[0], state=State.GROUP_ACTIVE, harvest_as=HarvestAs.SEPARATE, **dates)
    desk.schedule(group)
    _replan(town, group)
    assert [moment.day for moment in _planned(three[0])] == [12, 19, 26]
    Group.objects.filter(pk=group.pk).update(end_date=datetime.date(2026, 1, 20))
    _replan(town, group)
    assert [moment.day for moment in _planned(three[0])] == [12, 19]


def test_a_member_that_is_approved_again_comes_back(town, desk, three):
    """Cancelling removes its plans, also the group's; approving plans them again."""
    group = desk.group(*three[:2], state=State.GROUP_ACTIVE, harvest_as=HarvestAs.SEPARATE)
    desk.schedule(group)
    _replan(town, group)
    Target.objects.filter(pk=three[0].pk).update(state=State.CANCELLED)
    _replan(town, three[0])
    assert [len(_planned(row)) for row in three[:2]] == [0, 13]
    Target.objects.filter(pk=three[0].pk).update(state=State.APPROVED)
    _replan(town, three[0])
    assert [len(_planned(row)) for row in three[:2]] == [13, 13]


def test_groups_are_extended_too(town, desk, three):
    """The chore plans for members as well."""
    group = desk.group(*three[:2], state=State.GROUP_ACTIVE, harvest_as=HarvestAs.SEPARATE)
    desk.schedule(group)
    _replan(town, group)
    town.clock.advance(20 * 86_400)
    assert _extend(town) == 6


def test_planning_asks_few_questions(town, desk, django_assert_max_num_queries):
    """However many harvests are made, the database is asked a bounded number of times."""
    target = desk.target(state=State.APPROVED)
    desk.schedule(target, cron="0 0 3 * * ?")
    with django_assert_max_num_queries(20):
        _replan(town, target)
    assert len(_planned(target)) == 90
