"""Make and change reading rooms: addresses from which readers are on site; deleting one is `row.delete`."""

from opilio.curation.kinds import READING_ROOM
from opilio.curation.models import ReadingRoom
from opilio.curation.room_networks import tidy
from opilio.people.acting import Act, action
from opilio.people.privileges import Privilege, Subject


@action("reading_room.create", "Make a reading room.", privilege=Privilege.MANAGE_AGENCIES)
def create_room(act: Act, /, *, agency_id: int, name: str, networks: str, active: bool = True) -> ReadingRoom:
    """Whoever reads from its networks is on site at the agency, within seconds."""
    act.require(Privilege.MANAGE_AGENCIES, Subject(agency=agency_id), "make reading rooms of this agency")
    return act.insert(ReadingRoom(agency_id=agency_id, name=name.strip(), networks=tidy(networks), active=active))


@action("reading_room.update", "Change a reading room.", privilege=Privilege.MANAGE_AGENCIES)
def update_room(
    act: Act, /, *, room_id: int, version: int, name: str | None = None, networks: str | None = None,
    active: bool | None = None,
) -> ReadingRoom:  # fmt: skip
    """One that is not in use lets nobody in."""
    row: ReadingRoom = act.fetch(READING_ROOM, room_id)
    act.require(Privilege.MANAGE_AGENCIES, READING_ROOM.subject(row), f"change the reading room {row.name}")
    given = {
        "name": name.strip() if name is not None else None, "active": active,
        "networks": tidy(networks) if networks is not None else None,
    }  # fmt: skip
    act.update(row, {key: value for key, value in given.items() if value is not None}, version=version)
    return row
