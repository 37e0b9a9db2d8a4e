"""Deleted rows: how many of each kind, which, and how to get them back."""

import datetime
from typing import Annotated, Any

from ninja import Path, Query, Router
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer
from opilio.people.actions.rows import restore_row as restore
from opilio.people.kinds import Kind, kind_named
from opilio.people.queries.records import deleted_counts, rows_of
from opilio.people.queries.visible import one

router = Router(tags=["deleted rows"])
_KindName = Annotated[str, Field(max_length=64, description="Kind of the rows.", examples=["user"])]


class KindCount(Answer):
    """How many deleted rows of a kind you may restore."""

    kind: str
    label: str
    count: int


class RowAnswer(Answer):
    """A curated row of any kind."""

    kind: str
    id: Id
    name: str
    deleted: bool
    updated: datetime.datetime = Field(description="When it was deleted or restored.")
    updated_by: str | None = Field(description="Who did; null: the system.")
    version: int


@router.get("", response=list[KindCount])
def count_deleted(request: ApiRequest) -> list[KindCount]:
    """Count the deleted rows that you may restore, by kind."""
    return [KindCount(kind=kind.name, label=kind.plural, count=count) for kind, count in deleted_counts(request.auth)]


@router.get("/{kind}", response=Page[RowAnswer])
def list_deleted(request: ApiRequest, kind: Path[_KindName], paging: Query[Paging]) -> Page[RowAnswer]:
    """List the deleted rows of a kind that you may restore, latest first."""
    found = kind_named(kind)
    order = Order(name=f"deleted-{found.name}", column="updated", newest_first=True)
    return page(rows_of(request.auth, found, deleted=True), order, paging, RowAnswer, lambda row: _shown(found, row))


@router.post("/{kind}/{row_id}/restore", response=RowAnswer)
def restore_row(request: ApiRequest, kind: Path[_KindName], row_id: Identifier) -> RowAnswer:
    """Restore a deleted row of a kind that you manage, or that you own."""
    found = kind_named(kind)
    one(rows_of(request.auth, found, deleted=True), f"deleted {found.label.lower()}", row_id)
    return _shown(found, restore(request.auth, kind_name=kind, row_id=row_id))


def _shown(kind: Kind, row: Any) -> RowAnswer:
    return RowAnswer(
        kind=kind.name, id=str(row.id), name=str(row), deleted=row.deleted, updated=row.updated,
        updated_by=str(row.updated_by) if row.updated_by_id else None, version=row.version,
    )  # fmt: skip
