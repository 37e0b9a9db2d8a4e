"""`opilio role`: sets of privileges that agencies hand out."""

from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app
from opilio.cli.lookups import agency_named, role_named
from opilio.cli.output import Answer, Fields, Part, Rows
from opilio.kernel.errors import InvalidInput
from opilio.people.privileges import Scope
from opilio.people.queries import people

app = noun_app("Look at roles and their privileges.")
_AGENCY = Annotated[str | None, typer.Option(help="Only of this agency.", show_default=False)]


@catalogue_command(app, "list")
def list_roles(agency: _AGENCY = None) -> Answer:
    """List the roles with their numbers of privileges and holders."""
    rows = people.roles(operator())
    if agency is not None:
        rows = rows.filter(agency_id=agency_named(operator(), agency).id)
    found = [_told(row) for row in rows.order_by("agency__name", "name")]
    shown = [(one["agency"], one["name"], one["privileges"], one["holders"], one["description"]) for one in found]
    columns = ("agency", "name", "privileges", "holders", "description")
    return Answer(document={"roles": found}, parts=[Rows(columns=columns, rows=shown, empty="No role yet.")])


@catalogue_command(app, "show")
def show(
    name: Annotated[str, typer.Argument(metavar="NAME@AGENCY", help="The role and its agency.", show_default=False)],
) -> Answer:
    """Show one role with its privileges, each with the scope it reaches."""
    role = role_named(operator(), name, home=None) if "@" in name or name.isdigit() else _only(name)
    held = {code: Scope(scope).name.lower() for code, scope in sorted(people.privileges_of(role.id).items())}
    document = {**_told(role), "privileges": held}
    details = [(key, value) for key, value in _told(role).items() if key != "privileges"]
    parts: list[Part] = [
        Fields(pairs=details),
        Rows(columns=("privilege", "scope"), rows=list(held.items()), empty="None."),
    ]
    return Answer(document=document, parts=parts)


def _only(name: str) -> Any:
    """A role named without its agency: good enough when one agency exists."""
    agencies = list(people.agencies(operator())[:2])
    if len(agencies) != 1:
        raise InvalidInput(
            f"It is not clear which agency's role {name[:100]} is meant", where="role show", remedy="Write NAME@AGENCY."
        )
    return role_named(operator(), name, home=agencies[0])


def _told(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "name": row.name,
        "agency": row.agency.name,
        "description": row.description,
        "privileges": row.privilege_count,
        "holders": row.holder_count,
    }
