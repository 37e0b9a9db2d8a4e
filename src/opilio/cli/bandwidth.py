"""`opilio bandwidth`: what the line may carry at which time of the week."""

import datetime
from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.bandwidth import create_restriction, update_restriction
from opilio.curation.days_of_week import BY_NAME
from opilio.curation.queries import bandwidth as queries
from opilio.kernel.errors import InvalidInput
from opilio.people.actions.rows import delete_row

app = noun_app("Say what the line may carry at which time of the week.")
_ID = Annotated[int, typer.Argument(metavar="ID", help="Identifier of the row.", show_default=False)]
_DAY = Annotated[str, typer.Argument(metavar="DAY", help="Day of the week, as Monday.", show_default=False)]
_COLUMNS = ("id", "day", "start", "end", "limit", "early starts")


@catalogue_command(app, "list")
def list_restrictions() -> Answer:
    """List the rows, and say what is in force now."""
    found = [_told(row) for row in queries.restrictions(operator())]
    now = queries.line_now(operator())
    rows = [(one["id"], one["day"], one["start"], one["end"], one["limit"], one["allow_early_start"]) for one in found]
    table = Rows(columns=_COLUMNS, rows=rows, empty="No row: there is no limit.")
    document = {"rows": found, "limit_now": now.limit, "sharing": now.sharing}
    return Answer(document=document, parts=[table, now.sentence])


@catalogue_command(app, "add")
def add(
    day: _DAY,
    start: Annotated[str, typer.Argument(metavar="FROM", help="As 08:00.", show_default=False)],
    end: Annotated[str, typer.Argument(metavar="UNTIL", help="As 18:00; 00:00 is the day's end.", show_default=False)],
    limit: Annotated[int, typer.Argument(metavar="KB", help="kB/s of all harvests together.", show_default=False)],
    early: Annotated[bool, typer.Option(help="Whether harvests may begin early.")] = False,
) -> Answer:
    """Add a row; outside all rows nothing is harvested."""
    made = create_restriction(
        operator(), day=_day(day), start=_time(start), end=_time(end), limit=limit, allow_early_start=early
    )
    return _one(made.pk)


@catalogue_command(app, "change")
def change(
    identifier: _ID,
    day: Annotated[str, typer.Option(help="Day of the week.")] = "",
    start: Annotated[str, typer.Option("--from", help="As 08:00.")] = "",
    end: Annotated[str, typer.Option("--until", help="As 18:00.")] = "",
    limit: Annotated[int | None, typer.Option(help="kB/s.", show_default=False)] = None,
    early: Annotated[bool | None, typer.Option(help="Whether harvests may begin early.", show_default=False)] = None,
) -> Answer:
    """Change a row; running harvests keep to it within seconds."""
    row = queries.restriction(operator(), identifier)
    update_restriction(
        operator(), restriction_id=row.pk, version=row.version, day=_day(day) if day else row.day,
        start=_time(start) if start else row.start, end=_time(end) if end else row.end,
        limit=row.limit if limit is None else limit,
        allow_early_start=row.allow_early_start if early is None else early,
    )  # fmt: skip
    return _one(identifier)


@catalogue_command(app, "delete")
def delete(identifier: _ID) -> Answer:
    """Delete a row; the page Deleted restores it."""
    delete_row(operator(), kind_name="bandwidth-restriction", row_id=identifier)
    return Answer(document={"deleted": str(identifier)}, parts=[f"Row {identifier} is deleted."])


def _day(text: str) -> int:
    found = BY_NAME.get(text.strip().lower())
    if found is None:
        raise InvalidInput(f"{text[:40]!r} is no day of the week", remedy=f"Write one of {', '.join(BY_NAME)}.")
    return found


def _time(text: str) -> datetime.time:
    try:
        return datetime.time.fromisoformat(text.strip()).replace(microsecond=0, tzinfo=None)
    except ValueError:
        raise InvalidInput(f"{text[:40]!r} is no time of the day", remedy="Write it as 08:00.") from None


def _one(identifier: int) -> Answer:
    document = _told(queries.restriction(operator(), identifier))
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _told(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.pk), "day": row.get_day_display(), "start": f"{row.start:%H:%M}", "end": f"{row.end:%H:%M}",
        "limit": row.limit, "allow_early_start": row.allow_early_start, "version": row.version,
    }  # fmt: skip
