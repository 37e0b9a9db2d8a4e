"""What partners' programs ask for: issues since a time, and the report of a centre."""

import datetime
from typing import Annotated, Any

from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Identifier
from opilio.api.nouns.centres import see
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Moment
from opilio.tracker import centre_report
from opilio.tracker import report_reading as queries
from opilio.tracker.queries.issues import MOST

router = Router(tags=["deliveries"])
report_router = Router(tags=["deliveries"])


class IssueAnswer(Answer):
    """Something that is, or was, wrong."""

    at: datetime.datetime = Field(description="When it was found, or did not count any more.")
    id: str
    centre: str
    action: str
    delivery: str = Field(description="Name of the file.")
    document: str
    line: int | None
    column: int | None
    kind: str
    level: str
    message: str
    count: int
    record_kind: str
    record_key: str
    active: bool = Field(description="Whether it counts now.")


class Issues(Answer):
    """Issues, the oldest change first."""

    items: list[IssueAnswer]


class IssueFilters(Schema):
    """Which issues are told."""

    centre: str = Field("", max_length=32, description="Code of a centre; left out: all that you may see.")
    since: Moment | None = Field(None, description="Changed at this time or later.")
    active: bool | None = Field(None, description="Whether it counts now.")
    limit: Annotated[int, Field(ge=1, le=MOST)] = MOST


class CentreReportAnswer(Answer):
    """Where the deliveries of a centre stand, and what is wrong with them."""

    centre: str
    name: str
    at: datetime.datetime
    since: datetime.datetime | None
    counts: dict[str, int] = Field(description="How many deliveries stand where.")
    deliveries: list[dict[str, Any]]
    issues: list[dict[str, Any]]
    not_resubmitted: list[dict[str, Any]] = Field(description="Records that failed and were not delivered again.")


class ReportFilters(Schema):
    """What a report is about."""

    since: Moment | None = Field(None, description="Only what changed at this time or later.")


@router.get("", response=Issues)
def list_delivery_issues(request: ApiRequest, filters: Query[IssueFilters]) -> Issues:
    """List what is wrong with deliveries since a time, the oldest change first.

    Ask again with the time of the last one for what follows. Needs a privilege about deliveries.
    """
    see(request.auth)
    found = queries.issues(
        request.auth, centre_code=filters.centre, since=filters.since, active=filters.active, limit=filters.limit
    )
    return Issues(items=[IssueAnswer(**one.plain()) for one in found])


@report_router.get("/{centre_id}/report", response=CentreReportAnswer)
def show_centre_report(request: ApiRequest, centre_id: Identifier, filters: Query[ReportFilters]) -> CentreReportAnswer:
    """Show the report of a centre.

    Needs a privilege about deliveries over its agency.
    """
    see(request.auth)
    made = queries.report(request.auth, centre_id, since=filters.since)
    return CentreReportAnswer(**centre_report.plain(made))
