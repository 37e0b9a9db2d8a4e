"""`opilio schedule`: when targets and groups are harvested."""

import datetime
from typing import Annotated, Any

import typer

from opilio.cli import schedule_patterns, schedule_planned
from opilio.cli.bulk_commands import add_bulk
from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app
from opilio.cli.curation_lookups import holder_named
from opilio.cli.moments import moment
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.schedules import create_schedule, pause_schedule, update_schedule
from opilio.curation.look_ahead import Dates, next_times
from opilio.curation.queries import schedules as queries
from opilio.curation.schedule_words import explained, told_of
from opilio.people.actions.rows import delete_row

app = noun_app("List, make and change schedules; show what is planned.")
_NUMBER = Annotated[int, typer.Argument(metavar="NUMBER", help="Number of the schedule.", show_default=False)]
_TARGET = Annotated[
    str, typer.Argument(metavar="TARGET", help="Number or name of a target or group.", show_default=False)
]
_CRON = Annotated[str, typer.Argument(metavar="EXPRESSION", help="Cron expression, quoted.", show_default=False)]
_START = Annotated[str, typer.Option(help="From when, as 2026-01-31T12:00:00Z; empty: now.")]
_END = Annotated[str, typer.Option(help="Until when; empty: for ever.")]


@catalogue_command(app, "list")
def list_schedules(
    target: Annotated[str | None, typer.Option(help="Only of this target or group.", show_default=False)] = None,
) -> Answer:
    """List the schedules."""
    rows = queries.schedules(operator())
    if target is not None:
        rows = rows.filter(abstract_target_id=holder_named(operator(), target).pk)
    found = [_told(row) for row in rows.order_by("abstract_target__name", "id")]
    columns = ("id", "target", "sentence", "time_zone", "paused", "next_time")
    shown = [tuple(one[name] for name in columns) for one in found]
    return Answer(document={"schedules": found}, parts=[Rows(columns=columns, rows=shown, empty="No schedule yet.")])


@catalogue_command(app, "show")
def show(number: _NUMBER) -> Answer:
    """Show one schedule with its next times."""
    return _one(number)


@catalogue_command(app, "create")
def create(
    target: _TARGET,
    expression: _CRON,
    time_zone: Annotated[str, typer.Option(help="As Europe/Paris; empty: the agency's.")] = "",
    start: _START = "",
    end: _END = "",
    paused: Annotated[bool, typer.Option("--paused", help="Plan nothing for now.")] = False,
) -> Answer:
    """Add a schedule to a target or group; what it plans is planned at once."""
    made = create_schedule(
        operator(), holder_id=holder_named(operator(), target).pk, cron=expression, time_zone=time_zone,
        start=moment(start, "--start"), end=moment(end, "--end"), paused=paused,
    )  # fmt: skip
    return _one(made.pk)


@catalogue_command(app, "change")
def change(
    number: _NUMBER,
    expression: Annotated[str, typer.Option(help="New cron expression.")] = "",
    time_zone: Annotated[str, typer.Option(help="New time zone.")] = "",
    start: _START = "",
    end: _END = "",
    endless: Annotated[bool, typer.Option("--endless", help="Without an end.")] = False,
) -> Answer:
    """Change a schedule; what is planned follows, but for harvests that were changed by hand."""
    row = queries.schedule(operator(), number)
    given = {
        "cron": expression, "time_zone": time_zone, "start": moment(start, "--start"), "end": moment(end, "--end"),
    }  # fmt: skip
    changes: dict[str, Any] = {name: value for name, value in given.items() if value}
    if endless:
        changes["end"] = None
    update_schedule(operator(), schedule_id=row.pk, version=row.version, **changes)
    return _one(number)


@catalogue_command(app, "pause")
def pause(number: _NUMBER) -> Answer:
    """Pause a schedule: nothing is planned until it goes on."""
    pause_schedule(operator(), schedule_id=number, paused=True)
    return _one(number)


@catalogue_command(app, "resume")
def resume(number: _NUMBER) -> Answer:
    """Let a paused schedule go on."""
    pause_schedule(operator(), schedule_id=number, paused=False)
    return _one(number)


@catalogue_command(app, "delete")
def delete(number: _NUMBER) -> Answer:
    """Delete a schedule with what it planned; the page Deleted restores it."""
    delete_row(operator(), kind_name="schedule", row_id=number)
    return Answer(document={"deleted": str(number)}, parts=[f"Schedule {number} is deleted."])


@catalogue_command(app, "explain")
def explain(
    expression: _CRON,
    time_zone: Annotated[str, typer.Option(help="As Europe/Paris.")] = "UTC",
) -> Answer:
    """Say what a cron expression means, with its next times in UTC."""
    sentence, warnings = explained(expression)
    now = operator().clock.now()
    times = next_times(Dates(cron=expression, time_zone=time_zone, start=now), now, 5)
    document = {"sentence": sentence, "warnings": list(warnings), "next_times": times}
    rows = [("times", ", ".join(map(_shown, times)) or "never"), *(("warning", one) for one in warnings)]
    return Answer(document=document, parts=[sentence, Fields(pairs=rows)])


def _one(number: int) -> Answer:
    row = queries.schedule(operator(), number)
    told = told_of(row, operator().clock.now())
    document = {**_told(row), "next_times": list(told.times), "warnings": list(told.warnings)}
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _told(row: Any) -> dict[str, Any]:
    plain = ("cron", "pattern", "time_zone", "start", "end", "paused", "next_time", "version")
    return {
        "id": str(row.pk), "target": row.abstract_target.name, "sentence": told_of(row).sentence,
        **{name: getattr(row, name) for name in plain}, "owner": row.owner.username,
    }  # fmt: skip


def _shown(at: datetime.datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S}"


schedule_planned.register(app)
schedule_patterns.register(app)
add_bulk(app, "schedule")
