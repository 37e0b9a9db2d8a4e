"""`opilio group`, and owners and assignments on the command line."""

import pytest

from opilio.curation.models import State
from opilio.people.actions.installation import prepare
from opilio.people.privileges import Privilege, Scope
from tests.acceptance.cli.answers import document
from tests.acceptance.cli.answers import error as told_error
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


@pytest.fixture
def owner(desk):
    return desk.town.user("curator", privileges={Privilege.MODIFY_TARGET: Scope.AGENCY})


def test_a_group_lives_on_the_command_line(run, desk, owner):
    """Made, changed, copied, listed, deleted."""
    made = run("group", "create", "Elections", "--agency", "Library", "--owner", "curator", "--type", "Event",
               "--until", "2030-01-31", "--harvest", "together")  # fmt: skip
    assert (made["state"], made["until"], made["harvest"]) == ("pending", "2030-01-31", "together")
    changed = run("group", "change", "Elections", "--until", "", "--access", "restricted")
    assert (changed["until"], changed["access"], changed["harvest"]) == ("", "restricted", "together")
    assert run("group", "copy", "Elections", "Again")["type"] == "Event"
    assert [one["name"] for one in run("group", "list", "--type", "Event")["groups"]] == ["Again", "Elections"]
    run("group", "delete", "Again")
    assert [one["name"] for one in run("group", "list", "--state", "pending")["groups"]] == ["Elections"]
    assert run("group", "show", made["id"])["name"] == "Elections"


def test_members_on_the_command_line(run, desk):
    """Added, moved, removed, drawn as a tree."""
    desk.target(name="Votes", state=State.APPROVED)
    desk.group(name="Elections")
    desk.group(name="Other")
    desk.group(name="Inner")
    added = run("group", "add", "Elections", "target:Votes", "Inner")["members"]
    assert {one["name"] for one in added} == {"Votes", "Inner"}
    assert {one["name"] for one in run("group", "tree", "Elections")["members"]} == {"Votes", "Inner"}
    assert run("group", "members", "Elections")["members"] == added
    assert [one["name"] for one in run("group", "move", "Elections", "Inner", "--into", "Other")["members"]] == [
        "Inner"
    ]
    assert run("group", "remove", "Elections", "Votes")["members"] == []


def test_what_a_harvest_would_collect(run, desk):
    """With who is left out."""
    ready = desk.approvable(name="Ready", state=State.APPROVED)
    desk.group(ready, desk.target(name="Not yet"), name="Elections")
    told = run("group", "seeds", "Elections")
    assert [one["url"] for one in told["seeds"]] == ["http://www.site.example/"]
    assert [one["name"] for one in told["left_out"]] == ["Not yet"]


def test_a_description_on_the_command_line(run, inline, desk):
    """Element by element."""
    desk.group(name="Elections")
    assert run("group", "describe", "Elections", "--element", "title=All = of them")["title"] == "All = of them"
    assert run("group", "describe", "Elections")["title"] == "All = of them"
    told_error(inline.run("group", "describe", "Elections", "--element", "colour=red", "--json"), 2)


def test_owners_and_assignments_on_the_command_line(run, desk, owner):
    """Given, assigned, done, withdrawn."""
    desk.group(name="Elections")
    desk.target(name="Votes")
    assert run("group", "give", "Elections", "--to", "curator")["owner"] == "curator"
    assert run("target", "give", "Votes", "--to", "curator")["owner"] == "curator"
    given = run("target", "assign", "Votes", "--to", "curator", "--due", "2030-01-31", "--note", "Look")
    assert (given["assigned_to"], given["due"], given["note"]) == ("curator", "2030-01-31", "Look")
    assert run("target", "done", "Votes")["assigned_to"] == ""
    run("target", "assign", "Votes", "--to", "curator")
    assert run("target", "withdraw", "Votes")["assigned_to"] == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "Nothing"), ("list", "--state", "odd"), ("change", "Twice", "--name", "x"),
        ("change", "Elections", "--until", "tomorrow"), ("change", "Elections", "--profile", "Nothing"),
        ("add", "Elections", "Nothing"), ("add", "Elections", "Elections"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_told(inline, desk, arguments):
    """With what to do next."""
    desk.group(name="Elections")
    desk.group(name="Twice")
    desk.group(name="Twice", agency=desk.town.museum)
    done = inline.run("group", *arguments, "--json")
    assert done.returncode != 0
    assert told_error(done, done.returncode)["remedy"]
