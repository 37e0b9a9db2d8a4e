"""The table of who may do what with assessments, limits and rules of review."""

from typing import Any

from opilio.curation.actions import assessments, indicators, review_policies
from opilio.curation.models import Result
from opilio.people.privileges import Privilege
from tests.permissions.table import Place, Rule, agency_wide, open_to, owner_wide
from tests.review_desk import ReviewDesk

_MANAGE = Privilege.MANAGE_INDICATORS


def _result(place: Place) -> int:
    desk = ReviewDesk(place.town)
    harvest = desk.harvested(desk.ready(agency=place.agency, owner=place.user))
    return int(Result.objects.get(harvest=harvest).pk)


def _indicator(place: Place) -> int:
    made = indicators.create_indicator(place.town.system, agency_id=place.agency.id, code="errors", upper=9)
    return int(made.id)


def _by_agents(call: Any) -> Rule:
    """Only agents do it, whatever people hold."""
    return open_to(call, "")


RULES: dict[str, Rule] = {
    "result.assess": owner_wide(Privilege.ENDORSE_HARVEST, lambda actor, place: assessments.assess_again(
        actor, result_id=_result(place))),
    "result.assessed": _by_agents(lambda actor, place: assessments.keep_assessment(
        actor, result_id=_result(place), made=None)),
    "result.assess_failed": _by_agents(lambda actor, place: assessments.fail_assessment(
        actor, result_id=_result(place), reason="It is damaged.")),
    "indicator.create": agency_wide(_MANAGE, lambda actor, place: indicators.create_indicator(
        actor, agency_id=place.agency.id, code="errors", upper=5)),
    "indicator.update": agency_wide(_MANAGE, lambda actor, place: indicators.update_indicator(
        actor, indicator_id=_indicator(place), version=1, changes={"upper": 7.0})),
    "review_policy.set": agency_wide(_MANAGE, lambda actor, place: review_policies.set_policy(
        actor, agency_id=place.agency.id, version=0, changes={"four_eyes": True})),
}  # fmt: skip
