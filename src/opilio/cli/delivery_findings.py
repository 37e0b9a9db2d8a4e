"""`opilio delivery findings`, `kinds`, `describe-kind`, `delete-kind`: what is wrong, and the kinds of it."""

from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.output import Answer, Fields, Rows
from opilio.people.errors import NotFound
from opilio.tracker.actions.finding_kinds import delete_kind, describe_kind
from opilio.tracker.queries import findings as query

_NAME = Annotated[str, typer.Argument(metavar="KIND", help="Name of a kind of finding.", show_default=False)]
_MOST_SHOWN = 500


def add_to(app: typer.Typer) -> None:
    """Put the commands under `opilio delivery`."""
    catalogue_command(app, "findings")(findings)
    catalogue_command(app, "kinds")(kinds)
    catalogue_command(app, "describe-kind")(describe)
    catalogue_command(app, "delete-kind")(delete)


def findings(
    centre: Annotated[str, typer.Option(help="Code of a centre; empty: all.")] = "",
    kind: Annotated[str, typer.Option(help="Name of a kind; empty: all.")] = "",
) -> Answer:
    """List what is wrong in documents now, newest first."""
    rows = query.in_documents(operator()).filter(active=True)
    if centre:
        rows = rows.filter(document__attempt__offering__delivery__zip__centre__short_name__iexact=centre)
    if kind:
        rows = rows.filter(kind__short_name=kind)
    found = [
        {"delivery": one.document.attempt.offering.delivery.zip.file_name, "document": one.document.fname,
         "line": one.line, "column": one.col, "kind": one.kind.short_name, "level": one.level, "message": one.message}
        for one in rows[:_MOST_SHOWN]
    ]  # fmt: skip
    return Answer(document={"findings": found}, parts=[_table(found, "Nothing is wrong.")])


def kinds() -> Answer:
    """List the kinds of finding."""
    found = [_told(row) for row in query.kinds(operator())]
    return Answer(document={"kinds": found}, parts=[_table(found, "No kind yet.")])


def describe(
    name: _NAME, text: Annotated[str, typer.Argument(metavar="TEXT", help="What it means.", show_default=False)]
) -> Answer:
    """Say what a kind of finding means."""
    describe_kind(operator(), kind_id=_named(name).pk, description=text)
    document = _told(_named(name))
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def delete(name: _NAME) -> Answer:
    """Delete a kind of finding that nothing is of."""
    gone = delete_kind(operator(), kind_id=_named(name).pk)
    return Answer(document={"deleted": gone}, parts=[Fields(pairs=[("deleted", gone)])])


def _named(name: str) -> Any:
    found = query.kinds(operator()).filter(short_name=name).first()
    if found is None:
        raise NotFound(f"There is no kind {name[:64]!r}", where="kinds", remedy="`opilio delivery kinds` names all.")
    return found


def _told(row: Any) -> dict[str, Any]:
    return {"id": str(row.pk), "kind": row.short_name, "description": row.description, "used": row.used}


def _table(rows: list[dict[str, Any]], empty: str) -> Rows:
    columns = tuple(rows[0]) if rows else ()
    return Rows(columns=columns, rows=[tuple(one.values()) for one in rows], empty=empty)
