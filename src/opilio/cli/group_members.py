"""The commands of `opilio group` about members."""

from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.collected import collected_named, group_named
from opilio.cli.output import Answer, Rows
from opilio.curation.actions.group_members import add_members, move_members, remove_members
from opilio.curation.queries import groups
from opilio.curation.words import ObjectType, State

_GROUP = Annotated[str, typer.Argument(metavar="GROUP", help="Name or number of the group.", show_default=False)]
_MEMBERS = Annotated[
    list[str],
    typer.Argument(metavar="MEMBER…", help="Names or numbers; target:NAME or group:NAME.", show_default=False),
]


def register(app: typer.Typer) -> None:
    """Give `opilio group` these commands."""
    catalogue_command(app, "members")(members)
    catalogue_command(app, "add")(add)
    catalogue_command(app, "remove")(remove)
    catalogue_command(app, "move")(move)


def members(group: _GROUP) -> Answer:
    """List the members of a group."""
    row = group_named(operator(), group)
    found = [_told(link.child) for link in groups.members(operator(), row.pk)]
    shown = [(one["name"], one["kind"], one["state"], one["agency"], one["id"]) for one in found]
    columns = ("name", "kind", "state", "agency", "id")
    return Answer(document={"members": found}, parts=[Rows(columns=columns, rows=shown, empty="No member yet.")])


def add(group: _GROUP, member: _MEMBERS) -> Answer:
    """Put targets and groups into a group: all of them, or none."""
    row = group_named(operator(), group)
    add_members(operator(), group_id=row.pk, member_ids=_numbers(member))
    return members(str(row.pk))


def remove(group: _GROUP, member: _MEMBERS) -> Answer:
    """Take targets and groups out of a group: all of them, or none."""
    row = group_named(operator(), group)
    remove_members(operator(), group_id=row.pk, member_ids=_numbers(member))
    return members(str(row.pk))


def move(
    group: _GROUP,
    member: _MEMBERS,
    into: Annotated[str, typer.Option(help="The group that they move to.", show_default=False)],
) -> Answer:
    """Move targets and groups to another group, whose members are then listed."""
    row, other = group_named(operator(), group), group_named(operator(), into)
    move_members(operator(), source_id=row.pk, into_id=other.pk, member_ids=_numbers(member))
    return members(str(other.pk))


def _numbers(names: list[str]) -> list[int]:
    return [collected_named(operator(), name).pk for name in names]


def _told(row: Any) -> dict[str, Any]:
    kind = "group" if row.object_type == ObjectType.GROUP else "target"
    return {
        "id": str(row.pk), "name": row.name, "kind": kind, "state": State(row.state).label.lower(),
        "agency": row.agency.name,
    }  # fmt: skip
