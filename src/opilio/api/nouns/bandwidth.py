"""What the line may carry at which time of the week: list, show, add, change, delete."""

from django.http import HttpResponse
from ninja import Query, Router
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, ClockTime, Flag, Version
from opilio.api.versions import base_version, matched_version, tag
from opilio.curation.actions import bandwidth as actions
from opilio.curation.kinds import BANDWIDTH_RESTRICTION
from opilio.curation.queries import bandwidth as queries
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege

router = Router(tags=["bandwidth"])
_ORDER = Order(name="bandwidth", column="day")
_FIELDS = ("day", "start", "end", "limit", "allow_early_start")


class RestrictionAnswer(Answer):
    """A row."""

    id: Id
    day: int = Field(description="0 is Monday, 6 Sunday.")
    start: ClockTime
    end: ClockTime = Field(description="00:00 means the end of the day.")
    limit: int = Field(description="kB/s of all harvests together.")
    allow_early_start: bool
    version: int


class RestrictionNew(Body):
    """A row to be added."""

    day: int = Field(ge=0, le=6, strict=True)
    start: ClockTime
    end: ClockTime
    limit: int = Field(ge=0, le=actions.MOST, strict=True)
    allow_early_start: Flag = False


class RestrictionChange(Body):
    """Fields to change."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    day: int | None = Field(None, ge=0, le=6, strict=True)
    start: ClockTime | None = None
    end: ClockTime | None = None
    limit: int | None = Field(None, ge=0, le=actions.MOST, strict=True)
    allow_early_start: Flag | None = None


@router.get("", response=Page[RestrictionAnswer])
def list_restrictions(request: ApiRequest, paging: Query[Paging]) -> Page[RestrictionAnswer]:
    """List what the line may carry, by day; without any row there is no limit.

    Needs MANAGE_WEB_HARVESTER.
    """
    need(request.auth, "see what the line may carry", Privilege.MANAGE_WEB_HARVESTER)
    return page(queries.restrictions(request.auth), _ORDER, paging, RestrictionAnswer)


@router.post("", response={201: RestrictionAnswer})
def create_restriction(request: ApiRequest, response: HttpResponse, body: RestrictionNew) -> RestrictionAnswer:
    """Add a row; outside all rows nothing is harvested.

    Needs MANAGE_WEB_HARVESTER over everything.
    """
    made = actions.create_restriction(
        request.auth, day=body.day, start=body.start, end=body.end, limit=body.limit,
        allow_early_start=body.allow_early_start,
    )  # fmt: skip
    return _shown(request.auth, made.pk, response)


@router.get("/{restriction_id}", response=RestrictionAnswer)
def show_restriction(request: ApiRequest, response: HttpResponse, restriction_id: Identifier) -> RestrictionAnswer:
    """Show a row.

    Needs MANAGE_WEB_HARVESTER.
    """
    return _shown(request.auth, restriction_id, response)


@router.patch("/{restriction_id}", response=RestrictionAnswer)
def change_restriction(
    request: ApiRequest, response: HttpResponse, restriction_id: Identifier, body: RestrictionChange
) -> RestrictionAnswer:
    """Change a row; running harvests keep to it within seconds.

    Needs MANAGE_WEB_HARVESTER over everything.
    """
    need(request.auth, "limit the line", Privilege.MANAGE_WEB_HARVESTER)
    row = queries.restriction(request.auth, restriction_id)
    kept = {name: getattr(row, name) for name in _FIELDS}
    actions.update_restriction(
        request.auth,
        restriction_id=restriction_id,
        version=base_version(request, body.version),
        **{**kept, **body.changes()},
    )
    return _shown(request.auth, restriction_id, response)


@router.delete("/{restriction_id}", response={204: None})
def delete_restriction(request: ApiRequest, restriction_id: Identifier) -> None:
    """Delete a row, so that it can be restored; without the last one there is no limit.

    Needs MANAGE_WEB_HARVESTER over everything.
    """
    delete(request.auth, BANDWIDTH_RESTRICTION, restriction_id, matched_version(request))


def _shown(actor: Actor, restriction_id: int, response: HttpResponse) -> RestrictionAnswer:
    need(actor, "see what the line may carry", Privilege.MANAGE_WEB_HARVESTER)
    row = queries.restriction(actor, restriction_id)
    tag(response, row.version)
    return RestrictionAnswer.from_orm(row)
