"""Agencies, users, roles and tokens on the command line."""

import json

from tests.acceptance.cli.answers import document, error

_PASSWORD = "four unrelated words here"


def test_first_user_holds_every_privilege(inline):
    """The first user gets a generated password, once, and the role that reaches everything."""
    told = document(
        inline.run("user", "first", "administrator", "--agency", "Library", "--generate-password", "--json")
    )
    assert told["roles"] == ["System administrator"]
    assert len(told["password"]) >= 24
    shown = document(inline.run("user", "show", "administrator", "--json"))
    assert "password" not in shown
    role = document(inline.run("role", "show", "System administrator", "--json"))
    assert role["privileges"]["MANAGE_AGENCIES"] == "all"


def test_operator_is_audited(with_people):
    """What the command line does is in the audit log, as the operator's, with one correlation id."""
    entries = document(with_people.run("audit", "list", "--json"))["entries"]
    assert {one["user"] for one in entries} == {"operator"}
    assert {one["via"] for one in entries} == {"cli"}
    assert len({one["correlation"] for one in entries if one["action"] != "installation.prepare"}) == 1


def test_user_with_a_password_from_standard_input(with_people):
    """A password comes in by standard input and is never repeated."""
    arguments = ["--agency", "Library", "--role", "Curator", "--password-stdin", "--json"]
    done = with_people.run("user", "create", "curator", *arguments, stdin=f"{_PASSWORD}\n".encode())
    assert document(done)["roles"] == ["Curator"]
    assert _PASSWORD not in done.stdout + done.stderr


def test_weak_password_is_refused(with_people):
    """A password that the policy refuses leaves no user behind."""
    arguments = ["--agency", "Library", "--password-stdin", "--json"]
    told = error(with_people.run("user", "create", "curator", *arguments, stdin=b"short\n"), 2)
    assert told["code"] == "weak-password"
    assert error(with_people.run("user", "show", "curator", "--json"), 4)["code"] == "not-found"


def test_password_never_comes_from_nowhere(with_people):
    """Without a terminal and without an option, the ways to give a password are named."""
    told = error(with_people.run("user", "create", "curator", "--agency", "Library", "--json", stdin=b""), 2)
    assert "--password-stdin" in told["remedy"]
    told = error(
        with_people.run("user", "create", "curator", "--agency", "Library", "--password-stdin", "--json", stdin=b""), 2
    )
    assert "first line" in told["remedy"]


def test_unknown_agency_and_role(with_people):
    """Names that do not exist are told with the command that lists them."""
    create = ["user", "create", "curator", "--generate-password", "--json"]
    assert error(with_people.run(*create, "--agency", "Museum"), 4)["remedy"].startswith("`opilio agency list`")
    told = error(with_people.run(*create, "--agency", "Library", "--role", "Captain"), 4)
    assert told["remedy"].startswith("`opilio role list`")


def test_user_of_two_agencies(with_people):
    """A user may hold roles of another agency too."""
    document(with_people.run("agency", "create", "Museum", "--time-zone", "Europe/Lisbon", "--json"))
    roles = ["--role", "Curator", "--role", "Reviewer@Museum"]
    told = document(
        with_people.run("user", "create", "curator", "--agency", "Library", *roles, "--generate-password", "--json")
    )
    assert told["roles"] == ["Curator", "Reviewer@Museum"]
    assert told["force_password_change"] is True


def test_deactivate_activate_and_reset(with_people):
    """A user is barred, let in again, and given a new password."""
    assert document(with_people.run("user", "deactivate", "administrator", "--json"))["active"] is False
    barred = document(with_people.run("user", "list", "--barred", "--json"))["users"]
    assert [one["username"] for one in barred] == ["administrator"]
    assert document(with_people.run("user", "activate", "administrator", "--json"))["active"] is True
    told = document(with_people.run("user", "reset-password", "administrator", "--generate-password", "--json"))
    assert told["force_password_change"] is True
    assert told["password"]


def test_tables_for_people(with_people):
    """Lists are tables with a header; ids are texts in JSON."""
    done = with_people.run("agency", "list")
    assert done.stdout.splitlines()[0].startswith("name\tusers\troles")
    agency = document(with_people.run("agency", "show", "library", "--json"))
    assert isinstance(agency["id"], str)
    assert document(with_people.run("agency", "show", agency["id"], "--json")) == agency
    roles = document(with_people.run("role", "list", "--agency", "Library", "--json"))["roles"]
    assert {"Curator", "Reader"} <= {one["name"] for one in roles}


def test_bad_zone_is_refused(with_people):
    """A zone that does not exist is refused by name."""
    told = error(with_people.run("agency", "create", "Museum", "--time-zone", "Atlantis/Centre", "--json"), 2)
    assert "time_zone" in json.dumps(told)


def test_token_is_made_listed_and_revoked(with_people):
    """A token's secret is shown once; revoked, it stays in the list."""
    made = document(
        with_people.run(
            "token", "create", "administrator", "--name", "nightly export", "--scope", "VIEW_AUDIT", "--json"
        )
    )
    assert made["secret"].startswith("opilio_")
    listed = document(with_people.run("token", "list", "administrator", "--json"))["tokens"]
    assert [(one["name"], one["state"]) for one in listed] == [("nightly export", "good")]
    assert "secret" not in listed[0]
    assert document(with_people.run("token", "revoke", made["id"], "--json"))["state"] == "revoked"


def test_token_beyond_the_users_privileges(with_people):
    """A token cannot hold what its user does not, nor live longer than the settings allow."""
    arguments = ["--agency", "Library", "--role", "Reader", "--generate-password", "--json"]
    document(with_people.run("user", "create", "reader", *arguments))
    create = ["token", "create", "reader", "--name", "x", "--json"]
    assert error(with_people.run(*create, "--scope", "MANAGE_USERS"), 2)["fields"]["scopes"]
    assert error(with_people.run(*create, "--days", "9999"), 2)["fields"]["expires"]


def test_token_for_a_barred_user(with_people):
    """Nobody gets a token who may not sign in."""
    document(with_people.run("user", "deactivate", "administrator", "--json"))
    assert (
        error(with_people.run("token", "create", "administrator", "--name", "x", "--json"), 3)["code"] == "not-allowed"
    )


def test_identifier_out_of_range(with_people):
    """A number no identifier can have is a usage error, not a crash."""
    assert error(with_people.run("token", "revoke", "9" * 30, "--json"), 2)["code"] == "usage"
    assert error(with_people.run("user", "show", "9" * 30, "--json"), 4)["code"] == "not-found"
