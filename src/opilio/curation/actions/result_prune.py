"""Prune a result: derive another that leaves resources out. An agent makes it; what is there stays as it is."""

from collections.abc import Sequence

from opilio.curation import result_jobs
from opilio.curation.models import HarvestState, Result, ResultState
from opilio.curation.result_locking import locked_result
from opilio.curation.result_workflow import WHOLE
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege
from opilio.works.make_result import NothingLeft
from opilio.works.result_change import WantedChange
from opilio.works.result_picks import MOST_PICKS, Pick

LONGEST_NOTE = 32_000


class NotPrunable(Conflict):
    """No result can be derived from this one now."""


@action("result.prune", "Derive a result that leaves resources out.", privilege=Privilege.ENDORSE_HARVEST)
def prune(act: Act, /, *, result_id: int, picks: Sequence[Pick], note: str, version: int | None = None) -> Result:
    """The new result, which an agent makes; the note says why. That something is left is checked again then."""
    parent = locked_result(act, result_id, Privilege.ENDORSE_HARVEST, "prune", version=version)
    _require_derivable(act, parent)
    _require_sense(act, picks, note)
    return result_jobs.begun(act, parent, WantedChange(remove=tuple(picks)), note.strip())


def _require_derivable(act: Act, parent: Result) -> None:
    harvest = parent.harvest
    if harvest.state != HarvestState.HARVESTED:
        state = HarvestState(harvest.state).label.lower()
        remedy = (
            "Take the endorsement back first." if harvest.state == HarvestState.ENDORSED else "Wait, or look again."
        )
        raise NotPrunable(f"The harvest is {state}: its results stay as they are", where=act.name, remedy=remedy)
    if parent.state not in WHOLE or parent.imported or harvest.purged:
        state = ResultState(parent.state).label.lower()
        remedy = "Choose a result that has its files."
        raise NotPrunable(f"Nothing can be derived from a result that is {state}", where=act.name, remedy=remedy)


def _require_sense(act: Act, picks: Sequence[Pick], note: str) -> None:
    wrong: dict[str, list[str]] = {}
    if not picks:
        wrong["picks"] = ["Choose at least one resource, folder or host."]
    if len(picks) > MOST_PICKS:
        wrong["picks"] = [f"Choose at most {MOST_PICKS:,}; a folder or a filter means many at once."]
    if not note.strip():
        wrong["note"] = ["Say why; it stays with the result."]
    if len(note) > LONGEST_NOTE:
        wrong["note"] = [f"Shorten it to {LONGEST_NOTE:,} characters."]
    if wrong:
        raise InvalidFields(wrong, where=act.name)
    if any(pick.everything for pick in picks):
        remedy = "Leave something in it; to throw all of it away, reject the result."
        raise NothingLeft("Nothing would be left of the result", where=act.name, remedy=remedy)
