"""Results of harvests: list, show, events; endorse, reject, take back, undo, note."""

from typing import TYPE_CHECKING

from django.db.models import QuerySet
from django.http import HttpResponse
from ninja import Query, Router

from opilio.api.acting import acting
from opilio.api.identifiers import Identifier
from opilio.api.nouns.result_schemas import (
    ADVICE,
    STATES,
    EndorseBody,
    PreservationAnswer,
    ProvenanceBody,
    RejectBody,
    ResultAnswer,
    ResultDetail,
    ResultFilters,
    UndoBody,
    told,
)
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import need
from opilio.api.requests import ApiRequest
from opilio.api.versions import matched_version, tag
from opilio.curation.actions import result_decisions as decisions
from opilio.curation.actions.results import note_result, undo_result
from opilio.curation.queries import review
from opilio.curation.queries.results import result
from opilio.curation.sight import READERS
from opilio.people.actor import Actor

if TYPE_CHECKING:
    from opilio.curation.models import Result

router = Router(tags=["results"])
_ORDER = Order(name="results", column="made_at", newest_first=True)
_EVENTS = Order(name="result-events", column="at")


def seen(actor: Actor, result_id: int) -> None:
    """404 for a result that the asker may not see, before anything else is told about it."""
    need(actor, "see results", *sorted(READERS))
    result(actor, result_id)


def shown(actor: Actor, result_id: int, response: HttpResponse) -> ResultDetail:
    """A result in full."""
    need(actor, "see results", *sorted(READERS))
    row = result(actor, result_id)
    tag(response, row.version)
    return ResultDetail(**told(row), modification_notes=review.notes_of(row), lineage=review.way_to(row))


_acting = acting("result_id", seen=seen, shown=shown)


@router.get("", response=Page[ResultAnswer])
def list_results(request: ApiRequest, filters: Query[ResultFilters], paging: Query[Paging]) -> Page[ResultAnswer]:
    """List results of harvests of the agencies in which you work, the newest first.

    Needs a privilege to work with what an agency collects.
    """
    need(request.auth, "see results", *sorted(READERS))
    return page(_narrowed(request.auth, filters), _ORDER, paging, ResultAnswer, lambda row: ResultAnswer(**told(row)))


@router.get("/{result_id}", response=ResultDetail)
def show_result(request: ApiRequest, response: HttpResponse, result_id: Identifier) -> ResultDetail:
    """Show a result: where it stands, where it came from, what is recommended.

    Needs a privilege to work with what its agency collects.
    """
    return shown(request.auth, result_id, response)


@router.get("/{result_id}/events", response=Page[PreservationAnswer])
def list_result_events(request: ApiRequest, result_id: Identifier, paging: Query[Paging]) -> Page[PreservationAnswer]:
    """List what happened to a result as a thing to be preserved, oldest first.

    Needs a privilege to work with what its agency collects.
    """
    need(request.auth, "see results", *sorted(READERS))
    return page(review.events_of(result(request.auth, result_id)), _EVENTS, paging, PreservationAnswer)


@router.post("/{result_id}/endorse", response=ResultDetail)
@_acting
def endorse_one_result(request: ApiRequest, response: HttpResponse, result_id: Identifier, body: EndorseBody) -> None:
    """Endorse a result, or propose that where two people must agree; 409 when somebody decided meanwhile.

    Needs ENDORSE_HARVEST on its harvest.
    """
    version = body.version or matched_version(request)
    decisions.endorse_result(request.auth, result_id=result_id, version=version, note=body.note)


@router.post("/{result_id}/reject", response=ResultDetail)
@_acting
def reject_one_result(request: ApiRequest, response: HttpResponse, result_id: Identifier, body: RejectBody) -> None:
    """Reject a result for a reason; with the last one its harvest is rejected.

    Needs ENDORSE_HARVEST on its harvest.
    """
    version = body.version or matched_version(request)
    decisions.reject_result(
        request.auth, result_id=result_id, reason_id=body.reason, version=version, note=body.note
    )  # fmt: skip


@router.post("/{result_id}/unendorse", response=ResultDetail)
@_acting
def unendorse_one_result(request: ApiRequest, response: HttpResponse, result_id: Identifier, body: EndorseBody) -> None:
    """Take the endorsement of a result back, as long as its harvest is not archived.

    Needs UNENDORSE_HARVEST on its harvest.
    """
    version = body.version or matched_version(request)
    decisions.unendorse_result(request.auth, result_id=result_id, version=version, note=body.note)


@router.post("/{result_id}/undo", response=ResultDetail)
@_acting
def undo_one_result(request: ApiRequest, response: HttpResponse, result_id: Identifier, body: UndoBody) -> None:
    """Have the newest derived result of a harvest undone by an agent; a record of it stays.

    Needs ENDORSE_HARVEST on its harvest.
    """
    version = body.version or matched_version(request)
    undo_result(request.auth, result_id=result_id, why=body.why, version=version)


@router.put("/{result_id}/note", response=ResultDetail)
@_acting
def note_one_result(request: ApiRequest, response: HttpResponse, result_id: Identifier, body: ProvenanceBody) -> None:
    """Say where a result came from, and why.

    Needs ENDORSE_HARVEST on its harvest.
    """
    version = body.version or matched_version(request)
    note_result(request.auth, result_id=result_id, note=body.note, version=version)


def _narrowed(actor: Actor, filters: ResultFilters) -> "QuerySet[Result]":
    rows = review.waiting(actor) if filters.waiting else review.listed(actor)
    states, advice = {word: one for one, word in STATES.items()}, {word: one for one, word in ADVICE.items()}
    exact = {
        "harvest__agency_id": filters.agency, "harvest__owner_id": filters.owner, "harvest_id": filters.harvest,
        "harvest__flag_id": filters.flag, "state": states.get(filters.state or ""),
        "assessment__advice": advice.get(filters.advice or ""),
    }  # fmt: skip
    rows = rows.filter(**{name: value for name, value in exact.items() if value is not None})
    return rows.filter(harvest__abstract_target__name__icontains=filters.q) if filters.q else rows
