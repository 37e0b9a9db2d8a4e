"""`opilio reading-room`: addresses from which readers are on site."""

from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app, typed
from opilio.cli.lookups import agency_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.reading_rooms import create_room, update_room
from opilio.curation.queries import reading_rooms as query
from opilio.people.actions.rows import delete_row

app = noun_app("List, make and change reading rooms.")
_NUMBER = Annotated[int, typer.Argument(metavar="NUMBER", help="Number of the reading room.", show_default=False)]
_NETWORK = Annotated[
    list[str], typer.Option("--network", help="An address or network, as 192.0.2.0/24; repeatable.", show_default=False)
]
_ACTIVE = Annotated[bool, typer.Option("--active/--inactive", help="Whether readers from there are on site.")]
_CHANGED = ("name", "active")


@catalogue_command(app, "list")
def list_rooms(
    agency: Annotated[str | None, typer.Option(help="Only of this agency.", show_default=False)] = None,
) -> Answer:
    """List reading rooms with their networks."""
    rows = query.rooms(operator())
    if agency is not None:
        rows = rows.filter(agency_id=agency_named(operator(), agency).id)
    found = [_told(row) for row in rows.order_by("agency__name", "name", "id")]
    shown = [tuple(one.values()) for one in found]
    columns = ("id", "room", "agency", "networks", "active", "version")
    empty = "No reading room yet; without one, nobody sees what is for readers on site."
    return Answer(document={"reading_rooms": found}, parts=[Rows(columns=columns, rows=shown, empty=empty)])


@catalogue_command(app, "create")
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What people call it.", show_default=False)],
    agency: Annotated[str, typer.Option(help="Its agency.", show_default=False)],
    network: _NETWORK,
    active: _ACTIVE = True,
) -> Answer:
    """Make a reading room."""
    home = agency_named(operator(), agency)
    made = create_room(operator(), agency_id=home.id, name=name, networks="\n".join(network), active=active)
    return _one(made.pk)


@catalogue_command(app, "change")
def change(
    context: typer.Context,
    number: _NUMBER,
    name: Annotated[str, typer.Option(help="Another name.")] = "",
    network: Annotated[
        list[str] | None, typer.Option("--network", help="All its networks; repeatable.", show_default=False)
    ] = None,
    active: _ACTIVE = True,
) -> Answer:
    """Change what is named of a reading room, and leave the rest as it is."""
    row = query.room(operator(), number)
    given: dict[str, Any] = {one: context.params[one] for one in typed(context) if one in _CHANGED}
    if network:
        given["networks"] = "\n".join(network)
    update_room(operator(), room_id=row.pk, version=row.version, **given)
    return _one(row.pk)


@catalogue_command(app, "delete")
def delete(number: _NUMBER) -> Answer:
    """Delete a reading room so that it can be restored."""
    row = query.room(operator(), number)
    delete_row(operator(), kind_name="reading-room", row_id=row.pk)
    return Answer(document={"deleted": str(row.pk)}, parts=[f"Deleted {row.name}."])


def _one(number: int) -> Answer:
    document = _told(query.room(operator(), number))
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _told(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.pk), "name": row.name, "agency": row.agency.name, "networks": row.networks.splitlines(),
        "active": row.active, "version": row.version,
    }  # fmt: skip
