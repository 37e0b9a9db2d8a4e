"""Schedules: list, show, make, change, pause, delete; planned harvests; what an expression means."""

import datetime
from typing import Any

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Line, Moment, Named, Version
from opilio.api.versions import base_version, matched_version, tag
from opilio.curation.actions import harvests as harvest_actions
from opilio.curation.actions import schedules as actions
from opilio.curation.kinds import HARVEST, SCHEDULE
from opilio.curation.look_ahead import Dates, next_times
from opilio.curation.queries import profiles as holders
from opilio.curation.queries import schedules as queries
from opilio.curation.schedule_words import explained, told_of
from opilio.curation.sight import READERS
from opilio.people.actor import Actor

router = Router(tags=["schedules"])
_ORDER = Order(name="schedules", column="start")
_PLANNED = Order(name="planned-harvests", column="scheduled_at")
_READERS = tuple(sorted(READERS))
_CRON = Field(min_length=1, max_length=255, examples=["0 0 21 ? * MON *"], description="Seven or five fields.")


class ScheduleAnswer(Answer):
    """A schedule."""

    id: Id
    holder: Named = Field(description="The target or group.")
    cron: str
    pattern: int = Field(description="Number of the named pattern; 0: an expression of its own.")
    sentence: str = Field(description="The expression in words.", examples=["At 21:00 on Mondays"])
    time_zone: str
    start: datetime.datetime
    end: datetime.datetime | None
    paused: bool
    next_time: datetime.datetime | None = Field(description="First time after what is planned already.")
    owner: str
    version: int


class ScheduleWithTimes(ScheduleAnswer):
    """A schedule with its next times."""

    next_times: list[datetime.datetime]
    warnings: list[str]


class ScheduleFilters(Schema):
    """Which schedules are listed."""

    holder: Identifier | None = Field(None, description="Target or group.")
    paused: bool | None = None


class ScheduleNew(Body):
    """A schedule to be added."""

    holder: Identifier = Field(description="Target or group.")
    cron: str = _CRON
    pattern: int = Field(0, ge=-7, le=1_000_000, strict=True)
    time_zone: Line = Field("", description="Empty: the agency's.", examples=["Europe/Paris"])
    start: Moment | None = None
    end: Moment | None = None
    paused: Flag = False


class ScheduleChange(Body):
    """Fields to change."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    cron: str | None = Field(None, min_length=1, max_length=255)
    pattern: int | None = Field(None, ge=-7, le=1_000_000, strict=True)
    time_zone: Line | None = None
    start: Moment | None = None
    end: Moment | None = Field(None, description="null: for ever.")


class PlannedHarvestAnswer(Answer):
    """A harvest that waits."""

    id: Id
    holder: Named
    schedule: Id | None
    scheduled_at: datetime.datetime
    state: str
    priority: int
    owner: str
    edited: bool = Field(description="Whether somebody changed it by hand; then schedules leave it alone.")
    version: int


class PlannedHarvestNew(Body):
    """A harvest to be planned by hand."""

    holder: Identifier = Field(description="Target or group.")
    at: Moment | None = Field(None, description="Empty: in five minutes.")


class HarvestChange(Body):
    """Fields to change."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    scheduled_at: Moment | None = None
    priority: int | None = Field(None, ge=0, le=1000, strict=True, description="0 high, 100 normal, 1000 low.")
    allow_early_start: Flag | None = None


class Meaning(Answer):
    """What an expression means."""

    sentence: str
    warnings: list[str]
    next_times: list[datetime.datetime]


class ScheduleAsked(Schema):
    """An expression."""

    cron: str = _CRON
    time_zone: Line = "UTC"


@router.get("", response=Page[ScheduleAnswer])
def list_schedules(request: ApiRequest, filters: Query[ScheduleFilters], paging: Query[Paging]) -> Page[ScheduleAnswer]:
    """List the schedules of targets and groups that you may see, by their start.

    Needs a privilege with which you see targets.
    """
    need(request.auth, "see schedules", *_READERS)
    rows = queries.schedules(request.auth)
    if filters.holder is not None:
        rows = rows.filter(abstract_target_id=filters.holder)
    if filters.paused is not None:
        rows = rows.filter(paused=filters.paused)
    return page(rows, _ORDER, paging, ScheduleAnswer, lambda row: ScheduleAnswer(**_told(row)))


@router.post("", response={201: ScheduleWithTimes})
def create_schedule(request: ApiRequest, response: HttpResponse, body: ScheduleNew) -> ScheduleWithTimes:
    """Add a schedule to a target or group; what it plans is planned at once.

    Needs ADD_SCHEDULE_TO_TARGET on the target, or MANAGE_GROUP_SCHEDULE on the group.
    """
    need(request.auth, "see targets", *_READERS)
    holders.holder(request.auth, body.holder)
    made = actions.create_schedule(request.auth, holder_id=body.holder, **body.changes("holder"))
    return _shown(request.auth, made.pk, response)


@router.get("/explain", response=Meaning)
def explain(request: ApiRequest, asked: Query[ScheduleAsked]) -> Meaning:
    """Say what an expression means, and its next times in a zone.

    Needs nothing but a token.
    """
    sentence, warnings = explained(asked.cron)
    now = request.auth.clock.now()
    times = next_times(Dates(cron=asked.cron, time_zone=asked.time_zone, start=now), now, 5)
    return Meaning(sentence=sentence, warnings=list(warnings), next_times=times)


@router.get("/planned", response=Page[PlannedHarvestAnswer])
def list_planned(
    request: ApiRequest, filters: Query[ScheduleFilters], paging: Query[Paging]
) -> Page[PlannedHarvestAnswer]:
    """List the harvests that wait, by their time.

    Needs a privilege with which you see targets.
    """
    need(request.auth, "see harvests", *_READERS)
    rows = queries.planned(request.auth)
    if filters.holder is not None:
        rows = rows.filter(abstract_target_id=filters.holder)
    return page(rows, _PLANNED, paging, PlannedHarvestAnswer, _harvest)


@router.post("/planned", response={201: PlannedHarvestAnswer})
def plan_harvest(request: ApiRequest, response: HttpResponse, body: PlannedHarvestNew) -> PlannedHarvestAnswer:
    """Plan one harvest of an approved target or an active group by hand.

    Needs ADD_SCHEDULE_TO_TARGET on the target, or MANAGE_GROUP_SCHEDULE on the group.
    """
    need(request.auth, "see targets", *_READERS)
    holders.holder(request.auth, body.holder)
    made = harvest_actions.plan_harvest(request.auth, holder_id=body.holder, at=body.at)
    return _planned(request.auth, made.pk, response)


@router.patch("/planned/{harvest_id}", response=PlannedHarvestAnswer)
def change_planned(
    request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: HarvestChange
) -> PlannedHarvestAnswer:
    """Change a harvest that waits; schedules leave it alone from then on.

    Needs MANAGE_TARGET_INSTANCES on the harvest.
    """
    _planned(request.auth, harvest_id, response)
    harvest_actions.update_harvest(
        request.auth, harvest_id=harvest_id, version=base_version(request, body.version), **body.changes()
    )
    return _planned(request.auth, harvest_id, response)


@router.delete("/planned/{harvest_id}", response={204: None})
def delete_planned(request: ApiRequest, harvest_id: Identifier) -> None:
    """Delete a harvest that has not begun, so that it can be restored.

    Needs MANAGE_TARGET_INSTANCES on the harvest.
    """
    delete(request.auth, HARVEST, harvest_id, matched_version(request))


@router.get("/{schedule_id}", response=ScheduleWithTimes)
def show_schedule(request: ApiRequest, response: HttpResponse, schedule_id: Identifier) -> ScheduleWithTimes:
    """Show a schedule with its next times.

    Needs a privilege with which you see targets of its agency.
    """
    return _shown(request.auth, schedule_id, response)


@router.patch("/{schedule_id}", response=ScheduleWithTimes)
def change_schedule(
    request: ApiRequest, response: HttpResponse, schedule_id: Identifier, body: ScheduleChange
) -> ScheduleWithTimes:
    """Change a schedule; what is planned follows, but for harvests that were changed by hand.

    Needs ADD_SCHEDULE_TO_TARGET on the target, or MANAGE_GROUP_SCHEDULE on the group.
    """
    _shown(request.auth, schedule_id, response)
    endless = {"end": None} if "end" in body.model_fields_set and body.end is None else {}
    actions.update_schedule(
        request.auth, schedule_id=schedule_id, version=base_version(request, body.version), **body.changes(), **endless
    )
    return _shown(request.auth, schedule_id, response)


@router.post("/{schedule_id}/pause", response=ScheduleWithTimes)
def pause_schedule(request: ApiRequest, response: HttpResponse, schedule_id: Identifier) -> ScheduleWithTimes:
    """Pause a schedule: nothing is planned until it goes on.

    Needs ADD_SCHEDULE_TO_TARGET on the target, or MANAGE_GROUP_SCHEDULE on the group.
    """
    return _paused(request.auth, schedule_id, True, response)


@router.post("/{schedule_id}/resume", response=ScheduleWithTimes)
def resume_schedule(request: ApiRequest, response: HttpResponse, schedule_id: Identifier) -> ScheduleWithTimes:
    """Let a paused schedule go on.

    Needs ADD_SCHEDULE_TO_TARGET on the target, or MANAGE_GROUP_SCHEDULE on the group.
    """
    return _paused(request.auth, schedule_id, False, response)


@router.delete("/{schedule_id}", response={204: None})
def delete_schedule(request: ApiRequest, schedule_id: Identifier) -> None:
    """Delete a schedule with what it planned, so that it can be restored.

    Needs ADD_SCHEDULE_TO_TARGET on the target.
    """
    delete(request.auth, SCHEDULE, schedule_id, matched_version(request))


def _paused(actor: Actor, schedule_id: int, paused: bool, response: HttpResponse) -> ScheduleWithTimes:
    _shown(actor, schedule_id, response)
    actions.pause_schedule(actor, schedule_id=schedule_id, paused=paused)
    return _shown(actor, schedule_id, response)


def _shown(actor: Actor, schedule_id: int, response: HttpResponse) -> ScheduleWithTimes:
    need(actor, "see schedules", *_READERS)
    row = queries.schedule(actor, schedule_id)
    tag(response, row.version)
    told = told_of(row, actor.clock.now())
    return ScheduleWithTimes(**_told(row), next_times=list(told.times), warnings=list(told.warnings))


def _told(row: Any) -> dict[str, Any]:
    plain = ("cron", "pattern", "time_zone", "start", "end", "paused", "next_time", "version")
    holder = Named(id=row.abstract_target.pk, name=row.abstract_target.name)
    told = {name: getattr(row, name) for name in plain}
    return {**told, "id": row.pk, "holder": holder, "sentence": told_of(row).sentence, "owner": row.owner.username}


def _planned(actor: Actor, harvest_id: int, response: HttpResponse) -> PlannedHarvestAnswer:
    need(actor, "see harvests", *_READERS)
    row = queries.planned_harvest(actor, harvest_id)
    tag(response, row.version)
    return _harvest(row)


def _harvest(row: Any) -> PlannedHarvestAnswer:
    holder = Named(id=row.abstract_target.pk, name=row.abstract_target.name)
    return PlannedHarvestAnswer(
        id=row.pk, holder=holder, schedule=row.schedule_id, scheduled_at=row.scheduled_at, state=row.state,
        priority=row.priority, owner=row.owner.username, edited=row.edited, version=row.version,
    )  # fmt: skip
