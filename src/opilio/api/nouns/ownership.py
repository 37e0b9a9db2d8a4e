"""Whose targets and groups are, and who was asked to see to a target."""

import datetime
from typing import Annotated, Any, Literal

from ninja import Query, Router
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body
from opilio.curation.actions import assignments, ownership
from opilio.curation.queries import groups as query
from opilio.curation.sight import READERS
from opilio.people.actor import Actor

owners_router = Router(tags=["owners"])
assignments_router = Router(tags=["assignments"])
_ORDER = Order(name="assignments", column="name")
KindName = Literal["target", "group"]


class OwnerBody(Body):
    """Who is to own it."""

    user: Identifier


class OwnedAnswer(Answer):
    """A target or group with its owner."""

    id: Id
    name: str
    kind: KindName
    owner: Id
    owner_username: str


class AssignmentBody(Body):
    """Who is to see to a target."""

    user: Identifier
    due: datetime.date | None = Field(None, description="Until when.")
    note: Annotated[str, Field(max_length=1_000)] = Field("", description="What to do.")


class AssignmentAnswer(Answer):
    """A target and who is to see to it."""

    target: Id
    name: str
    user: Id | None
    username: str
    due: datetime.date | None
    overdue: bool
    note: str


@owners_router.get("/{kind}/{row_id}", response=OwnedAnswer)
def show_owner(request: ApiRequest, kind: KindName, row_id: Identifier) -> OwnedAnswer:
    """Show who owns a target or group.

    Needs a role that lets you work with targets or groups of its agency.
    """
    return _owned(request.auth, kind, row_id)


@owners_router.put("/{kind}/{row_id}", response=OwnedAnswer)
def give_ownership(request: ApiRequest, kind: KindName, row_id: Identifier, body: OwnerBody) -> OwnedAnswer:
    """Make somebody who works in its agency the owner of a target or group; both owners are told.

    Needs GIVE_OWNERSHIP on it.
    """
    _owned(request.auth, kind, row_id)
    ownership.give_ownership(request.auth, kind_name=kind, row_id=row_id, user_id=body.user)
    return _owned(request.auth, kind, row_id)


@owners_router.post("/{kind}/{row_id}/take", response=OwnedAnswer)
def take_ownership(request: ApiRequest, kind: KindName, row_id: Identifier) -> OwnedAnswer:
    """Make yourself the owner of a target or group; the former owner is told.

    Needs TAKE_OWNERSHIP on it.
    """
    _owned(request.auth, kind, row_id)
    ownership.take_ownership(request.auth, kind_name=kind, row_id=row_id)
    return _owned(request.auth, kind, row_id)


@assignments_router.get("", response=Page[AssignmentAnswer])
def list_assignments(request: ApiRequest, paging: Query[Paging]) -> Page[AssignmentAnswer]:
    """List the targets that you were asked to see to, by name.

    Needs a role that lets you work with targets.
    """
    _need(request.auth)
    today = request.auth.clock.now().date()
    rows = query.assigned_targets(request.auth)
    return page(rows, _ORDER, paging, AssignmentAnswer, lambda row: _assigned(row, today))


@assignments_router.put("/{target_id}", response=AssignmentAnswer)
def assign_target(request: ApiRequest, target_id: Identifier, body: AssignmentBody) -> AssignmentAnswer:
    """Ask a user to see to a target; they find it in their in-tray.

    Needs MODIFY_TARGET on it.
    """
    _owned(request.auth, "target", target_id)
    row = assignments.assign_target(request.auth, target_id=target_id, user_id=body.user, due=body.due, note=body.note)
    return _assigned(row, request.auth.clock.now().date())


@assignments_router.delete("/{target_id}", response={204: None})
def withdraw_assignment(request: ApiRequest, target_id: Identifier) -> None:
    """Say that nobody need see to a target; whoever was asked is told.

    Needs MODIFY_TARGET on it.
    """
    _owned(request.auth, "target", target_id)
    assignments.withdraw_assignment(request.auth, target_id=target_id)


@assignments_router.post("/{target_id}/done", response=AssignmentAnswer)
def complete_assignment(request: ApiRequest, target_id: Identifier) -> AssignmentAnswer:
    """Say that you have seen to a target that was assigned to you; its owner is told.

    Needs that it is assigned to you.
    """
    _owned(request.auth, "target", target_id)
    row = assignments.complete_assignment(request.auth, target_id=target_id)
    return _assigned(row, request.auth.clock.now().date())


def _need(actor: Actor) -> None:
    need(actor, "see targets and groups", *sorted(READERS))


def _owned(actor: Actor, kind: KindName, row_id: int) -> OwnedAnswer:
    _need(actor)
    row: Any = query.owned(actor, kind, row_id)
    return OwnedAnswer(id=row.pk, name=row.name, kind=kind, owner=row.owner_id, owner_username=row.owner.username)


def _assigned(row: Any, today: datetime.date) -> AssignmentAnswer:
    due = row.assigned_due
    return AssignmentAnswer(
        target=row.pk, name=row.name, user=row.assigned_to_id,
        username=row.assigned_to.username if row.assigned_to else "", due=due,
        overdue=due is not None and due < today, note=row.assigned_note,
    )  # fmt: skip
