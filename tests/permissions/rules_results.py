"""The table of who may do what with results and flags."""

from typing import Any

from opilio.curation.actions import flags, result_decisions, results
from opilio.curation.models import HarvestState, Result, ResultState
from opilio.people.privileges import Privilege
from tests.permissions.table import Place, Rule, agency_wide, open_to, owner_wide
from tests.review_desk import ReviewDesk

_ENDORSE = Privilege.ENDORSE_HARVEST


def _harvest(place: Place, **options: Any) -> Any:
    desk = ReviewDesk(place.town)
    return desk.harvested(desk.ready(agency=place.agency, owner=place.user), **options)


def _result(place: Place, number: int = 1, **options: Any) -> int:
    harvest = _harvest(place, results=max(1, number), **options)
    return int(Result.objects.get(harvest=harvest, number=number).pk)


def _endorsed(place: Place) -> int:
    harvest = _harvest(place, results=0, state=HarvestState.ENDORSED)
    return int(ReviewDesk(place.town).result(harvest, state=ResultState.ENDORSED).pk)


def _reason(place: Place) -> int:
    return int(ReviewDesk(place.town).reason(agency=place.agency).pk)


def _flag(place: Place) -> int:
    made = flags.create_flag(place.town.system, agency_id=place.agency.id, name="Ask", colour="#e65100")
    return int(made.pk)


def _by_agents(call: Any) -> Rule:
    """Only agents do it, whatever people hold."""
    return open_to(call, "")


RULES: dict[str, Rule] = {
    "result.endorse": owner_wide(_ENDORSE, lambda actor, place: result_decisions.endorse_result(
        actor, result_id=_result(place))),
    "result.reject": owner_wide(_ENDORSE, lambda actor, place: result_decisions.reject_result(
        actor, result_id=_result(place), reason_id=_reason(place))),
    "result.unendorse": owner_wide(Privilege.UNENDORSE_HARVEST, lambda actor, place: result_decisions.unendorse_result(
        actor, result_id=_endorsed(place))),
    "harvest.endorse": owner_wide(_ENDORSE, lambda actor, place: result_decisions.endorse_harvest(
        actor, harvest_id=_harvest(place).pk)),
    "harvest.reject": owner_wide(_ENDORSE, lambda actor, place: result_decisions.reject_harvest(
        actor, harvest_id=_harvest(place).pk, reason_id=_reason(place))),
    "result.note": owner_wide(_ENDORSE, lambda actor, place: results.note_result(
        actor, result_id=_result(place), note="From the second try.")),
    "result.undo": owner_wide(_ENDORSE, lambda actor, place: results.undo_result(
        actor, result_id=_result(place, 2), why="Too much is gone.")),
    "harvest.reference": owner_wide(_ENDORSE, lambda actor, place: results.set_reference(
        actor, harvest_id=_harvest(place).pk)),
    "target.delist": owner_wide(Privilege.ADD_SCHEDULE_TO_TARGET, lambda actor, place: results.delist(
        actor, target_id=_harvest(place).abstract_target_id, reason="It never changes.")),
    "result.adopt": _by_agents(lambda actor, place: results.adopt(actor, harvest_id=_harvest(place).pk)),
    "result.ready": _by_agents(lambda actor, place: results.ready(actor, harvest_id=_harvest(place).pk)),
    "result.undone": _by_agents(lambda actor, place: results.undone(actor, result_id=_result(place))),
    "flag.create": agency_wide(Privilege.MANAGE_FLAGS, lambda actor, place: flags.create_flag(
        actor, agency_id=place.agency.id, name="Ask", colour="#e65100")),
    "flag.update": agency_wide(Privilege.MANAGE_FLAGS, lambda actor, place: flags.update_flag(
        actor, flag_id=_flag(place), version=1, name="Ask them")),
    "harvest.colour": owner_wide(Privilege.MANAGE_TARGET_INSTANCES, lambda actor, place: flags.put_flag(
        actor, harvest_id=_harvest(place).pk, flag_id=_flag(place))),
}  # fmt: skip
