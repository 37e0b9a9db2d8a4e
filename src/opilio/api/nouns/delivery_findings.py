"""Findings in documents and in files, and their kinds."""

import datetime
from typing import Any

from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.nouns.centres import see
from opilio.api.nouns.delivery_schemas import DocumentFindingAnswer, FileFindingAnswer
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Line, Moment
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.tracker.actions import finding_kinds as actions
from opilio.tracker.queries import findings as queries
from opilio.tracker.queries.curtain import Curtain

router = Router(tags=["deliveries"])
kinds_router = Router(tags=["deliveries"])
_DOCUMENTS = Order(name="document-findings", column="id", newest_first=True)
_FILES = Order(name="file-findings", column="id", newest_first=True)
_KINDS = Order(name="finding-kinds", column="short_name")
_MANAGE = Privilege.MANAGE_SOURCES


class FindingFilters(Schema):
    """Which findings are listed."""

    q: Line = Field("", description="Part of the message.")
    kind: Line = Field("", description="Name of the kind.")
    centre: Identifier | None = None
    delivery: Identifier | None = None
    active: bool | None = Field(None, description="Whether it counts now.")
    since: Moment | None = Field(None, description="Found or changed at this time or later.")


class FindingKindAnswer(Answer):
    """A kind of finding; kinds are made when they are first met."""

    id: Id
    name: str = Field(alias="short_name")
    description: str
    used: bool = Field(description="Whether a finding is of it; then it cannot be deleted.")
    last_update: datetime.datetime


class FindingKindChange(Body):
    """What a kind means."""

    description: str = Field(max_length=4_000)


@router.get("/documents", response=Page[DocumentFindingAnswer])
def list_document_findings(
    request: ApiRequest, filters: Query[FindingFilters], paging: Query[Paging]
) -> Page[DocumentFindingAnswer]:
    """List what is wrong in documents and records of the centres that you may see, newest first.

    Needs VIEW_DELIVERIES, MANAGE_DELIVERIES, MANAGE_SOURCES or RUN_SESSION.
    """
    see(request.auth)
    below = "document__attempt__offering__delivery"
    rows = queries.in_documents(request.auth).filter(**_chosen(filters, below))
    return page(rows, _DOCUMENTS, paging, DocumentFindingAnswer)


@router.get("/files", response=Page[FileFindingAnswer])
def list_file_findings(
    request: ApiRequest, filters: Query[FindingFilters], paging: Query[Paging]
) -> Page[FileFindingAnswer]:
    """List what is wrong with the files themselves: names, downloads, checksums, archives; newest first.

    Needs VIEW_DELIVERIES, MANAGE_DELIVERIES, MANAGE_SOURCES or RUN_SESSION.
    """
    see(request.auth)
    curtain = Curtain.of(request.auth)
    rows = queries.in_files(request.auth).filter(**_chosen(filters, "delivery"))
    return page(rows, _FILES, paging, FileFindingAnswer, lambda row: _file(row, curtain))


@kinds_router.get("", response=Page[FindingKindAnswer])
def list_finding_kinds(request: ApiRequest, paging: Query[Paging]) -> Page[FindingKindAnswer]:
    """List the kinds of finding, by name.

    Needs VIEW_DELIVERIES, MANAGE_DELIVERIES, MANAGE_SOURCES or RUN_SESSION.
    """
    see(request.auth)
    return page(queries.kinds(request.auth), _KINDS, paging, FindingKindAnswer)


@kinds_router.get("/{kind_id}", response=FindingKindAnswer)
def show_finding_kind(request: ApiRequest, kind_id: Identifier) -> FindingKindAnswer:
    """Show a kind of finding.

    Needs VIEW_DELIVERIES, MANAGE_DELIVERIES, MANAGE_SOURCES or RUN_SESSION.
    """
    return _shown(request.auth, kind_id)


@kinds_router.put("/{kind_id}/description", response=FindingKindAnswer)
def describe_finding_kind(request: ApiRequest, kind_id: Identifier, body: FindingKindChange) -> FindingKindAnswer:
    """Say what a kind of finding means.

    Needs MANAGE_SOURCES over everything, as all centres share the kinds.
    """
    need(request.auth, "describe kinds of finding", _MANAGE)
    actions.describe_kind(request.auth, kind_id=kind_id, description=body.description)
    return _shown(request.auth, kind_id)


@kinds_router.delete("/{kind_id}", response={204: None})
def delete_finding_kind(request: ApiRequest, kind_id: Identifier) -> None:
    """Delete a kind of finding; refused while a finding is of it.

    Needs MANAGE_SOURCES over everything, as all centres share the kinds.
    """
    need(request.auth, "delete kinds of finding", _MANAGE)
    actions.delete_kind(request.auth, kind_id=kind_id)


def _chosen(filters: FindingFilters, delivery: str) -> dict[str, Any]:
    given = {
        "message__icontains": filters.q or None, "kind__short_name": filters.kind or None,
        f"{delivery}__zip__centre_id": filters.centre, f"{delivery}_id": filters.delivery, "active": filters.active,
        "last_update__gte": filters.since,
    }  # fmt: skip
    return {name: value for name, value in given.items() if value is not None}


def _file(row: Any, curtain: Curtain) -> FileFindingAnswer:
    centre = row.delivery.zip.centre
    return FileFindingAnswer(
        id=row.pk, delivery=row.delivery_id, file=row.delivery.zip.file_name,
        centre_code=centre.short_name if centre else "", kind=row.kind.short_name, message=curtain.over(row.message),
        active=row.active, last_update=row.last_update,
    )  # fmt: skip


def _shown(actor: Actor, kind_id: int) -> FindingKindAnswer:
    see(actor)
    return FindingKindAnswer.from_orm(queries.kind(actor, kind_id))
