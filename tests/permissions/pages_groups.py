"""Who may open the pages of groups, of ownership and of assignments."""

from typing import Any

from opilio.people.privileges import Privilege
from tests.curation import Desk
from tests.people import Town
from tests.permissions.page_table import Page

COLLECT = (Privilege.MANAGE_GROUP, Privilege.SYSTEM_REPORT_LEVEL_1)
CURATE = (Privilege.MANAGE_GROUP,)
TARGETS = (Privilege.MODIFY_TARGET,)


def _group(town: Town, agency: Any) -> int:
    return Desk(town).group(agency=agency).pk


def _target(town: Town, agency: Any) -> int:
    return Desk(town).target(agency=agency).pk


#: Name of the address → who may open it.
PAGES: dict[str, Page] = {
    "groups": Page(opens_to=COLLECT),
    "group": Page(opens_to=COLLECT, object_of=_group),
    "group-members": Page(opens_to=COLLECT, object_of=_group),
    "group-tree": Page(opens_to=CURATE, object_of=_group),
    "group-seeds": Page(opens_to=CURATE, object_of=_group),
    "group-description": Page(opens_to=CURATE, object_of=_group),
    "group-access": Page(opens_to=CURATE, object_of=_group),
    "group-owner": Page(opens_to=CURATE, object_of=_group),
    "group-notes": Page(opens_to=CURATE, object_of=_group),
    "group-history": Page(opens_to=CURATE, object_of=_group),
    "group-changes": Page(opens_to=CURATE, object_of=_group),
    "copy-group": Page(opens_to=CURATE, object_of=_group),
    "target-owner": Page(opens_to=TARGETS, object_of=_target),
    "target-assignment": Page(opens_to=TARGETS, object_of=_target),
    "assigned": Page(opens_to=()),
}
#: Addresses that need no row: forms whose actions have their own table, or open to the world.
ELSEWHERE: set[str] = {"new-group", "join-group", "end-assignment", "take-ownership"}
