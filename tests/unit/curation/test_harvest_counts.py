"""What pages count about harvests: those of each day, and whose they are."""

import datetime
import zoneinfo

import pytest

from opilio.curation.models import Harvest
from opilio.curation.queries import harvests, schedules
from opilio.people.models import User
from opilio.people.privileges import Privilege, Scope
from tests.harvest_desk import HarvestDesk

NEW_YEAR = datetime.datetime(2027, 1, 1, tzinfo=datetime.UTC)


@pytest.fixture
def desk(db):
    return HarvestDesk()


def test_days_of_the_calendar_are_those_of_a_zone(desk):
    """Harvests of one moment count together, those before midnight in the reader's zone for the day before."""
    row = desk.ready()
    for hours in (1, 1, 3, 30):
        desk.harvest(row, scheduled_at=NEW_YEAR + datetime.timedelta(hours=hours))
    last, zone = NEW_YEAR + datetime.timedelta(hours=30), zoneinfo.ZoneInfo("America/Halifax")  # UTC-04:00
    found = Harvest.objects.all()
    assert schedules.load_by_day(found, NEW_YEAR, last, datetime.UTC) == {"2027-01-01": 3}
    assert schedules.load_by_day(found, NEW_YEAR, last, zone) == {"2026-12-31": 3}
    more = last + datetime.timedelta(hours=1)
    assert schedules.load_by_day(found, NEW_YEAR, more, zone) == {"2026-12-31": 3, "2027-01-02": 1}


def test_owners_of_harvests_can_be_chosen_even_deleted_ones(desk):
    """Each once, by name; harvests that the asker does not see have no owners."""
    row = desk.ready()
    for name in ("zoe", "adam"):
        desk.harvest(row, owner_id=desk.town.user(name).id)
    desk.harvest(row, owner_id=User.objects.get(username="adam").id)
    User.objects.filter(username="adam").update(deleted=True)
    names = [name for _, name in harvests.owner_choices(desk.town.system)]
    assert [name for name in names if name in ("zoe", "adam")] == ["adam", "zoe"]
    outside = desk.town.user("outside", agency=desk.town.museum, privileges={Privilege.CREATE_TARGET: Scope.AGENCY})
    assert harvests.owner_choices(desk.town.actor(outside)) == []
