"""`opilio schedule` on the command line."""

import pytest

from opilio.curation.models import State
from opilio.people.actions.installation import prepare
from tests.acceptance.cli.answers import document, error
from tests.curation import Desk
from tests.people import Town


@pytest.fixture
def desk(inline):
    town = Town()
    prepare(town.system)
    return Desk(town)


@pytest.fixture
def run(inline, desk):
    """Runs a command and reads its answer."""
    return lambda *arguments: document(inline.run(*arguments, "--json"))


def test_a_schedule_lives_on_the_command_line(run, desk):
    """Made, changed, paused, listed, deleted; what it plans follows."""
    desk.target(name="Votes", state=State.APPROVED)
    made = run(
        "schedule", "create", "Votes", "0 0 21 ? * MON *", "--time-zone", "Europe/Vienna", "--end", "2199-01-01T00:00Z"
    )
    assert (made["sentence"], len(made["next_times"])) == ("At 21:00 on Mondays", 5)
    assert len(run("schedule", "planned", "--target", "Votes")["harvests"]) >= 12
    number = made["id"]
    changed = run("schedule", "change", number, "--expression", "0 0 3 31 * ?", "--endless")
    assert changed["end"] is None
    assert changed["warnings"]
    assert run("schedule", "pause", number)["paused"]
    assert run("schedule", "planned")["harvests"] == []
    assert not run("schedule", "resume", number)["paused"]
    assert [one["id"] for one in run("schedule", "list", "--target", "Votes")["schedules"]] == [number]
    assert run("schedule", "show", number)["time_zone"] == "Europe/Vienna"
    run("schedule", "delete", number)
    assert run("schedule", "list")["schedules"] == []


def test_harvests_by_hand_on_the_command_line(run, inline, desk):
    """Once, moved, dropped."""
    desk.target(name="Votes", state=State.APPROVED)
    made = run("schedule", "once", "Votes", "--at", "2040-01-01T10:00:00+01:00")
    assert made["scheduled_at"].startswith("2040-01-01T09:00:00")
    assert run("schedule", "move", made["id"], "--at", "2041-01-01T10:00Z", "--priority", "0")["edited"]
    run("schedule", "drop", made["id"])
    for wrong in ("tomorrow", "2040-01-01T10:00", "9999-01-01T00:00Z"):
        error(inline.run("schedule", "once", "Votes", "--at", wrong, "--json"), 2)


def test_expressions_and_patterns_on_the_command_line(run, inline, desk):
    """Explained, named, refused."""
    found = run("schedule", "explain", "0 0 3 LW * ?", "--time-zone", "Europe/Vienna")
    assert found["sentence"] == "At 03:00 on the last working day of each month"
    assert error(inline.run("schedule", "explain", "0 0 99 * * ?", "--json"), 2)["where"] == "field 3, hour"
    made = run("schedule", "add-pattern", "Nights", "0 0 2 * * ?")
    assert run("schedule", "change-pattern", made["id"], "--name", "Every night")["name"] == "Every night"
    assert [one["name"] for one in run("schedule", "patterns")["patterns"]] == ["Every night"]
    run("schedule", "delete-pattern", made["id"])
