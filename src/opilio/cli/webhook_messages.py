"""The commands of `opilio webhook` about messages: try, list, show, send again."""

from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.output import Answer, Fields, Rows
from opilio.people.actions.webhooks import send_again, try_webhook
from opilio.people.errors import NotFound
from opilio.people.queries import webhooks as queries

IDENTIFIER = Annotated[
    str, typer.Argument(metavar="WEBHOOK", help="Name or identifier of the webhook.", show_default=False)
]
_MESSAGE = Annotated[
    int, typer.Argument(metavar="ID", help="Identifier of the message.", min=1, max=2**63 - 1, show_default=False)
]
_COLUMNS = ("id", "event", "state", "tries", "status", "created", "about")


def register(app: typer.Typer) -> None:
    """Give `opilio webhook` these commands."""
    for name, body in (("try", attempt), ("messages", messages), ("message", message), ("again", again)):
        catalogue_command(app, name)(body)


def webhook_named(name: str) -> Any:
    """The webhook with this name, or this identifier."""
    rows = queries.webhooks(operator())
    number = int(name) if name.isascii() and name.isdigit() and len(name) < 19 else 0
    found = rows.filter(name__iexact=name).first() or rows.filter(id=number).first()
    if found is None:
        raise NotFound(f"There is no webhook {name[:150]!r}", remedy="`opilio webhook list` names them all.")
    return found


def attempt(name: IDENTIFIER) -> Answer:
    """Send a message that only tries a webhook; an agent sends it."""
    return _one(try_webhook(operator(), webhook_id=webhook_named(name).pk).pk)


def messages(
    name: IDENTIFIER,
    state: Annotated[str, typer.Option(help="Only those: waiting, sent or failed.")] = "",
    limit: Annotated[int, typer.Option(help="How many at most.", min=1, max=10_000)] = 50,
) -> Answer:
    """List the messages to a webhook, newest first."""
    rows = queries.deliveries(operator(), webhook_named(name).pk)
    found = [_told(row) for row in (rows.filter(state=state) if state else rows)[:limit]]
    shown = [(one["id"], one["event"], one["state"], one["tries"], one["status"], one["created"], one["about"])
             for one in found]  # fmt: skip
    return Answer(document={"messages": found}, parts=[Rows(columns=_COLUMNS, rows=shown, empty="No message.")])


def message(identifier: _MESSAGE) -> Answer:
    """Show a message, with what was answered."""
    return _one(identifier)


def again(identifier: _MESSAGE) -> Answer:
    """Send a message again that was taken or given up."""
    return _one(send_again(operator(), delivery_id=identifier).pk)


def _one(identifier: int) -> Answer:
    row = queries.delivery(operator(), identifier)
    document = {**_told(row), "body": row.body, "answer": row.answer}
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _told(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.pk), "webhook": row.webhook.name, "event": row.event, "about": row.subject_name,
        "state": row.state, "created": row.created, "tries": row.tries, "next_at": row.next_at,
        "tried_at": row.tried_at, "status": row.status, "error": row.error, "milliseconds": row.milliseconds,
    }  # fmt: skip
