"""Reports: which there are, and their rows."""

from typing import Any, Literal
from zoneinfo import ZoneInfo

from ninja import Path, Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Identifier
from opilio.api.reach import need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Line
from opilio.curation.reports import making
from opilio.curation.reports.all_reports import REPORTS, named
from opilio.curation.reports.declared import Asked
from opilio.curation.reports.times import given, span
from opilio.people.privileges import Privilege

router = Router(tags=["reports"])
MOST = 10_000
_WHAT = "read reports"
_UTC = ZoneInfo("UTC")
_FORM = "As 2026-01-31 or 2026-01-31T14:05:09."


class ReportListed(Answer):
    """A report that can be made."""

    name: str
    label: str
    sentence: str
    parameters: list[str]


class ReportBar(Answer):
    """One bar of a report's picture."""

    label: str
    value: float


class ReportAnswer(Answer):
    """A report with its rows."""

    name: str
    label: str
    columns: list[str]
    rows: list[dict[str, Any]] = Field(description="Each row by the names of its columns.")
    more: bool = Field(description="Whether there are more rows than were asked for.")
    bars: list[ReportBar] = Field(description="What its picture shows.")


class ReportParameters(Schema):
    """What is reported on; parameters that a report does not have are ignored."""

    since: Line = Field("", description=f"First day, or first moment, in UTC. {_FORM} 30 days back unless told.")
    until: Line = Field("", description=f"Last day, or last second, in UTC. {_FORM} Today unless told.")
    agency: Identifier | None = Field(None, description="Only this agency.")
    user: Line = Field("", description="Only this user, by name.")
    kind: Literal["", "target", "group"] = Field("", description="Only targets, or only groups.")
    limit: int = Field(500, ge=1, le=MOST, description="How many rows at most.")


@router.get("", response=list[ReportListed])
def list_reports(request: ApiRequest) -> list[ReportListed]:
    """List the reports.

    Needs SYSTEM_REPORT_LEVEL_1.
    """
    need(request.auth, _WHAT, Privilege.SYSTEM_REPORT_LEVEL_1)
    return [
        ReportListed(name=one.name, label=one.label, sentence=one.sentence, parameters=list(one.parameters))
        for one in REPORTS
    ]


@router.get("/{name}", response=ReportAnswer)
def show_report(request: ApiRequest, name: Path[Line], parameters: Query[ReportParameters]) -> ReportAnswer:
    """Make a report on agencies that you may report on.

    Needs SYSTEM_REPORT_LEVEL_1.
    """
    need(request.auth, _WHAT, Privilege.SYSTEM_REPORT_LEVEL_1)
    named(name)
    today = request.auth.clock.now().date()
    days = given(parameters.since, "since"), given(parameters.until, "until")
    since, until = span(*days, today=today, zone=_UTC)
    asked = Asked(
        since=since, until=until, agency=parameters.agency, user=parameters.user.strip(), kind=parameters.kind
    )
    made = making.make(request.auth, name, asked, _UTC)
    return ReportAnswer(**making.as_values(made, parameters.limit))
