"""Delivery sessions: the history, one with its tasks, and a new one."""

import datetime
from typing import Annotated, Any

from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.nouns.centres import see
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Moment
from opilio.people.privileges import Privilege
from opilio.tracker.actions import sessions as actions
from opilio.tracker.queries import sessions as queries

router = Router(tags=["deliveries"])
_ORDER = Order(name="delivery-sessions", column="id", newest_first=True)
Pool = Annotated[int, Field(strict=True, ge=1, le=64)]


class SessionTaskAnswer(Answer):
    """A task of a session: a phase."""

    id: Id
    phase: str
    status: int = Field(description="0: it went well; 1: something failed.")
    comment: str
    started: datetime.datetime = Field(alias="start_time")
    ended: datetime.datetime | None = Field(alias="finish_time")

    @staticmethod
    def resolve_phase(row: Any) -> str:
        """Its name."""
        return str(row.phase.short_name)


class DeliverySessionAnswer(Answer):
    """A run over all sources."""

    id: Id
    profile: str
    by: str
    started: datetime.datetime = Field(alias="start_time")
    ended: datetime.datetime | None = Field(alias="finish_time", description="Null: it is under way.")
    status: str = Field(description="0: all went well; else the task that failed; -1: it could not be done.")
    cut_off: bool = Field(description="Whether its process ended before it did.")
    dry_run: bool
    figures: dict[str, Any]

    @staticmethod
    def resolve_status(row: Any) -> str:
        """As a text: a task is named by its identifier."""
        return str(row.status)


class DeliverySessionShown(DeliverySessionAnswer):
    """A session with its tasks."""

    tasks: list[SessionTaskAnswer]

    @staticmethod
    def resolve_tasks(row: Any) -> list[Any]:
        """In their order."""
        return list(queries.tasks(row))


class DeliverySessionFilters(Schema):
    """Which sessions are listed."""

    since: Moment | None = Field(None, description="Started at this time or later.")
    good: bool | None = Field(None, description="Whether all went well.")


class DeliverySessionNew(Body):
    """A session that an agent is to run."""

    profile: str = Field("impc", min_length=1, max_length=32)
    downloaders: Pool | None = Field(None, description="Deliveries fetched at once; left out: as the parameters say.")
    validators: Pool | None = Field(None, description="Documents validated at once; left out: as above.")
    dry_run: Flag = Field(False, description="Only say what would be fetched.")


class DeliverySessionOrdered(Answer):
    """The job that runs the session."""

    job: Id


@router.get("", response=Page[DeliverySessionAnswer])
def list_delivery_sessions(
    request: ApiRequest, filters: Query[DeliverySessionFilters], paging: Query[Paging]
) -> Page[DeliverySessionAnswer]:
    """List delivery sessions, newest first. They visit all centres: those who see one centre only see none.

    Needs RUN_SESSION, or another privilege about deliveries over everything.
    """
    see(request.auth)
    rows = queries.sessions(request.auth)
    if filters.since is not None:
        rows = rows.filter(start_time__gte=filters.since)
    if filters.good is not None:
        well = {"finish_time__isnull": False, "status": 0}
        rows = rows.filter(**well) if filters.good else rows.filter(finish_time__isnull=False).exclude(status=0)
    return page(rows, _ORDER, paging, DeliverySessionAnswer)


@router.post("", response={202: DeliverySessionOrdered})
def start_delivery_session(request: ApiRequest, body: DeliverySessionNew) -> DeliverySessionOrdered:
    """Have an agent run a session; refused while one waits or is under way.

    Needs RUN_SESSION.
    """
    need(request.auth, "start delivery sessions", Privilege.RUN_SESSION)
    made = actions.start_session(
        request.auth, profile=body.profile, downloaders=body.downloaders, validators=body.validators,
        dry_run=body.dry_run,
    )  # fmt: skip
    return DeliverySessionOrdered(job=str(made))


@router.get("/{session_id}", response=DeliverySessionShown)
def show_delivery_session(request: ApiRequest, session_id: Identifier) -> DeliverySessionShown:
    """Show a session with its tasks.

    Needs RUN_SESSION, or another privilege about deliveries over everything.
    """
    see(request.auth)
    return DeliverySessionShown.from_orm(queries.session(request.auth, session_id))
