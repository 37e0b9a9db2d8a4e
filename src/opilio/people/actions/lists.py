"""Change constrained lists."""

from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.kinds import LIST_ENTRY
from opilio.people.list_names import BY_NAME
from opilio.people.models import ListEntry
from opilio.people.privileges import SYSTEM_WIDE, Privilege


@action("list_entry.create", "Add a value to a constrained list.", privilege=Privilege.CONFIGURE_PARAMETERS)
def create_list_entry(act: Act, /, *, list_name: str, value: str, label: str = "", position: int = 0) -> ListEntry:
    """It can be chosen at once."""
    act.require(Privilege.CONFIGURE_PARAMETERS, SYSTEM_WIDE, "change lists")
    if list_name not in BY_NAME:
        raise InvalidFields({"list_name": [f"There is no list {list_name[:64]}."]}, where=act.name)
    value = value.strip()
    return act.insert(ListEntry(list_name=list_name, value=value, label=label.strip() or value, position=position))


@action("list_entry.update", "Reword, move or retire a value of a list.", privilege=Privilege.CONFIGURE_PARAMETERS)
def update_list_entry(
    act: Act, /, *, entry_id: int, version: int, label: str, position: int, active: bool
) -> ListEntry:
    """The stored value stays: rows that have it keep it."""
    act.require(Privilege.CONFIGURE_PARAMETERS, SYSTEM_WIDE, "change lists")
    entry: ListEntry = act.fetch(LIST_ENTRY, entry_id)
    act.update(entry, {"label": label.strip(), "position": position, "active": active}, version=version)
    return entry
