"""`opilio deposit`: archive harvests, and see what became of that."""

from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app
from opilio.cli.depository import depository_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.deposits import archive_harvest, give_up_deposit, retry_deposit
from opilio.curation.queries import deposits as queries
from opilio.curation.words import DepositState
from opilio.kernel.errors import InvalidInput

app = noun_app("Archive endorsed harvests, and see what became of that.")
_MOST = 1_000
_DEPOSIT = Annotated[int, typer.Argument(metavar="DEPOSIT", help="Number of the deposit.", show_default=False)]


@catalogue_command(app, "list")
def list_deposits(
    harvest: Annotated[int | None, typer.Option(help="Only of this harvest.", show_default=False)] = None,
    state: Annotated[DepositState | None, typer.Option(help="Only in this state.", show_default=False)] = None,
) -> Answer:
    """List deposits, newest first."""
    given = {"harvest_id": harvest, "state": state}
    rows = queries.deposits(operator()).filter(**{name: one for name, one in given.items() if one is not None})
    found = [_told(row) for row in rows.order_by("-id")[:_MOST]]
    columns = ("id", "harvest", "result", "depository", "state", "size", "archive_id")
    shown = [tuple(one[name] for name in columns) for one in found]
    return Answer(document={"deposits": found}, parts=[Rows(columns=columns, rows=shown, empty="No deposit yet.")])


@catalogue_command(app, "show")
def show(deposit: _DEPOSIT) -> Answer:
    """Show a deposit with its receipt."""
    return _one(deposit)


@catalogue_command(app, "create")
def create(
    harvest: Annotated[int, typer.Argument(metavar="HARVEST", help="Number of the harvest.", show_default=False)],
    depository: Annotated[str, typer.Option(help="Name or number; left out: the one proposed first.")] = "",
    answer: Annotated[
        list[str] | None, typer.Option("--answer", metavar="NAME=TEXT", help="A field of its form.", show_default=False)
    ] = None,
    reference: Annotated[str, typer.Option(help="Reference number, where the target has none.")] = "",
) -> Answer:
    """Archive an endorsed harvest; an agent packs it, hands it over and reads it again."""
    chosen = depository_named(depository).pk if depository else None
    made = archive_harvest(
        operator(), harvest_id=harvest, depository_id=chosen, answers=dict(map(_pair, answer or ())),
        reference=reference,
    )  # fmt: skip
    return _one(made.pk)


@catalogue_command(app, "retry")
def retry(deposit: _DEPOSIT) -> Answer:
    """Try a deposit again that failed, under the same key."""
    return _one(retry_deposit(operator(), deposit_id=deposit).pk)


@catalogue_command(app, "give-up")
def give_up(deposit: _DEPOSIT, reason: Annotated[str, typer.Option(help="Why.")] = "") -> Answer:
    """Give a deposit up that is under way; the harvest is endorsed as before."""
    return _one(give_up_deposit(operator(), deposit_id=deposit, reason=reason).pk)


def _pair(text: str) -> tuple[str, str]:
    name, found, value = text.partition("=")
    if not found:
        raise InvalidInput(f"{text[:80]!r} is no answer", remedy="Write it as NAME=TEXT.")
    return name.strip(), value


def _one(identifier: int) -> Answer:
    document = _told(queries.deposit(operator(), identifier))
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _told(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.pk), "harvest": str(row.harvest_id), "result": row.result, "depository": row.depository.name,
        "state": row.state, "package": row.package, "size": row.size, "digest": row.digest,
        "archive_id": row.archive_id, "proven": queries.is_proven(row), "receipt": row.receipt,
        "answers": row.answers, "failure": row.failure, "begun_at": row.begun_at.isoformat(),
        "ended_at": row.ended_at.isoformat() if row.ended_at else None,
    }  # fmt: skip
