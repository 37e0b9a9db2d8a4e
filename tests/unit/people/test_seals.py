"""The audit log only grows, and its chain shows what was changed or removed."""

import pytest
from django.db import DatabaseError, connection, transaction

from opilio.people import seals
from opilio.people.actions.agencies import create_agency
from opilio.people.models import AuditEntry, AuditSeal

TRIGGERS = {"UPDATE": "no_update", "DELETE": "no_delete"}


def _without_triggers(*statements):
    """Tamper as somebody with the database's password would: put the guards aside first."""
    with connection.cursor() as cursor:
        for table in ("audit_entry", "audit_seal"):
            if connection.vendor == "postgresql":
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            else:
                for name in TRIGGERS.values():
                    cursor.execute(f"DROP TRIGGER {table}_{name}")
        for statement in statements:
            cursor.execute(statement)


@pytest.fixture
def chain(town):
    """A sealed log of some entries."""
    create_agency(town.system, name="Archive")
    seals.seal(town.clock.now())
    return list(AuditEntry.objects.order_by("id"))


def test_a_whole_chain_verifies(chain):
    """Every committed entry is sealed and nothing is wrong."""
    verdict = seals.verify()
    assert (verdict.sealed, verdict.unsealed, verdict.faults) == (len(chain), 0, ())


def test_sealing_goes_on_where_it_stopped(chain, town):
    """Entries that come later are chained to those before; until then they count as unsealed."""
    create_agency(town.system, name="Late", with_roles=False)
    assert seals.verify().unsealed == 1
    assert seals.seal(town.clock.now()) == 1
    assert seals.seal(town.clock.now()) == 0
    assert seals.verify().sealed == len(chain) + 1


@pytest.mark.parametrize("statement", ["UPDATE {0} SET id = id", "DELETE FROM {0}"])
@pytest.mark.parametrize("table", ["audit_entry", "audit_seal"])
def test_the_database_refuses_to_change_or_delete(chain, table, statement):
    """Whoever asks: page, API, CLI or a mistaken script."""
    with pytest.raises(DatabaseError, match="only grows"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement.format(table))


def test_a_changed_entry_is_found(chain):
    """Even when one word of its message was changed."""
    _without_triggers(f"UPDATE audit_entry SET message = 'nothing happened' WHERE id = {chain[3].id}")
    (fault,) = seals.verify().faults
    assert (fault.entry, fault.number, fault.what) == (chain[3].id, 4, "the entry was changed")


def test_a_removed_entry_is_found(chain):
    """Its seal stays and misses it."""
    _without_triggers(f"DELETE FROM audit_entry WHERE id = {chain[2].id}")
    assert [fault.what for fault in seals.verify().faults] == ["the entry was removed"]


def test_an_entry_removed_with_its_seal_is_found(chain):
    """The numbers have a gap and the next seal does not follow."""
    _without_triggers(
        f"DELETE FROM audit_entry WHERE id = {chain[2].id}", f"DELETE FROM audit_seal WHERE entry_id = {chain[2].id}"
    )
    assert "removed" in seals.verify().faults[0].what


def test_a_cut_off_end_is_found_with_the_noted_head(chain):
    """Entries and seals removed from the end leave a chain that holds; only a head noted elsewhere shows it."""
    head = seals.verify().head
    last = AuditSeal.objects.order_by("-number").first()
    _without_triggers(
        f"DELETE FROM audit_seal WHERE number = {last.number}", f"DELETE FROM audit_entry WHERE id = {last.entry_id}"
    )
    assert seals.verify().faults == ()
    assert "cut off" in seals.verify(expected_head=head).faults[0].what


def test_a_rewritten_chain_is_found_with_the_noted_head(chain, town):
    """Somebody who changes an entry and seals everything anew gets another head."""
    head = seals.verify().head
    _without_triggers(
        f"UPDATE audit_entry SET username = 'nobody' WHERE id = {chain[0].id}",
        "DELETE FROM audit_seal WHERE number > 0",
    )
    seals.seal(town.clock.now())
    assert seals.verify().faults == ()
    assert seals.verify(expected_head=head).faults
