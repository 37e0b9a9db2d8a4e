"""Who may open the pages about publishing and who sees what."""

from typing import Any

from opilio.curation.actions.reading_rooms import create_room
from opilio.people.privileges import Privilege
from tests.people import Town
from tests.permissions.page_table import Page

_PUBLISH = (Privilege.PUBLISH_INDEX,)
_ROOMS = (Privilege.MANAGE_AGENCIES,)


def _room(town: Town, agency: Any) -> int:
    return int(create_room(town.system, agency_id=agency.id, name="Hall", networks="192.0.2.0/24").pk)


#: Name of the address → who may open it.
PAGES: dict[str, Page] = {
    "publications": Page(opens_to=_PUBLISH),
    "reading-rooms": Page(opens_to=_ROOMS),
    "reading-room": Page(opens_to=_ROOMS, object_of=_room),
}
#: Addresses that need no row: forms whose actions have their own table, a row of no agency, a file behind a token.
ELSEWHERE: set[str] = {
    "new-reading-room", "start-publication", "publication", "harvest-display", "access-rules-file",
}  # fmt: skip
