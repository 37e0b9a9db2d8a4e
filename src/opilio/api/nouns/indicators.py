"""Limits of agencies for what is measured of results: list, show, set, change, delete; all that are in force."""

import datetime
from typing import Annotated, Any

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Line, Named, Version
from opilio.api.versions import base_version, matched_version, tag
from opilio.curation.actions import indicators as actions
from opilio.curation.kinds import INDICATOR
from opilio.curation.queries import assessments as query
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege

router = Router(tags=["indicators"])
_ORDER = Order(name="indicators", column="code")
_Limit = Annotated[float, Field(strict=True, ge=0, le=1e15, allow_inf_nan=False, examples=[10.0])]


class IndicatorAnswer(Answer):
    """The own limits of an agency for one indicator; null: there is no such limit."""

    id: Id
    agency: Named
    code: str
    tolerance: float | None = Field(description="Percent by which it may differ from the reference harvest.")
    lower: float | None
    upper: float | None
    active: bool = Field(description="Whether it counts.")
    created: datetime.datetime
    updated: datetime.datetime
    version: int


class LimitAnswer(Answer):
    """The limits of an indicator as they hold for an agency."""

    code: str
    label: str
    sentence: str
    unit: str
    tolerance: float | None
    lower: float | None
    upper: float | None
    active: bool
    own: Id | None = Field(description="The agency's own limits, if it set some.")


class IndicatorFilters(Schema):
    """Which limits are listed."""

    q: Line = Field("", description="Part of the code.")
    agency: Identifier | None = None


class IndicatorNew(Body):
    """Limits to be set; they replace the usual ones as a whole."""

    agency: Identifier
    code: str = Field(min_length=1, max_length=32, examples=["errors"])
    tolerance: _Limit | None = None
    lower: _Limit | None = None
    upper: _Limit | None = None
    active: Flag = True


class IndicatorChange(Body):
    """Fields to change; null takes a limit away."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    tolerance: _Limit | None = None
    lower: _Limit | None = None
    upper: _Limit | None = None
    active: Flag | None = None


@router.get("", response=Page[IndicatorAnswer])
def list_indicators(
    request: ApiRequest, filters: Query[IndicatorFilters], paging: Query[Paging]
) -> Page[IndicatorAnswer]:  # fmt: skip
    """List the limits that agencies set themselves.

    Needs MANAGE_INDICATORS.
    """
    _see(request.auth)
    rows = query.indicators(request.auth)
    if filters.q:
        rows = rows.filter(code__icontains=filters.q)
    if filters.agency is not None:
        rows = rows.filter(agency_id=filters.agency)
    return page(rows, _ORDER, paging, IndicatorAnswer)


@router.post("", response={201: IndicatorAnswer})
def create_indicator(request: ApiRequest, response: HttpResponse, body: IndicatorNew) -> IndicatorAnswer:
    """Set limits of an agency.

    Needs MANAGE_INDICATORS in the agency.
    """
    made = actions.create_indicator(
        request.auth, agency_id=body.agency, code=body.code, tolerance=body.tolerance, lower=body.lower,
        upper=body.upper, active=body.active,
    )  # fmt: skip
    return _shown(request.auth, made.id, response)


@router.get("/in-force/{agency_id}", response=list[LimitAnswer])
def limits_in_force(request: ApiRequest, agency_id: Identifier) -> list[LimitAnswer]:
    """Show all indicators with the limits that hold for an agency.

    Needs MANAGE_INDICATORS in the agency.
    """
    _see(request.auth)
    found = query.in_force(query.agency(request.auth, agency_id).pk)
    return [_limit(each) for each in found]


@router.get("/{indicator_id}", response=IndicatorAnswer)
def show_indicator(request: ApiRequest, response: HttpResponse, indicator_id: Identifier) -> IndicatorAnswer:
    """Show an agency's limits for one indicator.

    Needs MANAGE_INDICATORS in its agency.
    """
    return _shown(request.auth, indicator_id, response)


@router.patch("/{indicator_id}", response=IndicatorAnswer)
def change_indicator(
    request: ApiRequest, response: HttpResponse, indicator_id: Identifier, body: IndicatorChange
) -> IndicatorAnswer:
    """Change an agency's limits for one indicator.

    Needs MANAGE_INDICATORS in its agency.
    """
    _see(request.auth)
    query.indicator(request.auth, indicator_id)
    changes: dict[str, Any] = {name: getattr(body, name) for name in sorted(body.model_fields_set - {"version"})}
    if changes.get("active", True) is None:
        del changes["active"]
    version = base_version(request, body.version)
    actions.update_indicator(request.auth, indicator_id=indicator_id, version=version, changes=changes)
    return _shown(request.auth, indicator_id, response)


@router.delete("/{indicator_id}", response={204: None})
def delete_indicator(request: ApiRequest, indicator_id: Identifier) -> None:
    """Delete an agency's limits so that they can be restored; the usual ones hold again.

    Needs MANAGE_INDICATORS in its agency.
    """
    delete(request.auth, INDICATOR, indicator_id, matched_version(request))


def _see(actor: Actor) -> None:
    need(actor, "see limits", Privilege.MANAGE_INDICATORS)


def _shown(actor: Actor, indicator_id: int, response: HttpResponse) -> IndicatorAnswer:
    _see(actor)
    row = query.indicator(actor, indicator_id)
    tag(response, row.version)
    return IndicatorAnswer.from_orm(row)


def _limit(each: query.InForce) -> LimitAnswer:
    declared, limit = each.declared, each.limit
    return LimitAnswer(
        code=declared.code, label=declared.label, sentence=declared.sentence, unit=declared.unit.value,
        tolerance=limit.tolerance, lower=limit.lower, upper=limit.upper, active=limit.active,
        own=str(each.own) if each.own else None,
    )  # fmt: skip
