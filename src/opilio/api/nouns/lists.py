"""Constrained lists and their entries: list, add, change, delete."""

from typing import Annotated

from django.http import HttpResponse
from ninja import Path, Query, Router
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Version
from opilio.api.versions import base_version, matched_version, tag
from opilio.people.actions import lists as actions
from opilio.people.actor import Actor
from opilio.people.errors import NotFound
from opilio.people.kinds import LIST_ENTRY
from opilio.people.list_names import BY_NAME, LISTS
from opilio.people.privileges import Privilege
from opilio.people.queries.records import list_entries
from opilio.people.queries.visible import one

router = Router(tags=["lists"])
_ORDER = Order(name="list-entries", column="position")
_ListName = Annotated[str, Field(max_length=64, description="Name of the list.", examples=["user-title"])]
_Position = Annotated[int, Field(strict=True, ge=0, le=1_000_000, description="Place, smallest first.")]


class ListAnswer(Answer):
    """A constrained list."""

    name: str
    label: str
    sentence: str


class EntryAnswer(Answer):
    """One value that a constrained field may take."""

    id: Id
    list_name: str
    value: str = Field(description="What is stored.")
    label: str = Field(description="What people see.")
    position: int
    active: bool = Field(description="Whether it can be chosen; rows that have it keep it.")
    version: int


class EntryNew(Body):
    """A value to be added."""

    value: str = Field(min_length=1, max_length=255, examples=["Dame"])
    label: str = Field("", max_length=255, description="What people see; the value unless told.")
    position: _Position = 0


class EntryChange(Body):
    """Fields to change; the value itself stays."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    label: str | None = Field(None, max_length=255)
    position: _Position | None = None
    active: Flag | None = None


@router.get("", response=list[ListAnswer])
def list_lists(request: ApiRequest) -> list[ListAnswer]:
    """List the constrained lists."""
    return [ListAnswer(name=one.name, label=one.label, sentence=one.sentence) for one in LISTS]


@router.get("/{name}/entries", response=Page[EntryAnswer])
def list_entries_of(request: ApiRequest, name: Path[_ListName], paging: Query[Paging]) -> Page[EntryAnswer]:
    """List the entries of a constrained list, by position."""
    rows = list_entries(request.auth).filter(list_name=_known(name))
    return page(rows, _ORDER, paging, EntryAnswer)


@router.post("/{name}/entries", response={201: EntryAnswer})
def add_entry(request: ApiRequest, response: HttpResponse, name: Path[_ListName], body: EntryNew) -> EntryAnswer:
    """Add a value to a constrained list.

    Needs CONFIGURE_PARAMETERS.
    """
    entry = actions.create_list_entry(
        request.auth, list_name=_known(name), value=body.value, label=body.label, position=body.position
    )
    return _shown(request.auth, name, entry.id, response)


@router.patch("/{name}/entries/{entry_id}", response=EntryAnswer)
def change_entry(
    request: ApiRequest, response: HttpResponse, name: Path[_ListName], entry_id: Identifier, body: EntryChange
) -> EntryAnswer:
    """Reword, move or retire a value of a constrained list.

    Needs CONFIGURE_PARAMETERS.
    """
    need(request.auth, "change lists", Privilege.CONFIGURE_PARAMETERS)
    row = one(list_entries(request.auth).filter(list_name=_known(name)), "list entry", entry_id)
    actions.update_list_entry(
        request.auth, entry_id=entry_id, version=base_version(request, body.version),
        label=row.label if body.label is None else body.label,
        position=row.position if body.position is None else body.position,
        active=row.active if body.active is None else body.active,
    )  # fmt: skip
    return _shown(request.auth, name, entry_id, response)


@router.delete("/{name}/entries/{entry_id}", response={204: None})
def delete_entry(request: ApiRequest, name: Path[_ListName], entry_id: Identifier) -> None:
    """Delete a value of a constrained list so that it can be restored.

    Needs CONFIGURE_PARAMETERS.
    """
    need(request.auth, "change lists", Privilege.CONFIGURE_PARAMETERS)
    one(list_entries(request.auth).filter(list_name=_known(name)), "list entry", entry_id)
    delete(request.auth, LIST_ENTRY, entry_id, matched_version(request))


def _known(name: str) -> str:
    if name not in BY_NAME:
        raise NotFound(f"There is no list {name!r}", remedy=f"Known are {', '.join(BY_NAME)}.")
    return name


def _shown(actor: Actor, name: str, entry_id: int, response: HttpResponse) -> EntryAnswer:
    row = one(list_entries(actor).filter(list_name=name), "list entry", entry_id)
    tag(response, row.version)
    return EntryAnswer.from_orm(row)
