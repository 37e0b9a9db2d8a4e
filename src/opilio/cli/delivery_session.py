"""`opilio delivery status` and what people decide about deliveries."""

import datetime
from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.output import Answer, Fields, Rows
from opilio.tracker.actions import deliveries as actions
from opilio.tracker.queries import deliveries as query

_ID = Annotated[int, typer.Argument(metavar="DELIVERY", help="Identifier of a delivery.", show_default=False)]
_REASON = Annotated[str, typer.Option("--reason", help="Why.", show_default=False)]
_MOST_SHOWN = 200


def add_to(app: typer.Typer) -> None:
    """Put the commands under `opilio delivery`."""
    catalogue_command(app, "status")(status)
    catalogue_command(app, "show")(show)
    catalogue_command(app, "retry")(retry)
    catalogue_command(app, "revalidate")(revalidate)
    catalogue_command(app, "requeue")(requeue)
    catalogue_command(app, "cancel")(cancel)
    catalogue_command(app, "undo")(undo)
    catalogue_command(app, "hold")(hold)


def status(
    centre: Annotated[str, typer.Option(help="Code of a centre; empty: all.")] = "",
    failed: Annotated[bool, typer.Option("--failed", help="Only what waits for somebody.")] = False,
) -> Answer:
    """List deliveries and where they stand, newest first."""
    chosen = query.stuck(operator()) if failed else query.deliveries(operator())
    if centre:
        chosen = chosen.filter(zip__centre__short_name__iexact=centre)
    found = [_delivery(row) for row in chosen[:_MOST_SHOWN]]
    columns = ("id", "action", "file", "centre", "phase", "status", "why")
    rows = [tuple(one[name] for name in columns) for one in found]
    table = Rows(columns=columns, rows=rows, empty="No delivery yet.")
    last = query.sessions().first()
    document = {"deliveries": found, "session": None if last is None else _session(last)}
    return Answer(document=document, parts=[table])


def show(delivery: _ID) -> Answer:
    """Tell the story of one delivery: attempts, documents, what is wrong."""
    row = query.delivery(operator(), delivery)
    tries = [_attempt(one) for one in query.attempts(row)]
    wrong = [
        {"document": one.document.fname, "line": one.line, "column": one.col, "kind": one.kind.short_name,
         "level": one.level, "message": one.message}
        for one in query.problems(row)[:_MOST_SHOWN]
    ]  # fmt: skip
    document = {**_delivery(row), "attempts": tries, "findings": wrong}
    parts: list[Any] = [Fields(pairs=list(_delivery(row).items()))]
    parts += [_table(tries, "No attempt yet."), _table(wrong, "Nothing is wrong with it.")]
    return Answer(document=document, parts=parts)


def retry(delivery: _ID) -> Answer:
    """Try a delivery again that failed, in the next session."""
    return _changed(actions.retry(operator(), delivery_id=delivery))


def revalidate(delivery: _ID) -> Answer:
    """Take a delivery in again from what is here, in the next session."""
    return _changed(actions.revalidate(operator(), delivery_id=delivery))


def requeue(delivery: _ID) -> Answer:
    """Fetch a delivery again, in the next session."""
    return _changed(actions.requeue(operator(), delivery_id=delivery))


def cancel(delivery: _ID, reason: _REASON) -> Answer:
    """Give a delivery up."""
    return _changed(actions.cancel(operator(), delivery_id=delivery, reason=reason))


def undo(delivery: _ID, reason: _REASON) -> Answer:
    """Take back the records that a delivery brought."""
    number = actions.undo(operator(), delivery_id=delivery, reason=reason)
    return Answer(document={"taken_back": number}, parts=[Fields(pairs=[("records taken back", number)])])


def hold(
    delivery: _ID, reason: _REASON,
    release: Annotated[bool, typer.Option("--release", help="Let go of it.")] = False,
) -> Answer:  # fmt: skip
    """Keep a delivery from being removed, whatever the rules of retention."""
    return _changed(actions.hold(operator(), delivery_id=delivery, held=not release, reason=reason))


def _changed(row: Any) -> Answer:
    found = _delivery(query.delivery(operator(), row.pk))
    return Answer(document=found, parts=[Fields(pairs=list(found.items()))])


def _delivery(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.pk), "action": row.todo.short_name, "file": row.zip.file_name,
        "centre": row.zip.centre.short_name if row.zip.centre else "", "phase": row.phase.short_name,
        "status": row.status.short_name, "why": row.why, "retried": row.retried, "held": row.held,
    }  # fmt: skip


def _attempt(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.pk), "source": str(row.offering.source), "revision": row.revision,
        "request": _shown(row.request), "received": _shown(row.received) if row.received else "",
        "bytes": row.downloaded_size_bytes, "sha256": row.sha256, "phase": row.phase.short_name,
        "status": row.status.short_name,
    }  # fmt: skip


def _session(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.pk), "started": _shown(row.start_time),
        "ended": _shown(row.finish_time) if row.finish_time else None, "status": row.status, "cut_off": row.cut_off,
    }  # fmt: skip


def _table(rows: list[dict[str, Any]], empty: str) -> Rows:
    columns = tuple(rows[0]) if rows else ()
    return Rows(columns=columns, rows=[tuple(one.values()) for one in rows], empty=empty)


def _shown(at: datetime.datetime) -> str:
    return at.isoformat(timespec="seconds")
