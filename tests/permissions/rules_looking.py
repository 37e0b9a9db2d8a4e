"""The table of who may prune results, and who makes them."""

from typing import Any

from opilio.curation.actions import result_making
from opilio.curation.actions.result_prune import prune
from opilio.curation.models import Result, ResultState
from opilio.people.privileges import Privilege
from opilio.works.result_picks import Pick
from tests.permissions.table import Place, Rule, open_to, owner_wide
from tests.review_desk import ReviewDesk


def _result(place: Place) -> int:
    desk = ReviewDesk(place.town)
    return int(Result.objects.get(harvest=desk.harvested(desk.ready(agency=place.agency, owner=place.user))).pk)


def _made(place: Place, state: ResultState) -> int:
    desk = ReviewDesk(place.town)
    harvest = desk.harvested(desk.ready(agency=place.agency, owner=place.user))
    return int(desk.result(harvest, 2, state=state).pk)


def _by_agents(call: Any) -> Rule:
    """Only agents do it, whatever people hold."""
    return open_to(call, "")


RULES: dict[str, Rule] = {
    "result.prune": owner_wide(Privilege.ENDORSE_HARVEST, lambda actor, place: prune(
        actor, result_id=_result(place), picks=[Pick(text="advert")], note="Advertisements.")),
    "result.made": _by_agents(lambda actor, place: result_making.made(
        actor, result_id=_made(place, ResultState.MODIFYING), figures={"resources": 1}, notes=["1 removed"], files=[])),
    "result.derived": _by_agents(lambda actor, place: result_making.ready(
        actor, result_id=_made(place, ResultState.INDEXING))),
    "result.fail": _by_agents(lambda actor, place: result_making.fail(
        actor, result_id=_made(place, ResultState.MODIFYING), reason="Nothing would be left.")),
    "result.trouble": _by_agents(lambda actor, place: result_making.trouble(
        actor, result_id=_made(place, ResultState.MODIFYING), reason="The disk is full.")),
    "result.heal": _by_agents(lambda actor, place: result_making.heal(
        actor, result_id=_made(place, ResultState.MODIFYING))),
}  # fmt: skip
