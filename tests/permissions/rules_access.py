"""Who may publish, make reading rooms, and say which harvests readers are shown."""

from typing import Any

from opilio.curation.actions import publications, reading_rooms
from opilio.curation.actions.harvest_display import set_display
from opilio.curation.models import HarvestState
from opilio.people.privileges import Privilege
from tests.harvest_desk import HarvestDesk
from tests.permissions.table import AGENCY, ALL, Place, Rule, agency_wide, open_to, owner_wide

_ROOMS = Privilege.MANAGE_AGENCIES


def _harvest(place: Place) -> int:
    desk = HarvestDesk(place.town)
    row = desk.ready(agency=place.agency, owner=place.user)
    return int(desk.harvest(row, state=HarvestState.ENDORSED).pk)


def _room(place: Place) -> int:
    made = reading_rooms.create_room(
        place.town.system, agency_id=place.agency.id, name="Hall", networks="192.0.2.0/24"
    )  # fmt: skip
    return int(made.pk)


def _publication(place: Place) -> int:
    return int(publications.start_publication(place.town.system).pk)


def _by_agents(call: Any) -> Rule:
    return open_to(call, "")


RULES: dict[str, Rule] = {
    "publication.start": Rule(
        privilege=Privilege.PUBLISH_INDEX, call=lambda actor, place: publications.start_publication(actor),
        reach={ALL: "own", AGENCY: "own", None: ""}, objects="own",
    ),
    "publication.step": _by_agents(lambda actor, place: publications.note_step(
        actor, publication_id=_publication(place), state="building")),
    "publication.end": _by_agents(lambda actor, place: publications.end_publication(
        actor, publication_id=_publication(place), found=publications.Published())),
    "reading_room.create": agency_wide(_ROOMS, lambda actor, place: reading_rooms.create_room(
        actor, agency_id=place.agency.id, name="Hall", networks="192.0.2.0/24")),
    "reading_room.update": agency_wide(_ROOMS, lambda actor, place: reading_rooms.update_room(
        actor, room_id=_room(place), version=1, name="Annexe")),
    "harvest.display": owner_wide(Privilege.ENDORSE_HARVEST, lambda actor, place: set_display(
        actor, harvest_id=_harvest(place), display=False, note="Asked for.")),
}  # fmt: skip
