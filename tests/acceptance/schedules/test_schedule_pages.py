"""The pages of schedules: calendar, lists, forms."""

import datetime

import pytest

from opilio.curation.actions.harvests import plan_harvest
from opilio.curation.models import Harvest, Schedule, SchedulePattern, State
from opilio.kernel.clock import SYSTEM
from opilio.people.actor import system
from tests.acceptance.schedules.conftest import PLANNER

NAMED = {
    "hour": "21",
    "minute": "30",
    "weekday": "0",
    "day": "1",
    "month": "1",
    "time_zone": "Europe/Vienna",
    "cron": "",
}


@pytest.fixture
def target(desk):
    return desk.target(name="<b>Votes</b>", state=State.APPROVED)


def test_a_schedule_is_added_by_a_named_pattern(planner, target):
    """The page shows it in words, with its next times in the reader's zone."""
    answer = planner.send(f"/schedule/of/{target.pk}/new", {"pattern": "-2", **NAMED})
    assert answer["Location"] == f"/schedule/of/{target.pk}"
    row = Schedule.objects.get()
    assert (row.cron, row.pattern, row.time_zone) == ("0 30 21 ? * MON *", -2, "Europe/Vienna")
    text = planner.see(f"/schedule/of/{target.pk}")
    assert "At 21:30 on Mondays" in text
    assert "&lt;b&gt;Votes&lt;/b&gt;" in text
    assert "<b>Votes</b>" not in text
    assert "Next:" in text
    assert Harvest.objects.filter(schedule=row).count() >= 12


def test_an_expression_by_hand_is_explained_or_refused(planner, target):
    """A month without the day is warned about; nonsense stands beside the field."""
    planner.send(f"/schedule/of/{target.pk}/new", {**NAMED, "pattern": "0", "cron": "0 0 3 31 * ?"})
    assert "There is no 31st in February" in planner.see(f"/schedule/of/{target.pk}")
    for wrong in ("0 0 0 30 2 ?", "* * * * * ?", "<script>", "x" * 300, ""):
        refused = planner.send(f"/schedule/of/{target.pk}/new", {**NAMED, "pattern": "0", "cron": wrong})
        assert refused.status_code == 422
        assert "<script>" not in refused.content.decode().replace("<script src", "")
    assert Schedule.objects.count() == 1


def test_times_are_typed_in_the_readers_zone(enter, desk, target):
    """What a curator in Vienna types is stored in UTC, and shown as it was typed."""
    viennese = enter("viennese", privileges=PLANNER, time_zone="Europe/Vienna")
    sent = {**NAMED, "pattern": "-1", "start": "2030-07-01T12:00", "end": "2030-08-01T12:00"}
    viennese.send(f"/schedule/of/{target.pk}/new", sent)
    row = Schedule.objects.get()
    assert row.start == datetime.datetime(2030, 7, 1, 10, tzinfo=datetime.UTC)
    assert 'value="2030-07-01T12:00"' in viennese.see(f"/schedule/schedules/{row.pk}")
    assert viennese.send(f"/schedule/of/{target.pk}/new", {**sent, "start": "9999-12-31T23:59"}).status_code == 422


def test_a_schedule_is_changed_paused_and_listed(planner, desk, target):
    """Edits are versioned; buttons pause and go on."""
    row = desk.schedule(target)
    path = f"/schedule/schedules/{row.pk}"
    sent = {**NAMED, "pattern": "0", "cron": "0 0 22 ? * TUE *", "version": "1"}
    assert planner.send(path, sent).status_code == 302
    assert planner.send(path, {**sent, "cron": "0 0 23 ? * TUE *"}).status_code == 409
    planner.send(f"{path}/pause")
    assert "Paused" in planner.see("/schedule/schedules", state="paused")
    planner.send(f"{path}/resume")
    assert not Schedule.objects.get().paused
    assert "At 22:00 on Tuesdays" in planner.see("/schedule/schedules")


def test_planned_harvests_are_changed_by_hand(planner, desk, target):
    """Once, moved, listed, deleted."""
    planner.send(f"/schedule/of/{target.pk}/once", {"at": ""})
    row = Harvest.objects.get()
    sent = {"version": "1", "scheduled_at": "2040-01-01T10:00", "priority": "0", "owner_id": str(row.owner_id)}
    assert planner.send(f"/schedule/planned/{row.pk}", sent).status_code == 302
    moved = Harvest.objects.get()
    assert (moved.edited, moved.scheduled_at.year, moved.priority) == (True, 2040, 0)
    assert "Votes" in planner.see("/schedule/planned", by="edited")
    past = planner.send(f"/schedule/planned/{row.pk}", {**sent, "version": "2", "scheduled_at": "2001-01-01T10:00"})
    assert past.status_code == 422


def test_the_calendar_shows_the_load(planner, town, desk, target):
    """Days have the colour of their load, words for those who do not see it, and lead to their harvests."""
    at = SYSTEM.now() + datetime.timedelta(days=20)
    for _ in range(7):
        plan_harvest(system(), holder_id=target.pk, at=at)
    text = planner.see("/schedule")
    assert "7 harvests, medium load" in text
    assert 'fill="#F0E68C"' in text
    assert f"/schedule/planned?from={at:%Y-%m-%d}" in text
    town.parameter("heat_medium_from", "3")
    town.parameter("heat_medium_colour", "123456")
    text = planner.see("/schedule")
    assert 'fill="#123456"' in text
    town.parameter("heat_medium_colour", "red; evil")
    assert "evil" not in planner.see("/schedule")


@pytest.mark.parametrize("asked", ["2030-01", "0001-01", "9999-12", "nonsense", "<script>", "2030-13", "x" * 500])
def test_any_month_can_be_asked_for(planner, asked):
    """What is no month shows this one."""
    assert "Nothing is planned" in planner.see("/schedule", **{"from": asked})


def test_patterns_are_kept_by_the_administrator(planner, target):
    """Made, changed, offered in the form of schedules."""
    planner.send("/admin/schedule-patterns/new", {"name": "Nights", "cron": "0 0 2 * * ?"})
    row = SchedulePattern.objects.get()
    planner.send(f"/admin/schedule-patterns/{row.pk}", {"name": "Every night", "cron": "0 0 2 * * ?", "version": "1"})
    assert "Every night" in planner.see("/admin/schedule-patterns")
    assert "Every night" in planner.see(f"/schedule/of/{target.pk}/new")
    planner.send(f"/schedule/of/{target.pk}/new", {**NAMED, "pattern": str(row.number)})
    assert Schedule.objects.get().cron == "0 0 2 * * ?"
    assert planner.send("/admin/schedule-patterns/new", {"name": "Wrong", "cron": "no"}).status_code == 422


def test_what_is_foreign_is_hidden(planner, town, desk):
    """Schedules and harvests of another agency are not there."""
    foreign = desk.target(agency=town.museum, state=State.APPROVED)
    row = desk.schedule(foreign)
    harvest = plan_harvest(town.system, holder_id=foreign.pk)
    for path in (f"/schedule/of/{foreign.pk}", f"/schedule/schedules/{row.pk}", f"/schedule/planned/{harvest.pk}"):
        assert planner.get(path).status_code == 404
    assert "No schedule yet" in planner.see("/schedule/schedules")


def test_pages_ask_few_questions(planner, desk, django_assert_max_num_queries):
    """However many schedules and harvests there are."""
    targets = [desk.target(state=State.APPROVED) for _ in range(6)]
    for row in targets:
        desk.schedule(row)
        plan_harvest(system(), holder_id=row.pk)
    for path in ("/schedule", "/schedule/schedules", "/schedule/planned", f"/schedule/of/{targets[0].pk}"):
        with django_assert_max_num_queries(15):
            planner.see(path)
