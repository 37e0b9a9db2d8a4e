"""What is the same on all pages of one group: the head with its status, and the tabs."""

from typing import TYPE_CHECKING, Any

from opilio.curation.kinds import GROUP
from opilio.curation.words import State, tone_of
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.web.lists.declared import Tab

if TYPE_CHECKING:
    from opilio.curation.models import Group

PATH = "/groups"
_TABS = (
    ("", "General"), ("members", "Members"), ("tree", "Tree"), ("overrides", "Overrides"), ("schedules", "Schedules"),
    ("seeds", "Harvest"), ("changes", "Changes"), ("description", "Description"), ("access", "Access & display"),
    ("owner", "Ownership"), ("notes", "Notes"), ("history", "History"),
)  # fmt: skip
#: Tabs that lead to pages which groups share with targets.
_SHARED = {"overrides": "/overrides/{}", "schedules": "/schedule/of/{}"}
_NEEDED = {"history": Privilege.VIEW_AUDIT}  # tabs that are not for everybody


def frame(actor: Actor, row: "Group", here: str) -> dict[str, Any]:
    """The context of the head: the row, its status, the tabs, what the asker may."""
    base, subject = f"{PATH}/{row.pk}", GROUP.subject(row)
    return {
        "row": row,
        "kind": "group",
        "base": base,
        "state_label": State(row.state).label,
        "state_tone": tone_of(row.state),
        "tabs": [
            Tab(
                label=label, path=_SHARED.get(name, f"{PATH}/{{}}/{name}").format(row.pk).rstrip("/"), here=name == here
            )
            for name, label in _TABS
            if name not in _NEEDED or actor.may(_NEEDED[name], subject)
        ],
        "may_edit": actor.may(Privilege.MANAGE_GROUP, subject),
        "may_add": actor.may(Privilege.ADD_TARGET_TO_GROUP, subject),
        "may_make": actor.holds(Privilege.CREATE_GROUP),
    }
