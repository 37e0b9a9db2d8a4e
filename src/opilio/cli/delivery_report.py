"""`opilio delivery report` and `issues`: what a centre is told, as a text, a page or for programs."""

import datetime
from pathlib import Path
from typing import Annotated

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.output import Answer, Rows
from opilio.kernel.clock import SYSTEM
from opilio.kernel.errors import InvalidInput
from opilio.kernel.files import write_atomically
from opilio.people.errors import NotFound
from opilio.tracker import centre_report
from opilio.tracker.queries import deliveries as query
from opilio.tracker.queries.centre_report import made as made_for
from opilio.tracker.queries.issues import MOST, issues

_CENTRE = Annotated[str, typer.Argument(metavar="CENTRE", help="Code of a centre.", show_default=False)]
_SINCE = Annotated[str, typer.Option("--since", help="Only what changed since this day or time.")]
_COLUMNS = ("at", "delivery", "document", "line", "column", "kind", "level", "message", "active")


def add_to(app: typer.Typer) -> None:
    """Put the commands under `opilio delivery`."""
    catalogue_command(app, "report")(report)
    catalogue_command(app, "issues")(list_issues)


def report(
    centre: _CENTRE,
    since: _SINCE = "",
    form: Annotated[str, typer.Option("--form", help="text, html, json or csv.")] = "text",
    to: Annotated[Path | None, typer.Option("--to", help="Write it to this file.")] = None,
) -> Answer:
    """Show where the deliveries of a centre stand and what is wrong with them."""
    if form not in centre_report.FORMS:
        raise InvalidInput(f"{form!r} is no form", where="--form", remedy=f"Give {', '.join(centre_report.FORMS)}.")
    row = query.centres(operator()).filter(short_name=centre).first()
    if row is None:
        raise NotFound(f"There is no centre {centre!r}", where="report", remedy="`opilio centre list` shows them.")
    made = made_for(row, SYSTEM.now(), since=_moment(since))
    text = centre_report.written(made, form)
    if to is not None:
        write_atomically(to, text.encode())
    return Answer(document=centre_report.plain(made), parts=[text.rstrip("\n")] if to is None else [f"It is in {to}."])


def list_issues(
    centre: Annotated[str, typer.Option(help="Code of a centre; empty: all.")] = "",
    since: _SINCE = "",
    solved: Annotated[bool, typer.Option("--solved", help="Also what does not hold any more.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=MOST, help="How many at most.")] = MOST,
) -> Answer:
    """List what is wrong, the oldest change first."""
    found = issues(
        operator(), centre=centre, since=_moment(since), active=None if solved else True, limit=limit
    )  # fmt: skip
    plain = [one.plain() for one in found]
    rows = [tuple("" if one[name] is None else one[name] for name in _COLUMNS) for one in plain]
    return Answer(document={"issues": plain}, parts=[Rows(columns=_COLUMNS, rows=rows, empty="Nothing is wrong.")])


def _moment(text: str) -> datetime.datetime | None:
    if not text:
        return None
    try:
        found = datetime.datetime.fromisoformat(text)
    except ValueError as error:
        remedy = "Write it as 2024-02-29 or 2024-02-29T12:00:00+00:00."
        raise InvalidInput(f"{text!r} is no day or time", where="--since", remedy=remedy) from error
    return found if found.tzinfo else found.replace(tzinfo=datetime.UTC)
