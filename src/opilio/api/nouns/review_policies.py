"""What agencies leave to rules when results are reviewed: list, show, set. A policy is known by its agency."""

from typing import TYPE_CHECKING, Annotated

from ninja import Router
from pydantic import Field

from opilio.api.identifiers import Identifier
from opilio.api.reach import need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Named
from opilio.curation.actions.review_policies import set_policy
from opilio.curation.queries import assessments as query
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege

if TYPE_CHECKING:
    from opilio.curation.models import ReviewPolicy

router = Router(tags=["review-policies"])


class PolicyAnswer(Answer):
    """The rules of an agency; version 0: it set none, and these are the usual ones."""

    agency: Named
    four_eyes: bool
    auto_endorse: bool
    auto_endorse_after: int
    auto_prune: bool
    check_pages: int
    sample_percent: int
    reference_required: bool
    delist_after: int
    version: int


class PolicyChange(Body):
    """Rules to change; what is not sent stays."""

    version: Annotated[int, Field(strict=True, ge=0, le=2**31 - 1, examples=[0])] = Field(
        description="Version that you changed; 0 if the agency set no rules yet."
    )
    four_eyes: Flag | None = None
    auto_endorse: Flag | None = None
    auto_endorse_after: Annotated[int, Field(strict=True, ge=0, le=1_000)] | None = None
    auto_prune: Flag | None = None
    check_pages: Annotated[int, Field(strict=True, ge=0, le=50)] | None = None
    sample_percent: Annotated[int, Field(strict=True, ge=0, le=100)] | None = None
    reference_required: Flag | None = None
    delist_after: Annotated[int, Field(strict=True, ge=0, le=100)] | None = None


@router.get("", response=list[PolicyAnswer])
def list_review_policies(request: ApiRequest) -> list[PolicyAnswer]:
    """List the rules of all agencies that you manage.

    Needs MANAGE_INDICATORS.
    """
    _see(request.auth)
    return [_told(query.policy(agency)) for agency in query.agencies(request.auth)]


@router.get("/{agency_id}", response=PolicyAnswer)
def show_review_policy(request: ApiRequest, agency_id: Identifier) -> PolicyAnswer:
    """Show the rules of an agency.

    Needs MANAGE_INDICATORS in the agency.
    """
    _see(request.auth)
    return _told(query.policy(query.agency(request.auth, agency_id)))


@router.put("/{agency_id}", response=PolicyAnswer)
def set_review_policy(request: ApiRequest, agency_id: Identifier, body: PolicyChange) -> PolicyAnswer:
    """Set rules of an agency.

    Needs MANAGE_INDICATORS in the agency.
    """
    _see(request.auth)
    agency = query.agency(request.auth, agency_id)
    set_policy(request.auth, agency_id=agency.pk, version=body.version, changes=body.changes())
    return _told(query.policy(agency))


def _see(actor: Actor) -> None:
    need(actor, "see rules of review", Privilege.MANAGE_INDICATORS)


def _told(row: "ReviewPolicy") -> PolicyAnswer:
    values = {name: getattr(row, name) for name in PolicyAnswer.model_fields if name != "agency"}
    return PolicyAnswer(agency=Named(id=str(row.agency.pk), name=row.agency.name), **values)
