"""What a harvest's log promises."""

import pytest
from django.db import DatabaseError, transaction

from opilio.curation.models import HarvestEvent
from tests.curation import Desk
from tests.harvest_desk import HarvestDesk


def test_an_event_stays_as_it_was_written(db):
    """The database itself refuses to change one."""
    desk = HarvestDesk(Desk().town)
    harvest = desk.harvest(desk.ready())
    HarvestEvent(
        harvest=harvest, number=1, at=desk.now, name="queue", source="scheduled", target="queued", by="scheduler"
    ).save()
    with pytest.raises(DatabaseError, match="only grows"), transaction.atomic():
        HarvestEvent.objects.update(reason="another")
