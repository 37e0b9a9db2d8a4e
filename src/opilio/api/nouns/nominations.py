"""Nominations: list, show, accept, decline, delete; proposing one is a public form."""

import datetime
from typing import Any, Literal

from django.db.models import Q
from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.nouns.groups import Long
from opilio.api.nouns.target_schemas import TargetAnswer
from opilio.api.nouns.targets import see, shown
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Line, Named
from opilio.api.versions import matched_version, tag
from opilio.curation.actions import nominations as actions
from opilio.curation.kinds import NOMINATION
from opilio.curation.queries import nominations as query
from opilio.people.actor import Actor

router = Router(tags=["nominations"])
_ORDER = Order(name="nominations", column="created", newest_first=True)


class NominationAnswer(Answer):
    """A site that somebody from outside proposed."""

    id: Id
    agency: Named
    url: str
    title: str
    reason: str
    name: str = Field(description="Of whoever proposed it.")
    email: str
    state: Literal["waiting", "accepted", "declined"]
    decided_at: datetime.datetime | None
    note: str
    target: Named | None = Field(description="What became of it.")
    created: datetime.datetime
    version: int


class NominationFilters(Schema):
    """Which nominations are listed."""

    q: Line = Field("", description="Part of the URL, the title or the reason.")
    state: Literal["waiting", "accepted", "declined"] | None = None
    agency: Identifier | None = None


class Acceptance(Body):
    """The target that a nomination becomes."""

    name: Line = Field("", description="Name of the target; empty: the title of the nomination.")
    note: Long = ""


class Refusal(Body):
    """Why a nomination is not taken up."""

    note: Long = ""


@router.get("", response=Page[NominationAnswer])
def list_nominations(
    request: ApiRequest, filters: Query[NominationFilters], paging: Query[Paging]
) -> Page[NominationAnswer]:
    """List what was proposed to the agencies in which you work, newest first.

    Needs a role that lets you work with targets.
    """
    see(request.auth)
    rows = query.nominations(request.auth)
    if filters.q:
        text = filters.q
        rows = rows.filter(Q(url__icontains=text) | Q(title__icontains=text) | Q(reason__icontains=text))
    wanted = {"state": filters.state, "agency_id": filters.agency}
    rows = rows.filter(**{name: value for name, value in wanted.items() if value is not None})
    return page(rows, _ORDER, paging, NominationAnswer)


@router.get("/{nomination_id}", response=NominationAnswer)
def show_nomination(request: ApiRequest, response: HttpResponse, nomination_id: Identifier) -> NominationAnswer:
    """Show a nomination.

    Needs a role that lets you work with targets of its agency.
    """
    row = _seen(request.auth, nomination_id)
    tag(response, row.version)
    return NominationAnswer.from_orm(row)


@router.post("/{nomination_id}/accept", response={201: TargetAnswer})
def accept_nomination(
    request: ApiRequest, response: HttpResponse, nomination_id: Identifier, body: Acceptance
) -> TargetAnswer:
    """Make a target of a nomination; it is pending and yours.

    Needs CREATE_TARGET in its agency.
    """
    _seen(request.auth, nomination_id)
    made = actions.accept_nomination(request.auth, nomination_id=nomination_id, name=body.name, note=body.note)
    return shown(request.auth, made.pk, response)


@router.post("/{nomination_id}/decline", response=NominationAnswer)
def decline_nomination(request: ApiRequest, nomination_id: Identifier, body: Refusal) -> NominationAnswer:
    """Decline a nomination.

    Needs CREATE_TARGET in its agency.
    """
    _seen(request.auth, nomination_id)
    actions.decline_nomination(request.auth, nomination_id=nomination_id, note=body.note)
    return NominationAnswer.from_orm(_seen(request.auth, nomination_id))


@router.delete("/{nomination_id}", response={204: None})
def delete_nomination(request: ApiRequest, nomination_id: Identifier) -> None:
    """Delete a nomination so that it can be restored.

    Needs APPROVE_TARGET in its agency.
    """
    delete(request.auth, NOMINATION, nomination_id, matched_version(request))


def _seen(actor: Actor, nomination_id: int) -> Any:
    see(actor)
    return query.nomination(actor, nomination_id)
