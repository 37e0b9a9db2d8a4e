"""The commands of `opilio target` that move one from state to state."""

from typing import Annotated

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.collected import target_named
from opilio.cli.output import Answer
from opilio.cli.target_told import one_target
from opilio.curation.actions.target_moves import move_target
from opilio.curation.queries import targets
from opilio.people.errors import NotFound

_TARGET = Annotated[str, typer.Argument(metavar="TARGET", help="Name or number of the target.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Give `opilio target` these commands."""
    for name, body in (
        ("nominate", nominate), ("approve", approve), ("reject", reject), ("cancel", cancel), ("reinstate", reinstate),
    ):  # fmt: skip
        catalogue_command(app, name)(body)


def nominate(target: _TARGET) -> Answer:
    """Ask those who approve targets to decide."""
    return _moved(target, "nominate")


def approve(target: _TARGET) -> Answer:
    """Collect a target from now on; each of its seeds must rely on a permission that is not rejected."""
    return _moved(target, "approve")


def reject(
    target: _TARGET,
    reason: Annotated[str, typer.Option(help="A reason of its agency, meant for targets.", show_default=False)],
    note: Annotated[str, typer.Option(help="What else there is to say.")] = "",
) -> Answer:
    """Do not collect a target, for a reason."""
    row = target_named(operator(), target)
    found = {name: number for number, name in targets.reasons_for(row)}
    if reason not in found:
        offered = ", ".join(found) or "none yet; `opilio target reason-create` makes one"
        raise NotFound(f"There is no reason {reason[:255]!r}", where="--reason", remedy=f"Known: {offered}.")
    move_target(operator(), target_id=row.pk, verb="reject", reason_id=found[reason], note=note)
    return one_target(row.pk)


def cancel(target: _TARGET) -> Answer:
    """Stop collecting a target; what is planned is removed."""
    return _moved(target, "cancel")


def reinstate(target: _TARGET) -> Answer:
    """Take a rejected, cancelled or completed target up again."""
    return _moved(target, "reinstate")


def _moved(target: str, verb: str) -> Answer:
    row = target_named(operator(), target)
    move_target(operator(), target_id=row.pk, verb=verb)
    return one_target(row.pk)
