"""`opilio audit`: who did what, and whether the log still holds all of it."""

from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app
from opilio.cli.output import Answer, Fields, Rows
from opilio.people import seals
from opilio.people.queries.records import audit_entries
from opilio.server.errors import BrokenChain

app = noun_app("Read the audit log and verify its chain.")


@catalogue_command(app, "list")
def list_entries(
    user: Annotated[str | None, typer.Option(help="Only what this user did.", show_default=False)] = None,
    action: Annotated[str | None, typer.Option(help="Only this action, as user.create.", show_default=False)] = None,
    subject: Annotated[str | None, typer.Option(help="Only about this kind of thing.", show_default=False)] = None,
    limit: Annotated[int, typer.Option(help="How many entries at most.", min=1, max=100_000)] = 50,
) -> Answer:
    """List entries of the audit log, newest first."""
    asked = {"username__iexact": user, "action": action, "subject_type": subject}
    rows = audit_entries(operator()).filter(**{name: value for name, value in asked.items() if value is not None})
    found = [_told(row) for row in rows[:limit]]
    shown = [(one["at"], one["user"], one["action"], one["subject"], one["message"]) for one in found]
    columns = ("at (UTC)", "user", "action", "subject", "message")
    return Answer(document={"entries": found}, parts=[Rows(columns=columns, rows=shown, empty="No entry.")])


@catalogue_command(app, "verify")
def verify(
    head: Annotated[
        str, typer.Option(metavar="HASH", help="A head noted earlier, which must still be in the chain.")
    ] = "",
) -> Answer:
    """Walk the whole chain; a changed, removed or cut-off entry is named, with exit code 7."""
    found = seals.verify(expected_head=head.strip().lower())
    if found.faults:
        raise _broken(found)
    document = {"sealed": found.sealed, "unsealed": found.unsealed, "head": found.head, "faults": []}
    words = "The chain holds. Note the head elsewhere: with --head it proves later that nothing was cut off."
    return Answer(document=document, parts=[Fields(pairs=list(document.items())[:3]), words])


def _broken(found: seals.Verdict) -> BrokenChain:
    error = BrokenChain(
        f"The audit log does not hold at {len(found.faults)} places; {found.sealed} entries are sealed,"
        f" {found.unsealed} not yet",
        where=f"head {found.head}",
        remedy="Compare with a backup (`opilio db restore` into another home), and find out who could write to it.",
    )
    error.faults = tuple(f"number {one.number}, entry {one.entry}: {one.what}" for one in found.faults)
    return error


def _told(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "at": row.at,
        "user": row.username,
        "action": row.action,
        "subject_type": row.subject_type,
        "subject_id": str(row.subject_id) if row.subject_id is not None else None,
        "subject": row.subject_name,
        "agency": row.agency_name,
        "message": row.message,
        "before": row.before,
        "after": row.after,
        "via": row.via,
        "address": row.address,
        "correlation": row.correlation,
    }
