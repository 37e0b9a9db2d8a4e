"""Deliveries: where all stand, the list, the story of one, and what is decided about it."""

from typing import Any

from django.db.models import QuerySet
from ninja import Query, Router
from pydantic import Field

from opilio.api.identifiers import Identifier
from opilio.api.nouns.centres import see
from opilio.api.nouns.delivery_schemas import (
    AttemptAnswer,
    DeliveryAnswer,
    DeliveryDecision,
    DeliveryFilters,
    DocumentAnswer,
    LineAnswer,
    LinePlace,
    LinesAnswer,
    PhaseName,
    RecordAnswer,
    StandingChangeAnswer,
    StatusName,
    TakenBack,
)
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer
from opilio.deliveries.states import Phase, Status
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.tracker.actions import deliveries as actions
from opilio.tracker.queries import deliveries as queries
from opilio.tracker.queries import overview, story
from opilio.tracker.queries.curtain import Curtain

router = Router(tags=["deliveries"])
_ORDER = Order(name="deliveries", column="id", newest_first=True)
_ATTEMPTS = Order(name="delivery-attempts", column="id", newest_first=True)
_DOCUMENTS = Order(name="delivery-documents", column="id", newest_first=True)
_CHANGES = Order(name="delivery-changes", column="id")
_RECORDS = Order(name="delivery-records", column="id")
_MANAGE = Privilege.MANAGE_DELIVERIES
_ELSEWHERE = "a source of another centre"


class MatrixCell(Answer):
    """How many deliveries of a centre stand somewhere."""

    centre: str = Field(description="Code; empty: no known centre.")
    phase: PhaseName
    status: StatusName
    count: int


class DeliveryMatrix(Answer):
    """Where all deliveries stand."""

    cells: list[MatrixCell]


@router.get("", response=Page[DeliveryAnswer])
def list_deliveries(
    request: ApiRequest, filters: Query[DeliveryFilters], paging: Query[Paging]
) -> Page[DeliveryAnswer]:
    """List deliveries of the centres that you may see, newest first.

    Needs VIEW_DELIVERIES, MANAGE_DELIVERIES, MANAGE_SOURCES or RUN_SESSION.
    """
    see(request.auth)
    curtain = Curtain.of(request.auth)
    return page(_narrowed(request.auth, filters), _ORDER, paging, DeliveryAnswer, lambda row: told(row, curtain))


@router.get("/matrix", response=DeliveryMatrix)
def delivery_matrix(request: ApiRequest) -> DeliveryMatrix:
    """Count deliveries by centre, phase and status.

    Needs VIEW_DELIVERIES, MANAGE_DELIVERIES, MANAGE_SOURCES or RUN_SESSION.
    """
    see(request.auth)
    cells = [
        MatrixCell(centre=line.code, phase=_phase(phase), status=_status(status), count=number)
        for line in overview.lines(request.auth)
        for (phase, status), number in sorted(line.counts.items())
    ]
    return DeliveryMatrix(cells=cells)


@router.get("/{delivery_id}", response=DeliveryAnswer)
def show_delivery(request: ApiRequest, delivery_id: Identifier) -> DeliveryAnswer:
    """Show a delivery.

    Needs a privilege about deliveries over the agency of its centre.
    """
    return _shown(request.auth, delivery_id)


@router.get("/{delivery_id}/attempts", response=Page[AttemptAnswer])
def list_delivery_attempts(request: ApiRequest, delivery_id: Identifier, paging: Query[Paging]) -> Page[AttemptAnswer]:
    """List the attempts at a delivery, newest first.

    Needs a privilege about deliveries over the agency of its centre.
    """
    row, curtain = _row(request.auth, delivery_id), Curtain.of(request.auth)
    return page(story.attempts(row), _ATTEMPTS, paging, AttemptAnswer, lambda one: _attempt(one, curtain))


@router.get("/{delivery_id}/documents", response=Page[DocumentAnswer])
def list_delivery_documents(
    request: ApiRequest, delivery_id: Identifier, paging: Query[Paging]
) -> Page[DocumentAnswer]:
    """List the documents of all attempts at a delivery, newest first.

    Needs a privilege about deliveries over the agency of its centre.
    """
    return page(story.documents(_row(request.auth, delivery_id)), _DOCUMENTS, paging, DocumentAnswer)


@router.get("/{delivery_id}/documents/{document_id}/lines", response=LinesAnswer)
def show_document_lines(
    request: ApiRequest, delivery_id: Identifier, document_id: Identifier, place: Query[LinePlace]
) -> LinesAnswer:
    """Show lines of a document around a place; of long lines the part around the column.

    Needs a privilege about deliveries over the agency of its centre.
    """
    see(request.auth)
    row = story.document(request.auth, delivery_id, document_id)
    found = story.shown_lines(row, [(place.line, place.column)], around=place.around)
    lines = (found or {}).get((place.line, place.column), ())
    told_lines = [LineAnswer(number=one.number, text=one.text, start=one.start, more=one.more) for one in lines]
    return LinesAnswer(kept=found is not None, lines=told_lines)


@router.get("/{delivery_id}/changes", response=Page[StandingChangeAnswer])
def list_delivery_changes(
    request: ApiRequest, delivery_id: Identifier, paging: Query[Paging]
) -> Page[StandingChangeAnswer]:
    """List every change of a delivery, its attempts and its documents, oldest first.

    Needs a privilege about deliveries over the agency of its centre.
    """
    row, curtain = _row(request.auth, delivery_id), Curtain.of(request.auth)
    return page(story.changes(row), _CHANGES, paging, StandingChangeAnswer, lambda one: _change(one, curtain))


@router.get("/{delivery_id}/records", response=Page[RecordAnswer])
def list_delivery_records(request: ApiRequest, delivery_id: Identifier, paging: Query[Paging]) -> Page[RecordAnswer]:
    """List the records that a delivery brought, in all their versions.

    Needs a privilege about deliveries over the agency of its centre.
    """
    return page(story.records(_row(request.auth, delivery_id)), _RECORDS, paging, RecordAnswer)


@router.post("/{delivery_id}/retry", response=DeliveryAnswer)
def retry_delivery(request: ApiRequest, delivery_id: Identifier) -> DeliveryAnswer:
    """Try a delivery again that failed, in the next session.

    Needs MANAGE_DELIVERIES over the agency of its centre.
    """
    actions.retry(request.auth, delivery_id=_managed(request.auth, delivery_id))
    return _shown(request.auth, delivery_id)


@router.post("/{delivery_id}/revalidate", response=DeliveryAnswer)
def revalidate_delivery(request: ApiRequest, delivery_id: Identifier) -> DeliveryAnswer:
    """Take a delivery in again from what is here, in the next session.

    Needs MANAGE_DELIVERIES over the agency of its centre.
    """
    actions.revalidate(request.auth, delivery_id=_managed(request.auth, delivery_id))
    return _shown(request.auth, delivery_id)


@router.post("/{delivery_id}/requeue", response=DeliveryAnswer)
def requeue_delivery(request: ApiRequest, delivery_id: Identifier) -> DeliveryAnswer:
    """Fetch a delivery again, in the next session.

    Needs MANAGE_DELIVERIES over the agency of its centre.
    """
    actions.requeue(request.auth, delivery_id=_managed(request.auth, delivery_id))
    return _shown(request.auth, delivery_id)


@router.post("/{delivery_id}/cancel", response=DeliveryAnswer)
def cancel_delivery(request: ApiRequest, delivery_id: Identifier, body: DeliveryDecision) -> DeliveryAnswer:
    """Give a delivery up, for a reason.

    Needs MANAGE_DELIVERIES over the agency of its centre.
    """
    actions.cancel(request.auth, delivery_id=_managed(request.auth, delivery_id), reason=body.reason)
    return _shown(request.auth, delivery_id)


@router.post("/{delivery_id}/undo", response=TakenBack)
def undo_delivery(request: ApiRequest, delivery_id: Identifier, body: DeliveryDecision) -> TakenBack:
    """Take back the records that a delivery brought; what later deliveries changed stays.

    Needs MANAGE_DELIVERIES over the agency of its centre.
    """
    number = actions.undo(request.auth, delivery_id=_managed(request.auth, delivery_id), reason=body.reason)
    return TakenBack(count=number)


@router.post("/{delivery_id}/hold", response=DeliveryAnswer)
def hold_delivery(request: ApiRequest, delivery_id: Identifier, body: DeliveryDecision) -> DeliveryAnswer:
    """Keep a delivery from being removed, whatever the rules of retention.

    Needs MANAGE_DELIVERIES over the agency of its centre.
    """
    actions.hold(request.auth, delivery_id=_managed(request.auth, delivery_id), held=True, reason=body.reason)
    return _shown(request.auth, delivery_id)


@router.post("/{delivery_id}/release", response=DeliveryAnswer)
def release_delivery(request: ApiRequest, delivery_id: Identifier, body: DeliveryDecision) -> DeliveryAnswer:
    """Let go of a delivery that was held.

    Needs MANAGE_DELIVERIES over the agency of its centre.
    """
    actions.hold(request.auth, delivery_id=_managed(request.auth, delivery_id), held=False, reason=body.reason)
    return _shown(request.auth, delivery_id)


def told(row: Any, curtain: Curtain) -> DeliveryAnswer:
    """A delivery as one asker may read it."""
    zipped = row.zip
    return DeliveryAnswer(
        id=row.pk, file=zipped.file_name, action=row.todo.short_name, centre=zipped.centre_id,
        centre_code=zipped.centre.short_name if zipped.centre else "", profile=row.profile, why=curtain.over(row.why),
        date=zipped.created, increment=zipped.inc, size=zipped.size_bytes, sha256=zipped.content_sha256,
        md5=zipped.content_md5, first_seen=row.first_seen, held=row.held, retried=row.retried,
        phase=_phase(row.phase_id), status=_status(row.status_id), last_update=row.last_update,
    )  # fmt: skip


def _phase(number: int) -> Any:
    return Phase(number).name.lower()


def _status(number: int) -> Any:
    return Status(number).name.lower()


def _narrowed(actor: Actor, filters: DeliveryFilters) -> QuerySet[Any]:
    rows: QuerySet[Any] = queries.stuck(actor) if filters.stuck else queries.deliveries(actor)
    chosen = {
        "zip__file_name__icontains": filters.q or None, "zip__centre_id": filters.centre,
        "phase_id": Phase[filters.phase.upper()] if filters.phase else None,
        "status_id": Status[filters.status.upper()] if filters.status else None,
        "todo__short_name": filters.action or None, "held": filters.held, "first_seen__gte": filters.since,
        "first_seen__lt": filters.until,
    }  # fmt: skip
    rows = rows.filter(**{name: value for name, value in chosen.items() if value is not None})
    return queries.with_kind(rows, filters.kind) if filters.kind else rows


def _row(actor: Actor, delivery_id: int) -> Any:
    see(actor)
    return queries.delivery(actor, delivery_id)


def _managed(actor: Actor, delivery_id: int) -> int:
    need(actor, "decide about deliveries", _MANAGE)
    return int(queries.delivery(actor, delivery_id).pk)


def _shown(actor: Actor, delivery_id: int) -> DeliveryAnswer:
    return told(_row(actor, delivery_id), Curtain.of(actor))


def _attempt(one: Any, curtain: Curtain) -> AttemptAnswer:
    source = one.offering.source
    return AttemptAnswer(
        id=one.pk, source=_ELSEWHERE if curtain.hides(source) else str(source), session=one.session,
        revision=one.revision, request=one.request, received=one.received,
        downloaded_size_bytes=one.downloaded_size_bytes, seconds=one.seconds, sha256=one.sha256, md5=one.md5,
        again=one.again, document_count=one.document_count, phase=_phase(one.phase_id), status=_status(one.status_id),
        last_update=one.last_update,
    )  # fmt: skip


def _change(one: Any, curtain: Curtain) -> StandingChangeAnswer:
    return StandingChangeAnswer(
        id=one.pk, what=one.what, row=one.row, phase=_phase(one.to_phase), status=_status(one.to_status), at=one.at,
        by=one.by, why=curtain.over(one.why),
    )  # fmt: skip
