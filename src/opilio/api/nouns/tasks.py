"""In-tray tasks: list, show, send, claim, release, complete, delete."""

import datetime
from enum import StrEnum

from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Line, Named
from opilio.people.actions import intray as actions
from opilio.people.intray import Resource
from opilio.people.kinds import kind_named
from opilio.people.privileges import Privilege
from opilio.people.queries import intray, people, reachable

router = Router(tags=["in-tray"])
_ORDER = Order(name="tasks", column="sent_at", newest_first=True)


class Whose(StrEnum):
    """Which tasks are meant."""

    MINE = "mine"  # claimed by the asker, or waiting for somebody like the asker
    AGENCY = "agency"  # whoever claimed them, where the asker may delete


class Claimer(Answer):
    """Who claimed a task."""

    id: Id
    username: str


class ResourceAnswer(Answer):
    """The row that a task or notification is about."""

    kind: str
    id: Id


class TaskAnswer(Answer):
    """An in-tray task."""

    id: Id
    kind: str
    subject: str
    message: str
    sender: str
    sent_at: datetime.datetime
    privilege: str = Field(description="Whoever holds it in the agency may claim the task.")
    agency: Named
    claimed_by: Claimer | None
    claimed_at: datetime.datetime | None
    resource: ResourceAnswer | None = Field(description="The row that the task is about.")

    @staticmethod
    def resolve_resource(row: object) -> dict[str, object] | None:
        """Its kind and identifier."""
        return resource_of(row)


class TaskFilters(Schema):
    """Which in-tray tasks are listed."""

    whose: Whose = Field(Whose.MINE, description="Yours to do, or all of agencies where you may delete tasks.")
    claimed: bool | None = Field(None, description="Only claimed ones, or only those that wait.")
    agency: Identifier | None = None


class ResourceChoice(Body):
    """A row by its kind and identifier."""

    kind: Line = Field(examples=["user"])
    id: Identifier


class TaskNew(Body):
    """An in-tray task to be sent."""

    subject: str = Field(min_length=1, max_length=255, examples=["Check the new roles"])
    message: str = Field("", max_length=10_000)
    privilege: Privilege = Field(description="Whoever holds it in the agency may claim the task.")
    agency: Identifier
    resource: ResourceChoice | None = None


def resource_of(row: object) -> dict[str, object] | None:
    """The row that a task or notification is about."""
    kind, identifier = getattr(row, "resource_type", ""), getattr(row, "resource_id", None)
    return {"kind": kind, "id": identifier} if kind and identifier is not None else None


@router.get("", response=Page[TaskAnswer])
def list_tasks(request: ApiRequest, filters: Query[TaskFilters], paging: Query[Paging]) -> Page[TaskAnswer]:
    """List in-tray tasks, newest first."""
    rows = intray.tasks(request.auth) if filters.whose == Whose.MINE else intray.agency_tasks(request.auth)
    if filters.claimed is not None:
        rows = rows.filter(claimed_by__isnull=not filters.claimed)
    if filters.agency is not None:
        rows = rows.filter(agency_id=filters.agency)
    return page(rows, _ORDER, paging, TaskAnswer)


@router.post("", response={201: TaskAnswer})
def send_task(request: ApiRequest, body: TaskNew) -> TaskAnswer:
    """Put a task before those who hold a privilege in an agency.

    Needs MANAGE_USERS in that agency.
    """
    need(request.auth, "send tasks", Privilege.MANAGE_USERS)
    people.agency(request.auth, body.agency)
    about = body.resource
    return TaskAnswer.from_orm(
        actions.create_task(
            request.auth, subject=body.subject, message=body.message, privilege=body.privilege, agency_id=body.agency,
            resource=Resource(kind=kind_named(about.kind).name, id=about.id) if about else None,
        )
    )  # fmt: skip


@router.get("/{task_id}", response=TaskAnswer)
def show_task(request: ApiRequest, task_id: Identifier) -> TaskAnswer:
    """Show an in-tray task that is yours to do, or to delete."""
    return TaskAnswer.from_orm(reachable.task(request.auth, task_id))


@router.post("/{task_id}/claim", response=TaskAnswer)
def claim_task(request: ApiRequest, task_id: Identifier) -> TaskAnswer:
    """Take a task upon yourself; the others no longer see it.

    Needs the privilege of the task in its agency.
    """
    return TaskAnswer.from_orm(actions.claim_task(request.auth, task_id=task_id))


@router.post("/{task_id}/release", response=TaskAnswer)
def release_task(request: ApiRequest, task_id: Identifier) -> TaskAnswer:
    """Give a task that you claimed back to the others."""
    return TaskAnswer.from_orm(actions.release_task(request.auth, task_id=task_id))


@router.post("/{task_id}/complete", response={204: None})
def complete_task(request: ApiRequest, task_id: Identifier) -> None:
    """Say that a task which you claimed is done; it leaves the in-tray."""
    actions.complete_task(request.auth, task_id=task_id)


@router.delete("/{task_id}", response={204: None})
def delete_task(request: ApiRequest, task_id: Identifier) -> None:
    """Remove a task that nobody else has claimed.

    Needs DELETE_TASK in its agency.
    """
    actions.delete_task(request.auth, task_id=task_id)
