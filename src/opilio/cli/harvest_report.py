"""`opilio harvest report`: the reports on one harvest."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.output import Answer, Rows
from opilio.curation.queries import harvest_reports as query
from opilio.curation.queries.harvests import harvest as seen
from opilio.kernel.files import mapped
from opilio.works.harvest_records import NothingHere
from opilio.works.harvest_reports.all_reports import BY_NAME
from opilio.works.harvest_reports.written import as_csv, as_values

_NAMES = ", ".join(BY_NAME)
_OLDER = "An earlier version of Opilio sealed this harvest, and did not count this."


def register(app: typer.Typer) -> None:
    """Add the verb to those of `opilio harvest`."""
    catalogue_command(app, "report")(report)


def report(
    harvest: Annotated[int, typer.Argument(metavar="HARVEST", help="Number of the harvest.", show_default=False)],
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"One of {_NAMES}; left out: list them.")] = "",
    longer: Annotated[str, typer.Option(metavar="CHARACTERS", help="For long-urls: more characters than this.")] = "",
    csv: Annotated[bool, typer.Option("--csv", help="Write it as CSV.")] = False,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the CSV to this file.")] = None,
) -> Answer | None:
    """Show a report on a harvest: from what it collected so far, or as it was sealed."""
    row = seen(operator(), harvest)
    if not name:
        return _offered(row)
    made = query.made(row, name, longer or None)
    if csv or output is not None:
        return _written(made, output)
    values = as_values(made.report, made.rows)
    shown = [tuple(_cell(cell) for cell in one.values()) for one in values]
    table = Rows(columns=[column.label for column in made.report.columns], rows=shown, empty=made.report.nothing)
    told = _OLDER if made.older else f"{made.total:,} {made.counted}{'' if made.sealed else ' so far'}."
    document = {"report": made.report.name, "sealed": made.sealed, "total": made.total, "rows": values}
    return Answer(document=document, parts=[told, table])


def _offered(row: Any) -> Answer:
    offer = query.offered(row)
    if offer.nothing:
        raise NothingHere(offer.nothing)
    found = [
        {"name": one.report.name, "label": one.report.label, "sentence": one.report.sentence, "total": one.total}
        for one in offer.reports
    ]
    shown = [(one.report.name, one.report.sentence, one.total) for one in offer.reports]
    return Answer(document={"reports": found}, parts=[Rows(columns=("report", "what it tells", "total"), rows=shown)])


def _written(made: query.Made, output: Path | None) -> Answer | None:
    pieces = as_csv(made.report, made.rows)
    if output is None:
        sys.stdout.writelines(pieces)
        return None
    with mapped(output), output.open("w", encoding="utf-8", newline="") as stream:
        stream.writelines(pieces)
    return Answer(document={"report": made.report.name, "file": str(output)}, parts=[f"Wrote {output}."])


def _cell(value: Any) -> Any:
    return "\n".join(value) if isinstance(value, list) else value
