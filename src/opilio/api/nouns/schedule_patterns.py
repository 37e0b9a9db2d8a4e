"""Schedule patterns: list, show, make, change, delete."""

from django.http import HttpResponse
from ninja import Query, Router
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Line, Version
from opilio.api.versions import base_version, matched_version, tag
from opilio.curation.actions import schedule_patterns as actions
from opilio.curation.kinds import SCHEDULE_PATTERN
from opilio.curation.queries import schedules as queries
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege

router = Router(tags=["schedule-patterns"])
_ORDER = Order(name="schedule-patterns", column="name")


class SchedulePatternAnswer(Answer):
    """A cron expression with a name."""

    id: Id
    number: int
    name: str
    cron: str
    version: int


class PatternNew(Body):
    """A pattern to be made."""

    name: str = Field(min_length=1, max_length=255, examples=["Mondays at 21:00"])
    cron: str = Field(min_length=1, max_length=255, examples=["0 0 21 ? * MON *"])
    number: int | None = Field(None, ge=1, le=999_999, strict=True, description="Empty: the next free one.")


class PatternChange(Body):
    """Fields to change."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    name: Line | None = None
    cron: Line | None = None


@router.get("", response=Page[SchedulePatternAnswer])
def list_patterns(request: ApiRequest, paging: Query[Paging]) -> Page[SchedulePatternAnswer]:
    """List the schedule patterns of the installation, by name; everybody may.

    Needs nothing but a token.
    """
    return page(queries.patterns(request.auth), _ORDER, paging, SchedulePatternAnswer)


@router.post("", response={201: SchedulePatternAnswer})
def create_pattern(request: ApiRequest, response: HttpResponse, body: PatternNew) -> SchedulePatternAnswer:
    """Make a schedule pattern.

    Needs CONFIGURE_PARAMETERS.
    """
    made = actions.create_schedule_pattern(request.auth, **body.changes())
    return _shown(request.auth, made.pk, response)


@router.get("/{pattern_id}", response=SchedulePatternAnswer)
def show_pattern(request: ApiRequest, response: HttpResponse, pattern_id: Identifier) -> SchedulePatternAnswer:
    """Show a schedule pattern; everybody may.

    Needs nothing but a token.
    """
    return _shown(request.auth, pattern_id, response)


@router.patch("/{pattern_id}", response=SchedulePatternAnswer)
def change_pattern(
    request: ApiRequest, response: HttpResponse, pattern_id: Identifier, body: PatternChange
) -> SchedulePatternAnswer:
    """Change a schedule pattern; schedules that were made with it stay as they are.

    Needs CONFIGURE_PARAMETERS.
    """
    need(request.auth, "change schedule patterns", Privilege.CONFIGURE_PARAMETERS)
    actions.update_schedule_pattern(
        request.auth, pattern_id=pattern_id, version=base_version(request, body.version), **body.changes()
    )
    return _shown(request.auth, pattern_id, response)


@router.delete("/{pattern_id}", response={204: None})
def delete_pattern(request: ApiRequest, pattern_id: Identifier) -> None:
    """Delete a schedule pattern, so that it can be restored.

    Needs CONFIGURE_PARAMETERS.
    """
    delete(request.auth, SCHEDULE_PATTERN, pattern_id, matched_version(request))


def _shown(actor: Actor, pattern_id: int, response: HttpResponse) -> SchedulePatternAnswer:
    row = queries.pattern(actor, pattern_id)
    tag(response, row.version)
    return SchedulePatternAnswer.from_orm(row)
