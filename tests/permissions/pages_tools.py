"""Who may open the pages of a result's tools."""

from typing import Any

from opilio.curation.models import Result
from opilio.people.privileges import Privilege
from tests.people import Town
from tests.permissions.page_table import Page
from tests.review_desk import ReviewDesk

_READERS = (Privilege.ENDORSE_HARVEST, Privilege.ARCHIVE_HARVEST, Privilege.MODIFY_TARGET)


def _result(town: Town, agency: Any) -> int:
    desk = ReviewDesk(town)
    return int(Result.objects.get(harvest=desk.harvested(desk.ready(agency=agency))).pk)


#: Name of the address → who may open it.
PAGES: dict[str, Page] = {
    "result-replay": Page(opens_to=_READERS, object_of=_result),
    "result-pages": Page(opens_to=_READERS, object_of=_result),
    "result-missing": Page(opens_to=_READERS, object_of=_result),
    "result-missing-add": Page(opens_to=_READERS, object_of=_result),
    "result-patch": Page(opens_to=_READERS, object_of=_result),
    "result-import": Page(opens_to=_READERS, object_of=_result),
}
#: Addresses that need no row: they need a page or picture as well, or have the same door as another.
ELSEWHERE: set[str] = {
    "result-replay-open", "result-replay-picture", "result-page", "result-missing-find", "result-patch-end",
    "result-import-way",
}  # fmt: skip
