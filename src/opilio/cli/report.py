"""`opilio report`: the reports of the pages, for the whole installation."""

import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app
from opilio.cli.lookups import agency_named
from opilio.cli.output import Answer, Rows
from opilio.curation.reports import making
from opilio.curation.reports.all_reports import BY_NAME, REPORTS
from opilio.curation.reports.declared import Asked, Declared
from opilio.curation.reports.times import given, span
from opilio.kernel.files import mapped
from opilio.people import zones

app = noun_app("Make reports.")
_SHOWN = 1_000  # rows printed as a table; --format csv and html write all


class ReportFormat(StrEnum):
    """How a report is written."""

    TABLE = "table"
    CSV = "csv"
    HTML = "html"
    JSON = "json"


_DAY = "A day, as 2026-01-31, or a moment, as 2026-01-31T14:05:09."
_SINCE = Annotated[str, typer.Option(metavar="DAY", help=f"Begin. {_DAY} 30 days back unless told.")]
_UNTIL = Annotated[str, typer.Option(metavar="DAY", help=f"End. {_DAY} Today unless told.")]


@catalogue_command(app, "list")
def list_reports() -> Answer:
    """List the reports with their parameters."""
    found = [
        {"name": one.name, "label": one.label, "sentence": one.sentence, "parameters": list(one.parameters)}
        for one in REPORTS
    ]
    shown = [(one.name, one.sentence, one.parameters) for one in REPORTS]
    columns = ("report", "what it tells", "parameters")
    return Answer(document={"reports": found}, parts=[Rows(columns=columns, rows=shown)])


def _declare(report: Declared) -> None:
    def make(
        since: _SINCE = "",
        until: _UNTIL = "",
        agency: Annotated[str, typer.Option(help="Only this agency, by name or number.")] = "",
        user: Annotated[str, typer.Option(help="Only this user, by name.")] = "",
        kind: Annotated[str, typer.Option(help="Only `target` or `group`; for schedules.")] = "",
        time_zone: Annotated[str, typer.Option(metavar="ZONE", help="Zone of days and times.")] = "UTC",
        form: Annotated[ReportFormat, typer.Option("--format", help="How it is written.")] = ReportFormat.TABLE,
        output: Annotated[Path | None, typer.Option(metavar="FILE", help="Write it to this file.")] = None,
    ) -> Answer | None:
        zone = ZoneInfo(zones.check(time_zone) or "UTC")
        first, last = span(
            given(since, "--since"),
            given(until, "--until"),
            today=operator().clock.now().astimezone(zone).date(),
            zone=zone,
        )
        number = agency_named(operator(), agency).id if agency else None
        asked = Asked(since=first, until=last, agency=number, user=user, kind=kind)
        return _told(making.make(operator(), report.name, asked, zone), form, output)

    make.__doc__ = report.sentence
    catalogue_command(app, report.name)(make)


for _one in BY_NAME.values():
    _declare(_one)


def _told(made: making.Made, form: ReportFormat, output: Path | None) -> Answer | None:
    if form is ReportFormat.CSV or form is ReportFormat.HTML:
        pieces = making.as_csv(made) if form is ReportFormat.CSV else making.as_html(made)
        return _written(made, pieces, output)
    values = making.as_values(made, _SHOWN)
    columns = [column.label for column in made.report.columns]
    rows = [tuple(row.values()) for row in values["rows"]]
    more = [f"Only the first {_SHOWN} rows are shown; --format csv has all."] if values["more"] else []
    table = Rows(columns=columns, rows=rows, empty="Nothing to report.")
    return Answer(document=values, parts=[table, *more])


def _written(made: making.Made, pieces: Iterator[str], output: Path | None) -> Answer | None:
    if output is None:
        for piece in pieces:
            sys.stdout.write(piece)
        return None
    with mapped(output), output.open("w", encoding="utf-8", newline="") as stream:
        for piece in pieces:
            stream.write(piece)
    return Answer(document={"report": made.report.name, "file": str(output)}, parts=[f"Wrote {output}."])
