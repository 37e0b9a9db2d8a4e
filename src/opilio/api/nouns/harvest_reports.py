"""The reports on one harvest: which there are, and their rows."""

from typing import Any

from ninja import Path, Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Identifier
from opilio.api.nouns.harvests import seen
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Line
from opilio.curation.queries import harvest_reports as query
from opilio.works.harvest_records import NothingHere
from opilio.works.harvest_reports.written import as_values

router = Router(tags=["harvests"])


class HarvestReportListed(Answer):
    """A report on a harvest."""

    name: str
    label: str
    sentence: str
    total: int | None = Field(description="How many rows or answers it is about; null until the harvest is sealed.")
    counts: str = Field(description="What the total is of.")


class HarvestReportAnswer(Answer):
    """A report on a harvest, with its rows."""

    name: str
    label: str
    sealed: bool = Field(description="Whether it will change no more.")
    older: bool = Field(description="Whether a version of Opilio sealed the harvest that did not count this.")
    total: int = Field(description="How many there are, listed or not.")
    counts: str = Field(description="What the total is of.")
    columns: list[str]
    rows: list[dict[str, Any]] = Field(description="Each row by the names of its columns; at most 1,000.")


class HarvestReportParameters(Schema):
    """What a report is made with; parameters that it does not have are ignored."""

    longer: int | None = Field(None, ge=100, le=100_000, description="For long-urls: more characters than this.")


@router.get("/{harvest_id}/reports", response=list[HarvestReportListed])
def list_harvest_reports(request: ApiRequest, harvest_id: Identifier) -> list[HarvestReportListed]:
    """List the reports on a harvest; 404 tells why there is nothing to report on yet, or not on this machine.

    Needs a privilege to work with what its agency collects.
    """
    offer = query.offered(seen(request.auth, harvest_id))
    if offer.nothing:
        raise NothingHere(offer.nothing)
    return [
        HarvestReportListed(
            name=one.report.name, label=one.report.label, sentence=one.report.sentence, total=one.total,
            counts=one.report.counts[1],
        )
        for one in offer.reports
    ]  # fmt: skip


@router.get("/{harvest_id}/reports/{name}", response=HarvestReportAnswer)
def show_harvest_report(
    request: ApiRequest, harvest_id: Identifier, name: Path[Line], parameters: Query[HarvestReportParameters]
) -> HarvestReportAnswer:
    """Make a report on a harvest: from what it collected so far, or as it was sealed.

    Needs a privilege to work with what its agency collects.
    """
    row = seen(request.auth, harvest_id)
    made = query.made(row, name, None if parameters.longer is None else str(parameters.longer))
    report = made.report
    return HarvestReportAnswer(
        name=report.name, label=report.label, sealed=made.sealed, older=made.older, total=made.total,
        counts=report.counts[1], columns=[column.name for column in report.columns],
        rows=as_values(report, made.rows),
    )  # fmt: skip
