"""`opilio flag`: coloured flags of agencies, and harvests that bear them."""

from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app
from opilio.cli.lookups import agency_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.flags import create_flag, put_flag, update_flag
from opilio.curation.queries import harvests, review
from opilio.kernel.errors import InvalidInput
from opilio.people.actions.rows import delete_row

app = noun_app("Make coloured flags and put them on harvests.")
_FLAG = Annotated[int, typer.Argument(metavar="FLAG", help="Number of the flag.", show_default=False)]
_HARVEST = Annotated[int, typer.Argument(metavar="HARVEST", help="Number of the harvest.", show_default=False)]


@catalogue_command(app, "list")
def list_flags(
    agency: Annotated[str | None, typer.Option(help="Only of this agency.", show_default=False)] = None,
) -> Answer:
    """List flags."""
    rows = review.flags(operator())
    if agency is not None:
        rows = rows.filter(agency_id=agency_named(operator(), agency).id)
    found = [_told(row) for row in rows.order_by("name", "id")]
    columns = ("id", "name", "colour", "agency", "version")
    shown = [tuple(one[name] for name in columns) for one in found]
    return Answer(document={"flags": found}, parts=[Rows(columns=columns, rows=shown, empty="No flag yet.")])


@catalogue_command(app, "create")
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it means.", show_default=False)],
    agency: Annotated[str, typer.Option(help="Its agency.", show_default=False)],
    colour: Annotated[str, typer.Option(help="As #rrggbb.")] = "#e65100",
) -> Answer:
    """Make a flag."""
    made = create_flag(operator(), agency_id=agency_named(operator(), agency).id, name=name, colour=colour)
    return _one(made.pk)


@catalogue_command(app, "change")
def change(
    flag: _FLAG,
    name: Annotated[str | None, typer.Option(help="Another name.", show_default=False)] = None,
    colour: Annotated[str | None, typer.Option(help="Another colour, as #rrggbb.", show_default=False)] = None,
) -> Answer:
    """Change a flag."""
    row = review.flag(operator(), flag)
    update_flag(operator(), flag_id=flag, version=row.version, name=name, colour=colour)
    return _one(flag)


@catalogue_command(app, "delete")
def delete(flag: _FLAG) -> Answer:
    """Delete a flag so that it can be restored."""
    row = review.flag(operator(), flag)
    delete_row(operator(), kind_name="flag", row_id=flag)
    return Answer(document={"deleted": str(flag)}, parts=[f"Deleted {row.name}."])


@catalogue_command(app, "put")
def put(
    harvest: _HARVEST,
    flag: Annotated[str, typer.Argument(metavar="FLAG", help="Name or number; empty takes it off.")] = "",
) -> Answer:
    """Put a flag of its agency on a harvest, or take it off."""
    row = harvests.harvest(operator(), harvest)
    put_flag(operator(), harvest_id=harvest, flag_id=_number(review.flags_for(row), flag) if flag else None)
    shown = harvests.harvest(operator(), harvest)
    document = {"harvest": str(harvest), "flag": shown.flag.name if shown.flag else ""}
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _number(choices: list[tuple[int, str]], text: str) -> int:
    for number, name in choices:
        if text.casefold() == name.casefold() or text == str(number):
            return number
    raise InvalidInput(f"The agency has no flag {text[:60]!r}", where="FLAG", remedy="`opilio flag list` shows them.")


def _one(number: int) -> Answer:
    document = _told(review.flag(operator(), number))
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _told(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.pk), "name": row.name, "colour": row.colour, "agency": row.agency.name, "version": row.version,
    }  # fmt: skip
