"""The verbs of `opilio schedule` about planned harvests."""

from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.curation_lookups import holder_named
from opilio.cli.moments import moment
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.harvests import plan_harvest, update_harvest
from opilio.curation.queries import schedules as queries
from opilio.people.actions.rows import delete_row

_NUMBER = Annotated[int, typer.Argument(metavar="NUMBER", help="Number of the harvest.", show_default=False)]
_TARGET = Annotated[
    str, typer.Argument(metavar="TARGET", help="Number or name of a target or group.", show_default=False)
]


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    for name, body in (("planned", planned), ("once", once), ("move", move), ("drop", drop)):
        catalogue_command(app, name)(body)


def planned(
    target: Annotated[str | None, typer.Option(help="Only of this target or group.", show_default=False)] = None,
    limit: Annotated[int, typer.Option(help="How many at most.", min=1, max=100_000)] = 100,
) -> Answer:
    """List the harvests that wait, by their time."""
    rows = queries.planned(operator()).order_by("scheduled_at", "id")
    if target is not None:
        rows = rows.filter(abstract_target_id=holder_named(operator(), target).pk)
    found = [_told(row) for row in rows[:limit]]
    columns = ("id", "target", "scheduled_at", "priority", "edited", "owner")
    shown = [tuple(one[name] for name in columns) for one in found]
    return Answer(document={"harvests": found}, parts=[Rows(columns=columns, rows=shown, empty="Nothing is planned.")])


def once(
    target: _TARGET,
    at: Annotated[str, typer.Option(help="When, as 2026-01-31T12:00:00Z; empty: in five minutes.")] = "",
) -> Answer:
    """Plan one harvest of an approved target or an active group."""
    made = plan_harvest(operator(), holder_id=holder_named(operator(), target).pk, at=moment(at, "--at"))
    return _one(made.pk)


def move(
    number: _NUMBER,
    at: Annotated[str, typer.Option(help="New time, as 2026-01-31T12:00:00Z.")] = "",
    priority: Annotated[int | None, typer.Option(help="0 high, 100 normal, 1000 low.", show_default=False)] = None,
) -> Answer:
    """Change the time or priority of a harvest that waits; schedules leave it alone from then on."""
    row = queries.planned_harvest(operator(), number)
    changes: dict[str, Any] = {"scheduled_at": moment(at, "--at"), "priority": priority}
    given = {name: value for name, value in changes.items() if value is not None}
    update_harvest(operator(), harvest_id=row.pk, version=row.version, **given)
    return _one(number)


def drop(number: _NUMBER) -> Answer:
    """Delete a harvest that has not begun; the page Deleted restores it."""
    delete_row(operator(), kind_name="harvest", row_id=number)
    return Answer(document={"deleted": str(number)}, parts=[f"Harvest {number} is deleted."])


def _one(number: int) -> Answer:
    document = _told(queries.planned_harvest(operator(), number))
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _told(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.pk), "target": row.abstract_target.name, "scheduled_at": row.scheduled_at, "state": row.state,
        "priority": row.priority, "edited": row.edited, "owner": row.owner.username, "version": row.version,
    }  # fmt: skip
