"""Who may open the pages of quality, limits and rules of review."""

from typing import Any

from opilio.curation.actions.indicators import create_indicator
from opilio.curation.models import Result
from opilio.people.privileges import Privilege
from tests.people import Town
from tests.permissions.page_table import Page
from tests.review_desk import ReviewDesk

_MANAGERS = (Privilege.MANAGE_INDICATORS,)
_READERS = (Privilege.ENDORSE_HARVEST, Privilege.ARCHIVE_HARVEST, Privilege.MODIFY_TARGET)


def _indicator(town: Town, agency: Any) -> int:
    return int(create_indicator(town.system, agency_id=agency.id, code="errors", upper=9).id)


def _agency(town: Town, agency: Any) -> int:
    return int(agency.id)


def _result(town: Town, agency: Any) -> int:
    desk = ReviewDesk(town)
    return int(Result.objects.get(harvest=desk.harvested(desk.ready(agency=agency))).pk)


#: Name of the address → who may open it.
PAGES: dict[str, Page] = {
    "result-quality": Page(opens_to=_READERS, object_of=_result),
    "result-quality-json": Page(opens_to=_READERS, object_of=_result),
    "indicators": Page(opens_to=_MANAGERS),
    "new-indicator": Page(opens_to=_MANAGERS),
    "indicators-in-force": Page(opens_to=_MANAGERS),
    "indicator": Page(opens_to=_MANAGERS, object_of=_indicator),
    "review-policies": Page(opens_to=_MANAGERS),
    "review-policy": Page(opens_to=_MANAGERS, object_of=_agency),
}
#: Addresses that need no row: forms whose actions have their own table, and a file with two numbers.
ELSEWHERE: set[str] = {"assess-result", "assessment-patch-list", "result-quality-csv"}
