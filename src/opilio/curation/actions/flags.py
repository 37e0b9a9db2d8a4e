"""Make and change the coloured flags of agencies, and put them on harvests; deleting one is `row.delete`."""

import re

from opilio.curation import harvest_log
from opilio.curation.kinds import FLAG, HARVEST
from opilio.curation.models import Flag, Harvest
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege, Subject

_COLOUR = re.compile(r"#[0-9a-f]{6}")


@action("flag.create", "Make a coloured flag.", privilege=Privilege.MANAGE_FLAGS)
def create_flag(act: Act, /, *, agency_id: int, name: str, colour: str) -> Flag:
    """One agency's flag."""
    act.require(Privilege.MANAGE_FLAGS, Subject(agency=agency_id), "make flags of this agency")
    return act.insert(Flag(agency_id=agency_id, name=name.strip(), colour=_checked(act, colour)))


@action("flag.update", "Change a coloured flag.", privilege=Privilege.MANAGE_FLAGS)
def update_flag(act: Act, /, *, flag_id: int, version: int, name: str | None = None, colour: str | None = None) -> Flag:
    """Harvests that have it show it as it is now."""
    row: Flag = act.fetch(FLAG, flag_id)
    act.require(Privilege.MANAGE_FLAGS, FLAG.subject(row), f"change the flag {row.name}")
    changes: dict[str, str] = {}
    if name is not None:
        changes["name"] = name.strip()
    if colour is not None:
        changes["colour"] = _checked(act, colour)
    act.update(row, changes, version=version)
    return row


@action("harvest.colour", "Put a coloured flag on a harvest, or take it off.",
        privilege=Privilege.MANAGE_TARGET_INSTANCES)  # fmt: skip
def put_flag(act: Act, /, *, harvest_id: int, flag_id: int | None) -> Harvest:
    """A flag of the harvest's own agency; without one, the flag is taken off."""
    harvest: Harvest = act.fetch(HARVEST, harvest_id)
    words = f"put a flag on the harvest of {harvest.abstract_target}"
    act.require(Privilege.MANAGE_TARGET_INSTANCES, HARVEST.subject(harvest), words)
    flag = Flag.objects.filter(pk=flag_id, agency_id=harvest.agency_id).first() if flag_id is not None else None
    if flag_id is not None and flag is None:
        raise InvalidFields({"flag": ["Choose a flag of the harvest's agency."]}, where=act.name)
    if act.update(harvest, {"flag_id": flag.pk if flag else None}):
        reason = flag.name if flag else ""
        harvest_log.noted(act, harvest, "coloured" if flag else "uncoloured", reason=reason)
    return harvest


def _checked(act: Act, colour: str) -> str:
    """As browsers give it."""
    found = colour.strip().lower()
    if not _COLOUR.fullmatch(found):
        raise InvalidFields({"colour": ["Give a colour as #rrggbb, for instance #c62828."]}, where=act.name)
    return found
