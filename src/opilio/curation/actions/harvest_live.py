"""The sheets that agents write about running harvests; not audited, as one comes every two seconds."""

import datetime

from django.db.models import F

from opilio.curation.models import HarvestLive
from opilio.works.live_sheet import closed


def write_sheet(harvest_id: int, *, at: datetime.datetime, sheet: str) -> None:
    """Put the newest sheet in the place of the one before."""
    rows = HarvestLive.objects.filter(harvest_id=harvest_id)
    if not rows.update(number=F("number") + 1, at=at, sheet=sheet):
        HarvestLive.objects.get_or_create(harvest_id=harvest_id, defaults={"number": 1, "at": at, "sheet": sheet})


def last_sheet(harvest_id: int) -> str:
    """The sheet that was written last; empty before there is one."""
    found = HarvestLive.objects.filter(harvest_id=harvest_id).values_list("sheet", flat=True).first()
    return found or ""


def close_sheet(harvest_id: int, *, at: datetime.datetime) -> None:
    """Keep of the last sheet how the harvest went; what it did last is told by its result."""
    sheet = last_sheet(harvest_id)
    if sheet:
        write_sheet(harvest_id, at=at, sheet=closed(sheet))
