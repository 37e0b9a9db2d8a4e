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
from opilio.api.nouns.harvests import acting_on_harvest
from opilio.api.requests import ApiRequest
from opilio.api.versions import base_version
from opilio.curation.actions import harvest_orders as actions
from opilio.curation.actions.harvest_flags import flag_harvest
from opilio.curation.actions.harvest_queue import launch_harvest
from opilio.curation.networks import network_of

router = Router(tags=["harvests"])


@router.post("/{harvest_id}/launch", response=HarvestAnswer)
@acting_on_harvest
def launch_harvest_now(request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: LaunchBody) -> None:
    """Harvest now instead of at its time, on any agent or a chosen one; 409 tells what stands against it.

    Needs LAUNCH_TARGET_INSTANCE_IMMEDIATE on it.
    """
    launch_harvest(request.auth, harvest_id=harvest_id, network=network_of(settings.OPILIO), agent=body.agent)


@router.post("/{harvest_id}/pause", response=HarvestAnswer)
@acting_on_harvest
def pause_harvest(request: ApiRequest, response: HttpResponse, harvest_id: Identifier) -> None:
    """Tell a running harvest to ask for nothing more until it goes on; its agent obeys within two seconds.

    Needs MANAGE_TARGET_INSTANCES or MANAGE_WEB_HARVESTER on it.
    """
    actions.order_move(request.auth, harvest_id=harvest_id, what="pause")


@router.post("/{harvest_id}/resume", response=HarvestAnswer)
@acting_on_harvest
def resume_harvest(request: ApiRequest, response: HttpResponse, harvest_id: Identifier) -> None:
    """Tell a paused harvest to go on; 409 when it lost its right.

    Needs MANAGE_TARGET_INSTANCES or MANAGE_WEB_HARVESTER on it.
    """
    actions.order_move(request.auth, harvest_id=harvest_id, what="resume")


@router.post("/{harvest_id}/decide", response=HarvestAnswer)
@acting_on_harvest
def decide_harvest(request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: DecisionBody) -> None:
    """Decide that a paused harvest that lost its right goes on all the same.

    Needs MANAGE_TARGET_INSTANCES or MANAGE_WEB_HARVESTER on it, and CONFIRM_PERMISSION in its agency.
    """
    actions.order_move(request.auth, harvest_id=harvest_id, what="resume", decision=body.decision)


@router.post("/{harvest_id}/stop", response=HarvestAnswer)
@acting_on_harvest
def stop_harvest(request: ApiRequest, response: HttpResponse, harvest_id: Identifier) -> None:
    """Tell a harvest to end and keep what it collected.

    Needs MANAGE_TARGET_INSTANCES or MANAGE_WEB_HARVESTER on it.
    """
    actions.order_move(request.auth, harvest_id=harvest_id, what="stop")


@router.post("/{harvest_id}/abort", response=HarvestAnswer)
@acting_on_harvest
def abort_harvest(request: ApiRequest, response: HttpResponse, harvest_id: Identifier) -> None:
    """Tell a harvest to end and give up what it collected; one that waits for an agent is aborted at once.

    Needs MANAGE_TARGET_INSTANCES or MANAGE_WEB_HARVESTER on it.
    """
    actions.order_move(request.auth, harvest_id=harvest_id, what="abort")


@router.post("/{harvest_id}/limits", response=HarvestAnswer)
@acting_on_harvest
def limit_harvest(request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: LimitsBody) -> None:
    """Change the limits of a running harvest.

    Needs MANAGE_TARGET_INSTANCES or MANAGE_WEB_HARVESTER on it.
    """
    actions.order_limits(request.auth, harvest_id=harvest_id, pages=body.pages, bytes_=body.bytes, seconds=body.seconds)


@router.post("/{harvest_id}/delay", response=HarvestAnswer)
@acting_on_harvest
def delay_harvest(request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: DelayBody) -> None:
    """Change how long a running harvest waits between two requests to a host.

    Needs MANAGE_TARGET_INSTANCES or MANAGE_WEB_HARVESTER on it.
    """
    actions.order_delay(request.auth, harvest_id=harvest_id, seconds=body.seconds)


@router.post("/{harvest_id}/exclude", response=HarvestAnswer)
@acting_on_harvest
def exclude_from_harvest(
    request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: ExcludeBody
) -> None:
    """Leave URLs out of a running harvest from now on.

    Needs MANAGE_TARGET_INSTANCES or MANAGE_WEB_HARVESTER on it.
    """
    actions.order_exclusion(
        request.auth, harvest_id=harvest_id, patterns=tuple(body.patterns), urls=tuple(body.urls)
    )  # fmt: skip


@router.put("/{harvest_id}/bandwidth", response=HarvestAnswer)
@acting_on_harvest
def share_bandwidth(request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: BandwidthBody) -> None:
    """Give a harvest a share of the line.

    Needs MANAGE_WEB_HARVESTER in its agency.
    """
    version = base_version(request, body.version)
    actions.set_bandwidth(request.auth, harvest_id=harvest_id, percent=body.percent, version=version)


@router.put("/{harvest_id}/flag", response=HarvestAnswer)
@acting_on_harvest
def set_harvest_flag(request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: FlagBody) -> None:
    """Mark a harvest for attention, or take the mark off.

    Needs MANAGE_TARGET_INSTANCES on it.
    """
    flag_harvest(request.auth, harvest_id=harvest_id, flagged=body.flagged)
