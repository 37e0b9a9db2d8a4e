"""`opilio profile` on the command line."""

import json

import pytest

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
    return lambda *arguments, stdin=b"": document(inline.run(*arguments, "--json", stdin=stdin))


def test_a_profile_lives_on_the_command_line(run, desk, tmp_path):
    """Made, changed, compared, exported, imported, copied, switched, deleted."""
    made = run("profile", "create", "Weekly", "--agency", "Library", "--politeness", "polite")
    assert made["settings"]["manners"]["preset"] == "gentle"
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"limits": {"pages": 9}}))
    assert run("profile", "change", "Weekly", "--settings", str(path), "--level", "2")["level"] == 2
    changes = run("profile", "diff", "Weekly", "1", "2")["changes"]
    assert {"place": "limits.pages", "before": None, "after": 9} in changes
    assert len(run("profile", "versions", "Weekly")["versions"]) == 2
    out = tmp_path / "profile.json"
    run("profile", "export", "Weekly", str(out))
    again = run("profile", "import", str(out), "--agency", "Library", "--name", "Again")
    assert again["settings"]["limits"]["pages"] == 9
    run("profile", "copy", "Weekly", "Copy")
    assert run("profile", "deactivate", "Copy")["status"] == "inactive"
    assert run("profile", "activate", "Copy")["status"] == "active"
    assert run("profile", "default", "Copy")["default"]
    assert run("profile", "transfer", "Weekly", "Copy") == {"moved": 0}
    run("profile", "delete", "Again")
    assert [one["name"] for one in run("profile", "list", "--agency", "Library")["profiles"]] == ["Copy", "Weekly"]
    assert run("profile", "show", "Weekly@Library")["id"] == made["id"]


def test_overrides_on_the_command_line(run, inline, desk):
    """Set, tried, with a credential whose secret is piped in."""
    target = desk.target(name="Votes")
    shown = run("profile", "override", "Votes", "--set", "max-hops=3", "--on", "max-hops", "--exclude", "/print/",
                "--on", "exclusions")  # fmt: skip
    assert (shown["max_hops"], shown["overrides_max_hops"], shown["exclusions"]) == (3, True, ["/print/"])
    (found,) = run("profile", "try", str(target.pk), "http://www.site.example/print/1")["urls"]
    assert not found["kept"]
    added = run(
        "profile", "add-credential", "Votes", "--domain", "www.site.example", "--username", "a", "--secret-stdin",
        stdin=b"secret one\n",
    )  # fmt: skip
    (row,) = added["credentials"]
    assert row["has_secret"]
    assert "secret one" not in str(added)
    run("profile", "change-credential", row["id"], "--domain", "other.example", "--secret-stdin", stdin=b"secret two\n")
    assert run("profile", "delete-credential", row["id"])["credentials"] == []
    assert run("profile", "overrides", "Votes")["version"] > 1
    for wrong in (("--set", "max-hops=many"), ("--set", "colour=red"), ("--on", "colour"), ("--exclude", "(?=x)")):
        error(inline.run("profile", "override", "Votes", *wrong, "--json"), 2)


def test_what_is_not_there_is_named(inline, desk, tmp_path):
    """Unknown profiles, files that hold something else."""
    error(inline.run("profile", "show", "Nothing", "--json"), 4)
    path = tmp_path / "wrong.json"
    path.write_bytes(b"\xff\x00[")
    error(inline.run("profile", "create", "X", "--agency", "Library", "--settings", str(path), "--json"), 2)
    error(inline.run("profile", "import", str(path), "--agency", "Library", "--json"), 2)
    error(inline.run("profile", "overrides", "Nothing", "--json"), 4)
