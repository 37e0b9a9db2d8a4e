"""Takedowns: list, show, order, preview, confirm, review, lift, prove."""

import datetime
from typing import Annotated, Any, Literal

from django.http import HttpResponse
from ninja import Query, Router
from pydantic import Field

from opilio.api.acting import acting
from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Line, Moment, Version
from opilio.api.versions import base_version, tag
from opilio.curation.actions import takedowns as actions
from opilio.curation.queries import takedowns as queries
from opilio.curation.takedown_checks import made
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege

router = Router(tags=["takedowns"])
_ORDER = Order(name="takedowns", column="ordered_at", newest_first=True)
_Text = Annotated[str, Field(max_length=4_000)]
_Level = Literal["hide", "block", "destroy"]
_Reach = Literal["all", "domain", "host", "prefix", "url", "pattern"]


class TakedownAnswer(Answer):
    """A takedown."""

    id: Id
    agency: Id
    target: Id | None
    harvest: Id | None
    level: str
    state: str
    reach: str
    value: str
    captured_from: datetime.datetime | None
    captured_to: datetime.datetime | None
    authority: str
    reason: str
    reference: str
    review_on: datetime.date | None
    ordered_at: datetime.datetime
    lifted_at: datetime.datetime | None
    lifted_why: str
    version: int


class TakedownNew(Body):
    """A takedown to be ordered."""

    agency: Identifier
    level: _Level
    reach: _Reach
    value: _Text = Field("", description="The URL, host, domain, beginning or pattern; empty for all.")
    authority: _Text
    reason: _Text
    reference: Line = ""
    target: Identifier | None = None
    harvest: Identifier | None = None
    captured_from: Moment | None = None
    captured_to: Moment | None = None
    review_on: datetime.date | None = None


class TakedownLift(Body):
    """Why a takedown is lifted."""

    why: _Text
    version: Version | None = Field(None, description="Version that you saw; or send If-Match.")


class TakedownReview(Body):
    """What came of looking at it again."""

    note: _Text = ""
    review_on: datetime.date | None = None
    version: Version | None = Field(None, description="Version that you saw; or send If-Match.")


class TakedownProofNew(Body):
    """What was done elsewhere."""

    place: Line
    what: _Text
    done: Flag = True


class TakedownProofAnswer(Answer):
    """What was done at a place, and what was found there after."""

    at: datetime.datetime
    place: str
    done: bool
    what: str
    details: dict[str, Any]


class TakedownReached(Answer):
    """What a takedown reaches in one harvest."""

    harvest: Id
    name: str
    captures: int | None = Field(description="null: its folder is not on this machine.")


class TakedownPreview(Answer):
    """What a takedown reaches."""

    captures: int
    more: bool = Field(description="Whether there may be more than were counted.")
    harvests: list[TakedownReached]


def _seen(actor: Actor, takedown_id: int) -> Any:
    need(actor, "see takedowns", Privilege.TAKEDOWN)
    return queries.takedown(actor, takedown_id)


def _shown(actor: Actor, takedown_id: int, response: HttpResponse) -> TakedownAnswer:
    row = _seen(actor, takedown_id)
    tag(response, row.version)
    return _answer(row)


_acting = acting("takedown_id", seen=_seen, shown=_shown)


@router.get("", response=Page[TakedownAnswer])
def list_takedowns(request: ApiRequest, paging: Query[Paging]) -> Page[TakedownAnswer]:
    """List takedowns, the newest first.

    Needs TAKEDOWN.
    """
    need(request.auth, "see takedowns", Privilege.TAKEDOWN)
    return page(queries.takedowns(request.auth), _ORDER, paging, TakedownAnswer, _answer)


@router.post("", response={201: TakedownAnswer})
def order_takedown(request: ApiRequest, response: HttpResponse, body: TakedownNew) -> TakedownAnswer:
    """Hide, block or destroy captures; a destruction may wait for a second person, and blocks meanwhile.

    Needs TAKEDOWN in the agency.
    """
    row = actions.order_takedown(request.auth, **_given(body), review_on=body.review_on)
    return _shown(request.auth, row.pk, response)


@router.post("/preview", response=TakedownPreview)
def preview_takedown(request: ApiRequest, body: TakedownNew) -> TakedownPreview:
    """Show what a takedown would reach, without ordering it.

    Needs TAKEDOWN.
    """
    need(request.auth, "see what a takedown reaches", Privilege.TAKEDOWN)
    found = queries.preview_for(request.auth, made(**_given(body)))
    return _previewed(found)


@router.get("/{takedown_id}", response=TakedownAnswer)
def show_takedown(request: ApiRequest, response: HttpResponse, takedown_id: Identifier) -> TakedownAnswer:
    """Show a takedown.

    Needs TAKEDOWN in its agency.
    """
    return _shown(request.auth, takedown_id, response)


@router.get("/{takedown_id}/reach", response=TakedownPreview)
def show_takedown_reach(request: ApiRequest, takedown_id: Identifier) -> TakedownPreview:
    """Show what a takedown reaches now.

    Needs TAKEDOWN in its agency.
    """
    return _previewed(queries.preview(_seen(request.auth, takedown_id)))


@router.get("/{takedown_id}/proofs", response=list[TakedownProofAnswer])
def list_takedown_proofs(request: ApiRequest, takedown_id: Identifier) -> list[TakedownProofAnswer]:
    """List what was done for a takedown at each place, with digests before and after.

    Needs TAKEDOWN in its agency.
    """
    return [TakedownProofAnswer.from_orm(proof) for proof in queries.proofs(_seen(request.auth, takedown_id))]


@router.post("/{takedown_id}/proofs", response={201: TakedownProofAnswer})
def prove_takedown(request: ApiRequest, takedown_id: Identifier, body: TakedownProofNew) -> TakedownProofAnswer:
    """Write down what was done for a takedown elsewhere.

    Needs TAKEDOWN in its agency.
    """
    row = _seen(request.auth, takedown_id)
    proof = actions.prove_takedown(request.auth, takedown_id=row.pk, place=body.place, what=body.what, done=body.done)
    return TakedownProofAnswer.from_orm(proof)


@router.post("/{takedown_id}/confirm", response=TakedownAnswer)
@_acting
def confirm_takedown(request: ApiRequest, response: HttpResponse, takedown_id: Identifier) -> None:
    """Confirm a destruction that somebody else proposed; it cannot be taken back.

    Needs TAKEDOWN in its agency.
    """
    actions.confirm_takedown(request.auth, takedown_id=takedown_id)


@router.post("/{takedown_id}/lift", response=TakedownAnswer)
@_acting
def lift_takedown(request: ApiRequest, response: HttpResponse, takedown_id: Identifier, body: TakedownLift) -> None:
    """Lift a takedown; what was destroyed stays so.

    Needs TAKEDOWN in its agency.
    """
    version = base_version(request, body.version)
    actions.lift_takedown(request.auth, takedown_id=takedown_id, why=body.why, version=version)


@router.post("/{takedown_id}/review", response=TakedownAnswer)
@_acting
def review_takedown(request: ApiRequest, response: HttpResponse, takedown_id: Identifier, body: TakedownReview) -> None:
    """Say that a takedown was looked at again, and when to do so next.

    Needs TAKEDOWN in its agency.
    """
    version = base_version(request, body.version)
    actions.review_takedown(
        request.auth, takedown_id=takedown_id, note=body.note, review_on=body.review_on, version=version
    )


def _given(body: TakedownNew) -> dict[str, Any]:
    return {
        "agency_id": body.agency, "level": body.level, "reach": body.reach, "value": body.value,
        "authority": body.authority, "reason": body.reason, "reference": body.reference, "target_id": body.target,
        "harvest_id": body.harvest, "captured_from": body.captured_from, "captured_to": body.captured_to,
    }  # fmt: skip


def _answer(row: Any) -> TakedownAnswer:
    return TakedownAnswer(
        id=str(row.pk), agency=str(row.agency_id), target=str(row.target_id) if row.target_id else None,
        harvest=str(row.harvest_id) if row.harvest_id else None, level=row.level, state=row.state, reach=row.reach,
        value=row.value, captured_from=row.captured_from, captured_to=row.captured_to, authority=row.authority,
        reason=row.reason, reference=row.reference, review_on=row.review_on, ordered_at=row.ordered_at,
        lifted_at=row.lifted_at, lifted_why=row.lifted_why, version=row.version,
    )  # fmt: skip


def _previewed(found: queries.Preview) -> TakedownPreview:
    harvests = [
        TakedownReached(
            harvest=str(each.harvest), name=each.name, captures=each.found.captures if each.found is not None else None
        )
        for each in found.harvests
    ]
    return TakedownPreview(captures=found.captures, more=found.more, harvests=harvests)
