"""How the states and events of harvests are told to people, on pages and by commands."""

from opilio.curation.harvest_workflow import DISPLAY_ORDER, HARVESTS
from opilio.curation.models import HarvestState

#: The states in the order in which lists show them, running ones first.
STATES_IN_ORDER = tuple(sorted(DISPLAY_ORDER, key=lambda state: DISPLAY_ORDER[state]))

_TONES = {
    HarvestState.RUNNING: "good", HarvestState.HARVESTED: "good", HarvestState.ENDORSED: "good",
    HarvestState.ARCHIVED: "good", HarvestState.QUEUED: "info", HarvestState.STOPPING: "info",
    HarvestState.ARCHIVING: "info", HarvestState.PATCHING: "info", HarvestState.PAUSED: "warn",
    HarvestState.ABORTED: "bad", HarvestState.REJECTED: "bad",
}  # fmt: skip
_HAPPENED = {
    "deferred": "Put off", "held": "Held", "ordered": "Ordered", "obeyed": "Order carried out",
    "refused": "Order refused", "taken-over": "Taken over", "trouble": "Trouble", "healed": "Begun anew",
    "late": "Late", "rights-lost": "Right lost", "rights-back": "Right back", "decided": "Decided",
    "flagged": "Flagged", "unflagged": "Flag removed", "coloured": "Flag put on", "uncoloured": "Flag taken off",
    "result": "Result", "proposed": "Endorsement proposed",
    "fetch-all": "Fetched in full", "no-pictures": "No screenshots", "health": "Site looked at",
}  # fmt: skip
_MOVED = {move.name: move.label for move in HARVESTS.moves}


def tone_of(state: str) -> str:
    """The tone of a state's badge."""
    return _TONES.get(HarvestState(state), "quiet")


def event_label(name: str) -> str:
    """What happened, in a word or two."""
    return _MOVED.get(name) or _HAPPENED.get(name) or name.replace("-", " ").capitalize()


def lasting(seconds: int) -> str:
    """A length of time as people read it: 2 h 05 min, 3 min 20 s, 7 s."""
    minutes, rest = divmod(max(0, int(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours:,} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
