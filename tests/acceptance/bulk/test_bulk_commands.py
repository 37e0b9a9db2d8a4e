"""Bulk work on the command line."""

import json

import pytest
from typer.testing import CliRunner

from opilio.cli import authorisation, group, permission, schedule, target, user
from opilio.curation.bulk.errors import BadTable, NotStartable
from opilio.curation.models import State, Target
from opilio.kernel.errors import InvalidInput
from opilio.people.models import User
from opilio.people.privileges import Privilege, Scope

NOUNS = {"target": target, "group": group, "permission": permission, "schedule": schedule, "user": user}


def run(noun, *arguments, code=0):
    """What a command answers."""
    done = CliRunner().invoke(NOUNS[noun].app, [*arguments, "--json"])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == code, done.output
    return json.loads(done.stdout)


@pytest.fixture
def curator(town):
    return town.user("curator", privileges={Privilege.MODIFY_TARGET: Scope.AGENCY})


def test_a_filter_is_worked_on(desk, curator):
    """A dry run says what would happen; then it is done, and refused rows make the command fail."""
    desk.approvable(owner=curator, state=State.NOMINATED, name="Good")
    desk.target(owner=curator, state=State.NOMINATED, name="Bad")
    asked = ("bulk", "approve", "--where", "state=nominated", "--where", "owner=curator")
    tried = run("target", *asked, "--dry-run", code=1)
    assert (tried["dry_run"], tried["changed"], tried["refused"]) == (True, 1, 1)
    assert not Target.objects.filter(state=State.APPROVED).exists()
    done = run("target", *asked, code=1)
    assert [row["name"] for row in done["rows"]] == ["Bad"]
    assert Target.objects.get(state=State.APPROVED).name == "Good"
    assert run("target", "runs")["runs"][0]["verb"] == "approve"
    with pytest.raises(NotStartable):
        run("target", "runs", "--stop", done["run"])


def test_users_are_worked_on(town, curator):
    """As on their page: chosen by filter, with the same verbs."""
    town.user("leaver")
    assert run("user", "bulk", "deactivate", "--where", "q=leaver")["changed"] == 1
    assert not User.objects.get(username="leaver").is_active
    assert User.objects.get(username="curator").is_active
    assert run("user", "runs")["runs"][0]["verb"] == "deactivate"


def test_arguments(desk, curator):
    """They are given as NAME=TEXT; rows must be chosen in some way."""
    row, into = desk.target(owner=curator), desk.group(name="Sites", owner=curator)
    assert run("target", "bulk", "add-to-group", "--id", str(row.pk), "--set", f"group={into.pk}")["changed"] == 1
    for asked in (("bulk", "nominate"), ("bulk", "nominate", "--all", "--set", "x")):
        with pytest.raises(InvalidInput):
            run("target", *asked)


def test_tables_go_out_and_come_back(desk, curator, tmp_path):
    """Each noun exports a table that its import finds unchanged."""
    row = desk.approvable(owner=curator, name="=Odd, name")
    desk.group(row, name="Sites", owner=curator)
    desk.schedule(row)
    for noun, prefix in (("target", ""), ("target", "seed-"), ("group", ""), ("permission", ""), ("schedule", "")):
        for form in ("csv", "json"):
            file = tmp_path / f"{noun}{prefix}.{form}"
            assert run(noun, f"{prefix}export", str(file))["rows"] == 1
            assert run(noun, f"{prefix}import", str(file), "--update")["unchanged"] == 1


def test_import_with_bad_rows(curator, tmp_path):
    """Good rows come through, bad ones are told, and the command fails."""
    file = tmp_path / "targets.csv"
    file.write_bytes(b"agency,name,owner\nLibrary,A,curator\nNowhere,B,curator\n")
    assert run("target", "import", str(file), "--dry-run", code=1)["changed"] == 1
    assert not Target.objects.exists()
    done = run("target", "import", str(file), code=1)
    assert done["rows"] == [{"place": 3, "name": "Nowhere · B", "reason": "agency: There is no agency 'Nowhere'."}]
    assert Target.objects.get().name == "A"
    with pytest.raises(BadTable):
        run("target", "import", str(file.rename(tmp_path / "targets.txt")))
    with pytest.raises(InvalidInput):
        run("target", "import", str(tmp_path / "missing.csv"))
    with pytest.raises(InvalidInput):
        run("target", "export", "--format", "xml")


def test_an_export_without_a_file_is_printed(desk, curator):
    """As CSV unless told otherwise, and only what the filter fits."""
    desk.target(owner=curator, name="Red")
    desk.target(owner=curator, name="Blue")
    done = CliRunner().invoke(target.app, ["export", "--where", "q=Red"])
    assert done.stdout.splitlines()[0].startswith("agency,name,owner,state")
    assert "Red" in done.stdout
    assert "Blue" not in done.stdout


def test_every_noun_has_its_verbs():
    """The same words everywhere."""
    for module in (*NOUNS.values(), authorisation):
        names = {command.name for command in module.app.registered_commands}
        assert {"bulk", "runs"} <= names
        assert module is authorisation or {"import", "export"} <= names
