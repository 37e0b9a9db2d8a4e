"""Saved views of lists: list, keep, delete."""

from typing import Annotated

from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag
from opilio.people.actions.views import save_view as save
from opilio.people.kinds import SAVED_VIEW
from opilio.people.queries.account import saved_views

router = Router(tags=["views"])
_ORDER = Order(name="views", column="name")
_PageName = Annotated[str, Field(min_length=1, max_length=64, description="Name of the list.", examples=["users"])]


class ViewAnswer(Answer):
    """A view of a list, kept under a name."""

    id: Id
    page: str
    name: str
    query: str = Field(description="Query string of the list page.")
    shared: bool = Field(description="Whether everybody in the agency sees it.")
    owner: Id = Field(alias="owner_id")
    version: int


class ViewFilters(Schema):
    """Which views are listed."""

    page: _PageName


class ViewNew(Body):
    """A view to be kept; one of the same name is replaced."""

    page: _PageName
    name: str = Field(min_length=1, max_length=100, examples=["inactive users"])
    query: str = Field("", max_length=2_000, examples=["active=no"])
    shared: Flag = False


@router.get("", response=Page[ViewAnswer])
def list_views(request: ApiRequest, filters: Query[ViewFilters], paging: Query[Paging]) -> Page[ViewAnswer]:
    """List views of a list by name: your own, and those shared in your agency."""
    return page(saved_views(request.auth, filters.page), _ORDER, paging, ViewAnswer)


@router.put("", response=ViewAnswer)
def save_view(request: ApiRequest, body: ViewNew) -> ViewAnswer:
    """Keep a view of a list under a name; a view of yours with that name is replaced."""
    row = save(request.auth, page=body.page, name=body.name, query=body.query, shared=body.shared)
    return ViewAnswer.from_orm(row)


@router.delete("/{view_id}", response={204: None})
def delete_view(request: ApiRequest, view_id: Identifier) -> None:
    """Delete a view of yours, or of a user whom you manage, so that it can be restored."""
    delete(request.auth, SAVED_VIEW, view_id, None)
