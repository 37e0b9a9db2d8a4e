"""`opilio harvest` and `opilio agents`, run in this process."""

import json

import pytest
from typer.testing import CliRunner

from opilio.cli import agents, harvest
from opilio.curation.actions.harvest_queue import launch_harvest
from opilio.curation.actions.harvest_running import begin
from opilio.curation.models import Harvest, HarvestOrder, SeedPermission, SnapshotPart
from opilio.jobs import roster
from opilio.jobs.models import Command
from opilio.kernel.clock import SYSTEM
from opilio.kernel.errors import InvalidInput, OpilioError
from opilio.people.errors import InvalidFields, NotFound
from opilio.people.parameters import value
from tests.harvest_desk import NETWORK, HarvestDesk


@pytest.fixture
def desk(db):
    return HarvestDesk()


@pytest.fixture
def running(desk):
    """A harvest that an agent has begun."""
    made = desk.harvest(desk.ready(name="Owls"))
    launch_harvest(desk.town.system, harvest_id=made.pk, network=NETWORK)
    begin(desk.town.system, harvest_id=made.pk, agent="barn#1")
    return Harvest.objects.get(pk=made.pk)


def _run(app, *arguments, code=0):
    """The JSON document that a command answers."""
    done = CliRunner().invoke(app, [*map(str, arguments), "--json"])
    if done.exception is not None and isinstance(done.exception, OpilioError):
        raise done.exception
    assert done.exit_code == code, done.output
    return json.loads(done.output)


def _words(app, *arguments):
    """What a command tells people."""
    return CliRunner().invoke(app, [*map(str, arguments)]).output


def test_harvests_are_listed_running_first(desk, running):
    """With filters."""
    held = desk.harvest(desk.ready(name="Herons"), held=True)
    found = _run(harvest.app, "list")["harvests"]
    assert [(one["target"], one["state"]) for one in found] == [("Owls", "running"), ("Herons", "scheduled")]
    assert [one["id"] for one in _run(harvest.app, "list", "--held")["harvests"]] == [str(held.pk)]
    assert len(_run(harvest.app, "list", "--state", "running")["harvests"]) == 1
    assert len(_run(harvest.app, "list", "--target", "owls")["harvests"]) == 1
    assert _run(harvest.app, "list", "--agency", "Museum")["harvests"] == []
    assert "Owls" in _words(harvest.app, "list")
    with pytest.raises(InvalidInput, match="no state"):
        _run(harvest.app, "list", "--state", "nothing")


def test_a_harvest_and_its_parts(running):
    """Show, events, snapshot, files, orders."""
    found = _run(harvest.app, "show", running.pk)
    assert found["moves"] == ["pause", "stop", "abort"]
    assert found["next_step"]
    assert [one["name"] for one in _run(harvest.app, "events", running.pk)["events"]] == ["launch", "begin"]
    assert _run(harvest.app, "snapshot", running.pk)["intact"] is True
    assert _run(harvest.app, "files", running.pk)["files"] == []
    assert _run(harvest.app, "orders", running.pk)["orders"] == []
    for verb in ("show", "events", "snapshot", "files", "orders"):
        assert _words(harvest.app, verb, running.pk).strip()


def test_a_changed_snapshot_fails_the_command(running):
    """So that scripts notice."""
    SnapshotPart.objects.filter(key="software").update(value="{}")
    assert _run(harvest.app, "snapshot", running.pk, code=1)["intact"] is False


def test_launch_and_now(desk):
    """On a chosen agent; what stands against it is an error."""
    made = desk.harvest(desk.ready(name="Owls"))
    assert _run(harvest.app, "launch", made.pk, "--agent", "barn")["wanted_agent"] == "barn"
    assert _run(harvest.app, "now", "Owls")["state"] == "queued"
    SeedPermission.objects.all().delete()
    with pytest.raises(OpilioError, match="may not run now"):
        _run(harvest.app, "now", "Owls")
    with pytest.raises(InvalidFields, match="no target or group"):
        _run(harvest.app, "now", "Nobody")
    with pytest.raises(NotFound):
        _run(harvest.app, "launch", 7)


def test_orders(running):
    """Each as its own command."""
    number = running.pk
    _run(harvest.app, "pause", number)
    _run(harvest.app, "limit", number, "--pages", 9, "--bytes", 0)
    _run(harvest.app, "delay", number, 1.5)
    _run(harvest.app, "exclude", number, "--pattern", "/calendar/", "--url", "http://a.example/")
    _run(harvest.app, "stop", number)
    assert _run(harvest.app, "abort", number)["orders_waiting"] == [
        "pause", "limits", "delay", "exclude", "stop", "abort",
    ]  # fmt: skip
    assert HarvestOrder.objects.get(what="limits").arguments == {"pages": 9, "bytes": 0}
    assert HarvestOrder.objects.first().by == "operator"
    with pytest.raises(OpilioError, match="cannot be moved"):
        _run(harvest.app, "resume", number)
    with pytest.raises(OpilioError, match="no expression"):
        _run(harvest.app, "exclude", number, "--pattern", "(")


def test_share_flag_queue_and_delete(desk):
    """What else can be done to a harvest and to the queue."""
    made = desk.harvest()
    assert _run(harvest.app, "bandwidth", made.pk, 20)["bandwidth_percent"] == 20
    assert _run(harvest.app, "bandwidth", made.pk, 0)["bandwidth_percent"] is None
    assert _run(harvest.app, "flag", made.pk)["flagged"] is True
    assert _run(harvest.app, "flag", made.pk, "--remove")["flagged"] is False
    assert _run(harvest.app, "queue", "--pause") == {"paused": True, "counts": {"scheduled": 1}}
    assert value("harvest_queue_paused") is True
    assert _run(harvest.app, "queue", "--go-on")["paused"] is False
    assert _run(harvest.app, "queue")["paused"] is False
    assert _run(harvest.app, "delete", made.pk) == {"deleted": str(made.pk)}


def test_agents(desk):
    """List, rule, pause, resume, drain by name."""
    agent = desk.registered("barn")
    (found,) = _run(agents.app, "list")["agents"]
    assert (found["name"], found["takes"]) == ("barn", "all")
    rule = _run(agents.app, "rule", "barn", "--refuse", "--agency", "Museum", "--note", "repairs")
    assert (rule["accepting"], rule["agencies"]) == (False, ["Museum"])
    assert _run(agents.app, "list")["agents"][0]["takes"] == "nothing"
    for verb in ("pause", "resume", "drain"):
        assert _run(agents.app, verb, "barn")["agents"][0]["told"][-1] == verb
    assert Command.objects.count() == 3
    assert "barn" in _words(agents.app, "list")
    roster.sign_off(agent.id, now=SYSTEM.now())
    with pytest.raises(NotFound, match="alive"):
        _run(agents.app, "drain", "barn")
