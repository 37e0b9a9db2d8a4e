"""Who may open the pages of bulk work, imports and reports."""

from opilio.people.privileges import Privilege
from tests.permissions.page_table import Page

#: Name of the address → who may open it.
PAGES: dict[str, Page] = {"bulk-runs": Page(opens_to=())}
#: tests/acceptance/bulk opens these: they belong to whoever asked, or have a noun in their address.
ELSEWHERE: set[str] = {"bulk-run", "import-table", "export-table"}

PAGES |= {
    "reports": Page(opens_to=(Privilege.SYSTEM_REPORT_LEVEL_1,)),
    "wct-import": Page(opens_to=(Privilege.CONFIGURE_PARAMETERS,)),
}
#: tests/acceptance/{reports,wct} open these: they have a name in their address, or belong to no agency.
ELSEWHERE |= {"report", "report-file", "wct-report", "wct-report-file", "wct-again", "wct-discard"}
