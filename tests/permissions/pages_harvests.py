"""Who may open the pages of harvests and agents."""

from typing import Any

from opilio.curation.models import HarvestState
from opilio.people.privileges import Privilege
from tests.harvest_desk import HarvestDesk
from tests.people import Town
from tests.permissions.page_table import Page

_READERS = (Privilege.MANAGE_TARGET_INSTANCES, Privilege.ENDORSE_HARVEST, Privilege.MODIFY_TARGET)
_AGENTS = (Privilege.MANAGE_WEB_HARVESTER,)


def _running(town: Town, agency: Any) -> int:
    desk = HarvestDesk(town)
    return int(desk.harvest(desk.ready(agency=agency), state=HarvestState.RUNNING).pk)


def _of_a_harvest(*privileges: Privilege) -> Page:
    return Page(opens_to=privileges, object_of=_running)


#: Name of the address → who may open it.
PAGES: dict[str, Page] = {
    "harvests": Page(opens_to=_READERS),
    "harvest": _of_a_harvest(*_READERS),
    "harvest-live": _of_a_harvest(*_READERS),
    "harvest-live-stream": _of_a_harvest(*_READERS),
    "harvest-resources": _of_a_harvest(*_READERS),
    "harvest-waiting": _of_a_harvest(*_READERS),
    "harvest-story": _of_a_harvest(*_READERS),
    "harvest-log": _of_a_harvest(*_READERS),
    "harvest-snapshot": _of_a_harvest(*_READERS),
    "harvest-files": _of_a_harvest(*_READERS),
    "harvest-notes": _of_a_harvest(*_READERS),
    "harvest-changes": _of_a_harvest(*_READERS),
    "harvest-reports": _of_a_harvest(*_READERS),
    "agents": Page(opens_to=_AGENTS),
    "bandwidth": Page(opens_to=_AGENTS),
    "agent-rule": Page(opens_to=_AGENTS),
}
#: Addresses that need no row: forms whose actions have their own table, or open to the world.
ELSEWHERE: set[str] = {
    "harvest-live-picture",  # shown to those who may see the harvest's page; tests/acceptance/harvests/test_live.py
    "harvest-waiting-order", "harvest-priority",
    "harvest-now", "harvest-queue", "launch-harvest", "harvest-limits", "harvest-delay", "harvest-exclude",
    "harvest-bandwidth", "harvest-flag", "harvest-move", "agent-command",
    "new-bandwidth", "bandwidth-row", "harvest-report", "harvest-report-csv", "harvest-report-json",
    "target-changes-file", "group-changes-file",
}  # fmt: skip
