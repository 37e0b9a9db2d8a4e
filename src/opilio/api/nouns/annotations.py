"""Annotations: list and add by the row they are pinned to; reword and delete by their own identifier."""

import datetime
from typing import Annotated

from django.http import HttpResponse
from ninja import Path, Query, Router
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Version
from opilio.api.versions import base_version, matched_version, tag
from opilio.people.actions import annotations as actions
from opilio.people.actor import Actor
from opilio.people.kinds import ANNOTATION
from opilio.people.queries import reachable
from opilio.people.queries.records import annotations

router = Router(tags=["annotations"])
_ORDER = Order(name="annotations", column="at", newest_first=True)
_KindName = Annotated[str, Field(max_length=64, description="Kind of the row.", examples=["user"])]
_Note = Annotated[str, Field(min_length=1, max_length=10_000)]


class Writer(Answer):
    """Who wrote or reworded an annotation."""

    id: Id
    username: str


class EditAnswer(Answer):
    """What an annotation said before one of its edits."""

    note: str
    alertable: bool
    replaced_at: datetime.datetime
    replaced_by: Writer | None


class AnnotationAnswer(Answer):
    """A note that somebody pinned to a row."""

    id: Id
    author: Writer
    at: datetime.datetime
    note: str
    alertable: bool = Field(description="Shown with a warning sign.")
    subject_type: str
    subject_id: Id
    edits: list[EditAnswer] = Field(description="Every earlier wording, newest first.")
    version: int


class AnnotationNew(Body):
    """A note to be pinned."""

    note: _Note
    alertable: Flag = False


class AnnotationChange(Body):
    """Fields to change."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    note: _Note | None = None
    alertable: Flag | None = None


@router.get("/{kind}/{row_id}", response=Page[AnnotationAnswer])
def list_annotations(
    request: ApiRequest, kind: Path[_KindName], row_id: Identifier, paging: Query[Paging]
) -> Page[AnnotationAnswer]:
    """List the annotations of a row that you may see, newest first."""
    return page(annotations(request.auth, kind, row_id), _ORDER, paging, AnnotationAnswer)


@router.post("/{kind}/{row_id}", response={201: AnnotationAnswer})
def add_annotation(
    request: ApiRequest, response: HttpResponse, kind: Path[_KindName], row_id: Identifier, body: AnnotationNew
) -> AnnotationAnswer:
    """Pin a note to a row that you manage or own."""
    annotations(request.auth, kind, row_id)
    row = actions.add_annotation(request.auth, kind_name=kind, row_id=row_id, note=body.note, alertable=body.alertable)
    return _shown(request.auth, row.id, response)


@router.get("/{annotation_id}", response=AnnotationAnswer)
def show_annotation(request: ApiRequest, response: HttpResponse, annotation_id: Identifier) -> AnnotationAnswer:
    """Show an annotation with its earlier wordings."""
    return _shown(request.auth, annotation_id, response)


@router.patch("/{annotation_id}", response=AnnotationAnswer)
def change_annotation(
    request: ApiRequest, response: HttpResponse, annotation_id: Identifier, body: AnnotationChange
) -> AnnotationAnswer:
    """Reword an annotation of yours; the wording so far is kept."""
    row = reachable.annotation(request.auth, annotation_id)
    actions.edit_annotation(
        request.auth, annotation_id=annotation_id, version=base_version(request, body.version),
        note=row.note if body.note is None else body.note,
        alertable=row.alertable if body.alertable is None else body.alertable,
    )  # fmt: skip
    return _shown(request.auth, annotation_id, response)


@router.delete("/{annotation_id}", response={204: None})
def delete_annotation(request: ApiRequest, annotation_id: Identifier) -> None:
    """Delete an annotation of yours, or of a user whom you manage, so that it can be restored."""
    delete(request.auth, ANNOTATION, annotation_id, matched_version(request))


def _shown(actor: Actor, annotation_id: int, response: HttpResponse) -> AnnotationAnswer:
    row = reachable.annotation(actor, annotation_id)
    tag(response, row.version)
    return AnnotationAnswer.from_orm(row)
