"""Homes, databases and ports that cannot be used."""

import socket

import pytest

from tests.acceptance.cli.answers import document, error

_NEWER = """
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
MigrationRecorder(connection).record_applied("people", "9999_after_the_future")
"""


def test_a_file_in_place_of_the_home(bare, tmp_path):
    """A home that is a file is refused with its path."""
    (tmp_path / "file").write_text("not a folder")
    told = error(bare("db", "migrate", "--json", home=tmp_path / "file"), 6)
    assert told["code"] == "not-writable"
    assert str(tmp_path / "file") in told["where"]


def test_unwritable_home(bare):
    """A home in a place where nothing can be made is refused with its path."""
    told = error(bare("db", "migrate", "--json", home="/proc/opilio"), 6)
    assert told["code"] == "not-writable"
    assert "/proc/opilio" in told["where"]


def test_not_migrated_yet(fresh):
    """Commands that need tables say which command makes them."""
    told = error(fresh().run("user", "list", "--json"), 6)
    assert told["code"] == "not-migrated"
    assert told["remedy"] == "Run `opilio db migrate`."


def test_migrate_makes_the_tables_and_says_so(fresh):
    """The first run applies all migrations and fills lists, the second finds nothing to do."""
    made = fresh()
    first = document(made.run("db", "migrate", "--json"))
    assert "people.0001_initial" in first["applied"]
    assert first["list_entries_added"] > 0
    assert document(made.run("db", "migrate", "--json")) == {
        "applied": [], "list_entries_added": 0, "postponed": [],
    }  # fmt: skip
    assert document(made.run("user", "list", "--json")) == {"users": []}


@pytest.mark.parametrize("command", [["user", "list"], ["db", "migrate"], ["serve", "--port", "0"], ["db", "backup"]])
def test_newer_database_is_refused(installation, command):
    """A database from which a newer version took something away is left alone."""
    assert installation.python(_NEWER).returncode == 0
    told = error(installation.run(*command, "--json"), 5)
    assert told["code"] == "newer-database"
    assert "people.9999_after_the_future" in told["message"]


def test_database_that_does_not_answer(bare):
    """A server that is not there is named without its password."""
    done = bare("user", "list", "--json", OPILIO_DATABASE_URL="postgresql://u:verysecret@127.0.0.1:1/n")
    told = error(done, 6)
    assert told["code"] == "database-unreachable"
    assert told["where"] == "postgresql://u@127.0.0.1:1/n"
    assert "verysecret" not in done.stderr


def test_file_that_is_no_database(bare, tmp_path):
    """A catalogue file that is something else is called damaged."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "catalogue.db").write_bytes(b"not a database at all" * 100)
    told = error(bare("user", "list", "--json"), 7)
    assert told["code"] == "damaged-database"


def test_port_in_use(installation):
    """A port that another program has is named, with a way out."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        told = error(installation.run("serve", "--port", str(port), "--json"), 6)
    assert told["code"] == "port-in-use"
    assert told["where"] == f"127.0.0.1:{port}"


def test_address_that_is_not_ours(installation):
    """An address of another machine cannot be listened on."""
    told = error(installation.run("serve", "--host", "192.0.2.1", "--port", "0", "--json"), 6)
    assert told["code"] == "unavailable"
