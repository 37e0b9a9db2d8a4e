"""Identifiers: unique, in blocks, and never given twice after a rollback."""

import pytest
from django.db import transaction

from opilio.catalogue import identifiers
from opilio.catalogue.identifiers import BLOCK, GENERAL, reserve_block, run, take
from opilio.catalogue.models import IdBlock
from opilio.people.models import Agency
from tests.people import Town


@pytest.fixture(autouse=True)
def _fresh():
    identifiers.forget()
    yield
    identifiers.forget()


def test_a_block_is_reserved_once_and_its_numbers_follow_each_other(db):
    """One row of the table moves by one for 32,768 identifiers."""
    first = [take("Thing") for _ in range(3)]
    assert first == [BLOCK, BLOCK + 1, BLOCK + 2]
    assert IdBlock.objects.get(kind="Thing").value == 2


def test_a_used_up_block_is_followed_by_the_next(db):
    """Without a gap when nobody else reserves."""
    numbers = [take("Thing") for _ in range(BLOCK + 1)]
    assert numbers == list(range(BLOCK, 2 * BLOCK + 1))
    assert IdBlock.objects.get(kind="Thing").value == 3


def test_kinds_have_sets_of_their_own_and_general_is_shared(db):
    """Targets, groups, seeds and harvests will draw from General and never clash."""
    assert take("Annotation") == take("Notification")
    assert take(GENERAL) != take(GENERAL)


def test_a_rollback_forgets_the_block_that_it_undid(db):
    """Else another process, which reserves the same block, would hand out the same identifiers."""
    with transaction.atomic():
        lost = take("Thing")
        assert take("Thing") == lost + 1
        transaction.set_rollback(True)
    assert not IdBlock.objects.filter(kind="Thing").exists()
    again = take("Thing")
    assert again == lost
    assert IdBlock.objects.get(kind="Thing").value == 2


def test_a_rollback_to_a_savepoint_does_the_same(db):
    """Within a transaction that goes on."""
    with transaction.atomic():
        outer = take("Outer")
        with transaction.atomic():
            take("Inner")
            transaction.set_rollback(True)
        assert take("Outer") == outer + 1
        take("Inner")
        assert IdBlock.objects.get(kind="Inner").value == 2


def test_reserving_by_hand_gives_the_next_block(db):
    """As the seed's procedure does, step by step."""
    assert [reserve_block("Import"), reserve_block("Import")] == [1, 2]


def test_saving_and_bulk_inserting_take_identifiers(db):
    """The database never chooses one."""
    town = Town()
    rows = Agency.everything.bulk_create(
        Agency(name=name, created=town.clock.now(), updated=town.clock.now()) for name in ("a", "b")
    )
    assert rows[1].id == rows[0].id + 1
    assert Agency.objects.filter(id=rows[0].id).get().name == "a"


def test_an_identifier_is_a_64_bit_number_below_what_signed_columns_hold(db):
    """Block numbers can grow for ever in practice."""
    IdBlock.objects.create(kind="Far", value=2**63 // BLOCK - 2)
    assert take("Far") < 2**63


def test_a_run_follows_on_and_ends_with_its_block(db):
    """Many rows take their identifiers at once; single ones go on after them."""
    first = take("Thing")
    assert run("Thing", 10) == range(first + 1, first + 11)
    assert take("Thing") == first + 11
    rest = run("Thing", 2 * BLOCK)
    assert (rest.start, rest.stop) == (first + 12, 2 * BLOCK)
    assert run("Thing", 3) == range(2 * BLOCK, 2 * BLOCK + 3)


def test_a_rollback_forgets_the_block_of_a_run(db):
    """The same numbers are given again, because nothing has them."""
    with transaction.atomic():
        lost = run("Thing", 5)
        transaction.set_rollback(True)
    assert run("Thing", 5) == lost
