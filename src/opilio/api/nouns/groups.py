"""Groups: list, show, make, change, copy, delete."""

import datetime
from typing import Annotated, Any, Literal

from django.db.models import Q
from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Line, Named, Version
from opilio.api.versions import base_version, matched_version, tag
from opilio.curation.actions import groups as actions
from opilio.curation.kinds import GROUP
from opilio.curation.queries import groups as query
from opilio.curation.sight import READERS
from opilio.people.actor import Actor

router = Router(tags=["groups"])
_ORDER = Order(name="groups", column="name")
_STATES = {8: "pending", 9: "active", 10: "inactive"}
_WAYS = {1: "together", 2: "each"}
_ZONES = {0: "public", 1: "on-site", 2: "restricted"}
StateName = Literal["pending", "active", "inactive"]
Way = Literal["together", "each"]
Zone = Literal["public", "on-site", "restricted"]
Long = Annotated[str, Field(max_length=4_000)]
#: A day; empty text means none.
Day = datetime.date | Literal[""]


class Owner(Answer):
    """A user that a row refers to."""

    id: Id
    username: str


class GroupAnswer(Answer):
    """A group."""

    id: Id
    name: str
    description: str
    reference: str
    state: StateName = Field(description="Computed from its members and its last day.")
    state_since: datetime.datetime
    group_type: str = Field(description="A value of the list group-type, or empty.")
    agency: Named
    owner: Owner
    ownership_metadata: str
    start_date: datetime.date | None
    end_date: datetime.date | None
    harvest_as: Way = Field(description="Whether members are harvested together, or each by itself.")
    profile: Named | None
    profile_note: str
    access_zone: Zone
    embargo_days: int | None = Field(description="From a capture, during which nobody may read it.")
    follow_reference: bool = Field(description="Whether each archived harvest becomes the reference harvest.")
    prune_again: bool = Field(description="Whether what was pruned last is pruned from new harvests.")
    display: bool
    display_note: str
    display_change_reason: str
    member_count: int
    parent_count: int = Field(description="How many groups it is in.")
    created: datetime.datetime
    updated: datetime.datetime
    version: int

    @staticmethod
    def resolve_state(row: Any) -> str:
        """The word for the number."""
        return _STATES[row.state]

    @staticmethod
    def resolve_harvest_as(row: Any) -> str:
        """The word for the number."""
        return _WAYS[row.harvest_as]

    @staticmethod
    def resolve_access_zone(row: Any) -> str:
        """The word for the number."""
        return _ZONES[row.access_zone]


class GroupFilters(Schema):
    """Which groups are listed."""

    q: Line = Field("", description="Part of the name, the reference or the description.")
    state: StateName | None = None
    group_type: Line = ""
    agency: Identifier | None = None
    owner: Identifier | None = None
    member: Identifier | None = Field(None, description="Only groups that have this target or group as a member.")


class GroupFields(Body):
    """Details; those left out stay as they are, or empty."""

    description: Long | None = None
    reference: Line | None = None
    group_type: Line | None = None
    ownership_metadata: Long | None = None
    start_date: Day | None = Field(None, description="First day on which members belong to it; empty text: none.")
    end_date: Day | None = Field(None, description="Last day on which members belong to it; empty text: none.")
    harvest_as: Way | None = Field(None, description="Another way removes what is planned, and plans it anew.")
    profile: Identifier | Literal[""] | None = Field(None, description="A profile of its agency; empty text: none.")
    profile_note: Long | None = None
    access_zone: Zone | None = None
    embargo_days: Annotated[int, Field(strict=True, ge=0, le=183_000)] | Literal[""] | None = Field(
        None, description="Days from a capture; empty text: none."
    )
    follow_reference: Flag | None = None
    prune_again: Flag | None = None
    display: Flag | None = None
    display_note: Long | None = None
    display_change_reason: Annotated[str, Field(max_length=1_000)] | None = None


class GroupNew(GroupFields):
    """A group to be made."""

    name: str = Field(min_length=1, max_length=255, examples=["Elections"])
    agency: Identifier
    parent: Identifier | None = Field(None, description="The group that it is in; a sub-group needs one.")


class GroupChange(GroupFields):
    """Fields to change."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    name: Line | None = None


class CopyName(Body):
    """What a copy is called."""

    name: str = Field(min_length=1, max_length=255)


@router.get("", response=Page[GroupAnswer])
def list_groups(request: ApiRequest, filters: Query[GroupFilters], paging: Query[Paging]) -> Page[GroupAnswer]:
    """List the groups of agencies in which you work, by name.

    Needs a role that lets you work with targets or groups.
    """
    see(request.auth)
    rows = query.groups(request.auth)
    if filters.q:
        text = filters.q
        rows = rows.filter(Q(name__icontains=text) | Q(reference__icontains=text) | Q(description__icontains=text))
    if filters.state is not None:
        rows = rows.filter(state=_number(_STATES, filters.state))
    if filters.group_type:
        rows = rows.filter(group_type=filters.group_type)
    wanted = {"agency_id": filters.agency, "owner_id": filters.owner, "members__child_id": filters.member}
    rows = rows.filter(**{column: number for column, number in wanted.items() if number is not None})
    return page(rows, _ORDER, paging, GroupAnswer)


@router.post("", response={201: GroupAnswer})
def create_group(request: ApiRequest, response: HttpResponse, body: GroupNew) -> GroupAnswer:
    """Make a group; it is yours.

    Needs CREATE_GROUP in the agency; with a parent, ADD_TARGET_TO_GROUP on it.
    """
    made = actions.create_group(
        request.auth, name=body.name, agency_id=body.agency, parent_id=body.parent,
        **_columns(body.changes("name", "agency", "parent")),
    )  # fmt: skip
    return shown_group(request.auth, made.id, response)


@router.get("/{group_id}", response=GroupAnswer)
def show_group(request: ApiRequest, response: HttpResponse, group_id: Identifier) -> GroupAnswer:
    """Show a group.

    Needs a role that lets you work with targets or groups of its agency.
    """
    return shown_group(request.auth, group_id, response)


@router.patch("/{group_id}", response=GroupAnswer)
def change_group(request: ApiRequest, response: HttpResponse, group_id: Identifier, body: GroupChange) -> GroupAnswer:
    """Change details of a group.

    Needs MANAGE_GROUP on it.
    """
    see(request.auth, group_id)
    actions.update_group(
        request.auth, group_id=group_id, version=base_version(request, body.version), **_columns(body.changes())
    )
    return shown_group(request.auth, group_id, response)


@router.delete("/{group_id}", response={204: None})
def delete_group(request: ApiRequest, group_id: Identifier) -> None:
    """Delete a group so that it can be restored; its members stay.

    Needs MANAGE_GROUP on it.
    """
    see(request.auth, group_id)
    delete(request.auth, GROUP, group_id, matched_version(request))


@router.post("/{group_id}/copy", response={201: GroupAnswer})
def copy_group(request: ApiRequest, response: HttpResponse, group_id: Identifier, body: CopyName) -> GroupAnswer:
    """Make a group like another, with the same members and without schedules; it is yours.

    Needs CREATE_GROUP in its agency.
    """
    see(request.auth, group_id)
    made = actions.copy_group(request.auth, group_id=group_id, name=body.name)
    return shown_group(request.auth, made.id, response)


def see(actor: Actor, group_id: int | None = None) -> None:
    """Go on only if the asker works with such rows, and sees this one."""
    need(actor, "see groups", *sorted(READERS))
    if group_id is not None:
        query.group(actor, group_id)


def seen(actor: Actor, group_id: int) -> Any:
    """A group that the asker sees."""
    need(actor, "see groups", *sorted(READERS))
    return query.group(actor, group_id)


def shown_group(actor: Actor, group_id: int, response: HttpResponse) -> GroupAnswer:
    """The group as an answer, with its version as ETag."""
    need(actor, "see groups", *sorted(READERS))
    row = query.group(actor, group_id)
    tag(response, row.version)
    return GroupAnswer.from_orm(row)


def _columns(changes: dict[str, Any]) -> dict[str, Any]:
    """Fields of a body as the action takes them."""
    numbers = {"harvest_as": _WAYS, "access_zone": _ZONES}
    found = {name: _number(numbers[name], value) if name in numbers else value for name, value in changes.items()}
    for name in ("start_date", "end_date", "profile", "embargo_days"):
        if found.get(name) == "":
            found[name] = None
    if "profile" in found:
        found["profile_id"] = found.pop("profile")
    return found


def _number(words: dict[int, str], word: str) -> int:
    return next(number for number, known in words.items() if known == word)
