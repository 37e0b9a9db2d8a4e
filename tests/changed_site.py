"""A target with a past: harvests a week apart, and what each found changed."""

import datetime

from opilio.curation.harvest_findings import keep_changes
from opilio.curation.models import HarvestState
from opilio.works.change_history import ChangeHistory, Seen
from opilio.works.harvest_changes import history_file

WEEK = datetime.timedelta(days=7)


def harvested(desk, row, home, *, weeks=6, pages=10, often=3, name="page"):
    """Harvests of a target; of its pages some change each time, and the others never."""
    made = []
    for number in range(weeks):
        began = desk.now - (weeks - number) * WEEK
        harvest = desk.harvest(row, state=HarvestState.HARVESTED, started_at=began, ended_at=began)
        seen = [
            Seen(
                url=f"http://www.site.example/{name}-{page}", at=began.timestamp(),
                digest=f"{number if page < often else 0}",
            )
            for page in range(pages)
        ]  # fmt: skip
        with ChangeHistory(history_file(home, row.pk), create=True) as history:
            tally = history.record(harvest.pk, began.timestamp(), seen, whole=True)
        keep_changes(harvest.pk, tally)
        made.append(harvest)
    return made
