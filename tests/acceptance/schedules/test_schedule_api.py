"""Schedules, planned harvests and patterns by the API."""

import pytest

from opilio.curation.models import State
from tests.acceptance.api.conftest import error
from tests.curation import Desk

MONDAYS = "0 0 21 ? * MON *"


@pytest.fixture
def desk(office):
    return Desk(office.town)


@pytest.fixture
def target(desk):
    return desk.target(state=State.APPROVED)


def made(caller, target, **fields):
    answer = caller.post("/schedules", {"holder": str(target.pk), "cron": MONDAYS, **fields})
    assert answer.status_code == 201, answer.content
    return answer.json()


def test_a_schedule_lives_by_the_api(caller, target):
    """Made, explained, changed, paused, deleted; what it plans follows."""
    row = made(caller, target, time_zone="Europe/Vienna", end="2199-01-01T00:00:00Z")
    assert (row["sentence"], len(row["next_times"])) == ("At 21:00 on Mondays", 5)
    path = f"/schedules/{row['id']}"
    planned = caller.get("/schedules/planned", holder=str(target.pk)).json()["items"]
    assert len(planned) >= 12
    changed = caller.patch(path, {"version": row["version"], "cron": "0 0 22 31 * ?", "end": None}).json()
    assert changed["end"] is None
    assert "There is no 31st" in changed["warnings"][0]
    error(caller.patch(path, {"version": row["version"], "cron": MONDAYS}), 409)
    assert caller.post(f"{path}/pause").json()["paused"]
    assert caller.get("/schedules/planned").json()["items"] == []
    assert not caller.post(f"{path}/resume").json()["paused"]
    assert len(caller.get("/schedules", holder=str(target.pk), paused=False).json()["items"]) == 1
    assert caller.delete(path).status_code == 204
    assert caller.get(path).status_code == 404


def test_harvests_by_hand(caller, target):
    """Planned once, moved, deleted."""
    row = caller.post("/schedules/planned", {"holder": str(target.pk)}).json()
    assert (row["state"], row["schedule"], row["edited"]) == ("scheduled", None, False)
    path = f"/schedules/planned/{row['id']}"
    moved = caller.patch(path, {"version": 1, "scheduled_at": "2040-01-01T10:00:00Z", "priority": 0}).json()
    assert (moved["edited"], moved["priority"]) == (True, 0)
    error(caller.patch(path, {"version": 2, "scheduled_at": "2001-01-01T10:00:00Z"}), 422)
    error(caller.patch(path, {"version": 2, "priority": 7}), 422)
    assert caller.delete(path).status_code == 204


@pytest.mark.parametrize(
    "fields",
    [{"cron": "0 0 0 30 2 ?"}, {"cron": "* * * * * ?"}, {"cron": "x" * 256}, {"time_zone": "Mars/Olympus"},
     {"end": "1999-01-01T00:00:00Z"}, {"start": "2030-01-01T00:00:00"}, {"colour": 1}],
)  # fmt: skip
def test_schedules_that_make_no_sense_are_refused(caller, target, fields):
    """The error names the field."""
    found = error(caller.post("/schedules", {"holder": str(target.pk), "cron": MONDAYS, **fields}), 422)
    assert found["fields"]


def test_an_expression_is_explained(caller):
    """In words, with warnings and next times; or refused with the remedy."""
    found = caller.get("/schedules/explain", cron="0 0 3 L * ?", time_zone="Europe/Vienna").json()
    assert found["sentence"] == "At 03:00 on the last day of each month"
    assert len(found["next_times"]) == 5
    assert error(caller.get("/schedules/explain", cron="0 0 99 * * ?"), 422)["where"] == "field 3, hour"
    error(caller.get("/schedules/explain", cron=MONDAYS, time_zone="../../etc"), 422)


def test_patterns_by_the_api(caller):
    """Made, changed, listed, deleted."""
    row = caller.post("/schedule-patterns", {"name": "Nights", "cron": "0 0 2 * * ?"}).json()
    path = f"/schedule-patterns/{row['id']}"
    assert caller.patch(path, {"version": 1, "name": "Every night"}).json()["name"] == "Every night"
    assert [one["number"] for one in caller.get("/schedule-patterns").json()["items"]] == [2]
    error(caller.post("/schedule-patterns", {"name": "Wrong", "cron": "no"}), 422)
    assert caller.delete(path).status_code == 204


def test_what_is_foreign_is_not_there(caller, office, desk):
    """Schedules of another agency."""
    foreign = desk.target(agency=office.museum, state=State.APPROVED)
    row = desk.schedule(foreign)
    error(caller.get(f"/schedules/{row.pk}"), 404)
    error(caller.post("/schedules", {"holder": str(foreign.pk), "cron": MONDAYS}), 404)
    error(caller.post("/schedules/planned", {"holder": str(foreign.pk)}), 404)
    assert caller.get("/schedules").json()["items"] == []
