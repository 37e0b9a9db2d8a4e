"""`opilio agency`: institutions that collect."""

from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app
from opilio.cli.lookups import agency_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.people.actions.agencies import FIELDS, create_agency
from opilio.people.queries import people

app = noun_app("List and make agencies.")
_NAME = Annotated[str, typer.Argument(metavar="NAME", help="Name of the agency.", show_default=False)]


@catalogue_command(app, "list")
def list_agencies() -> Answer:
    """List the agencies with their numbers of users and roles."""
    found = [_told(row) for row in people.agencies(operator())]
    rows = [(one["name"], one["users"], one["roles"], one["time_zone"], one["id"]) for one in found]
    columns = ("name", "users", "roles", "time zone", "id")
    return Answer(document={"agencies": found}, parts=[Rows(columns=columns, rows=rows, empty="No agency yet.")])


@catalogue_command(app, "show")
def show(name: _NAME) -> Answer:
    """Show one agency."""
    return _one(agency_named(operator(), name))


@catalogue_command(app, "create")
def create(
    name: _NAME,
    time_zone: Annotated[str, typer.Option(help="Zone of its schedules, as Europe/Paris.")] = "UTC",
    address: Annotated[str, typer.Option(help="Postal address.")] = "",
    url: Annotated[str, typer.Option(help="Web address.")] = "",
    logo_url: Annotated[str, typer.Option(help="Web address of the logo.")] = "",
    email: Annotated[str, typer.Option(help="E-mail address.")] = "",
    phone: Annotated[str, typer.Option(help="Telephone number.")] = "",
    fax: Annotated[str, typer.Option(help="Fax number.")] = "",
) -> Answer:
    """Make an agency, with the ready roles."""
    made = create_agency(
        operator(), name=name, time_zone=time_zone, address=address, url=url, logo_url=logo_url, email=email,
        phone=phone, fax=fax,
    )  # fmt: skip
    return _one(people.agency(operator(), made.id))


def _one(row: Any) -> Answer:
    document = _told(row)
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _told(row: Any) -> dict[str, Any]:
    details = {name: getattr(row, name) for name in FIELDS}
    return {"id": str(row.id), **details, "users": row.user_count, "roles": row.role_count, "version": row.version}
