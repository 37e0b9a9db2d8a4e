"""What belongs to a group: members, tree, seeds of a harvest, description."""

import datetime
from typing import Annotated, Any, Literal

from django.http import HttpResponse
from ninja import Query, Router
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.nouns.groups import GroupAnswer, see, shown_group
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Line
from opilio.curation.actions import dublin_core, group_members
from opilio.curation.group_harvest import preview
from opilio.curation.queries import groups as query
from opilio.curation.words import ELEMENTS, ObjectType, State

router = Router(tags=["groups"])
_ORDER = Order(name="group-members", column="at")
_Text = Annotated[str, Field(max_length=4_000)]


class MemberAnswer(Answer):
    """A target or group in a group."""

    id: Id
    name: str
    kind: Literal["target", "group"]
    state: str
    at: datetime.datetime = Field(description="Since when it is in the group.")


class Members(Body):
    """Targets and groups."""

    members: list[Identifier] = Field(min_length=1, max_length=1_000)


class MemberMove(Members):
    """Targets and groups, and the group that they move to."""

    into: Identifier


class TreeAnswer(Answer):
    """A target or group with what is in it."""

    id: Id
    name: str
    kind: Literal["target", "group"]
    state: str
    members: list["TreeAnswer"]
    cut: bool = Field(description="Whether more is in it than the answer shows.")


class CombinedSeedAnswer(Answer):
    """A seed of a combined harvest."""

    id: Id
    url: str
    target: Id
    target_name: str


class LeftOutAnswer(Answer):
    """A target or group that a combined harvest leaves out."""

    id: Id
    name: str
    reason: str


class CombinedHarvestAnswer(Answer):
    """What a harvest of the group would start with now."""

    seeds: list[CombinedSeedAnswer]
    left_out: list[LeftOutAnswer]
    hidden: int = Field(description="How many targets and groups you may not see.")


class GroupDescriptionAnswer(Answer):
    """A description as catalogues exchange it."""

    elements: dict[str, str]
    version: int = Field(description="0: there is none yet.")


class GroupDescriptionBody(Body):
    """Elements to save; those left out stay as they are, or empty."""

    elements: dict[Literal[ELEMENTS], _Text]  # type: ignore[valid-type]  # the names as a tuple
    version: Annotated[int, Field(strict=True, ge=0, le=2**31 - 1)] = Field(description="0: there was none yet.")


@router.get("/{group_id}/members", response=Page[MemberAnswer])
def list_group_members(
    request: ApiRequest, group_id: Identifier, paging: Query[Paging], q: Line = ""
) -> Page[MemberAnswer]:
    """List the members of a group that you may see, by the time at which they joined.

    Needs a role that lets you work with targets or groups of its agency.
    """
    see(request.auth, group_id)
    rows = query.members(request.auth, group_id)
    if q:
        rows = rows.filter(child__name__icontains=q)
    return page(rows, _ORDER, paging, MemberAnswer, _member)


@router.post("/{group_id}/members", response=GroupAnswer)
def add_group_members(request: ApiRequest, response: HttpResponse, group_id: Identifier, body: Members) -> GroupAnswer:
    """Put targets and groups into a group: all of them, or none.

    Needs ADD_TARGET_TO_GROUP on it.
    """
    see(request.auth, group_id)
    group_members.add_members(request.auth, group_id=group_id, member_ids=body.members)
    return shown_group(request.auth, group_id, response)


@router.post("/{group_id}/members/remove", response=GroupAnswer)
def remove_group_members(
    request: ApiRequest, response: HttpResponse, group_id: Identifier, body: Members
) -> GroupAnswer:
    """Take targets and groups out of a group: all of them, or none.

    Needs ADD_TARGET_TO_GROUP on it.
    """
    see(request.auth, group_id)
    group_members.remove_members(request.auth, group_id=group_id, member_ids=body.members)
    return shown_group(request.auth, group_id, response)


@router.post("/{group_id}/members/move", response=GroupAnswer)
def move_group_members(
    request: ApiRequest, response: HttpResponse, group_id: Identifier, body: MemberMove
) -> GroupAnswer:
    """Move targets and groups to another group, which is shown.

    Needs ADD_TARGET_TO_GROUP on both.
    """
    see(request.auth, group_id)
    see(request.auth, body.into)
    group_members.move_members(request.auth, source_id=group_id, into_id=body.into, member_ids=body.members)
    return shown_group(request.auth, body.into, response)


@router.get("/{group_id}/tree", response=TreeAnswer)
def show_group_tree(request: ApiRequest, group_id: Identifier) -> TreeAnswer:
    """Show what is in a group, however deep.

    Needs a role that lets you work with targets or groups of its agency.
    """
    see(request.auth, group_id)
    return _node(query.tree(request.auth, query.group(request.auth, group_id)))


@router.get("/{group_id}/seeds", response=CombinedHarvestAnswer)
def show_group_seeds(request: ApiRequest, group_id: Identifier) -> CombinedHarvestAnswer:
    """Show with which seeds a combined harvest would start now, and who would be left out and why.

    Needs a role that lets you work with targets or groups of its agency.
    """
    see(request.auth, group_id)
    found = preview(request.auth, query.group(request.auth, group_id))
    return CombinedHarvestAnswer(
        seeds=[CombinedSeedAnswer(**vars(seed)) for seed in found.found.seeds],
        left_out=[LeftOutAnswer(**vars(one)) for one in found.found.left_out], hidden=found.hidden,
    )  # fmt: skip


@router.get("/{group_id}/description", response=GroupDescriptionAnswer)
def show_group_description(request: ApiRequest, group_id: Identifier) -> GroupDescriptionAnswer:
    """Show the description of a group.

    Needs a role that lets you work with targets or groups of its agency.
    """
    see(request.auth, group_id)
    core = query.group(request.auth, group_id).dublin_core
    return _description(core)


@router.put("/{group_id}/description", response=GroupDescriptionAnswer)
def save_group_description(
    request: ApiRequest, group_id: Identifier, body: GroupDescriptionBody
) -> GroupDescriptionAnswer:
    """Describe a group as catalogues do.

    Needs MANAGE_GROUP on it.
    """
    see(request.auth, group_id)
    saved = dublin_core.save_dublin_core(
        request.auth, kind_name="group", row_id=group_id, version=body.version, **body.elements
    )
    return _description(saved)


def _member(link: Any) -> MemberAnswer:
    child = link.child
    return MemberAnswer(id=child.pk, name=child.name, kind=_kind(child), state=_state(child), at=link.at)


def _node(node: query.Node) -> TreeAnswer:
    row = node.row
    inner = [_node(member) for member in node.members]
    return TreeAnswer(id=str(row.pk), name=row.name, kind=_kind(row), state=_state(row), members=inner, cut=node.cut)


def _kind(row: Any) -> Literal["target", "group"]:
    return "group" if row.object_type == ObjectType.GROUP else "target"


def _state(row: Any) -> str:
    return State(row.state).label.lower()


def _description(core: Any) -> GroupDescriptionAnswer:
    elements = {name: getattr(core, name) if core else "" for name in ELEMENTS}
    return GroupDescriptionAnswer(elements=elements, version=core.version if core else 0)
