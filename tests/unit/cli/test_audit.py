"""The audit log on the command line."""

from django.db import connection

from opilio.kernel.clock import SYSTEM
from opilio.people import seals
from tests.acceptance.cli.answers import document, error


def _sealed(installation):
    seals.seal(SYSTEM.now())
    return document(installation.run("audit", "verify", "--json"))


def _behind_the_guards_back(statement):
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DROP TRIGGER audit_entry_no_update")
            cursor.execute("DROP TRIGGER audit_entry_no_delete")
        else:
            cursor.execute("DROP TRIGGER audit_entry_only_grows ON audit_entry")
        cursor.execute(statement)


def test_whole_chain_holds(with_people):
    """Sealed and unsealed entries are counted, and the head is told."""
    told = _sealed(with_people)
    assert told["sealed"] > 0
    assert (told["unsealed"], told["faults"], len(told["head"])) == (0, [], 64)
    document(with_people.run("agency", "create", "Museum", "--json"))
    later = document(with_people.run("audit", "verify", "--head", told["head"], "--json"))
    assert later["unsealed"] > 0


def test_changed_entry_is_found(with_people):
    """An entry changed behind the guards' back is named, with the exit code of damage."""
    _sealed(with_people)
    statement = "UPDATE audit_entry SET username = 'somebody' WHERE action = 'user.create'"
    _behind_the_guards_back(statement)
    told = error(with_people.run("audit", "verify", "--json"), 7)
    assert told["code"] == "broken-chain"
    assert all("the entry was changed" in fault for fault in told["faults"])
    assert with_people.run("db", "check").returncode == 7


def test_removed_entry_is_found(with_people):
    """An entry that was removed is named."""
    _sealed(with_people)
    statement = "DELETE FROM audit_entry WHERE action = 'user.create'"
    _behind_the_guards_back(statement)
    done = with_people.run("audit", "verify")
    assert done.returncode == 7
    assert "the entry was removed" in done.stderr


def test_unknown_head_means_a_cut_chain(with_people):
    """A head that was noted and is no longer there proves that the end was cut off."""
    _sealed(with_people)
    told = error(with_people.run("audit", "verify", "--head", "ab" * 32, "--json"), 7)
    assert "cut off" in told["faults"][0]


def test_list_is_filtered(with_people):
    """Entries are chosen by action, and their number is limited."""
    entries = document(with_people.run("audit", "list", "--action", "role.create", "--json"))["entries"]
    assert entries == []
    entries = document(with_people.run("audit", "list", "--subject", "role", "--limit", "2", "--json"))["entries"]
    assert [one["subject_type"] for one in entries] == ["role", "role"]
