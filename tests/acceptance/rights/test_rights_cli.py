"""Rights on the command line: everything that the pages do."""

import pytest

from opilio.curation.models import Permission
from opilio.people.actions.installation import prepare
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
def site(run):
    """An authorisation with an agent, made by commands."""
    run("authorisation", "create-agent", "Publisher", "--agency", "Library", "--email", "rights@publisher.example")
    return run("authorisation", "create", "Site", "--agency", "Library", "--agent", "Publisher",
               "--pattern", "*.site.example/*", "--pattern", "site.example/*")  # fmt: skip


def test_authorisations(run, site, inline):
    """Made, listed, changed, switched, their patterns and agents set."""
    assert site["patterns"] == ["http://*.site.example/*", "http://site.example/*"]
    assert run("authorisation", "list", "--agency", "Library")["authorisations"][0]["title"] == "Site"
    changed = run("authorisation", "update", "Site", "--notes", "Note", "--published")
    assert (changed["notes"], changed["published"]) == ("Note", True)
    assert run("authorisation", "patterns", "site", "--pattern", "new.example")["patterns"] == ["http://new.example/"]
    assert run("authorisation", "agents", "Site")["agents"] == []
    assert run("authorisation", "disable", "Site")["active"] is False
    assert run("authorisation", "enable", site["id"])["active"] is True
    agent = run("authorisation", "update-agent", "Publisher", "--contact", "The editor")
    assert agent["contact"] == "The editor"
    assert [one["name"] for one in run("authorisation", "list-agents")["authorising_agents"]] == ["Publisher"]
    wrong = told_error(inline.run("authorisation", "patterns", "Site", "--pattern", "http://a*b/", "--json"), 2)
    assert "star" in str(wrong)
    told_error(inline.run("authorisation", "show", "Nothing", "--json"), 4)
    assert "Site" in inline.run("authorisation", "show", "Site").stdout


def test_a_permission_lives_on_the_command_line(run, site, inline, desk):
    """Made, changed, asked for, reminded of, decided, talked about, its seeds moved."""
    made = run("permission", "create", "Site", "--agent", "Publisher", "--start-date", "2020-01-01",
               "--pattern", "http://site.example/*", "--exclude", "site.example/a* asked for", "--seek",
               "--quick-pick", "Pick", "--access-status", "Embargoed")  # fmt: skip
    assert (made["status"], made["patterns"]) == ("Pending", ["http://site.example/*"])
    assert made["exclusions"] == ["http://site.example/a* asked for"]
    changed = run("permission", "update", "Pick", "--end-date", "2999-01-01", "--notes", "n")
    assert (changed["end_date"], changed["notes"]) == ("2999-01-01", "n")
    assert run("permission", "update", "Pick", "--no-end", "--pattern", "http://*.site.example/*")["end_date"] is None
    assert run("permission", "exclude", "Pick")["exclusions"] == []
    assert run("permission", "seek", "Pick")["status"] == "Pending"
    run("template", "create", "Mail", "--agency", "Library", "--email", "--text", "Dear {contact_name}")
    assert run("permission", "request", "Pick", "--template", "Mail")["to"] == "rights@publisher.example"
    assert run("permission", "remind", "Pick")["subject"].startswith("Reminder")
    assert run("permission", "announce", "Pick")["count"] == 0
    assert run("permission", "revoke-form", "Pick")["count"] == 0
    talked = run("permission", "log", "Pick", "--text", "They agree.", "--incoming")
    assert {each["by"] for each in talked["said"]} == {"email", "reminder", "phone"}
    assert run("permission", "approve", "Pick", "--response", "By telephone")["status"] == "Approved"
    assert [one["name"] for one in run("permission", "list", "--status", "approved")["permissions"]] == ["Pick"]
    assert run("permission", "list", "--quick-picks", "--agency", "Library")["permissions"]
    assert run("permission", "forecast", "--days", "30")["permissions"] == []
    other = run("permission", "create", "Site", "--agent", "Publisher", "--start-date", "2020-01-01")
    target = desk.target(seeds=["http://a.site.example/"])
    desk.link(target.seeds.get(), Permission.objects.get(id=int(made["id"])))
    assert run("permission", "transfer", "Pick", "--into", other["id"])["count"] == 1
    assert run("permission", "reject", "Pick")["status"] == "Rejected"
    assert run("permission", "show", other["id"])["seeds"] == 1
    told_error(inline.run("permission", "create", "Site", "--agent", "Publisher", "--start-date", "2020-01-01",
                          "--pattern", "http://other.example/", "--json"), 2)  # fmt: skip


def test_explain(run, site, inline):
    """The command tells of every candidate what holds; or what the Web Curator Tool would have done."""
    run("permission", "create", "Site", "--agent", "Publisher", "--start-date", "2020-01-01", "--quick-pick", "Pick")
    run("permission", "approve", "Pick")
    told = run("permission", "explain", "https://a.site.example/x", "--agency", "Library")
    assert (told["allowed"], told["candidates"][0]["allows"]) == (True, True)
    assert run("permission", "explain", "https://other.example/", "--agency", "Museum")["candidates"] == []
    assert run("permission", "explain", "https://a.site.example/x", "--agency", "Library", "--wct")["matches"] == []
    assert run("permission", "explain", "http://a.site.example/x", "--agency", "Library", "--wct")["matches"] == [
        "Pick"
    ]
    assert "Allowed by" in inline.run("permission", "explain", "http://site.example/", "--agency", "Library").stdout


def test_templates(run, inline, tmp_path, desk):
    """Made from a file, changed, listed; unknown placeholders are refused."""
    text = tmp_path / "letter.txt"
    text.write_text("Dear {contact_name}", encoding="utf-8")
    made = run("template", "create", "Letter", "--agency", "Library", "--print", "--file", str(text))
    assert (made["kind"], made["text"]) == ("Print Template", "Dear {contact_name}")
    changed = run("template", "update", "Letter", "--email", "--sender", "us@library.example", "--cc", "a@b.example")
    assert (changed["kind"], changed["override_from"]) == ("Email Template", True)
    assert run("template", "list", "--agency", "Library")["templates"][0]["name"] == "Letter"
    assert run("template", "show", "Letter")["cc"] == "a@b.example"
    assert "answer_url" in run("template", "placeholders")
    told_error(inline.run("template", "update", "Letter", "--text", "{nobody}", "--json"), 2)
    text.write_bytes(b"\xff\xfe\xff")
    told_error(inline.run("template", "update", "Letter", "--file", str(text), "--json"), 2)
