"""Depositories: list, show, make, change, delete, try; a secret comes in, and never goes out again."""

import datetime
from typing import Annotated, Literal

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Line, Version
from opilio.api.versions import base_version, matched_version, tag
from opilio.curation.actions import depositories as actions
from opilio.curation.kinds import DEPOSITORY
from opilio.curation.queries import deposits as queries
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege

router = Router(tags=["depositories"])
_ORDER = Order(name="depositories", column="name")
_MANAGE = Privilege.CONFIGURE_PARAMETERS
Kind = Literal["directory", "s3", "http", "command"]
PackageForm = Literal["bag", "wacz", "ocfl"]
Place = Annotated[str, Field(min_length=1, max_length=2_000, examples=["https://archive.example/deposits"])]
Wait = Annotated[int, Field(strict=True, ge=1, le=86_400, description="Seconds to wait for its answer.")]
Secret = Annotated[str, Field(max_length=4_000, description="Password, token or key; kept sealed.")]
Word = Annotated[str, Field(max_length=200)]


class DepositQuestion(Schema):
    """A field of the deposit form."""

    name: str = Field(min_length=1, max_length=40, examples=["series"])
    label: str = Field(min_length=1, max_length=200, examples=["Series"])
    kind: Literal["text", "long", "number", "date", "choice", "yes-no"] = "text"
    required: Flag = False
    choices: list[Word] = Field(default_factory=list, max_length=200)
    help: str = Field("", max_length=500)


class DepositoryAnswer(Answer):
    """A depository, without its secret."""

    id: Id
    name: str
    agency: Id | None = Field(description="Whose harvests it takes; null: those of all.", alias="agency_id")
    kind: str
    place: str
    username: str
    has_secret: bool = Field(description="Whether a secret is kept.")
    form: str = Field(description="Form of the packages.")
    self_contained: bool
    questions: list[DepositQuestion]
    timeout: int
    active: bool
    preferred: bool
    received: int = Field(description="Deposits that it received.")
    failed: int = Field(description="Deposits that failed.")
    created: datetime.datetime
    updated: datetime.datetime
    version: int

    @staticmethod
    def resolve_has_secret(row: object) -> bool:
        """Only whether there is one."""
        return bool(getattr(row, "secret", None))


class DepositoryFilters(Schema):
    """Which depositories are listed."""

    q: Line = Field("", description="Part of the name.")
    active: bool | None = None


class DepositoryNew(Body):
    """A depository to be made."""

    name: str = Field(min_length=1, max_length=255, examples=["Cellar"])
    agency: Identifier | None = Field(None, description="Whose harvests it takes; left out: those of all agencies.")
    kind: Kind
    place: Place
    username: Line = ""
    secret: Secret = ""
    form: PackageForm = "bag"
    self_contained: Flag = False
    questions: list[DepositQuestion] = Field(default_factory=list, max_length=30)
    timeout: Wait = 600
    active: Flag = True
    preferred: Flag = False


class DepositoryChange(Body):
    """Fields to change."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    name: Line | None = None
    kind: Kind | None = None
    place: Place | None = None
    username: Line | None = None
    secret: Secret | None = None
    form: PackageForm | None = None
    self_contained: Flag | None = None
    questions: Annotated[list[DepositQuestion], Field(max_length=30)] | None = None
    timeout: Wait | None = None
    active: Flag | None = None
    preferred: Flag | None = None


class DepositoryTried(Answer):
    """What a trial found."""

    found: str


@router.get("", response=Page[DepositoryAnswer])
def list_depositories(
    request: ApiRequest, filters: Query[DepositoryFilters], paging: Query[Paging]
) -> Page[DepositoryAnswer]:
    """List the depositories, by name.

    Needs CONFIGURE_PARAMETERS.
    """
    need(request.auth, "see depositories", _MANAGE)
    rows = queries.depositories(request.auth)
    if filters.q:
        rows = rows.filter(name__icontains=filters.q)
    if filters.active is not None:
        rows = rows.filter(active=filters.active)
    return page(rows, _ORDER, paging, DepositoryAnswer)


@router.post("", response={201: DepositoryAnswer})
def create_depository(request: ApiRequest, response: HttpResponse, body: DepositoryNew) -> DepositoryAnswer:
    """Make a depository.

    Needs CONFIGURE_PARAMETERS.
    """
    given = body.model_dump(exclude={"agency"})
    made = actions.create_depository(request.auth, agency_id=body.agency, **given)
    return _shown(request.auth, made.pk, response)


@router.get("/{depository_id}", response=DepositoryAnswer)
def show_depository(request: ApiRequest, response: HttpResponse, depository_id: Identifier) -> DepositoryAnswer:
    """Show a depository.

    Needs CONFIGURE_PARAMETERS.
    """
    return _shown(request.auth, depository_id, response)


@router.patch("/{depository_id}", response=DepositoryAnswer)
def change_depository(
    request: ApiRequest, response: HttpResponse, depository_id: Identifier, body: DepositoryChange
) -> DepositoryAnswer:
    """Change a depository; whoever changes where its secret is sent must give it anew.

    Needs CONFIGURE_PARAMETERS.
    """
    need(request.auth, "change depositories", _MANAGE)
    queries.depository(request.auth, depository_id)
    changes = body.changes()
    if "questions" in changes:
        changes["questions"] = [one.model_dump() for one in changes["questions"]]
    version = base_version(request, body.version)
    actions.update_depository(request.auth, depository_id=depository_id, version=version, **changes)
    return _shown(request.auth, depository_id, response)


@router.delete("/{depository_id}", response={204: None})
def delete_depository(request: ApiRequest, depository_id: Identifier) -> None:
    """Delete a depository so that it can be restored; its deposits stay.

    Needs CONFIGURE_PARAMETERS.
    """
    delete(request.auth, DEPOSITORY, depository_id, matched_version(request))


@router.post("/{depository_id}/try", response=DepositoryTried)
def try_depository(request: ApiRequest, depository_id: Identifier) -> DepositoryTried:
    """Try whether a depository can be reached from the server; nothing is handed over.

    Needs CONFIGURE_PARAMETERS.
    """
    need(request.auth, "try depositories", _MANAGE)
    return DepositoryTried(found=queries.probe(request.auth, depository_id))


def _shown(actor: Actor, depository_id: int, response: HttpResponse) -> DepositoryAnswer:
    need(actor, "see depositories", _MANAGE)
    row = queries.depository(actor, depository_id)
    tag(response, row.version)
    return DepositoryAnswer.from_orm(row)
