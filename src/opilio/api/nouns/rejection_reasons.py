"""Rejection reasons: list, show, make, change, delete."""

import datetime
from typing import Any

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Line, Named, Version
from opilio.api.versions import base_version, matched_version, tag
from opilio.curation.actions import rejection_reasons as actions
from opilio.curation.kinds import REJECTION_REASON
from opilio.curation.queries import targets as query
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege

router = Router(tags=["rejection-reasons"])
_ORDER = Order(name="rejection-reasons", column="name")


class ReasonAnswer(Answer):
    """A reason for rejections."""

    id: Id
    agency: Named
    name: str
    for_targets: bool
    for_harvests: bool
    created: datetime.datetime
    updated: datetime.datetime
    version: int


class ReasonFilters(Schema):
    """Which reasons are listed."""

    q: Line = Field("", description="Part of the reason.")
    agency: Identifier | None = None


class ReasonNew(Body):
    """A reason to be made."""

    agency: Identifier
    name: str = Field(min_length=1, max_length=255, examples=["Out of scope"])
    for_targets: Flag = True
    for_harvests: Flag = True


class ReasonChange(Body):
    """Fields to change."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    name: Line | None = None
    for_targets: Flag | None = None
    for_harvests: Flag | None = None


@router.get("", response=Page[ReasonAnswer])
def list_rejection_reasons(
    request: ApiRequest, filters: Query[ReasonFilters], paging: Query[Paging]
) -> Page[ReasonAnswer]:  # fmt: skip
    """List the reasons that you manage.

    Needs MANAGE_REASONS.
    """
    _see(request.auth)
    rows = query.reasons(request.auth)
    if filters.q:
        rows = rows.filter(name__icontains=filters.q)
    if filters.agency is not None:
        rows = rows.filter(agency_id=filters.agency)
    return page(rows, _ORDER, paging, ReasonAnswer)


@router.post("", response={201: ReasonAnswer})
def create_rejection_reason(request: ApiRequest, response: HttpResponse, body: ReasonNew) -> ReasonAnswer:
    """Make a reason.

    Needs MANAGE_REASONS in the agency.
    """
    made = actions.create_reason(
        request.auth, agency_id=body.agency, name=body.name, for_targets=body.for_targets,
        for_harvests=body.for_harvests,
    )  # fmt: skip
    return _shown(request.auth, made.id, response)


@router.get("/{reason_id}", response=ReasonAnswer)
def show_rejection_reason(request: ApiRequest, response: HttpResponse, reason_id: Identifier) -> ReasonAnswer:
    """Show a reason.

    Needs MANAGE_REASONS in its agency.
    """
    return _shown(request.auth, reason_id, response)


@router.patch("/{reason_id}", response=ReasonAnswer)
def change_rejection_reason(
    request: ApiRequest, response: HttpResponse, reason_id: Identifier, body: ReasonChange
) -> ReasonAnswer:
    """Change a reason.

    Needs MANAGE_REASONS in its agency.
    """
    _see(request.auth)
    query.reason(request.auth, reason_id)
    changes: dict[str, Any] = body.changes()
    actions.update_reason(request.auth, reason_id=reason_id, version=base_version(request, body.version), **changes)
    return _shown(request.auth, reason_id, response)


@router.delete("/{reason_id}", response={204: None})
def delete_rejection_reason(request: ApiRequest, reason_id: Identifier) -> None:
    """Delete a reason so that it can be restored; what was rejected for it keeps it.

    Needs MANAGE_REASONS in its agency.
    """
    delete(request.auth, REJECTION_REASON, reason_id, matched_version(request))


def _see(actor: Actor) -> None:
    need(actor, "see rejection reasons", Privilege.MANAGE_REASONS)


def _shown(actor: Actor, reason_id: int, response: HttpResponse) -> ReasonAnswer:
    _see(actor)
    row = query.reason(actor, reason_id)
    tag(response, row.version)
    return ReasonAnswer.from_orm(row)
