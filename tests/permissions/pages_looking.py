"""Who may open the pages on which a result is looked at."""

from opilio.people.privileges import Privilege
from tests.permissions.page_table import Page
from tests.permissions.pages_tools import _result

_READERS = (Privilege.ENDORSE_HARVEST, Privilege.ARCHIVE_HARVEST, Privilege.MODIFY_TARGET)

#: Name of the address → who may open it.
PAGES: dict[str, Page] = {
    f"result-{part}": Page(opens_to=_READERS, object_of=_result)
    for part in ("tree", "hosts", "compare", "log", "history")
}
#: Addresses that need no row: a form whose action has its own table, and one that needs a page as well.
ELSEWHERE: set[str] = {"result-prune", "result-compare-page"}
