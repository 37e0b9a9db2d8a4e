"""Checks before a row is saved: a change is checked as strictly as before, and asks the database less."""

import pytest

from opilio.people import cleaning
from opilio.people.actions.agencies import create_agency, update_agency
from opilio.people.actions.rows import delete_row, restore_row
from opilio.people.errors import InvalidFields
from opilio.people.models import Agency, User


def test_rules_between_columns_are_known():
    """Columns of a constraint, of its condition and of its expressions, and what is unique by itself."""
    assert cleaning.ruled(Agency) >= {"id", "name", "deleted"}
    assert "email" not in cleaning.ruled(Agency)
    assert "username" in cleaning.ruled(User)


def test_what_stays_is_not_asked_for_again(town, django_assert_num_queries):
    """The agency of a user is not looked up because the telephone changed; it is when the agency changes."""
    user = town.user("cora")
    with django_assert_num_queries(0):
        cleaning.check(user, {"phone": "1"}.keys(), where="test")
    user.agency_id = 1
    with pytest.raises(InvalidFields) as caught:
        cleaning.check(user, {"agency_id": 1}.keys(), where="test")
    assert "agency" in caught.value.messages


def test_a_change_that_breaks_a_rule_is_refused_by_field(town):
    """One column of a rule is enough for the whole rule to be checked."""
    row = create_agency(town.system, name="Archive", with_roles=False)
    with pytest.raises(InvalidFields):
        update_agency(town.system, agency_id=row.id, version=row.version, name=town.museum.name)


def test_restoring_is_checked_as_well(town):
    """What took the name of a deleted row in the meantime keeps it."""
    row = create_agency(town.system, name="Archive", with_roles=False)
    delete_row(town.system, kind_name="agency", row_id=row.id)
    create_agency(town.system, name="Archive", with_roles=False)
    with pytest.raises(InvalidFields):
        restore_row(town.system, kind_name="agency", row_id=row.id)


def test_a_text_that_is_too_long_is_refused(town):
    """Also when it is all that changes."""
    user = town.user("cora")
    user.phone = "1" * 5_000
    with pytest.raises(InvalidFields) as caught:
        cleaning.check(user, {"phone"}, where="test")
    assert list(caught.value.messages) == ["phone"]
