"""Decide about results: endorse, reject, take the endorsement back; about one result, or about a whole harvest."""

from opilio.curation import result_deciding
from opilio.curation.kinds import HARVEST
from opilio.curation.models import Harvest, Result, ResultState
from opilio.curation.result_locking import locked_result
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act, action
from opilio.people.privileges import Privilege

_ENDORSE = Privilege.ENDORSE_HARVEST
_UNENDORSE = Privilege.UNENDORSE_HARVEST
_OPEN = (ResultState.UNASSESSED, ResultState.INDEXING)


class NothingToDecide(Conflict):
    """The harvest has no result that waits for a decision."""


@action("result.endorse", "Endorse a result, or propose that where two people must agree.", privilege=_ENDORSE)
def endorse_result(act: Act, /, *, result_id: int, version: int | None = None, note: str = "") -> Result:
    """Its harvest is endorsed with it, the other results are passed over, its files are protected."""
    row = locked_result(act, result_id, _ENDORSE, "endorse", version=version)
    result_deciding.endorse(act, row, note=note.strip()[:4_000])
    return row


@action("result.reject", "Reject a result for a reason.", privilege=_ENDORSE)
def reject_result(
    act: Act, /, *, result_id: int, reason_id: int | None, version: int | None = None, note: str = ""
) -> Result:
    """Once no result is left, the harvest is rejected and its data is removed later."""
    row = locked_result(act, result_id, _ENDORSE, "reject", version=version)
    result_deciding.reject(act, row, reason_id=reason_id, note=note.strip()[:3_000])
    return row


@action("result.unendorse", "Take the endorsement of a result back.", privilege=_UNENDORSE)
def unendorse_result(act: Act, /, *, result_id: int, version: int | None = None, note: str = "") -> Result:
    """Until the harvest is archived; what was rejected for a reason stays rejected."""
    row = locked_result(act, result_id, _UNENDORSE, "take the endorsement back of", version=version)
    result_deciding.unendorse(act, row, note=note.strip()[:4_000])
    return row


@action("harvest.endorse", "Endorse a harvest with its newest result.", privilege=_ENDORSE)
def endorse_harvest(act: Act, /, *, harvest_id: int, note: str = "") -> Harvest:
    """For lists: the newest result that waits for a decision."""
    newest = _waiting(act, harvest_id, ResultState.UNASSESSED)[-1]
    row = locked_result(act, newest, _ENDORSE, "endorse")
    result_deciding.endorse(act, row, note=note.strip()[:4_000])
    return row.harvest


@action("harvest.reject", "Reject a harvest with all its results for a reason.", privilege=_ENDORSE)
def reject_harvest(act: Act, /, *, harvest_id: int, reason_id: int | None, note: str = "") -> Harvest:
    """For lists: every result that waits for a decision."""
    for result_id in _waiting(act, harvest_id, *_OPEN):
        row = locked_result(act, result_id, _ENDORSE, "reject")
        result_deciding.reject(act, row, reason_id=reason_id, note=note.strip()[:3_000])
    return row.harvest


def _waiting(act: Act, harvest_id: int, *states: ResultState) -> list[int]:
    harvest: Harvest = act.fetch(HARVEST, harvest_id)
    act.require(_ENDORSE, HARVEST.subject(harvest), f"decide about the harvest of {harvest.abstract_target}")
    rows = Result.objects.filter(harvest=harvest, state__in=states).order_by("number")
    found = list(rows.values_list("id", flat=True))
    if not found:
        raise NothingToDecide(
            f"No result of the harvest of {harvest} waits for a decision", where=act.name,
            remedy="Open its results; they are decided, or not ready yet.",
        )  # fmt: skip
    return found
