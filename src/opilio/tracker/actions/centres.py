"""Make and change centres."""

from typing import Any

from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege, Subject
from opilio.tracker import profiles
from opilio.tracker.kinds import CENTRE
from opilio.tracker.models import Centre

TEXTS = ("short_name", "imits_name", "full_name", "email", "phone", "address", "profile")
SWITCHES = ("active", "report_mail", "report_back")


@action("centre.create", "Make a centre.", privilege=Privilege.MANAGE_SOURCES)
def create_centre(act: Act, /, *, agency_id: int, short_name: str, **fields: Any) -> Centre:
    """A partner that delivers; it belongs to an agency, whose users see what it delivers."""
    act.require(Privilege.MANAGE_SOURCES, Subject(agency=agency_id), "make centres")
    values = _known({"short_name": short_name, **fields})
    _check(act, values)
    return act.insert(Centre(agency_id=agency_id, **values))


@action("centre.update", "Change a centre.", privilege=Privilege.MANAGE_SOURCES)
def update_centre(act: Act, /, *, centre_id: int, version: int, **fields: Any) -> Centre:
    """An inactive centre keeps all that came from it; its sources are not visited."""
    row: Centre = act.fetch(CENTRE, centre_id)
    act.require(Privilege.MANAGE_SOURCES, CENTRE.subject(row), f"change the centre {row.short_name}")
    values = _known(fields)
    _check(act, values)
    act.update(row, values, version=version)
    return row


def _known(fields: dict[str, Any]) -> dict[str, Any]:
    texts = {name: str(fields[name]).strip() for name in TEXTS if name in fields}
    return {**texts, **{name: bool(fields[name]) for name in SWITCHES if name in fields}}


def _check(act: Act, values: dict[str, Any]) -> None:
    code = values.get("short_name", "X")
    if not code or any(not (letter.isascii() and (letter.isalnum() or letter == "_")) for letter in code):
        raise InvalidFields({"short_name": ["Give letters, digits and underscores, as in names."]}, where=act.name)
    if "profile" in values:
        profiles.named(values["profile"])  # refused when there is none of this name
