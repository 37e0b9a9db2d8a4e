"""The commands about owners and assignments, which `opilio target` and `opilio group` share."""

import datetime
from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.collected import group_named, target_named
from opilio.cli.lookups import user_named
from opilio.cli.output import Answer, Fields
from opilio.curation.actions.assignments import assign_target, complete_assignment, withdraw_assignment
from opilio.curation.actions.ownership import give_ownership
from opilio.kernel.errors import InvalidInput

_GROUP = Annotated[str, typer.Argument(metavar="GROUP", help="Name or number of the group.", show_default=False)]
_TARGET = Annotated[str, typer.Argument(metavar="TARGET", help="Name or number of the target.", show_default=False)]
_TO = Annotated[str, typer.Option("--to", help="User name.", show_default=False)]


def register_group(app: typer.Typer) -> None:
    """Give `opilio group` its command."""
    catalogue_command(app, "give")(give_group)


def register_target(app: typer.Typer) -> None:
    """Give `opilio target` its commands."""
    catalogue_command(app, "give")(give_target)
    catalogue_command(app, "assign")(assign)
    catalogue_command(app, "withdraw")(withdraw)
    catalogue_command(app, "done")(done)


def give_group(group: _GROUP, to: _TO) -> Answer:
    """Make somebody the owner of a group; both owners are told."""
    return _given("group", group_named(operator(), group), to)


def give_target(target: _TARGET, to: _TO) -> Answer:
    """Make somebody the owner of a target; both owners are told."""
    return _given("target", target_named(operator(), target), to)


def assign(
    target: _TARGET,
    to: _TO,
    due: Annotated[str, typer.Option(help="Until when, as 2026-01-31.")] = "",
    note: Annotated[str, typer.Option(help="What to do.")] = "",
) -> Answer:
    """Ask a user to see to a target; they find it in their in-tray."""
    row = target_named(operator(), target)
    user = user_named(operator(), to)
    return _assigned(assign_target(operator(), target_id=row.pk, user_id=user.id, due=_day(due), note=note))


def withdraw(target: _TARGET) -> Answer:
    """Say that nobody need see to a target any more."""
    return _assigned(withdraw_assignment(operator(), target_id=target_named(operator(), target).pk))


def done(target: _TARGET) -> Answer:
    """Say that a target was seen to."""
    return _assigned(complete_assignment(operator(), target_id=target_named(operator(), target).pk))


def _given(kind_name: str, row: Any, to: str) -> Answer:
    user = user_named(operator(), to)
    give_ownership(operator(), kind_name=kind_name, row_id=row.pk, user_id=user.id)
    document = {"id": str(row.pk), "name": row.name, "owner": user.username}
    return Answer(document=document, parts=[f"{user.username} owns {row.name} now."])


def _assigned(row: Any) -> Answer:
    document = {
        "id": str(row.pk), "name": row.name, "assigned_to": row.assigned_to.username if row.assigned_to else "",
        "due": row.assigned_due.isoformat() if row.assigned_due else "", "note": row.assigned_note,
    }  # fmt: skip
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _day(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text) if text else None
    except ValueError as error:
        raise InvalidInput(f"{text[:64]!r} is no day", where="--due", remedy="Write it as 2026-01-31.") from error
