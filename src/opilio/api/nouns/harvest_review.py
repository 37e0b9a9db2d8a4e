"""What programs decide about whole harvests, and what follows for their targets."""

from django.http import HttpResponse
from ninja import Router

from opilio.api.identifiers import Identifier
from opilio.api.nouns.harvest_schemas import HarvestAnswer
from opilio.api.nouns.harvests import acting_on_harvest, seen, shown
from opilio.api.nouns.result_schemas import (
    ColourBody,
    DelistBody,
    HarvestEndorseBody,
    HarvestRejectBody,
    ReferenceBody,
    ResultAnswer,
    told,
)
from opilio.api.requests import ApiRequest
from opilio.curation.actions.flags import put_flag
from opilio.curation.actions.result_decisions import endorse_harvest, reject_harvest
from opilio.curation.actions.results import delist, set_reference
from opilio.curation.queries import review

router = Router(tags=["harvests"])


@router.get("/{harvest_id}/results", response=list[ResultAnswer])
def list_results_of_harvest(request: ApiRequest, harvest_id: Identifier) -> list[ResultAnswer]:
    """List the results of a harvest by number.

    Needs a privilege to work with what its agency collects.
    """
    row = seen(request.auth, harvest_id)
    return [ResultAnswer(**told(one)) for one in review.listed(request.auth).filter(harvest=row).order_by("number")]


@router.post("/{harvest_id}/endorse", response=HarvestAnswer)
@acting_on_harvest
def endorse_whole_harvest(
    request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: HarvestEndorseBody
) -> None:
    """Endorse a harvest with its newest result that waits for a decision.

    Needs ENDORSE_HARVEST on it.
    """
    endorse_harvest(request.auth, harvest_id=harvest_id, note=body.note)


@router.post("/{harvest_id}/reject", response=HarvestAnswer)
@acting_on_harvest
def reject_whole_harvest(
    request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: HarvestRejectBody
) -> None:
    """Reject a harvest with all its results for a reason.

    Needs ENDORSE_HARVEST on it.
    """
    reject_harvest(request.auth, harvest_id=harvest_id, reason_id=body.reason, note=body.note)


@router.put("/{harvest_id}/reference", response=HarvestAnswer)
@acting_on_harvest
def set_reference_harvest(
    request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: ReferenceBody
) -> None:
    """Let later harvests of the target be compared with this one, or not any more.

    Needs ENDORSE_HARVEST on it.
    """
    set_reference(request.auth, harvest_id=harvest_id, reference=body.reference)


@router.put("/{harvest_id}/colour", response=HarvestAnswer)
@acting_on_harvest
def put_flag_on_harvest(request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: ColourBody) -> None:
    """Put a coloured flag of its agency on a harvest, or take it off.

    Needs MANAGE_TARGET_INSTANCES on it.
    """
    put_flag(request.auth, harvest_id=harvest_id, flag_id=body.flag)


@router.post("/{harvest_id}/delist", response=HarvestAnswer)
def delist_target_of_harvest(
    request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: DelistBody
) -> HarvestAnswer:
    """End the schedules of the target of a harvest, as it need not be harvested any more.

    Needs ADD_SCHEDULE_TO_TARGET on the target.
    """
    row = seen(request.auth, harvest_id)
    delist(request.auth, target_id=row.abstract_target_id, reason=body.reason)
    return shown(request.auth, harvest_id, response)
