"""Who may open the pages of depositories and deposits."""

from typing import Any

from opilio.curation.models import Result
from opilio.people.privileges import Privilege
from tests.people import Town
from tests.permissions.page_table import Page
from tests.review_desk import ReviewDesk

_READERS = (Privilege.ENDORSE_HARVEST, Privilege.ARCHIVE_HARVEST, Privilege.MODIFY_TARGET)
_MANAGERS = (Privilege.CONFIGURE_PARAMETERS,)


def _harvest(town: Town, agency: Any) -> int:
    desk = ReviewDesk(town)
    return int(desk.harvested(desk.ready(agency=agency)).pk)


def _result(town: Town, agency: Any) -> int:
    return int(Result.objects.get(harvest_id=_harvest(town, agency)).pk)


#: Name of the address → who may open it.
PAGES: dict[str, Page] = {
    "depositories": Page(opens_to=_MANAGERS),
    "new-depository": Page(opens_to=_MANAGERS),
    "deposits": Page(opens_to=_READERS),
    "result-deposits": Page(opens_to=_READERS, object_of=_result),
    "archive-harvest": Page(opens_to=_READERS, object_of=_harvest),
}
#: Addresses that need no row: forms whose actions have their own table.
ELSEWHERE: set[str] = {"depository", "try-depository", "retry-deposit", "give-up-deposit"}
