"""The verbs of `opilio schedule` about schedule patterns."""

from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.schedule_patterns import create_schedule_pattern, update_schedule_pattern
from opilio.curation.queries import schedules as queries
from opilio.curation.schedule_words import explained
from opilio.people.actions.rows import delete_row

_ID = Annotated[int, typer.Argument(metavar="ID", help="Identifier of the pattern.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    for name, body in (
        ("patterns", patterns), ("add-pattern", add_pattern), ("change-pattern", change_pattern),
        ("delete-pattern", delete_pattern),
    ):  # fmt: skip
        catalogue_command(app, name)(body)


def patterns() -> Answer:
    """List the schedule patterns of the installation."""
    found = [_told(row) for row in queries.patterns(operator()).order_by("name", "id")]
    columns = ("id", "number", "name", "cron", "sentence")
    shown = [tuple(one[name] for name in columns) for one in found]
    return Answer(document={"patterns": found}, parts=[Rows(columns=columns, rows=shown, empty="None yet.")])


def add_pattern(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the pattern.", show_default=False)],
    expression: Annotated[str, typer.Argument(metavar="EXPRESSION", help="Cron expression.", show_default=False)],
    number: Annotated[
        int | None, typer.Option(help="Its number; empty: the next free one.", show_default=False)
    ] = None,
) -> Answer:
    """Make a schedule pattern, offered to everybody."""
    return _one(create_schedule_pattern(operator(), name=name, cron=expression, number=number).pk)


def change_pattern(
    identifier: _ID,
    name: Annotated[str, typer.Option(help="New name.")] = "",
    expression: Annotated[str, typer.Option(help="New cron expression.")] = "",
) -> Answer:
    """Change a schedule pattern; schedules that were made with it stay as they are."""
    row = queries.pattern(operator(), identifier)
    changes = {key: value for key, value in (("name", name), ("cron", expression)) if value}
    update_schedule_pattern(operator(), pattern_id=row.pk, version=row.version, **changes)
    return _one(identifier)


def delete_pattern(identifier: _ID) -> Answer:
    """Delete a schedule pattern; the page Deleted restores it."""
    delete_row(operator(), kind_name="schedule-pattern", row_id=identifier)
    return Answer(document={"deleted": str(identifier)}, parts=[f"Pattern {identifier} is deleted."])


def _one(identifier: int) -> Answer:
    document = _told(queries.pattern(operator(), identifier))
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _told(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.pk), "number": row.number, "name": row.name, "cron": row.cron,
        "sentence": explained(row.cron)[0], "version": row.version,
    }  # fmt: skip
