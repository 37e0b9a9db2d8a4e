"""Deposits: archive a harvest, list and show deposits with their receipts, try again, give up."""

import datetime
from typing import Annotated, Any

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Line, Named, Paragraph, Version
from opilio.api.versions import tag
from opilio.curation.actions import deposits as actions
from opilio.curation.queries import deposits as queries
from opilio.curation.queries import harvests
from opilio.curation.sight import READERS
from opilio.curation.words import DepositState
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege

router = Router(tags=["deposits"])
harvest_router = Router(tags=["deposits"])
_ORDER = Order(name="deposits", column="begun_at", newest_first=True)
_ARCHIVE = Privilege.ARCHIVE_HARVEST
Answers = Annotated[
    dict[Annotated[str, Field(max_length=40)], Annotated[str, Field(max_length=4_000)]],
    Field(max_length=30, description="What the deposit form of the depository asks for, by name.",
          examples=[{"series": "Owls"}]),
]  # fmt: skip


class DepositAnswer(Answer):
    """A hand-over of a result to a depository."""

    id: Id
    harvest: Id = Field(alias="harvest_id")
    result: int = Field(description="Number of the result within the harvest.")
    depository: Named
    state: str
    package: str = Field(description="Name of the package, and the key under which the depository knows it.")
    size: int = Field(description="Bytes.")
    digest: str
    archive_id: str = Field(description="What the archive calls it.")
    answers: dict[str, Any]
    receipt: dict[str, Any] = Field(description="What the archive answered, and what was read again.")
    proven: bool = Field(description="Whether it was read again at the depository, and is what was handed over.")
    failure: str = Field(description="What went wrong last; empty: nothing.")
    begun_at: datetime.datetime
    ended_at: datetime.datetime | None
    version: int

    @staticmethod
    def resolve_proven(row: Any) -> bool:
        """From the receipt."""
        return queries.is_proven(row)


class DepositFilters(Schema):
    """Which deposits are listed."""

    harvest: Identifier | None = None
    depository: Identifier | None = None
    state: DepositState | None = None


class ArchiveOrder(Body):
    """How a harvest is archived."""

    depository: Identifier | None = Field(None, description="Left out: the one that is proposed first.")
    answers: Answers = Field(default_factory=dict)
    reference: Line = Field("", description="Reference number, where the target has none yet.")
    version: Version | None = Field(None, description="Version of the harvest that you saw.")


class DepositGivenUp(Body):
    """Why a deposit is given up."""

    reason: Paragraph = ""


@harvest_router.post("/{harvest_id}/archive", response={201: DepositAnswer})
def archive_harvest(
    request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: ArchiveOrder
) -> DepositAnswer:
    """Hand the endorsed result of a harvest to a depository; an agent does it, and the deposit tells how far it is.

    Needs ARCHIVE_HARVEST over the harvest.
    """
    need(request.auth, "archive harvests", _ARCHIVE)
    harvest = harvests.harvest(request.auth, harvest_id)
    made = actions.archive_harvest(
        request.auth, harvest_id=harvest.pk, depository_id=body.depository, answers=body.answers,
        reference=body.reference, version=body.version,
    )  # fmt: skip
    return _shown(request.auth, made.pk, response)


@router.get("", response=Page[DepositAnswer])
def list_deposits(request: ApiRequest, filters: Query[DepositFilters], paging: Query[Paging]) -> Page[DepositAnswer]:
    """List deposits of harvests of the agencies in which you work, newest first.

    Needs a privilege to work with what an agency collects.
    """
    _see(request.auth)
    chosen = {"harvest_id": filters.harvest, "depository_id": filters.depository, "state": filters.state}
    given = {name: value for name, value in chosen.items() if value is not None}
    return page(queries.deposits(request.auth).filter(**given), _ORDER, paging, DepositAnswer)


@router.get("/{deposit_id}", response=DepositAnswer)
def show_deposit(request: ApiRequest, response: HttpResponse, deposit_id: Identifier) -> DepositAnswer:
    """Show a deposit with its receipt.

    Needs a privilege to work with what the agency of the harvest collects.
    """
    return _shown(request.auth, deposit_id, response)


@router.post("/{deposit_id}/retry", response=DepositAnswer)
def retry_deposit(request: ApiRequest, response: HttpResponse, deposit_id: Identifier) -> DepositAnswer:
    """Try a deposit again that failed, under the same key.

    Needs ARCHIVE_HARVEST over the harvest.
    """
    need(request.auth, "archive harvests", _ARCHIVE)
    row = queries.deposit(request.auth, deposit_id)
    return _shown(request.auth, actions.retry_deposit(request.auth, deposit_id=row.pk).pk, response)


@router.post("/{deposit_id}/give-up", response=DepositAnswer)
def give_up_deposit(
    request: ApiRequest, response: HttpResponse, deposit_id: Identifier, body: DepositGivenUp
) -> DepositAnswer:
    """Give a deposit up that is under way; the harvest is endorsed as before.

    Needs ARCHIVE_HARVEST over the harvest.
    """
    need(request.auth, "archive harvests", _ARCHIVE)
    row = queries.deposit(request.auth, deposit_id)
    made = actions.give_up_deposit(request.auth, deposit_id=row.pk, reason=body.reason)
    return _shown(request.auth, made.pk, response)


def _see(actor: Actor) -> None:
    need(actor, "see deposits", *sorted(READERS))


def _shown(actor: Actor, deposit_id: int, response: HttpResponse) -> DepositAnswer:
    _see(actor)
    row = queries.deposit(actor, deposit_id)
    tag(response, row.version)
    return DepositAnswer.from_orm(row)
