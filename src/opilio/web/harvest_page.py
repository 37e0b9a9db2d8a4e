"""What is the same on all pages of one harvest: the head with its state, and the tabs."""

from typing import TYPE_CHECKING, Any

from opilio.curation.harvest_words import tone_of
from opilio.curation.queries import harvests
from opilio.curation.words import HarvestState, ObjectType
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.web.links import path_of
from opilio.web.lists.declared import Tab

if TYPE_CHECKING:
    from opilio.curation.models import Harvest

PATH = "/harvests"
_TABS = (
    ("", "Overview"), ("live", "Live"), ("queue", "Queue"), ("resources", "Resources"),
    ("log", "Log"), ("snapshot", "Snapshot"), ("reports", "Reports"), ("changes", "Changes"),
    ("results", "Results"), ("files", "Files"), ("notes", "Notes"),
)  # fmt: skip


def frame(actor: Actor, row: "Harvest", here: str) -> dict[str, Any]:
    """The context of the head: the row, its state, the tabs, what the asker may."""
    base = f"{PATH}/{row.pk}"
    return {
        "row": row,
        "kind": "harvest",
        "base": base,
        "name": row.abstract_target.name,
        "holder_path": path_of(_holder_kind(row), row.abstract_target_id),
        "state_label": HarvestState(row.state).label,
        "state_tone": tone_of(row.state),
        "tabs": [Tab(label=label, path=f"{base}/{name}".rstrip("/"), here=name == here) for name, label in _TABS],
        "late": harvests.late(row, actor.clock.now()),
        "may_manage": harvests.may_manage(actor, row),
        "may_flag": harvests.may(actor, row, Privilege.MANAGE_TARGET_INSTANCES),
        "may_display": harvests.may(actor, row, Privilege.ENDORSE_HARVEST),
        "may_share": harvests.may(actor, row, Privilege.MANAGE_WEB_HARVESTER),
    }


def _holder_kind(row: "Harvest") -> str:
    return "target" if row.abstract_target.object_type == ObjectType.TARGET else "group"
