"""What is the same on all pages of one target: the head with its state, and the tabs."""

from typing import TYPE_CHECKING, Any

from opilio.curation.queries import targets
from opilio.curation.words import State, tone_of
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.web.lists.declared import Tab

if TYPE_CHECKING:
    from opilio.curation.models import Target

PATH = "/targets"
_TABS = (
    ("", "General"), ("seeds", "Seeds"), ("excluded", "Excluded URLs"), ("profile", "Profile"),
    ("schedules", "Schedules"), ("planned", "Harvests planned"), ("changes", "Changes"),
    ("description", "Description"), ("groups", "Groups"), ("access", "Access & display"),
    ("owner", "Ownership"), ("notes", "Notes"), ("history", "History"),
)  # fmt: skip


def frame(actor: Actor, row: "Target", here: str) -> dict[str, Any]:
    """The context of the head: the row, its state, the tabs, what the asker may."""
    base = f"{PATH}/{row.pk}"
    return {
        "row": row,
        "kind": "target",
        "base": base,
        "state_label": State(row.state).label,
        "state_tone": tone_of(row.state),
        "tabs": [Tab(label=label, path=_path(row.pk, name), here=name == here) for name, label in _TABS],
        "may_edit": targets.may(actor, Privilege.MODIFY_TARGET, row),
        "may_approve": targets.may(actor, Privilege.APPROVE_TARGET, row),
    }


def _path(number: int, name: str) -> str:
    """Where a tab leads; overrides and schedules have pages that targets and groups share."""
    shared = {"profile": f"/overrides/{number}", "schedules": f"/schedule/of/{number}"}
    return shared.get(name, f"{PATH}/{number}/{name}".rstrip("/"))
