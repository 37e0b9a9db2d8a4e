"""What programs tell a harvest: launch, pause, go on, stop, abort, limits, delay, exclusion, share, flag."""

from django.conf import settings
from django.http import HttpResponse
from ninja import Router

from opilio.api.identifiers import Identifier
from opilio.api.nouns.harvest_schemas import (
    BandwidthBody,
    DecisionBody,
    DelayBody,
    ExcludeBody,
    FlagBody,
    HarvestAnswer,
    LaunchBody,
    LimitsBody,
)
from opilio.api.nouns.harvests import seen, shown
from opilio.api.requests import ApiRequest
from opilio.api.versions import base_version
from opilio.curation.actions import harvest_orders as actions
from opilio.curation.actions.harvest_flags import flag_harvest
from opilio.curation.actions.harvest_queue import launch_harvest
from opilio.curation.networks import network_of

router = Router(tags=["harvests"])


@router.post("/{harvest_id}/launch", response=HarvestAnswer)
def launch_harvest_now(
    request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: LaunchBody
) -> HarvestAnswer:
    """Harvest now instead of at its time, on any agent or a chosen one; 409 tells what stands against it.

    Needs LAUNCH_TARGET_INSTANCE_IMMEDIATE on it.
    """
    seen(request.auth, harvest_id)
    launch_harvest(request.auth, harvest_id=harvest_id, network=network_of(settings.OPILIO), agent=body.agent)
    return shown(request.auth, harvest_id, response)


@router.post("/{harvest_id}/pause", response=HarvestAnswer)
def pause_harvest(request: ApiRequest, response: HttpResponse, harvest_id: Identifier) -> HarvestAnswer:
    """Tell a running harvest to ask for nothing more until it goes on; its agent obeys within two seconds.

    Needs MANAGE_TARGET_INSTANCES or MANAGE_WEB_HARVESTER on it.
    """
    return _moved(request, response, harvest_id, "pause")


@router.post("/{harvest_id}/resume", response=HarvestAnswer)
def resume_harvest(request: ApiRequest, response: HttpResponse, harvest_id: Identifier) -> HarvestAnswer:
    """Tell a paused harvest to go on; 409 when it lost its right.

    Needs MANAGE_TARGET_INSTANCES or MANAGE_WEB_HARVESTER on it.
    """
    return _moved(request, response, harvest_id, "resume")


@router.post("/{harvest_id}/decide", response=HarvestAnswer)
def decide_harvest(
    request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: DecisionBody
) -> HarvestAnswer:
    """Decide that a paused harvest that lost its right goes on all the same.

    Needs MANAGE_TARGET_INSTANCES or MANAGE_WEB_HARVESTER on it, and CONFIRM_PERMISSION in its agency.
    """
    return _moved(request, response, harvest_id, "resume", body.decision)


@router.post("/{harvest_id}/stop", response=HarvestAnswer)
def stop_harvest(request: ApiRequest, response: HttpResponse, harvest_id: Identifier) -> HarvestAnswer:
    """Tell a harvest to end and keep what it collected.

    Needs MANAGE_TARGET_INSTANCES or MANAGE_WEB_HARVESTER on it.
    """
    return _moved(request, response, harvest_id, "stop")


@router.post("/{harvest_id}/abort", response=HarvestAnswer)
def abort_harvest(request: ApiRequest, response: HttpResponse, harvest_id: Identifier) -> HarvestAnswer:
    """Tell a harvest to end and give up what it collected; one that waits for an agent is aborted at once.

    Needs MANAGE_TARGET_INSTANCES or MANAGE_WEB_HARVESTER on it.
    """
    return _moved(request, response, harvest_id, "abort")


@router.post("/{harvest_id}/limits", response=HarvestAnswer)
def limit_harvest(
    request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: LimitsBody
) -> HarvestAnswer:
    """Change the limits of a running harvest.

    Needs MANAGE_TARGET_INSTANCES or MANAGE_WEB_HARVESTER on it.
    """
    seen(request.auth, harvest_id)
    actions.order_limits(request.auth, harvest_id=harvest_id, pages=body.pages, bytes_=body.bytes, seconds=body.seconds)
    return shown(request.auth, harvest_id, response)


@router.post("/{harvest_id}/delay", response=HarvestAnswer)
def delay_harvest(
    request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: DelayBody
) -> HarvestAnswer:
    """Change how long a running harvest waits between two requests to a host.

    Needs MANAGE_TARGET_INSTANCES or MANAGE_WEB_HARVESTER on it.
    """
    seen(request.auth, harvest_id)
    actions.order_delay(request.auth, harvest_id=harvest_id, seconds=body.seconds)
    return shown(request.auth, harvest_id, response)


@router.post("/{harvest_id}/exclude", response=HarvestAnswer)
def exclude_from_harvest(
    request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: ExcludeBody
) -> HarvestAnswer:
    """Leave URLs out of a running harvest from now on.

    Needs MANAGE_TARGET_INSTANCES or MANAGE_WEB_HARVESTER on it.
    """
    seen(request.auth, harvest_id)
    actions.order_exclusion(
        request.auth, harvest_id=harvest_id, patterns=tuple(body.patterns), urls=tuple(body.urls)
    )  # fmt: skip
    return shown(request.auth, harvest_id, response)


@router.put("/{harvest_id}/bandwidth", response=HarvestAnswer)
def share_bandwidth(
    request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: BandwidthBody
) -> HarvestAnswer:
    """Give a harvest a share of the line.

    Needs MANAGE_WEB_HARVESTER in its agency.
    """
    seen(request.auth, harvest_id)
    version = base_version(request, body.version)
    actions.set_bandwidth(request.auth, harvest_id=harvest_id, percent=body.percent, version=version)
    return shown(request.auth, harvest_id, response)


@router.put("/{harvest_id}/flag", response=HarvestAnswer)
def set_harvest_flag(
    request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: FlagBody
) -> HarvestAnswer:
    """Mark a harvest for attention, or take the mark off.

    Needs MANAGE_TARGET_INSTANCES on it.
    """
    seen(request.auth, harvest_id)
    flag_harvest(request.auth, harvest_id=harvest_id, flagged=body.flagged)
    return shown(request.auth, harvest_id, response)


def _moved(
    request: ApiRequest, response: HttpResponse, harvest_id: int, what: str, decision: str = ""
) -> HarvestAnswer:
    seen(request.auth, harvest_id)
    actions.order_move(request.auth, harvest_id=harvest_id, what=what, decision=decision)
    return shown(request.auth, harvest_id, response)
