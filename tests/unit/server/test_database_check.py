"""What `opilio db check` finds in rows."""

import pytest

from opilio.curation.models import Harvest
from opilio.server import database_check
from tests.curation import Desk
from tests.people import Town


@pytest.fixture
def town(db):
    return Town()


def _harvest(town, target):
    row = Harvest(
        abstract_target_id=target.pk, scheduled_at=town.clock.now(), state_since=town.clock.now(),
        owner_id=target.owner_id, agency_id=target.agency_id, created=town.clock.now(), updated=town.clock.now(),
    )  # fmt: skip
    row.save()
    return row


def test_references_that_no_key_guards_are_looked_after(town):
    """A harvest whose owner or profile is not there is named with it; an empty reference is none."""
    target = Desk(town).target()
    whole, broken = _harvest(town, target), _harvest(town, target)
    assert list(database_check._references()) == []
    Harvest.objects.filter(pk=broken.pk).update(owner_id=77, profile_id=78)
    assert set(database_check._references()) == {
        f"harvest {broken.pk} leads to user 77, which is not there",
        f"harvest {broken.pk} leads to profile 78, which is not there",
    }
    assert str(whole.pk) not in str(list(database_check._references()))
