"""Who may open the pages of purge, fixity and takedowns."""

from typing import Any

from opilio.curation.actions.takedowns import order_takedown
from opilio.curation.models import FixityCheck, HarvestState
from opilio.people.privileges import Privilege
from tests.people import Town
from tests.permissions.page_table import Page
from tests.review_desk import ReviewDesk

_READERS = (Privilege.MANAGE_TARGET_INSTANCES, Privilege.ENDORSE_HARVEST, Privilege.ARCHIVE_HARVEST)
_TAKE = (Privilege.TAKEDOWN,)


def _rejected(town: Town, agency: Any) -> int:
    desk = ReviewDesk(town)
    return int(desk.harvested(desk.ready(agency=agency), state=HarvestState.REJECTED).pk)


def _read(town: Town, agency: Any) -> int:
    desk = ReviewDesk(town)
    made = FixityCheck(
        harvest=desk.harvested(desk.ready(agency=agency)), place="archive", begun_at=desk.now, ended_at=desk.now
    )
    made.save()
    return int(made.pk)


def _taken(town: Town, agency: Any) -> int:
    row = order_takedown(
        town.system, agency_id=agency.pk, level="hide", reach="host", value="example.org", authority="Court",
        reason="Order",
    )  # fmt: skip
    return int(row.pk)


def _of_a_takedown() -> Page:
    return Page(opens_to=_TAKE, object_of=_taken)


#: Name of the address → who may open it.
PAGES: dict[str, Page] = {
    "purge": Page(opens_to=(Privilege.PURGE,)),
    "purge-harvest": Page(opens_to=(Privilege.PURGE,), object_of=_rejected),
    "fixity": Page(opens_to=_READERS),
    "fixity-check": Page(opens_to=_READERS, object_of=_read),
    "takedowns": Page(opens_to=_TAKE),
    "takedown": _of_a_takedown(),
    "takedown-reach": _of_a_takedown(),
    "takedown-proof": _of_a_takedown(),
    "takedown-lift": _of_a_takedown(),
    "takedown-review": _of_a_takedown(),
    "takedown-prove": _of_a_takedown(),
}
#: Addresses that need no row: forms whose actions have their own table, or open to the world.
ELSEWHERE: set[str] = {"fixity-order", "new-takedown", "takedown-confirm"}
