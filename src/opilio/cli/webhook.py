"""`opilio webhook`: other programs that are told what happens here."""

from typing import Annotated, Any

import typer

from opilio.cli import webhook_messages
from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app, typed
from opilio.cli.lookups import agency_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.cli.webhook_messages import IDENTIFIER, webhook_named
from opilio.people.actions.rows import delete_row
from opilio.people.actions.webhooks import create_webhook, renew_secret, update_webhook
from opilio.people.queries import webhooks as queries
from opilio.people.webhook_events import EVENTS

app = noun_app("Make, change and try webhooks; look at their messages and send them again.")
webhook_messages.register(app)
_EVENT = Annotated[list[str] | None, typer.Option("--event", help="An event it hears; repeatable.", show_default=False)]


@catalogue_command(app, "list")
def list_webhooks() -> Answer:
    """List the webhooks, with the numbers of messages that wait and that failed."""
    found = [_told(row) for row in queries.webhooks(operator()).order_by("name", "id")]
    rows = [(one["id"], one["name"], one["agency"], one["enabled"], one["waiting"], one["failed"], one["url"])
            for one in found]  # fmt: skip
    columns = ("id", "name", "agency", "enabled", "waiting", "failed", "url")
    return Answer(document={"webhooks": found}, parts=[Rows(columns=columns, rows=rows, empty="No webhook yet.")])


@catalogue_command(app, "events")
def events() -> Answer:
    """List the events that a webhook can hear of."""
    rows = [(event.name, event.sentence) for event in EVENTS]
    document = {"events": [{"name": name, "sentence": sentence} for name, sentence in rows]}
    return Answer(document=document, parts=[Rows(columns=("event", "what happened"), rows=rows)])


@catalogue_command(app, "show")
def show(name: IDENTIFIER) -> Answer:
    """Show one webhook; its secret is not shown."""
    return _one(webhook_named(name).pk)


@catalogue_command(app, "create")
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is for.", show_default=False)],
    url: Annotated[str, typer.Argument(metavar="URL", help="Where messages are sent.", show_default=False)],
    event: _EVENT = None,
    every_event: Annotated[bool, typer.Option("--every-event", help="Let it hear everything.")] = False,
    agency: Annotated[str, typer.Option(help="Whose events it hears; left out: all agencies'.")] = "",
) -> Answer:
    """Make a webhook; its secret is shown this once."""
    chosen = [one.name for one in EVENTS] if every_event else event or []
    home = agency_named(operator(), agency).id if agency else None
    row, secret = create_webhook(operator(), name=name, url=url, events=chosen, agency_id=home)
    return _one(row.pk, secret=secret)


@catalogue_command(app, "change")
def change(
    context: typer.Context,
    name: IDENTIFIER,
    new_name: Annotated[str, typer.Option("--name", help="Another name.")] = "",
    url: Annotated[str, typer.Option(help="Another address.")] = "",
    event: _EVENT = None,
    enabled: Annotated[bool, typer.Option("--on/--off", help="Whether messages are sent.")] = True,
) -> Answer:
    """Change what is named of a webhook, and leave the rest as it is; switched on again, it begins afresh."""
    row = webhook_named(name)
    given = {"new_name": ("name", new_name), "url": ("url", url), "event": ("events", event), "enabled":
             ("enabled", enabled)}  # fmt: skip
    changes = dict(given[one] for one in typed(context) if one in given)
    update_webhook(operator(), webhook_id=row.pk, version=row.version, **changes)
    return _one(row.pk)


@catalogue_command(app, "secret")
def secret(name: IDENTIFIER) -> Answer:
    """Give a webhook a new secret, which is shown this once; the old one counts no more."""
    row, text = renew_secret(operator(), webhook_id=webhook_named(name).pk)
    return _one(row.pk, secret=text)


@catalogue_command(app, "delete")
def delete(name: IDENTIFIER) -> Answer:
    """Delete a webhook; the page Deleted restores it."""
    row = webhook_named(name)
    delete_row(operator(), kind_name="webhook", row_id=row.pk)
    return Answer(document={"deleted": str(row.pk)}, parts=[f"Deleted the webhook {row.name}."])


def _one(identifier: int, **more: str) -> Answer:
    document = {**_told(queries.webhook(operator(), identifier)), **more}
    pairs = [(name, ", ".join(value) if isinstance(value, list) else value) for name, value in document.items()]
    return Answer(document=document, parts=[Fields(pairs=pairs)])


def _told(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.pk), "name": row.name, "agency": row.agency.name if row.agency else None, "url": row.url,
        "events": row.events, "enabled": row.enabled, "stopped": row.stopped, "failures": row.failures,
        "waiting": row.waiting, "failed": row.failed, "version": row.version,
    }  # fmt: skip
