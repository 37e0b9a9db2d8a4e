"""Results and their harvests, locked for an action in one order, with the version that the asker saw."""

from opilio.curation.kinds import HARVEST, RESULT
from opilio.curation.models import Harvest, Result
from opilio.people import audit
from opilio.people.acting import Act
from opilio.people.errors import NotFound, Stale
from opilio.people.privileges import Privilege


def locked_result(act: Act, result_id: int, privilege: Privilege, what: str, *, version: int | None = None) -> Result:
    """The result with its harvest; the harvest is locked first, so that two actions never wait for each other."""
    harvest_id = Result.objects.filter(pk=result_id).values_list("harvest_id", flat=True).first()
    if harvest_id is None:
        raise NotFound(f"There is no result {result_id}", where=act.name, remedy="Was it deleted?")
    harvest: Harvest = act.fetch(HARVEST, harvest_id)
    row: Result = act.fetch(RESULT, result_id)
    row.harvest = harvest
    act.require(privilege, RESULT.subject(row), f"{what} the {row}")
    if version is not None and version != row.version:
        raise Stale("Result", str(row), mine={}, theirs=audit.values(row), by=str(row.updated_by or ""))
    return row
