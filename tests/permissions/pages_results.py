"""Who may open the pages of review and flags."""

from typing import Any

from opilio.curation.models import Result
from opilio.people.privileges import Privilege
from tests.people import Town
from tests.permissions.page_table import Page
from tests.review_desk import ReviewDesk

_READERS = (Privilege.ENDORSE_HARVEST, Privilege.ARCHIVE_HARVEST, Privilege.MODIFY_TARGET)
_FLAGS = (Privilege.MANAGE_FLAGS,)


def _harvest(town: Town, agency: Any) -> int:
    desk = ReviewDesk(town)
    return int(desk.harvested(desk.ready(agency=agency)).pk)


def _result(town: Town, agency: Any) -> int:
    return int(Result.objects.get(harvest_id=_harvest(town, agency)).pk)


#: Name of the address → who may open it.
PAGES: dict[str, Page] = {
    "review": Page(opens_to=_READERS),
    "review-all": Page(opens_to=_READERS),
    "result": Page(opens_to=_READERS, object_of=_result),
    "result-events": Page(opens_to=_READERS, object_of=_result),
    "harvest-results": Page(opens_to=_READERS, object_of=_harvest),
    "flags": Page(opens_to=_FLAGS),
}
#: Addresses that need no row: forms whose actions have their own table.
ELSEWHERE: set[str] = {
    "result-decide", "result-provenance", "harvest-decide", "harvest-reference", "harvest-delist", "harvest-colour",
    "new-flag", "flag",
}  # fmt: skip
