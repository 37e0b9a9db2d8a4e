"""`opilio harvest resources`, `waiting`, `story` and `priority`, run in this process."""

import csv
import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from opilio.cli import harvest
from opilio.curation.actions.harvest_queue import launch_harvest
from opilio.curation.actions.harvest_running import begin
from opilio.curation.models import Harvest, HarvestOrder, HarvestState
from opilio.kernel.errors import Conflict, InvalidInput, OpilioError
from opilio.works.harvest_records import NothingHere
from tests.harvest_desk import NETWORK, HarvestDesk
from tests.harvest_folders import HOSTILE, START, collected


@pytest.fixture
def desk(db, tmp_path, settings):
    settings.OPILIO = replace(settings.OPILIO, home=tmp_path)
    return HarvestDesk()


@pytest.fixture
def running(desk, tmp_path):
    made = desk.harvest(desk.ready(name="Owls"))
    launch_harvest(desk.town.system, harvest_id=made.pk, network=NETWORK)
    begin(desk.town.system, harvest_id=made.pk, agent="barn#1")
    collected(tmp_path / "harvests" / str(made.pk), rounds=1)
    return made


@pytest.fixture
def ended(desk, tmp_path):
    made = desk.harvest(desk.ready(name="Herons"), state=HarvestState.HARVESTED)
    collected(tmp_path / "harvests" / str(made.pk), rounds=3, sealed=True)
    return made


def run(*arguments, as_json=True):
    done = CliRunner().invoke(harvest.app, [*map(str, arguments), *(["--json"] if as_json else [])])
    if isinstance(done.exception, OpilioError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return json.loads(done.output) if as_json else done.output


def test_resources(ended):
    """All, some, and how many at most."""
    assert len(run("resources", ended.pk)["resources"]) == 10
    assert run("resources", ended.pk)["outcomes"] == {"fetched": 8, "gone": 1, "robots-denied": 1}
    found = run("resources", ended.pk, "--status", "4xx", "--outcome", "gone", "--type", "html", "--text", "GONE")
    assert [row["url"] for row in found["resources"]] == ["https://owls.example/gone"]
    part = run("resources", ended.pk, "--limit", "3")
    assert (len(part["resources"]), part["more"]) == (3, True)
    assert "There are more than 3" in run("resources", ended.pk, "--limit", "3", as_json=False)
    with pytest.raises(InvalidInput):
        run("resources", ended.pk, "--status", "x")


def test_resources_as_csv(ended, tmp_path):
    """On standard output or in a file."""
    rows = list(csv.DictReader(run("resources", ended.pk, "--csv", as_json=False).lstrip("\ufeff").splitlines()))
    assert HOSTILE in {row["url"] for row in rows}
    run("resources", ended.pk, "--output", tmp_path / "owls.csv")
    assert len((tmp_path / "owls.csv").read_bytes().splitlines()) == len(rows) + 1


def test_waiting(running, ended):
    """What waits, filtered; nothing in a harvest that ended."""
    assert len(run("waiting", running.pk)["waiting"]) == 9
    assert [row["host"] for row in run("waiting", running.pk, "--host", "herons.example")["waiting"]] == [
        "herons.example"
    ]
    assert run("waiting", ended.pk)["waiting"] == []
    assert "Nothing waits" in run("waiting", ended.pk, as_json=False)


def test_story(ended):
    """In words, and as a document."""
    assert run("story", ended.pk, "https://owls.example/gone")["parents"] == [START]
    assert "does not exist" in run("story", ended.pk, "https://owls.example/gone", as_json=False)
    with pytest.raises(InvalidInput):
        run("story", ended.pk, "x" * 9_000)


def test_priority(running):
    """Negative numbers are numbers."""
    run("priority", running.pk, "-5", "--host", "owls.example", "--pattern", "/barn/", "--url", START)
    assert HarvestOrder.objects.get().arguments == {
        "priority": -5, "patterns": ["/barn/"], "urls": [START], "hosts": ["owls.example"],
    }  # fmt: skip


def test_an_order_to_a_harvest_that_just_ended(running):
    """Conflicts, and names its state."""
    Harvest.objects.filter(pk=running.pk).update(state=HarvestState.HARVESTED)
    with pytest.raises(Conflict, match=r"(?i)harvested"):
        run("priority", running.pk, "5", "--host", "owls.example")


def test_a_folder_on_another_machine(desk):
    """Is said."""
    away = desk.harvest(desk.ready(name="Away"), state=HarvestState.HARVESTED, agent_name="far-barn")
    for command in (["resources"], ["waiting"]):
        with pytest.raises(NothingHere, match="not on this machine"):
            run(*command, away.pk)
