"""`opilio target` and `opilio nomination`: the operator's way to what the pages do."""

import json

import pytest
from typer.testing import CliRunner

from opilio.cli import nomination, target
from opilio.curation.actions.target_verification import answer_verification
from opilio.curation.models import Nomination, State, Target
from opilio.curation.targeting import NotApprovable
from opilio.kernel.errors import InvalidInput
from opilio.people.errors import NotFound

URL = "http://www.site.example/"


@pytest.fixture
def run(town):
    """Runs a command in this process; its JSON document, or the error it raised."""
    town.user("curator")

    def run(*words, app=target.app, error=None):
        done = CliRunner().invoke(app, [*map(str, words), "--json"])
        if error is not None:
            assert isinstance(done.exception, error), (done.exception, done.output)
            return str(done.exception)
        assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
        return json.loads(done.stdout)

    return run


def test_a_target_is_made_shown_changed_and_deleted(run):
    """With every column that people fill in; what is not named stays."""
    made = run("create", "Harbour news", "--agency", "Library", "--owner", "curator", "--access", "on-site",
               "--selection", "regular", "--run-on-approval", "--reference", "H-1")  # fmt: skip
    assert (made["state"], made["access"], made["selection_type"]) == ("pending", "on-site", "regular")
    assert made["problems"] == ["The target has no active seed; add one, or switch one on."]
    assert made["moves"] == ["nominate", "approve", "reject"]
    changed = run("change", "Harbour news", "--no-display", "--display-reason", "Asked for", "--description", "Ships")
    assert (changed["display"], changed["display_change_reason"]) == (False, "Asked for")
    assert (changed["reference"], changed["run_on_approval"]) == ("H-1", True)
    assert [one["name"] for one in run("list", "--state", "pending", "--owner", "curator")["targets"]] == [
        "Harbour news"
    ]
    run("delete", "Harbour news")
    assert run("list", "--agency", "Library")["targets"] == []


@pytest.mark.parametrize(
    "words",
    [("show", "Nothing"), ("list", "--state", "flying"), ("list", "--agency", "Nowhere"),
     ("create", "X", "--agency", "Library", "--owner", "curator", "--access", "secret"),
     ("create", "X", "--agency", "Library", "--owner", "curator", "--profile", "None such")],
)  # fmt: skip
def test_what_is_not_there_is_told(run, words):
    """With what is known instead."""
    run(*words, error=(NotFound, InvalidInput))


def test_seeds_are_added_linked_changed_imported_and_deleted(run, desk, tmp_path):
    """Each told with its rights."""
    desk.target(name="Site")
    permission = desk.permission("http://www.site.example/*", domains=["www.site.example"])
    seed = run("seed-add", "Site", URL, "--depth", "2", "--root", URL)
    assert (seed["allowed"], seed["permissions"], seed["depth_limit"], seed["primary"]) == (
        True, [str(permission.id)], 2, True,
    )  # fmt: skip
    number = seed["id"]
    assert run("seed-unlink", number, "--permission", permission.id)["permissions"] == []
    assert "no permission" in run("seeds", "Site")["seeds"][0]["rights"]
    assert run("seed-link", number, "--permission", permission.id)["allowed"]
    assert run("seed-match", number)["allowed"]
    changed = run("seed-change", number, "--depth", "", "--pages", "9", "--inactive")
    assert (changed["depth_limit"], changed["page_limit"], changed["active"]) == (None, 9, False)
    assert changed["root"] == URL
    run("seed-change", number, "--depth", "many", error=InvalidInput)
    listed = tmp_path / "seeds.txt"
    listed.write_text("http://a.example/\nnonsense://\n", "utf-8")
    refused = run("seed-list", "Site", listed, "--link", "later")
    assert (refused["done"], refused["good"], refused["faults"][0]["line"]) == (False, 1, 2)
    assert len(run("seed-list", "Site", listed, "--link", permission.id, "--only-good")["added"]) == 1
    run("seed-delete", number)
    assert [one["url"] for one in run("seeds", "Site")["seeds"]] == ["http://a.example/"]


def test_a_target_goes_its_way(run, desk):
    """Through every state that people move it to."""
    desk.approvable(name="Site")
    reason = run("reason-create", "Off topic", "--agency", "Library", "--not-for-harvests")
    assert (reason["for_targets"], reason["for_harvests"]) == (True, False)
    assert run("reason-change", reason["id"], "--name", "Out of scope")["for_harvests"] is False
    for verb, state in (("nominate", "nominated"), ("approve", "approved"), ("cancel", "cancelled"),
                        ("reinstate", "reinstated")):  # fmt: skip
        assert run(verb, "Site")["state"] == state
    run("reject", "Site", "--reason", "Off topic", error=NotFound)
    rejected = run("reject", "Site", "--reason", "Out of scope", "--note", "Later")
    assert (rejected["state"], rejected["rejected_for"], rejected["rejection_note"]) == (
        "rejected", "Out of scope", "Later",
    )  # fmt: skip
    run("reason-delete", reason["id"])
    assert run("reasons")["reasons"] == []


def test_a_target_that_lacks_a_right_is_not_approved(run, desk):
    """The error names the seed."""
    desk.target(name="Site", seeds=[URL])
    assert URL in run("approve", "Site", error=NotApprovable)


def test_a_copy_belongs_to_the_same_user_unless_told(run, desk):
    """And is pending."""
    desk.approvable(name="Site", state=State.APPROVED)
    twin = run("copy", "Site")
    assert (twin["name"], twin["state"], twin["seeds"]) == ("Copy of Site", "pending", 1)
    assert run("copy", "Site", "--owner", "curator")["name"] == "Copy 2 of Site"


def test_pages_are_left_out_and_the_site_is_described(run, desk):
    """By the same actions as on the pages."""
    desk.target(name="Site")
    row = run("exclude", "Site", f"{URL}private", "--reason", "Personal data")
    assert run("exclude-change", row["id"], f"{URL}old")["url"] == f"{URL}old"
    assert len(run("excluded", "Site")["excluded"]) == 1
    run("exclude-delete", row["id"])
    assert run("excluded", "Site")["excluded"] == []
    described = run("describe", "Site", "--element", "title=The Site", "--element", "rights=All reserved")
    assert (described["title"], described["rights"]) == ("The Site", "All reserved")
    run("describe", "Site", "--element", "colour=red", error=InvalidInput)


def test_the_originator_is_asked(run, desk, town):
    """The answer is listed and taken over; an unused invitation is withdrawn."""
    desk.target(name="Site")
    asked = run("ask", "Site", "--email", "owner@site.example")
    answer_verification(
        town.system, token=asked["path"].rpartition("/")[2], right=True, corrections={"title": "The Site"}
    )
    found = run("verifications", "Site")["verifications"]
    assert found[0]["answer"]["corrections"] == {"title": "The Site"}
    assert run("ask-take", "Site", asked["id"])["title"] == "The Site"
    second = run("ask", "Site", "--email", "owner@site.example")
    assert run("ask-revoke", "Site", second["id"])["revoked"]


def test_nominations_are_accepted_and_declined(run, desk, town):
    """The accepted one is a target of the named user."""
    rows = [
        Nomination.objects.create(agency=town.library, url=f"http://s{number}.example/", title=f"Site {number}",
                                  created=desk.now, updated=desk.now)
        for number in range(3)
    ]  # fmt: skip
    accepted = run("accept", rows[0].id, "--owner", "curator", app=nomination.app)
    assert (accepted["name"], accepted["owner"], accepted["seeds"]) == ("Site 0", "curator", 1)
    assert run("decline", rows[1].id, "--note", "No", app=nomination.app)["state"] == "declined"
    run("delete", rows[2].id, app=nomination.app)
    assert len(run("list", app=nomination.app)["nominations"]) == 2
    assert len(run("list", "--state", "waiting", app=nomination.app)["nominations"]) == 0
    assert run("show", rows[1].id, app=nomination.app)["note"] == "No"
    assert Target.objects.get(name="Site 0").seeds.count() == 1
