"""What is the same on all pages of one result: the head with its state, and the tabs."""

from typing import TYPE_CHECKING, Any

from opilio.curation.queries import results
from opilio.curation.queries.fixity import damage
from opilio.curation.words import HarvestState, ResultState, result_tone_of
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.web.lists.declared import Tab

if TYPE_CHECKING:
    from opilio.curation.models import Result

PATH = "/results"
#: The part of the address, and its words; "" is the page on which people decide.
_TABS = (
    ("", "Review"),
    ("replay", "Replay"),
    ("tree", "Tree"),
    ("pages", "Pages"),
    ("missing", "Missing"),
    ("compare", "Compare"),
    ("quality", "Quality"),
    ("log", "Logs"),
    ("history", "History"),
    ("deposits", "Deposits"),
    ("events", "Events"),
)  # fmt: skip


def frame(actor: Actor, row: "Result", here: str) -> dict[str, Any]:
    """The context of the head: the row, its state, the tabs, what the asker may."""
    base = f"{PATH}/{row.pk}"
    return {
        "row": row,
        "harvest": row.harvest,
        "kind": "result",
        "base": base,
        "name": row.harvest.abstract_target.name,
        "state_label": ResultState(row.state).label,
        "state_tone": result_tone_of(row.state),
        "harvest_label": HarvestState(row.harvest.state).label,
        "tabs": [Tab(label=label, path=f"{base}/{name}".rstrip("/"), here=name == here) for name, label in _TABS],
        "damage": damage(row.harvest_id),
        "may_endorse": results.may(actor, row, Privilege.ENDORSE_HARVEST),
        "may_unendorse": results.may(actor, row, Privilege.UNENDORSE_HARVEST),
        "may_archive": results.may(actor, row, Privilege.ARCHIVE_HARVEST),
    }
